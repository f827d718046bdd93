// The rate-model network without SystemC: the waits of a message, in cycles as sums of their causes (morpheus section 2.4).

#include "model/network/rate/rate_logic.h"

#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "model/base/rng.h"
#include "tests/unit/network/port_rig.h"
#include "tests/unit/network/rate_plain.h"

using namespace wharf;
using namespace wharf::network;

namespace {

struct RateNet : testing::PortNet<RateLogic> {
  RateNet(const RateParams& params, const RateLogic::Shape& shape)
      : PortNet(params, shape, shape.inputs * shape.classes, shape.outputs * shape.classes) {}
};

using Arrivals = std::vector<RateNet::Arrival>;

/// 4 x 3 ports: 32 B per cycle at the sources, 64 at the destinations.
RateLogic::Shape shape(PortRate sources = {32, 1}, PortRate destinations = {64, 1}, unsigned classes = 1) {
  return {4, 3, classes, sources, destinations};
}
RateParams rate_params(unsigned latency = 77, unsigned queue = 16) {
  RateParams p;
  p.latency = latency;
  p.queue = queue;
  return p;
}

}  // namespace

TEST_CASE("rate network: a message that waits for nothing takes the latency, whatever its size") {
  for (const unsigned bytes : {8u, 40u, 136u, 152u}) {
    RateNet net(rate_params(), shape());
    net.post(10, 1, 2, bytes, 5);
    net.run(200);
    CHECK(net.arrived[2] == Arrivals{{5, 10 + 77}});
    CHECK(net.registry.broken_laws().empty());
  }
}

TEST_CASE("rate network: a latency of one cycle is possible") {
  RateNet net(rate_params(1), shape());
  net.post(10, 0, 0, 8, 1);
  net.run(20);
  CHECK(net.arrived[0] == Arrivals{{1, 11}});
}

TEST_CASE("rate network: a source's port lets the next message through when the bytes before it have passed, parts of cycles kept") {
  RateNet net(rate_params(), shape({32, 1}, {1024, 1}));
  for (unsigned i = 0; i < 6; ++i) net.post(10, 0, i % 3, 136, i);  // 136 / 32 = 4.25 cycles each
  net.run(200);
  CHECK(net.arrived[0] == Arrivals{{0, 87}, {3, 87 + 12}});      // 12.75
  CHECK(net.arrived[1] == Arrivals{{1, 87 + 4}, {4, 87 + 17}});  // 4.25 and 17
  CHECK(net.arrived[2] == Arrivals{{2, 87 + 8}, {5, 87 + 21}});  // 8.5 and 21.25
}

TEST_CASE("rate network: four messages of 8 B leave a port of 32 B a cycle in one cycle, the fifth in the next") {
  RateNet net(rate_params(), shape({32, 1}, {1024, 1}));
  for (unsigned i = 0; i < 5; ++i) net.post(10, 0, 0, 8, i);
  net.run(200);
  CHECK(net.arrived[0] == Arrivals{{0, 87}, {1, 87}, {2, 87}, {3, 87}, {4, 88}});
}

TEST_CASE("rate network: a destination's port lets messages of several sources through one after the other, at its rate") {
  // 75 GB/s at 1710 MHz: 57 cycles for 2500 bytes, 136 * 57 / 2500 = 3.1008 cycles per message.
  RateNet net(rate_params(), shape({1024, 1}, {2500, 57}));
  for (unsigned i = 0; i < 4; ++i) net.post(10, i, 1, 136, i);
  net.run(200);
  CHECK(net.arrived[1] == Arrivals{{0, 87}, {1, 87 + 3}, {2, 87 + 6}, {3, 87 + 9}});
}

TEST_CASE("rate network: over a long time a port that is asked for more passes exactly its rate") {
  RateNet net(rate_params(77, 4), shape({1024, 1}, {2500, 57}));
  constexpr unsigned kMessages = 2000;
  for (unsigned i = 0; i < kMessages; ++i) net.post(10, i % 4, 0, 136, i);
  net.run(10'000);
  REQUIRE(net.arrived[0].size() == kMessages);
  CHECK(net.arrived[0].back().cycle == 10 + 77 + (kMessages - 1) * 136 * 57 / 2500);
}

TEST_CASE("rate network: no more messages wait at a destination than its queue holds, and the sources take turns for the places") {
  // 8 B pass in 8 cycles: the first arrives at 87 and passes at once; the queue of 2 holds the next ones.
  RateNet net(rate_params(77, 2), shape({1024, 1}, {1, 1}));
  for (unsigned i = 0; i < 12; ++i) net.post(10, i % 4, 0, 8, i);
  net.run(400);
  Arrivals expected;
  // The first source's three messages find room, then one of each other source, then another.
  Cycle at = 87;
  for (const std::uint64_t handle : {0, 4, 8, 1, 2, 3, 5, 6, 7, 9, 10, 11}) {
    expected.push_back({handle, at});
    at += 8;
  }
  CHECK(net.arrived[0] == expected);
  // Two may be in flight to arrive at 87, one of them waiting. Each of the others leaves when one has passed 77 cycles later.
  std::vector<Cycle> left;
  for (const RateNet::Arrival& sent : net.sent) left.push_back(sent.cycle);
  CHECK(left == std::vector<Cycle>{10, 10, 10, 18, 26, 34, 42, 50, 58, 66, 74, 82});
}

TEST_CASE("rate network: a destination that takes nothing holds up what goes to it and nothing else") {
  RateNet net(rate_params(77, 2), shape());
  net.refusing[0] = true;
  for (unsigned i = 0; i < 40; ++i) net.post(10, 0, 0, 8, i);
  for (unsigned i = 0; i < 40; ++i) net.post(10, 1, 1, 8, 100 + i);
  net.run(300);
  CHECK(net.arrived[0].size() == 1);
  CHECK(net.arrived[1].size() == 40);
  CHECK(net.logic.refused(0) == 0);
  net.refusing[0] = false;
  net.run(1000);
  CHECK(net.arrived[0].size() == 40);
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE("rate network: what has been refused leaves its port free at once when it is taken, and the next follow from the next cycle on") {
  RateNet net(rate_params(10, 4), shape({1024, 1}, {64, 1}));
  net.refusing[0] = true;
  for (unsigned i = 0; i < 3; ++i) net.post(10, i, 0, 136, i);
  net.run(100);
  net.refusing[0] = false;
  net.run(200);
  CHECK(net.arrived[0] == Arrivals{{0, 100}, {1, 101}, {2, 101 + 2}});  // 136 / 64 = 2.125 cycles
}

TEST_CASE("rate network: a class that is taken nothing of leaves the whole rate to the other, and one that flows half of it") {
  RateNet net(rate_params(77, 4), shape({1024, 1}, {8, 1}, 2));
  net.refusing[0] = true;                                             // class 0 of output 0
  for (unsigned i = 0; i < 100; ++i) net.post(10, 0, 0, 8, i);        // input 0, class 0
  for (unsigned i = 0; i < 100; ++i) net.post(10, 3, 1, 8, 200 + i);  // input 1, class 1, to class 1 of output 0
  net.run(300);
  CHECK(net.arrived[0].size() == 1);
  // Class 1 up to cycle 300: nearly one message per cycle since 87.
  CHECK(net.arrived[1].size() == 100);
  net.refusing[0] = false;
  for (unsigned i = 0; i < 200; ++i) net.post(300, 3, 1, 8, 400 + i);
  net.run(500);
  const auto of_one = net.arrived[1].size() - 100;
  const auto of_zero = net.arrived[0].size() - 1;
  CHECK(of_zero > 60);
  CHECK(of_one > 50);
  net.run(1000);
  CHECK(net.arrived[0].size() + net.arrived[1].size() == 400);
  CHECK(net.registry.broken_laws().empty());
}

TEST_CASE(
    "rate network: random traffic with the smallest queues and stubborn destinations arrives whole, in order of each pair, within the laws") {
  for (const unsigned classes : {1u, 2u}) {
    for (const unsigned latency : {1u, 77u}) {
      RateNet net(rate_params(latency, 1), shape({32, 1}, {2500, 57}, classes));
      Rng rng(3 + classes + latency);
      std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> expected, seen;
      std::map<std::uint64_t, unsigned> source;
      for (std::uint64_t i = 0; i < 3000; ++i) {
        const unsigned traffic = static_cast<unsigned>(rng.below(classes));
        const unsigned from = static_cast<unsigned>(rng.below(4)) * classes + traffic,
                       to = static_cast<unsigned>(rng.below(3)) * classes + traffic;
        net.post(10 + i / 3, from, to, 8 * static_cast<unsigned>(1 + rng.below(19)), i);
        expected[{from, to}].push_back(i);
        source[i] = from;
      }
      for (Cycle at = 0; at < 60'000; at += 20) {
        for (unsigned place = 0; place < net.refusing.size(); ++place) net.refusing[place] = at < 50'000 && rng.below(3) == 0;
        net.run(at);
      }
      for (unsigned to = 0; to < net.arrived.size(); ++to)
        for (const RateNet::Arrival& arrival : net.arrived[to]) seen[{source[arrival.handle], to}].push_back(arrival.handle);
      CHECK(seen == expected);
      CHECK(net.registry.broken_laws().empty());
      CHECK(net.logic.next_event() == kNever);
    }
  }
}

namespace {

/// Destinations of the sources: all to all; one destination each, shared or exclusive.
enum class Routes { all, shared, own };

/// Random message sizes for 4 sources and 3 destinations. Returns how many messages did not arrive in the cycle that the rule gives.
unsigned differ_from_rule(const RateParams& p, PortRate sources, PortRate destinations, Routes routes, unsigned refused_of_three,
                          Cycle gap) {
  constexpr std::uint64_t kMessages = 1500;
  RateNet net(p, shape(sources, destinations));
  testing::RatePlain plain(p, 4, 3, sources, destinations);
  Rng rng(p.queue + p.latency + gap);
  for (std::uint64_t i = 0; i < kMessages; ++i) {
    const unsigned from = static_cast<unsigned>(rng.below(routes == Routes::own ? 3 : 4));
    const unsigned to = routes == Routes::own ? from : routes == Routes::shared ? from % 2 : static_cast<unsigned>(rng.below(3));
    const unsigned bytes = 8 * static_cast<unsigned>(1 + rng.below(19));
    net.post(10 + i * gap, from, to, bytes, i);
    plain.post(10 + i * gap, from, to, bytes, i);
  }
  for (Cycle now = 1; now < 40'000; ++now) {
    if (now % 20 == 0)
      for (unsigned to = 0; to < 3; ++to) net.refusing[to] = plain.refusing[to] = now < 30'000 && rng.below(3) < refused_of_three;
    net.tick(now);
    plain.cycle(now);
  }
  std::map<std::uint64_t, Cycle> arrived, due;  // by handle
  for (unsigned to = 0; to < 3; ++to) {
    for (const RateNet::Arrival& arrival : net.arrived[to]) arrived[arrival.handle] = arrival.cycle;
    for (const testing::RatePlain::Arrival& arrival : plain.arrived[to]) due[arrival.handle] = arrival.cycle;
  }
  unsigned different = arrived.size() != kMessages || due.size() != kMessages;
  for (const auto& [handle, cycle] : due) different += arrived[handle] != cycle;
  return different;
}

}  // namespace

TEST_CASE(
    "rate network: every message arrives in the cycle that the rule gives, refused or not, whether sources share a destination or not") {
  for (const unsigned latency : {1u, 77u})
    for (const unsigned queue : {1u, 2u, 16u})
      for (const unsigned refused : {0u, 1u})
        for (const Cycle gap : {1, 4, 15}) {
          CAPTURE(latency, queue, refused, gap);
          CHECK(differ_from_rule(rate_params(latency, queue), {4096, 1}, {2500, 57}, Routes::shared, refused, gap) == 0);
          CHECK(differ_from_rule(rate_params(latency, queue), {4096, 1}, {64, 1}, Routes::shared, refused, gap) == 0);
          CHECK(differ_from_rule(rate_params(latency, queue), {32, 1}, {2500, 57}, Routes::own, refused, gap) == 0);
          CHECK(differ_from_rule(rate_params(latency, queue), {100, 7}, {64, 1}, Routes::own, refused, gap) == 0);
        }
}

TEST_CASE(
    "rate network: sources with messages for all destinations, which take all at once, deliver each in the cycle that the rule gives") {
  for (const unsigned latency : {1u, 77u})
    for (const Cycle gap : {0, 1, 4})
      for (const PortRate rate : {PortRate{32, 1}, PortRate{100, 7}}) {
        CAPTURE(latency, gap, rate.bytes);
        CHECK(differ_from_rule(rate_params(latency, 4096), rate, {65536, 1}, Routes::all, 0, gap) == 0);
      }
}

TEST_CASE("rate network: asked only in the cycles that it names it does what it does when asked in all") {
  const auto run = [](bool every_cycle) {
    RateNet net(rate_params(20, 2), shape({32, 1}, {100, 7}, 2));
    Rng rng(9);
    for (std::uint64_t i = 0; i < 500; ++i) {
      const unsigned traffic = static_cast<unsigned>(rng.below(2));
      net.post(10, static_cast<unsigned>(rng.below(4)) * 2 + traffic, static_cast<unsigned>(rng.below(3)) * 2 + traffic,
               8 * static_cast<unsigned>(1 + rng.below(17)), i);
    }
    unsigned ticks = 0;
    for (Cycle now = 10; now < 5000; ++now) {
      if (!every_cycle && now != 10 && net.logic.next_event() > now) continue;
      net.tick(now);
      ++ticks;
    }
    return std::make_pair(net.arrived, ticks);
  };
  const auto all = run(true), named = run(false);
  CHECK(all.first == named.first);
  CHECK(named.second < all.second);
}

TEST_CASE("rate network: more places than it can tell apart are refused") {
  stats::Registry registry;
  CHECK_THROWS_WITH(RateLogic(rate_params(), RateLogic::Shape{300, 10, 2, {}, {}}, registry, "net"),
                    Catch::Contains("more than 256 SMs or L2 slices"));
}
