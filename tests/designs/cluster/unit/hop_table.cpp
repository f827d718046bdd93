// How long messages take between SMs of a GPC (modern_gpus section 4), and a rate network whose pairs of ports have latencies of their own.

#include "model/network/hierarchical/hop_table.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/network/rate/rate_logic.h"
#include "tests/unit/network/port_rig.h"

using namespace wharf;
using namespace wharf::network;

namespace {

struct Net : testing::PortNet<RateLogic> {
  Net(const RateParams& params, const RateLogic::Shape& shape)
      : PortNet(params, shape, shape.inputs * shape.classes, shape.outputs * shape.classes) {}
};

using Arrivals = std::vector<Net::Arrival>;

/// Two sources and one destination, at 80 and 90 cycles from them.
RateLogic::Shape apart(PortRate rate = {64, 3}, unsigned classes = 1) { return {2, 1, classes, rate, rate, {80, 90}}; }

}  // namespace

// CL-2
TEST_CASE("clusters: a hop takes 74 cycles in a TPC, 81 to 89 by the CPCs of its ends, and leads to no other GPC") {
  HierarchicalParams params;
  params.gpcs = {18, 16};
  const std::vector<std::uint16_t> table = hop_table({}, params, Hierarchy(params, 34));
  const auto hop = [&](unsigned from, unsigned to) { return table[from * 34 + to] + 1; };
  CHECK(hop(0, 1) == 74);
  CHECK(hop(0, 2) == 81);
  CHECK(hop(0, 6) == 81 + 2);
  CHECK(hop(6, 12) == 81 + 2 + 4);
  CHECK(hop(12, 14) == 81 + 4 + 4);
  CHECK(hop(18, 24) == 81 + 2);  // the second GPC counts its CPCs anew
  CHECK(table[0 * 34 + 18] == 0);
  CHECK(table[33 * 34 + 17] == 0);
}

// CL-2
TEST_CASE("rate network: a message overtakes one that was sent earlier and arrives later, of its class or another") {
  for (const unsigned classes : {1u, 2u}) {
    Net net({}, apart({64, 1}, classes));
    net.post(10, 1 * classes, 0, 64, 1);                            // arrives at 100
    net.post(15, 0 * classes + (classes - 1), classes - 1, 64, 2);  // at 95
    net.run(200);
    CHECK(net.arrived[0].front() == Net::Arrival{classes == 1 ? 2u : 1u, classes == 1 ? 95u : 100u});
    CHECK(net.arrived[classes - 1].back() == Net::Arrival{classes == 1 ? 1u : 2u, classes == 1 ? 100u : 95u});
    CHECK(net.registry.broken_laws().empty());
  }
}

// CL-3
TEST_CASE("rate network: 64 bytes in 3 cycles reach a destination, from whatever sources, in the order of their arrival") {
  Net net({}, apart());
  net.post(10, 0, 0, 128, 1);  // 90, and the port is busy for 6 cycles
  net.post(10, 1, 0, 64, 2);   // 100
  net.post(11, 0, 0, 64, 3);   // leaves 6 cycles after the first: 96
  net.run(200);
  CHECK(net.arrived[0] == Arrivals{{1, 90}, {3, 96}, {2, 100}});
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("rate network: a message that overtakes others, behind one that was refused for long, does not stop other destinations") {
  const PortRate rate{64, 1};
  Net net({}, {2, 2, 1, rate, rate, {80, 80, 90, 90}});
  net.refusing[0] = true;
  net.post(10, 0, 0, 64, 1);    // 90, refused until 1100
  net.post(12, 0, 0, 64, 2);    // 92, behind it
  net.post(1099, 0, 1, 64, 3);  // 1179, elsewhere
  net.post(1099, 1, 0, 64, 4);  // leaves when the first is taken: 1190
  net.post(1100, 0, 0, 64, 5);  // 1180, before it
  net.run(1100);
  net.refusing[0] = false;
  net.run(1300);
  CHECK(net.arrived[0] == Arrivals{{1, 1100}, {2, 1101}, {5, 1180}, {4, 1190}});
  CHECK(net.arrived[1] == Arrivals{{3, 1179}});
  CHECK(net.logic.idle());
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("rate network: a message between ports without a way ends the run") {
  Net net({}, {1, 2, 1, {64, 3}, {64, 3}, {80, 0}});
  net.post(10, 0, 1, 64, 1);
  CHECK_THROWS_WITH(net.run(20), "network: there is no way from port 0 to port 1");
}
