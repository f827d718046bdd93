// The protocol checker passes every legal dialogue unchanged, and knows which transactions are still open.

#include <catch2/catch.hpp>

#include "model/tlm/memory_link.h"
#include "model/tlm/message_link.h"
#include "tests/block/monitor/monitor_protocol_rig.h"

using namespace wharf;
using namespace wharf::protocol_rig;

TEST_CASE("protocol checker: four separate phases are legal") {
  Rig rig;
  Payload& payload = rig.make(1);
  CHECK(rig.forward(payload, BEGIN_REQ, 5) == TLM_ACCEPTED);
  CHECK(rig.checker.check_end() ==
        std::vector<std::string>{"link link_0: transaction 0x80, access 1: sent at 5 ps, still waits for END_REQ"});
  CHECK(rig.backward(payload, END_REQ, 5) == TLM_ACCEPTED);
  CHECK(rig.checker.check_end() ==
        std::vector<std::string>{"link link_0: transaction 0x80, access 1: sent at 5 ps, still waits for BEGIN_RESP"});
  CHECK(rig.respond(payload, 9) == TLM_ACCEPTED);
  CHECK(rig.checker.check_end() ==
        std::vector<std::string>{"link link_0: transaction 0x80, access 1: sent at 5 ps, still waits for END_RESP"});
  rig.target.answer = complete();
  CHECK(rig.forward(payload, END_RESP, 9) == TLM_COMPLETED);
  CHECK(rig.checker.check_end().empty());
  CHECK(rig.checker.completed() == 1);
}

TEST_CASE("protocol checker: the shortcuts are legal and come out as the ends made them") {
  Scenes scenes;
  const auto legal = [&](const char* title, auto dialogue) {
    scenes.play(title, [&](Link& rig) {
      dialogue(rig);
      CHECK(rig.checker.check_end().empty());
      CHECK(rig.checker.completed() == 1);
      CHECK_FALSE(rig.checker.first_violation());
    });
  };
  legal("END_REQ returned, response accepted at once", [](Link& rig) {
    rig.target.answer = update(END_REQ, 7);
    Payload& payload = rig.make(1);
    tlm_phase phase = BEGIN_REQ;
    sc_core::sc_time time = after(3);
    CHECK(rig.initiator.socket->nb_transport_fw(payload, phase, time) == TLM_UPDATED);
    CHECK(phase == END_REQ);
    CHECK(time == after(3 + 7));
    rig.initiator.answer = complete();
    CHECK(rig.respond(payload, 10) == TLM_COMPLETED);
  });
  legal("BEGIN_RESP returned, END_RESP sent", [](Link& rig) {
    rig.target.answer = update(BEGIN_RESP, 7);
    Payload& payload = rig.make(1);
    CHECK(rig.forward(payload, BEGIN_REQ) == TLM_UPDATED);
    rig.target.answer = accept;
    CHECK(rig.forward(payload, END_RESP, 7) == TLM_ACCEPTED);
  });
  legal("completed at once", [](Link& rig) {
    rig.target.answer = complete();
    CHECK(rig.forward(rig.make(1), BEGIN_REQ) == TLM_COMPLETED);
  });
  legal("BEGIN_RESP implies END_REQ, END_RESP returned", [](Link& rig) {
    Payload& payload = rig.make(1);
    rig.forward(payload, BEGIN_REQ);
    rig.initiator.answer = update(END_RESP, 2);
    CHECK(rig.respond(payload) == TLM_UPDATED);
  });
  legal("END_REQ called during BEGIN_REQ, later than it", [](Link& rig) {
    rig.target.answer = [&](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
      rig.backward(transaction, END_REQ, 50);
      return TLM_ACCEPTED;
    };
    Payload& payload = rig.make(1);
    CHECK(rig.forward(payload, BEGIN_REQ) == TLM_ACCEPTED);
    rig.initiator.answer = complete();
    CHECK(rig.respond(payload, 50) == TLM_COMPLETED);
  });
}

TEST_CASE("protocol checker: the next request may follow END_REQ, BEGIN_RESP, or TLM_UPDATED, and responses may overtake") {
  Rig rig;
  Payload& first = rig.accepted(1);
  rig.target.answer = update(END_REQ);
  Payload& second = rig.make(2);
  rig.forward(second, BEGIN_REQ);
  rig.target.answer = accept;
  Payload& third = rig.make(3);
  rig.forward(third, BEGIN_REQ);
  rig.initiator.answer = complete();
  rig.respond(third);
  Payload& fourth = rig.make(4);
  rig.forward(fourth, BEGIN_REQ);
  for (Payload* payload : {&second, &fourth, &first}) rig.respond(*payload);
  CHECK(rig.checker.completed() == 4);
  CHECK(rig.checker.check_end().empty());
}

TEST_CASE("protocol checker: the next request may follow a response that has not been accepted yet") {
  Rig rig;
  Payload& first = rig.make(1);
  rig.forward(first, BEGIN_REQ);
  CHECK(rig.respond(first) == TLM_ACCEPTED);
  rig.target.answer = complete();
  CHECK(rig.forward(rig.make(2), BEGIN_REQ) == TLM_COMPLETED);
  CHECK(rig.checker.check_end().size() == 1);
}

TEST_CASE("protocol checker: what is left open is listed oldest first") {
  Rig rig;
  rig.accepted(9);
  rig.accepted(2);
  rig.forward(rig.make(5), BEGIN_REQ);
  const auto open = rig.checker.check_end();
  REQUIRE(open.size() == 3);
  CHECK_THAT(open[0], Contains("access 9"));
  CHECK_THAT(open[1], Contains("access 2"));
  CHECK_THAT(open[2], Contains("access 5") && Contains("END_REQ"));
}

TEST_CASE("protocol checker: the ports of memory links speak legally") {
  struct Sender : sc_core::sc_module, MemoryInitiator {
    explicit Sender(sc_core::sc_module_name name) : sc_module(name) {}
    void request_accepted(unsigned, Picoseconds) override { ++accepted; }
    bool response(unsigned, Payload&, Picoseconds) override { return take; }
    MemoryInitiatorPort port{"port", *this, 0};
    unsigned accepted = 0;
    bool take = true;
  } sender("sender");
  struct Receiver : sc_core::sc_module, MemoryTarget {
    explicit Receiver(sc_core::sc_module_name name) : sc_module(name) {}
    Acceptance request(unsigned, Payload&, Picoseconds) override { return verdict; }
    void response_accepted(unsigned, Picoseconds) override { ++accepted; }
    unsigned debug(unsigned, tlm_generic_payload&) override { return 0; }
    MemoryTargetPort port{"port", *this, 0};
    Acceptance verdict = Acceptance::pending;
    unsigned accepted = 0;
  } receiver("receiver");
  ProtocolChecker checker("checker", LinkKind::memory);
  sender.port.socket.bind(checker.target_socket);
  checker.initiator_socket.bind(receiver.port.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  PayloadPool pool;

  Payload& slow = pool.acquire({});
  CHECK(sender.port.send(slow, 4) == Acceptance::pending);
  receiver.port.accept(slow, 6);
  CHECK(sender.accepted == 1);
  sender.take = false;
  CHECK_FALSE(receiver.port.respond(slow, 8));
  sender.port.end_response(slow, 9);
  CHECK(receiver.accepted == 1);

  receiver.verdict = Acceptance::accepted;
  sender.take = true;
  Payload& quick = pool.acquire({});
  CHECK(sender.port.send(quick, 0) == Acceptance::accepted);
  CHECK(receiver.port.respond(quick, 0));

  receiver.verdict = Acceptance::completed;
  CHECK(sender.port.send(pool.acquire({}), 0) == Acceptance::completed);
  CHECK(checker.completed() == 3);
  CHECK(checker.check_end().empty());
}

TEST_CASE("protocol checker: the ports of message links speak legally") {
  struct Sender : sc_core::sc_module, MessageSource {
    explicit Sender(sc_core::sc_module_name name) : sc_module(name) {}
    void posted(unsigned, Picoseconds at) override { last = at; }
    MessageSourcePort port{"port", *this, 0};
    Picoseconds last = 0;
  } sender("sender");
  struct Receiver : sc_core::sc_module, MessageSink {
    explicit Receiver(sc_core::sc_module_name name) : sc_module(name) {}
    bool message(unsigned, Payload&, Picoseconds) override { return take; }
    MessageSinkPort port{"port", *this, 0};
    bool take = true;
  } receiver("receiver");
  ProtocolChecker checker("checker", LinkKind::message);
  sender.port.socket.bind(checker.target_socket);
  checker.initiator_socket.bind(receiver.port.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  PayloadPool pool;

  CHECK(sender.port.post(pool.acquire({}), 2));
  receiver.take = false;
  Payload& waiting = pool.acquire({});
  CHECK_FALSE(sender.port.post(waiting, 2));
  REQUIRE(checker.check_end().size() == 1);
  CHECK_THAT(checker.check_end()[0], Contains("waits for BEGIN_RESP"));
  receiver.port.accept(waiting, 6);
  CHECK(sender.last == 6);
  CHECK(checker.completed() == 2);
  CHECK(checker.check_end().empty());
}

TEST_CASE("protocol checker: an object may be sent again when its transaction has ended") {
  Rig rig;
  rig.target.answer = complete();
  Payload& payload = rig.make(1);
  rig.forward(payload, BEGIN_REQ);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  CHECK(rig.forward(payload, BEGIN_REQ) == TLM_COMPLETED);
  CHECK(rig.checker.completed() == 2);
}

TEST_CASE("protocol checker: debug access, direct memory and blocking transport pass through") {
  Rig rig;
  Payload& payload = rig.make(1);
  CHECK(rig.initiator.socket->transport_dbg(payload) == 21);
  tlm::tlm_dmi dmi;
  CHECK(rig.initiator.socket->get_direct_mem_ptr(payload, dmi));
  sc_core::sc_time time;
  rig.initiator.socket->b_transport(payload, time);
  CHECK(payload.get_response_status() == tlm::TLM_OK_RESPONSE);
}
