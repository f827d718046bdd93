// The rate-model network as a module: cycles between message links, back-pressure, and behaviour when a destination takes nothing.

#include "model/network/rate/rate_network.h"

#include "tests/block/network/network_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr unsigned kFlits = 17;  // a line and its header

network::RateParams params(unsigned latency = 77, unsigned queue = 16) {
  network::RateParams p;
  p.latency = latency;
  p.queue = queue;
  return p;
}

struct RateNetworkRig : NetworkRig {
  explicit RateNetworkRig(const network::RateParams& p = params(), const TrafficClasses& classes = {}, ClockOptions options = {},
                          network::PortRate out = {64, 1})
      : NetworkRig(
            [&](ClockDomain& clock, stats::Registry& registry) {
              return std::make_unique<RateNetwork>("network", p, RateNetwork::Side{{0, 2}, {32, 1}}, RateNetwork::Side{{0, 2}, out}, "net",
                                                   clock, registry, classes);
            },
            classes, options) {}
};

}  // namespace

TEST_CASE("rate network block: a message is at its destination the latency after it was offered, of whatever size") {
  RateNetworkRig net;
  net.post(0, 10, 1, 0, 1);
  net.post(0, 110, 2, 1, kFlits);
  net.post(1, 210, 3, 1, 19);
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + 77});
  CHECK(net.sinks[1]->cycles() == Cycles{110 + 77, 210 + 77});
}

TEST_CASE("rate network block: a network of one cycle is possible") {
  RateNetworkRig net(params(1));
  net.post(0, 10, 1, 1);
  net.run();
  CHECK(net.sinks[1]->cycles() == Cycles{11});
}

TEST_CASE("rate network block: two sources share a destination's port by its rate") {
  RateNetworkRig net(params(), {}, {}, {2500, 57});
  for (std::uint64_t i = 0; i < 4; ++i) net.post(i % 2, 10 + i / 2, 1 + i, 0, kFlits);
  net.run();
  // 136 B take 3.1008 cycles at the destination and 4.25 at the sources, so the second message of each source comes later.
  CHECK(net.sinks[0]->cycles() == Cycles{87, 87 + 3, 87 + 6, 87 + 9});
}

TEST_CASE(
    "rate network block: a destination that takes nothing fills the queues back to its sources, holds up nobody else, and all arrive later") {
  RateNetworkRig net(params(20, 2));
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  std::vector<std::uint64_t> order;
  for (std::uint64_t id = 1; id <= 30; ++id) {
    net.post(0, 10 + id, id, 0, kFlits);
    order.push_back(id);
  }
  for (std::uint64_t id = 101; id <= 110; ++id) net.post(1, 10 + id, id, 1, kFlits);
  net.script.at(499, [&] {
    CHECK(net.sinks[0]->messages.size() == 1);
    CHECK(net.sinks[1]->messages.size() == 10);
    CHECK(net.sources[0]->arrived.size() == 1 + 4 + 2 + 1);  // refused, in flight then (one in 4.25 cycles), in the queue, at the socket
    std::vector<Wait> waits;
    net.network->inspect(waits);
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].holder == "net.input[0]");
    CHECK(waits[0].waits_for == "net.output[0]");
    CHECK(waits[1].holder == "net.output[0]");
    CHECK(waits[1].waits_for == "net.destination[0]");
    CHECK(waits[1].access == 1);
  });
  net.script.at(500, [&] { net.sinks[0]->accept_waiting(); });
  net.run();
  CHECK(net.sinks[0]->ids() == order);
  CHECK(net.sinks[0]->cycles()[1] == 502);  // taken in 501; the next follows in the cycle after
}

TEST_CASE("rate network block: traffic of the extended LLC passes requests that stand still") {
  RateNetworkRig net(params(20, 1), two_classes());
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 10; ++id) net.post(0, 10 + id, id, 0, kFlits);
  for (std::uint64_t id = 101; id <= 110; ++id) net.post(2, id, id, 0, kFlits);
  net.script.at(400, [&] { CHECK(net.sinks[2]->messages.size() == 10); });
  net.script.at(500, [&] { net.sinks[0]->accept_waiting(); });
  net.run();
  CHECK(net.sinks[0]->messages.size() == 10);
}

TEST_CASE("rate network block: requests pass traffic of the extended LLC that stands still") {
  RateNetworkRig net(params(20, 1), two_classes());
  net.sinks[2]->takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 10; ++id) net.post(2, 10 + id, id, 0, kFlits);
  for (std::uint64_t id = 101; id <= 110; ++id) net.post(0, id, id, 0, kFlits);
  net.script.at(400, [&] { CHECK(net.sinks[0]->messages.size() == 10); });
  net.script.at(500, [&] { net.sinks[2]->accept_waiting(); });
  net.run();
  CHECK(net.sinks[2]->messages.size() == 10);
}

TEST_CASE("rate network block: two classes that want all of a destination's port have half of it each") {
  RateNetworkRig net(params(20, 4), two_classes(), {}, {8, 1});
  for (std::uint64_t i = 0; i < 100; ++i) {
    net.post(0, 10, i, 0);
    net.post(3, 10, 200 + i, 0);
  }
  net.script.at(120, [&] {
    const std::size_t a = net.sinks[0]->messages.size(), b = net.sinks[2]->messages.size();
    CHECK(a + b == 120 - (10 + 20) + 1);
    CHECK((a > b ? a - b : b - a) <= 2);
  });
  net.run();
}
