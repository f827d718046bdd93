// The remaining rules of the protocol checker, with one misbehaving end each, and the report of a violation.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"
#include "tests/block/monitor/monitor_protocol_rig.h"

using namespace wharf;
using namespace wharf::protocol_rig;

TEST_CASE("protocol checker: a request before the previous one was accepted breaks request exclusion") {
  Rig rig;
  rig.forward(rig.make(1), BEGIN_REQ);
  breaks(rig, ProtocolRule::request_exclusion, "BEGIN_REQ while transaction 0x80, access 1 has not been accepted", "0x100, access 2",
         [&] { rig.forward(rig.make(2), BEGIN_REQ); });
}

TEST_CASE("protocol checker: a response before the previous one was accepted breaks response exclusion") {
  Rig rig;
  Payload& first = rig.accepted(1);
  Payload& second = rig.accepted(2);
  rig.respond(first);
  breaks(rig, ProtocolRule::response_exclusion, "BEGIN_RESP while that of transaction 0x80, access 1", "0x100, access 2",
         [&] { rig.respond(second); });
}

TEST_CASE("protocol checker: a response returned on the forward path counts for response exclusion") {
  Rig rig;
  rig.respond(rig.accepted(1));
  rig.target.answer = update(BEGIN_RESP);
  breaks(rig, ProtocolRule::response_exclusion, "BEGIN_RESP while that of", "0x100, access 2",
         [&] { rig.forward(rig.make(2), BEGIN_REQ); });
}

TEST_CASE("protocol checker: sending the object of a live transaction again is caught") {
  Rig rig;
  Payload& payload = rig.accepted(1);
  breaks(rig, ProtocolRule::reuse, "BEGIN_REQ for a transaction that has not ended", "0x80, access 1",
         [&] { rig.forward(payload, BEGIN_REQ); });
}

TEST_CASE("protocol checker: annotated times of a transaction that go back are caught") {
  Scenes scenes;
  scenes.play("END_REQ before its BEGIN_REQ", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ, 500);
    breaks(rig, ProtocolRule::time_order, "END_REQ at 499 ps, before the previous phase at 500 ps", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ, 499); });
  });
  scenes.play("BEGIN_RESP before END_REQ", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = update(END_REQ, 30);
    rig.forward(payload, BEGIN_REQ, 500);
    breaks(rig, ProtocolRule::time_order, "BEGIN_RESP at 529 ps, before the previous phase at 530 ps", "0x80, access 1",
           [&] { rig.respond(payload, 529); });
  });
  scenes.play("END_RESP before BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.respond(payload, 10);
    breaks(rig, ProtocolRule::time_order, "END_RESP at 9 ps", "0x80, access 1", [&] { rig.forward(payload, END_RESP, 9); });
  });
  scenes.play("an answer returned earlier than it was asked", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time& time) {
      transaction.set_response_status(tlm::TLM_OK_RESPONSE);
      time = after(499);
      return TLM_COMPLETED;
    };
    breaks(rig, ProtocolRule::time_order, "TLM_COMPLETED at 499 ps", "0x80, access 1", [&] { rig.forward(payload, BEGIN_REQ, 500); });
  });
}

TEST_CASE("protocol checker: a wrapped annotated time is caught as past") {
  Rig rig;
  breaks(rig, ProtocolRule::past_time, "annotated 3 ps before the present", "0x80, access 1",
         [&] { rig.forward(rig.make(1), BEGIN_REQ, Picoseconds{0} - 3); });
}

TEST_CASE("protocol checker: the response status is checked at every end of a memory transaction") {
  Scenes scenes;
  scenes.play("BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at BEGIN_RESP", "0x80, access 1",
           [&] { rig.backward(payload, BEGIN_RESP); });
  });
  scenes.play("BEGIN_RESP returned", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
      phase = BEGIN_RESP;
      return TLM_UPDATED;
    };
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at BEGIN_RESP", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("TLM_COMPLETED", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [](tlm_generic_payload&, tlm_phase&, sc_core::sc_time&) { return TLM_COMPLETED; };
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at TLM_COMPLETED", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("left over from an earlier use", [](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    breaks(rig, ProtocolRule::response_status, "set before the request was sent", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("blocking transport", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.blocking_sets_status = false;
    sc_core::sc_time time;
    breaks(rig, ProtocolRule::response_status, "still TLM_INCOMPLETE_RESPONSE at the end of b_transport", "0x80, access 1",
           [&] { rig.initiator.socket->b_transport(payload, time); });
  });
}

TEST_CASE("protocol checker: attributes that change during the life of a transaction are caught") {
  unsigned char byte = 0;
  const std::vector<std::pair<std::string, std::function<void(tlm_generic_payload&)>>> changes = {
      {"the address", [](tlm_generic_payload& t) { t.set_address(0x80 + 32); }},
      {"the command", [](tlm_generic_payload& t) { t.set_command(tlm::TLM_WRITE_COMMAND); }},
      {"the data pointer", [&](tlm_generic_payload& t) { t.set_data_ptr(&byte); }},
      {"the data length", [](tlm_generic_payload& t) { t.set_data_length(32); }},
      {"the byte enable pointer", [&](tlm_generic_payload& t) { t.set_byte_enable_ptr(&byte); }},
      {"the byte enable length", [](tlm_generic_payload& t) { t.set_byte_enable_length(4); }},
      {"the streaming width", [](tlm_generic_payload& t) { t.set_streaming_width(32); }},
  };
  Scenes scenes;
  for (const auto& [attribute, apply] : changes) {
    scenes.play(attribute.c_str(), [&, &what = attribute, &change = apply](Link& rig) {
      Payload& payload = rig.accepted(1);
      change(payload);
      const std::string address = what == "the address" ? "0xa0" : "0x80";
      breaks(rig, ProtocolRule::immutable_attributes, what + " has changed by BEGIN_RESP", address + ", access 1",
             [&] { rig.respond(payload); });
    });
  }
}

TEST_CASE("protocol checker: an attribute that the target changes while accepting is caught at once") {
  Rig rig;
  rig.target.answer = [](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
    transaction.set_data_length(1);
    return TLM_ACCEPTED;
  };
  breaks(rig, ProtocolRule::immutable_attributes, "the data length has changed by the return of BEGIN_REQ", "0x80, access 1",
         [&] { rig.forward(rig.make(1), BEGIN_REQ); });
}

TEST_CASE("protocol checker: a transaction without a memory manager is caught") {
  Rig rig;
  tlm_generic_payload foreign;
  foreign.set_address(0x40);
  breaks(rig, ProtocolRule::memory_management, "no memory manager", "0x40, no access id", [&] { rig.forward(foreign, BEGIN_REQ); });
}

TEST_CASE("protocol checker: a transaction that nobody refers to is caught") {
  Rig rig;
  Payload& payload = rig.accepted(1);
  payload.release();
  breaks(rig, ProtocolRule::memory_management, "nobody holds a reference", "0x80, access 1", [&] { rig.respond(payload); });
}

TEST_CASE("protocol checker: the first violation is the one that is kept") {
  Rig rig;
  Payload& payload = rig.accepted(1);
  CHECK_THROWS_AS(rig.backward(payload, END_REQ), SimulationError);
  CHECK_THROWS_AS(rig.forward(payload, BEGIN_REQ), SimulationError);
  CHECK(rig.checker.first_violation()->rule == ProtocolRule::phase_order);
}

TEST_CASE("protocol checker: a violation inside a process reaches the caller of the kernel with its text and is kept") {
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
  Payload& payload = rig.accepted(1);
  process.action = [&] { rig.backward(payload, END_REQ); };
  process.event.notify(after(714));
  const std::string text =
      "link link_0: rule of phase order: END_REQ for a request that has been accepted; transaction 0x80, access 1, at 714 ps";
  CHECK_THROWS_WITH(run_kernel(), text);
  CHECK(rig.checker.first_violation()->text == text);
}
