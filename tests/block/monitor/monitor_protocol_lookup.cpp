// The protocol checker on a lookup link: only b_transport, which takes no time.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/block/monitor/monitor_protocol_rig.h"

using namespace wharf;
using namespace wharf::protocol_rig;

TEST_CASE("protocol checker: a lookup is answered in no time, with a status, and says what was asked") {
  Scenes scenes(LinkKind::lookup);
  const auto ask = [](Link& rig, Payload& payload) {
    sc_core::sc_time time;
    rig.initiator.socket->b_transport(payload, time);
  };
  scenes.play("as it should be", [&](Link& rig) {
    ask(rig, rig.make(1));
    CHECK(rig.checker.completed() == 1);
    CHECK(rig.checker.check_end().empty());
  });
  scenes.play("it takes time", [&](Link& rig) {
    rig.target.blocking = [](tlm_generic_payload&, sc_core::sc_time& time) { time += after(5); };
    breaks(rig, ProtocolRule::time_taken, "a lookup took time", "0x80, access 1", [&] { ask(rig, rig.make(1)); });
  });
  scenes.play("it changes the question", [&](Link& rig) {
    rig.target.blocking = [](tlm_generic_payload& transaction, sc_core::sc_time&) { transaction.set_data_length(1); };
    breaks(rig, ProtocolRule::immutable_attributes, "the data length has changed by the answer", "0x80, access 1",
           [&] { ask(rig, rig.make(1)); });
  });
  scenes.play("no status", [&](Link& rig) {
    rig.target.blocking_sets_status = false;
    breaks(rig, ProtocolRule::response_status, "at the end of b_transport", "0x80, access 1", [&] { ask(rig, rig.make(1)); });
  });
  scenes.play("a status left over", [&](Link& rig) {
    Payload& payload = rig.make(1);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    breaks(rig, ProtocolRule::response_status, "set before the request was sent", "0x80, access 1", [&] { ask(rig, payload); });
  });
  scenes.play("a phase", [&](Link& rig) {
    breaks(rig, ProtocolRule::phase_order, "a phase on a lookup link", "0x80, access 1", [&] { rig.forward(rig.make(1), BEGIN_REQ); });
  });
}
