// The lanes of CPCs without SystemC: cycles as sums of their causes (modern_gpus section 4, CL-11).

#include "model/network/rate/lanes.h"

#include <catch2/catch.hpp>
#include <set>

#include "model/base/rng.h"
#include "model/network/rate/rate_logic.h"
#include "tests/unit/network/port_rig.h"

using namespace wharf;
using namespace wharf::network;

namespace {

constexpr Cycle kLatency = 77;
constexpr unsigned kFlit = 32, kRow = 16 + 128;  // bytes of a command, and of a store with four flits

/// Four SMs that send a flit per cycle, and destinations that take anything at once.
struct LaneNet : testing::PortNet<RateLogic> {
  explicit LaneNet(const LaneParams& lanes, const std::vector<std::uint16_t>& cpc_of = {0, 0, 0, 0}, unsigned classes = 1)
      : PortNet(params(), RateLogic::Shape{4, 4, classes, {32, 1}, {1 << 20, 1}, std::vector<std::uint16_t>(16, kLatency), cpc_of, lanes},
                4 * classes, 4 * classes),
        count(lanes.planes * lanes.cpc_lanes) {}

  void send(Cycle at, unsigned from, unsigned to, unsigned bytes, LineAddress line = {0}) {
    post(at, from, to, bytes, ++handle);
    queues[from].back().packet.line = line;
  }
  /// The nth line whose first flit is on that lane.
  LineAddress on_lane(unsigned lane, unsigned nth = 0) const {
    for (std::uint64_t line = 0;; ++line)
      if (lane_of({line}, 0, count) == lane && nth-- == 0) return {line};
  }
  std::vector<Cycle> arrivals(unsigned place) const {
    std::vector<Cycle> cycles;
    for (const Arrival& arrival : arrived[place]) cycles.push_back(arrival.cycle);
    return cycles;
  }
  std::uint64_t metric(const char* name) const {
    return stats::View(registry, stats::Snapshot(registry.counters().size()), registry.snapshot()).sum(name);
  }
  static RateParams params() {
    RateParams p;
    p.queue = 1000;
    return p;
  }

  unsigned count, handle = 0;
};

using LaneArrivals = std::vector<Cycle>;

LaneParams lanes(unsigned cpc_lanes, unsigned planes = 1, unsigned queue = 8) { return {cpc_lanes, planes, 32, queue}; }

}  // namespace

TEST_CASE("lanes: a message that shares its lanes with nobody takes the latency, whatever its size") {
  for (const unsigned bytes : {8u, kFlit, kRow}) {
    LaneNet net(lanes(4, 2));
    net.send(10, 0, 1, bytes);
    net.run(200);
    CHECK(net.arrivals(1) == LaneArrivals{10 + kLatency});
    CHECK(net.metric("net.lanes.flits") == (bytes == kRow ? 4 : 1));
    CHECK(net.metric("net.lanes.wait") == 0);
    CHECK(net.registry.broken_laws().empty());
  }
}

TEST_CASE("lanes: two SMs of a CPC whose flits are on one lane alternate") {
  LaneNet net(lanes(1));
  net.send(10, 0, 2, kRow);  // its flits pass in cycles 10, 12, 14 and 16; the last could in cycle 13
  net.send(10, 1, 3, kRow);  // 11, 13, 15 and 17
  net.run(200);
  CHECK(net.arrivals(2) == LaneArrivals{10 + kLatency + (16 - 13)});
  CHECK(net.arrivals(3) == LaneArrivals{10 + kLatency + (17 - 13)});
  CHECK(net.metric("net.lanes.wait") == (0 + 1 + 2 + 3) + (1 + 2 + 3 + 4));
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("lanes: SMs whose flits are on different lanes, or that are in different CPCs, do not disturb each other") {
  LaneNet net(lanes(2));
  net.send(10, 0, 2, kFlit, net.on_lane(0));
  net.send(10, 1, 3, kFlit, net.on_lane(1));
  net.run(200);
  CHECK(net.arrivals(2) == LaneArrivals{10 + kLatency});
  CHECK(net.arrivals(3) == LaneArrivals{10 + kLatency});
  LaneNet apart(lanes(1), {0, 1, 1, 2});
  apart.send(10, 0, 2, kRow);
  apart.send(10, 1, 3, kRow);
  apart.run(200);
  CHECK(apart.metric("net.lanes.wait") == 0);
}

TEST_CASE("lanes: the flits of a row are on lanes of their own, and the second plane doubles the lanes") {
  for (const unsigned planes : {1u, 2u}) {
    std::set<unsigned> used;
    for (unsigned flit = 0; flit < 4 * planes; ++flit) used.insert(static_cast<unsigned>(lane_of({77}, flit, 4 * planes)));
    CHECK(used.size() == 4 * planes);
  }
}

TEST_CASE("lanes: messages of an SM to one other arrive in order, and to a third one as their lanes pass them") {
  LaneNet net(lanes(2));
  for (const unsigned sm : {0u, 1u, 2u}) net.send(10, sm, sm, kFlit, net.on_lane(0, sm));
  net.send(10, 3, 3, kFlit, net.on_lane(0, 3));  // behind three others
  net.send(11, 3, 3, kFlit, net.on_lane(1));     // its own lane is free
  net.send(12, 3, 0, kFlit, net.on_lane(1, 1));
  net.run(200);
  CHECK(net.arrived[3] == std::vector<LaneNet::Arrival>{{4, 10 + kLatency + 3}, {5, 10 + kLatency + 3}});
  CHECK(net.arrivals(0) == LaneArrivals{10 + kLatency, 12 + kLatency});
}

TEST_CASE("lanes: a message leaves its SM when its flits find room among those that wait for lanes") {
  LaneNet net(lanes(1, 1, 4));
  for (const unsigned sm : {0u, 1u})
    for (unsigned i = 0; i < 2; ++i) net.send(10, sm, sm + 2, kRow);
  net.run(200);
  // SM 0: the last flit of its first message passes in cycle 16, and the second leaves in the next one. Its flits pass in cycles 18, 20, 22
  // and 24, in turns with SM 1's; the last could in cycle 20.
  CHECK(net.arrivals(2) == LaneArrivals{10 + kLatency + 3, 17 + kLatency + (24 - 20)});
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("lanes: classes of an SM take turns too, and one that waits for lanes does not hold up the other") {
  LaneNet net(lanes(1, 1, 4), {0, 0, 0, 0}, 2);
  for (unsigned i = 0; i < 2; ++i) net.send(10, 2 * 1 + 0, 2 * 2 + 0, kRow);
  net.send(15, 2 * 0 + 1, 2 * 3 + 1, kFlit);
  net.send(15, 2 * 1 + 1, 2 * 3 + 1, kFlit);
  net.run(200);
  CHECK(net.arrivals(2 * 2).size() == 2);
  CHECK(net.arrivals(2 * 3 + 1).size() == 2);
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("lanes: where each SM has lanes of its own, nothing changes") {
  Rng rng(5);
  LaneNet with(lanes(4, 2), {0, 1, 2, 3}), without(lanes(4, 2), {});
  for (unsigned i = 0; i < 400; ++i) {
    const unsigned from = static_cast<unsigned>(rng.below(4)), to = static_cast<unsigned>(rng.below(4));
    const unsigned bytes = 8 * (1 + static_cast<unsigned>(rng.below(18)));
    for (LaneNet* net : {&with, &without}) net->send(10 + 2 * i, from, to, bytes, {i});
  }
  for (LaneNet* net : {&with, &without}) net->run(3000);
  CHECK(with.arrived == without.arrived);
  CHECK(with.registry.broken_laws().empty());
}
