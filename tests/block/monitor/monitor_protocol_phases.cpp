// Phases and return values that the protocol checker must refuse, with one misbehaving end each.

#include <catch2/catch.hpp>

#include "tests/block/monitor/monitor_protocol_rig.h"

using namespace wharf;
using namespace wharf::protocol_rig;

TEST_CASE("protocol checker: phase order is checked on both paths") {
  Scenes scenes;
  scenes.play("a second END_REQ", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    breaks(rig, ProtocolRule::phase_order, "END_REQ for a request that has been accepted", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("a second BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    rig.respond(payload);
    breaks(rig, ProtocolRule::phase_order, "a second BEGIN_RESP", "0x80, access 1", [&] { rig.respond(payload); });
  });
  scenes.play("END_RESP before BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    breaks(rig, ProtocolRule::phase_order, "END_RESP before BEGIN_RESP", "0x80, access 1", [&] { rig.forward(payload, END_RESP); });
  });
  scenes.play("END_REQ after BEGIN_RESP has implied it", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.respond(payload);
    breaks(rig, ProtocolRule::phase_order, "END_REQ for a request that has been accepted", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("a target's phase on the forward path", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    breaks(rig, ProtocolRule::phase_order, "BEGIN_RESP on the forward path", "0x80, access 1", [&] { rig.forward(payload, BEGIN_RESP); });
  });
  scenes.play("an initiator's phase on the backward path", [](Link& rig) {
    Payload& payload = rig.accepted(1);
    breaks(rig, ProtocolRule::phase_order, "END_RESP on the backward path", "0x80, access 1", [&] { rig.backward(payload, END_RESP); });
  });
}

TEST_CASE("protocol checker: return values that do not advance the phase legally are caught") {
  Scenes scenes;
  scenes.play("BEGIN_REQ updated to END_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = update(END_RESP);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED from BEGIN_REQ to END_RESP", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_REQ updated to itself", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = update(BEGIN_REQ);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED from BEGIN_REQ to BEGIN_REQ", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_REQ accepted with a phase", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
      phase = END_REQ;
      return TLM_ACCEPTED;
    };
    breaks(rig, ProtocolRule::return_value, "TLM_ACCEPTED to BEGIN_REQ with a changed phase or time", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_REQ accepted with a later time", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [](tlm_generic_payload&, tlm_phase&, sc_core::sc_time& time) {
      time += after(1);
      return TLM_ACCEPTED;
    };
    breaks(rig, ProtocolRule::return_value, "TLM_ACCEPTED to BEGIN_REQ with a changed phase or time", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_REQ completed after the response began during the call", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = [&](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
      rig.respond(transaction);
      return TLM_COMPLETED;
    };
    breaks(rig, ProtocolRule::return_value, "TLM_COMPLETED from BEGIN_REQ after BEGIN_RESP", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_REQ answered after the transaction ended during the call", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.initiator.answer = complete();
    rig.target.answer = [&](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
      rig.respond(transaction);
      return TLM_UPDATED;
    };
    breaks(rig, ProtocolRule::return_value, "though the transaction ended during the call", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("END_REQ completed", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = complete();
    breaks(rig, ProtocolRule::return_value, "END_REQ answered by something other than TLM_ACCEPTED", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("END_REQ accepted with a phase", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
      phase = BEGIN_RESP;
      return TLM_ACCEPTED;
    };
    breaks(rig, ProtocolRule::return_value, "TLM_ACCEPTED to END_REQ with a changed phase or time", "0x80, access 1",
           [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("BEGIN_RESP updated to BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = update(BEGIN_RESP);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED from BEGIN_RESP to BEGIN_RESP", "0x80, access 1", [&] { rig.respond(payload); });
  });
  scenes.play("BEGIN_RESP accepted with a phase", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
      phase = END_RESP;
      return TLM_ACCEPTED;
    };
    breaks(rig, ProtocolRule::return_value, "TLM_ACCEPTED to BEGIN_RESP with a changed phase or time", "0x80, access 1",
           [&] { rig.respond(payload); });
  });
  scenes.play("BEGIN_RESP answered after END_RESP during the call", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = [&](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
      rig.forward(transaction, END_RESP);
      return TLM_COMPLETED;
    };
    breaks(rig, ProtocolRule::return_value, "though END_RESP was sent during the call", "0x80, access 1", [&] { rig.respond(payload); });
  });
  scenes.play("END_RESP updated", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.respond(payload);
    rig.target.answer = update(END_RESP);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED to END_RESP", "0x80, access 1", [&] { rig.forward(payload, END_RESP); });
  });
}

TEST_CASE("protocol checker: answers to transactions that are not open are caught") {
  Scenes scenes;
  scenes.play("never sent", [](Link& rig) {
    breaks(rig, ProtocolRule::unknown_transaction, "BEGIN_RESP without BEGIN_REQ", "0x80, access 1", [&] { rig.respond(rig.make(1)); });
  });
  scenes.play("completed before", [](Link& rig) {
    rig.target.answer = complete();
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::unknown_transaction, "END_REQ without BEGIN_REQ", "0x80, access 1", [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("END_RESP of nothing", [](Link& rig) {
    breaks(rig, ProtocolRule::unknown_transaction, "END_RESP without BEGIN_REQ", "0x80, access 1",
           [&] { rig.forward(rig.make(1), END_RESP); });
  });
}

TEST_CASE("protocol checker: a message link allows nothing but taking now or later") {
  Scenes scenes(LinkKind::message);
  scenes.play("END_REQ", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::phase_order, "END_REQ on the backward path", "0x80, access 1", [&] { rig.backward(payload, END_REQ); });
  });
  scenes.play("END_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::phase_order, "END_RESP on the forward path", "0x80, access 1", [&] { rig.forward(payload, END_RESP); });
  });
  scenes.play("TLM_UPDATED to END_REQ", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = update(END_REQ);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED from BEGIN_REQ to END_REQ", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("TLM_UPDATED to BEGIN_RESP", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.target.answer = update(BEGIN_RESP);
    breaks(rig, ProtocolRule::return_value, "TLM_UPDATED from BEGIN_REQ to BEGIN_RESP", "0x80, access 1",
           [&] { rig.forward(payload, BEGIN_REQ); });
  });
  scenes.play("BEGIN_RESP left pending", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::return_value, "something other than TLM_COMPLETED", "0x80, access 1", [&] { rig.respond(payload); });
  });
  scenes.play("a second message while one is pending", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    breaks(rig, ProtocolRule::request_exclusion, "BEGIN_REQ while transaction 0x80, access 1 has not been accepted", "0x100, access 2",
           [&] { rig.forward(rig.make(2), BEGIN_REQ); });
  });
}
