// The latency probe on a link with known times.

#include <catch2/catch.hpp>

#include "model/monitor/latency_probe.h"
#include "model/tlm/memory_link.h"

using namespace wharf;

namespace {

struct Sender final : sc_core::sc_module, MemoryInitiator {
  explicit Sender(sc_core::sc_module_name name) : sc_module(name) {}
  void request_accepted(unsigned, Picoseconds) override {}
  bool response(unsigned, Payload&, Picoseconds at) override {
    answered_at = at;
    return true;
  }
  MemoryInitiatorPort port{"port", *this, 0};
  Picoseconds answered_at = 0;
};

struct Receiver final : sc_core::sc_module, MemoryTarget {
  explicit Receiver(sc_core::sc_module_name name) : sc_module(name) {}
  Acceptance request(unsigned, Payload& payload, Picoseconds) override {
    payload.reply().served_by = ServedBy::l1;
    return verdict;
  }
  void response_accepted(unsigned, Picoseconds) override {}
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 0; }
  MemoryTargetPort port{"port", *this, 0};
  Acceptance verdict = Acceptance::accepted;
};

/// Cycles of 2 ns.
struct LatencyProbeRig {
  stats::Registry registry;
  stats::Group group{registry, "sm", 3};
  ClockDomain clock{"clock", 500, {}};
  PayloadPool pool;
  Sender sender{"sender"};
  LatencyProbe probe{"probe", clock, group};
  Receiver receiver{"receiver"};

  LatencyProbeRig() {
    sender.port.socket.bind(probe.target_socket);
    probe.initiator_socket.bind(receiver.port.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  Payload& send(AccessKind kind, Picoseconds delay) {
    Access access;
    access.kind = kind;
    Payload& payload = pool.acquire(access);
    sender.port.send(payload, delay);
    return payload;
  }
  std::uint64_t counted() const {
    std::uint64_t count = 0;
    for (unsigned i = 0; i < kServedBy; ++i) count += probe.latency(static_cast<ServedBy>(i)).count();
    return count;
  }
};

}  // namespace

TEST_CASE("latency probe: cycles from request to response are counted under who answered") {
  LatencyProbeRig rig;
  Payload& first = rig.send(AccessKind::load, 4'000);    // cycle 2
  Payload& second = rig.send(AccessKind::load, 6'000);   // cycle 3
  Payload& third = rig.send(AccessKind::atomic, 8'000);  // cycle 4
  second.reply().served_by = ServedBy::dram;
  rig.receiver.port.respond(second, 206'000);  // cycle 103
  CHECK(rig.sender.answered_at == 206'000);
  third.reply().served_by = ServedBy::l2;
  rig.receiver.port.respond(third, 30'000);  // cycle 15
  first.reply().served_by = ServedBy::l2;
  rig.receiver.port.respond(first, 14'000);  // cycle 7
  CHECK(rig.probe.latency(ServedBy::dram).sum() == 103 - 3);
  CHECK(rig.probe.latency(ServedBy::l2).sum() == (7 - 2) + (15 - 4));
  CHECK(rig.probe.latency(ServedBy::l2).max() == 15 - 4);
  CHECK(rig.counted() == 3);
}

TEST_CASE("latency probe: histograms are registered under the group by the names of reply hints") {
  LatencyProbeRig rig;
  REQUIRE(rig.registry.histograms().size() == kServedBy);
  CHECK(rig.registry.histograms()[0].name == "latency.none");
  CHECK(rig.registry.histograms()[4].name == "latency.l2");
  CHECK(rig.registry.histograms()[6].name == "latency.dram");
  CHECK(rig.registry.histograms()[6].prefix == "sm");
  CHECK(rig.registry.histograms()[6].instance == 3);
}

TEST_CASE("latency probe: a read completed at once counts, a posted write does not") {
  LatencyProbeRig rig;
  rig.receiver.verdict = Acceptance::completed;
  rig.send(AccessKind::store, 2'000);
  CHECK(rig.counted() == 0);
  rig.send(AccessKind::load, 2'000);
  CHECK(rig.probe.latency(ServedBy::l1).count() == 1);
  CHECK(rig.probe.latency(ServedBy::l1).sum() == 0);
}

TEST_CASE("latency probe: an object sent again is timed from its new request") {
  LatencyProbeRig rig;
  rig.receiver.verdict = Acceptance::completed;
  Payload& payload = rig.send(AccessKind::store, 0);
  rig.receiver.verdict = Acceptance::accepted;
  rig.sender.port.send(payload, 10'000);
  payload.reply().served_by = ServedBy::l2;
  rig.receiver.port.respond(payload, 12'000);
  CHECK(rig.probe.latency(ServedBy::l2).sum() == 6 - 5);
}
