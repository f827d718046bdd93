// The protocol checker's rules for the attributes of a transaction, for references to it, and for calls outside the phases, with one
// misbehaving end each.

#include <catch2/catch.hpp>

#include "model/monitor/kernel_failure.h"
#include "tests/block/monitor/monitor_protocol_rig.h"

using namespace wharf;
using namespace wharf::protocol_rig;

namespace {

using Change = std::function<void(Payload&)>;

unsigned char half = 0x0F;

}  // namespace

TEST_CASE("protocol checker: a transaction that lacks what its command needs is caught when it is sent") {
  Scenes scenes;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"a read or write without a data pointer (14.11)", [](Payload& p) { p.set_data_ptr(nullptr); }},
      {"a read or write of no bytes (14.12)", [](Payload& p) { p.set_data_length(0); }},
      {"byte enables of length 0 (14.14)", [](Payload& p) { p.set_byte_enable_ptr(&half); }},
      {"a byte enable that is neither 0 nor 0xff (14.14)",
       [](Payload& p) {
         p.set_byte_enable_ptr(&half);
         p.set_byte_enable_length(1);
       }},
      {"a streaming width of 0 (14.15)", [](Payload& p) { p.set_streaming_width(0); }},
      {"the hint of direct memory is set (14.16)", [](Payload& p) { p.set_dmi_allowed(true); }},
      {"an option that only a target sets (14.8)", [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }},
  };
  for (const auto& [what, change] : changes)
    scenes.play(what.c_str(), [&, &said = what, &apply = change](Link& rig) {
      Payload& payload = rig.make(1);
      apply(payload);
      breaks(rig, ProtocolRule::initial_attributes, said, "0x80, access 1", [&] { rig.forward(payload, BEGIN_REQ); });
    });
}

TEST_CASE("protocol checker: a message lacks nothing either") {
  Rig rig(LinkKind::message);
  Payload& payload = rig.make(1);
  payload.set_data_ptr(nullptr);
  breaks(rig, ProtocolRule::initial_attributes, "a read or write without a data pointer (14.11)", "0x80, access 1",
         [&] { rig.forward(payload, BEGIN_REQ); });
}

TEST_CASE("protocol checker: a transaction that is to be ignored needs neither data pointer nor length") {
  Rig rig(LinkKind::message);
  rig.target.answer = complete();
  Payload& payload = rig.make(1);
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_data_ptr(nullptr);
  payload.set_data_length(0);
  CHECK(rig.forward(payload, BEGIN_REQ) == TLM_COMPLETED);
}

TEST_CASE("protocol checker: a message has the response status of any transaction, incomplete when sent and set when taken") {
  Scenes scenes(LinkKind::message);
  scenes.play("set before", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    breaks(rig, ProtocolRule::response_status, "set before the request was sent", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("not set at TLM_COMPLETED", [](Link& rig) {
    rig.target.answer = [](tlm_generic_payload&, tlm_phase&, sc_core::sc_time&) { return TLM_COMPLETED; };
    Payload& payload = rig.make(1);
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at TLM_COMPLETED", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("not set at BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at BEGIN_RESP", "0x80, access 1",
           [&] { rig.backward(payload, BEGIN_RESP); });
  });
}

TEST_CASE("protocol checker: bytes that change while a transaction lives are caught") {
  Scenes scenes;
  scenes.play("the data of a write", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    rig.forward(payload, BEGIN_REQ);
    rig.data[5] = 1;
    breaks(rig, ProtocolRule::immutable_attributes, "a byte of the data has changed by END_REQ", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("a byte enable", [](Link& rig) {
    unsigned char enable = TLM_BYTE_ENABLED;
    Payload& payload = rig.make(1);
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(1);
    rig.forward(payload, BEGIN_REQ);
    enable = TLM_BYTE_DISABLED;
    breaks(rig, ProtocolRule::immutable_attributes, "a byte enable has changed by END_REQ", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("the data of an answered read", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.data[5] = 1;  // the answer
    rig.respond(payload);
    rig.data[5] = 2;
    breaks(rig, ProtocolRule::immutable_attributes, "a byte of the data has changed by END_RESP", "0x80, access 1",
           [&] { rig.forward(payload, END_RESP); });
  });
  scenes.play("the option", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
    breaks(rig, ProtocolRule::immutable_attributes, "the option has changed by BEGIN_RESP", "0x80, access 1",
           [&] { rig.respond(payload); });
  });
}

// A target may read a transaction until its own call has returned, and so may any module in between (14.5, 14.7).
TEST_CASE("protocol checker: an initiator that takes the attributes back while the target's call is under way is caught") {
  Scenes scenes;
  scenes.play("in nb_transport_bw", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.initiator.answer = [&](tlm_generic_payload& transaction, tlm_phase& phase, sc_core::sc_time&) {
      transaction.set_data_ptr(nullptr);
      phase = END_RESP;
      return TLM_COMPLETED;
    };
    breaks(rig, ProtocolRule::immutable_attributes, "the data pointer has changed by the return of BEGIN_RESP", "0x80, access 1",
           [&] { rig.respond(payload); });
  });
  scenes.play("after END_RESP", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.respond(payload);
    rig.target.answer = [](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
      transaction.set_data_length(4);
      return TLM_COMPLETED;
    };
    breaks(rig, ProtocolRule::immutable_attributes, "the data length has changed by END_RESP", "0x80, access 1",
           [&] { rig.forward(payload, END_RESP); });
  });
}

TEST_CASE("protocol checker: a last reference that is given back while a call is under way is caught") {
  Scenes scenes;
  const Answer release = [](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    transaction.release();
    return TLM_COMPLETED;
  };
  scenes.play("in nb_transport_bw", [&](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.initiator.answer = release;
    breaks(rig, ProtocolRule::memory_management, "nobody holds a reference at the return of BEGIN_RESP", "0x80, access 1",
           [&] { rig.respond(payload); });
  });
  scenes.play("in nb_transport_fw", [&](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = release;
    breaks(rig, ProtocolRule::memory_management, "nobody holds a reference at the return of BEGIN_REQ", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("at END_RESP", [&](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.respond(payload);
    rig.target.answer = release;
    breaks(rig, ProtocolRule::memory_management, "nobody holds a reference at END_RESP", "0x80, access 1",
           [&] { rig.forward(payload, END_RESP); });
  });
  scenes.play("before b_transport", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.release();
    sc_core::sc_time time;
    breaks(rig, ProtocolRule::memory_management, "nobody holds a reference", "0x80, access 1",
           [&] { rig.initiator.socket->b_transport(payload, time); });
  });
}

TEST_CASE("protocol checker: a blocking call is checked as one with phases is") {
  Scenes scenes;
  const auto block = [](Link& rig, Payload& payload) {
    sc_core::sc_time time;
    rig.initiator.socket->b_transport(payload, time);
  };
  scenes.play("of a transaction under way", [&](Link& rig) {
    Payload& payload = rig.accepted(1);
    breaks(rig, ProtocolRule::blocking_call, "b_transport of a transaction that is under way with phases", "0x80, access 1",
           [&] { block(rig, payload); });
  });
  scenes.play("without a data pointer", [&](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_data_ptr(nullptr);
    breaks(rig, ProtocolRule::initial_attributes, "without a data pointer", "0x80, access 1", [&] { block(rig, payload); });
  });
  scenes.play("with a status left over", [&](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    breaks(rig, ProtocolRule::response_status, "set before the request was sent", "0x80, access 1", [&] { block(rig, payload); });
  });
  scenes.play("that changes an attribute", [&](Link& rig) {
    rig.target.blocking = [](tlm_generic_payload& transaction, sc_core::sc_time&) { transaction.set_streaming_width(4); };
    breaks(rig, ProtocolRule::immutable_attributes, "the streaming width has changed by the answer", "0x80, access 1",
           [&] { block(rig, rig.make(1)); });
  });
}

TEST_CASE("protocol checker: a blocking call from a method process is caught") {
  struct Process : sc_core::sc_module {
    SC_HAS_PROCESS(Process);
    explicit Process(sc_core::sc_module_name name) : sc_module(name) {
      SC_METHOD(run);
      sensitive << event;
      dont_initialize();
    }
    void run() { action(); }
    sc_core::sc_event event;
    std::function<void()> action;
  } process("process");
  Rig rig;
  Payload& payload = rig.make(1);
  process.action = [&] {
    sc_core::sc_time time;
    rig.initiator.socket->b_transport(payload, time);
  };
  process.event.notify(after(5));
  CHECK_THROWS_WITH(run_kernel(), Contains("rule of blocking calls: b_transport from a method process, which cannot wait"));
  CHECK(rig.checker.first_violation()->rule == ProtocolRule::blocking_call);
}

TEST_CASE("protocol checker: debug access and direct memory are checked") {
  Scenes scenes;
  scenes.play("debug access without a data pointer", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_data_ptr(nullptr);
    breaks(rig, ProtocolRule::debug_access, "no data pointer", "0x80, access 1", [&] { rig.initiator.socket->transport_dbg(payload); });
  });
  scenes.play("more bytes than asked for", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_data_length(20);
    breaks(rig, ProtocolRule::debug_access, "21 bytes returned of 20", "0x80, access 1",
           [&] { rig.initiator.socket->transport_dbg(payload); });
  });
  scenes.play("a used descriptor", [](Link& rig) {
    Payload& payload = rig.make(1);
    tlm::tlm_dmi dmi;
    dmi.allow_read();
    breaks(rig, ProtocolRule::direct_memory, "not as its constructor makes it", "0x80, access 1",
           [&] { rig.initiator.socket->get_direct_mem_ptr(payload, dmi); });
  });
}
