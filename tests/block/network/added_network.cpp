// The network of the out-of-tree example as a module: cycles between message links, the width of its ports, and back-pressure.

#include "tests/block/network/network_rig.h"
#include "tests/plugin/example/bus.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr Cycle kLatency = 20;

struct BusRig : NetworkRig {
  explicit BusRig(const TrafficClasses& classes = {}, ClockOptions options = {})
      : NetworkRig(
            [&](ClockDomain& clock, stats::Registry& registry) {
              const Arguments arguments("bus", {{"latency", double{kLatency}}});
              return example::make_bus({"network", "net", {0, 2}, {0, 2}, classes, arguments, clock, registry, NetworkParams()}).network;
            },
            classes, options) {}
};

}  // namespace

TEST_CASE("added network block: a message arrives the latency and a cycle for each further flit after it was offered") {
  BusRig net;
  net.post(0, 10, 1, 0, 1);
  net.post(0, 110, 2, 1, 5);
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + kLatency});
  CHECK(net.sinks[1]->cycles() == Cycles{110 + kLatency + 5 - 1});
}

TEST_CASE("added network block: a port of a source and one of a destination let through a flit a cycle") {
  BusRig one_source;
  for (std::uint64_t i = 0; i < 3; ++i) one_source.post(0, 10 + i, 1 + i, i % 2, 4);
  one_source.run();
  const Cycle first = 10 + kLatency + 4 - 1;
  CHECK(one_source.sinks[0]->cycles() == Cycles{first, first + 8});
  CHECK(one_source.sinks[1]->cycles() == Cycles{first + 4});
}

TEST_CASE("added network block: two sources take turns at a destination") {
  BusRig net;
  for (std::uint64_t i = 0; i < 6; ++i) net.post(i % 2, 10 + i / 2, 1 + i, 0, 1);
  net.run();
  const Cycle first = 10 + kLatency;
  CHECK(net.sinks[0]->cycles() == Cycles{first, first + 1, first + 2, first + 3, first + 4, first + 5});
}

TEST_CASE("added network block: a message that waits for a destination's port holds up those behind it") {
  BusRig net;
  net.post(0, 10, 1, 0, 4);
  net.post(1, 10, 2, 0, 4);
  net.post(1, 11, 3, 1, 4);
  net.run();
  const Cycle way = kLatency + 4 - 1;
  CHECK(net.sinks[0]->cycles() == Cycles{10 + way, 14 + way});
  CHECK(net.sinks[1]->cycles() == Cycles{18 + way});
}

TEST_CASE("added network block: what a destination refuses holds up nobody else's, and all arrives later in order") {
  BusRig net(two_classes());
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  std::vector<std::uint64_t> order;
  for (std::uint64_t id = 1; id <= 40; ++id) {
    net.post(0, 10 + id, id, 0, 2);
    order.push_back(id);
  }
  for (std::uint64_t id = 101; id <= 110; ++id) net.post(1, 10 + id, id, 1, 2);
  for (std::uint64_t id = 201; id <= 210; ++id) net.post(2, 10 + id, id, 0, 2);
  net.script.at(499, [&] {
    CHECK(net.sinks[0]->messages.size() == 1);
    CHECK(net.sinks[1]->messages.size() == 10);
    CHECK(net.sinks[2]->messages.size() == 10);
    std::vector<Wait> waits;
    net.network->inspect(waits);
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].holder == "net.output[0]");
    CHECK(waits[0].waits_for == "net.destination[0]");
    CHECK(waits[0].access == 1);
  });
  net.script.at(500, [&] { net.sinks[0]->accept_waiting(); });
  net.run();
  CHECK(net.sinks[0]->ids() == order);
  CHECK(net.sinks[0]->cycles()[1] == 501 + 2);  // taken in 501; two more flits follow
}
