// Random traffic: nothing is lost, duplicated or overtaken, there is no deadlock with the smallest buffers, and the result does not depend
// on how the network is driven.

#include <catch2/catch.hpp>

#include "tests/unit/network/routed/routed_flits.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

struct Network {
  const char* name;
  routing::Topology topology;
  unsigned vcs, buffer, ejection, hop, classes, max_flits, gap;
};

// The first networks of each kind have the smallest possible buffers.
std::vector<Network> networks() {
  return {{"mesh", a_mesh(4, 4), 1, 1, 1, 1, 1, 1, 1},
          {"mesh", a_mesh(4, 3), 1, 1, 1, 2, 1, 9, 10},
          {"mesh", a_mesh(6, 6), 2, 1, 1, 2, 2, 5, 12},
          {"mesh", a_mesh(6, 6), 1, 8, 16, 2, 1, 5, 16},
          {"mesh", a_mesh(6, 6), 4, 4, 16, 2, 2, 5, 9},
          {"mesh", a_mesh(10, 10), 4, 4, 16, 2, 1, 5, 30},
          {"mesh", a_mesh(8, 1), 3, 2, 4, 5, 3, 64, 200},
          {"ring", a_ring(4), 2, 1, 1, 1, 1, 5, 4},
          {"ring", a_ring(9, false), 2, 1, 1, 2, 1, 7, 30},
          {"ring", a_ring(28), 4, 4, 16, 2, 2, 5, 20},
          {"ring", a_ring(7), 8, 3, 2, 3, 2, 6, 5},
          {"butterfly", a_butterfly(2, 3), 1, 1, 1, 1, 1, 4, 3},
          {"butterfly", a_butterfly(6, 2), 4, 4, 16, 2, 2, 5, 6},
          {"butterfly", a_butterfly(4, 3), 4, 4, 16, 2, 2, 5, 6}};
}

struct Sent {
  unsigned from, to, vc;
};

// A destination that refuses in about a third of the cycles, in bursts.
bool sometimes(unsigned place, Cycle now) { return ((now / 5) * 2654435761u + place * 40503u) % 97 >= 32; }

constexpr unsigned kPackets = 2000;
constexpr Cycle kLong = 1'000'000;

std::vector<Sent> load(RoutedHarness& h, const Network& n, unsigned seed, FlitByFlit* plain = nullptr, unsigned packets = kPackets) {
  std::mt19937 random(seed);
  std::vector<Sent> sent;
  std::vector<Cycle> at(n.topology.nodes);
  for (unsigned p = 0; p < packets; ++p) {
    const unsigned from = random() % n.topology.nodes;
    at[from] += random() % (2 * n.gap);
    const VcClass channels = h.logic.entry_channels(static_cast<unsigned>(random() % n.classes));
    const Sent s{from, static_cast<unsigned>(random() % n.topology.nodes),
                 static_cast<unsigned>(channels.first + random() % channels.count)};
    const unsigned flits = 1 + random() % n.max_flits;
    h.offer(at[from], s.from, s.to, flits, s.vc);
    if (plain != nullptr) plain->offer(at[from], s.from, s.to, flits, s.vc);
    sent.push_back(s);
  }
  h.takes = sometimes;
  return sent;
}

}  // namespace

TEST_CASE("routed soak: nothing is lost, doubled, misrouted or overtaken, and nothing stands still") {
  for (const Network& n : networks()) {
    CAPTURE(n.name, n.topology.nodes, n.vcs, n.buffer);
    RoutedHarness h(n.topology, router(n.vcs, n.buffer, n.ejection, n.hop), n.classes);
    const std::vector<Sent> sent = load(h, n, 3);
    h.run(kLong);
    REQUIRE(h.deliveries.size() == kPackets);
    std::vector<bool> seen(kPackets);
    std::vector<std::int64_t> last(n.topology.nodes * n.topology.nodes * n.vcs, -1);
    bool once = true, routed = true, ordered = true;
    for (const Ejected& d : h.deliveries) {
      const Sent& s = sent[d.handle];
      once = once && !seen[d.handle];
      seen[d.handle] = true;
      routed = routed && d.place / n.classes == s.to;
      std::int64_t& before = last[(s.from * n.topology.nodes + s.to) * n.vcs + s.vc];
      ordered = ordered && before < static_cast<std::int64_t>(d.handle);
      before = d.handle;
    }
    CHECK(once);
    CHECK(routed);
    CHECK(ordered);
    CHECK(h.logic.in_flight() == 0);
    CHECK(h.registry.broken_laws() == std::vector<std::string>{});
    CHECK(h.count("ejected.packets") == kPackets);
  }
}

TEST_CASE("routed soak: bursts deliver every packet in the cycle in which single flits deliver it") {
  for (const Network& n : networks()) {
    CAPTURE(n.name, n.topology.nodes, n.vcs, n.buffer);
    const RouterParams p = router(n.vcs, n.buffer, n.ejection, n.hop);
    RoutedHarness bursts(n.topology, p, n.classes);
    FlitByFlit flits(n.topology, p, n.classes);
    flits.takes = sometimes;
    load(bursts, n, 8, &flits, 1500);
    bursts.run(kLong, false);
    flits.run(kLong);
    CHECK(bursts.deliveries.size() == 1500);
    CHECK(bursts.deliveries == flits.deliveries);
  }
}

TEST_CASE("routed soak: ticking every cycle and ticking only when named give the same deliveries and counts") {
  for (const Network& n : networks()) {
    CAPTURE(n.name, n.topology.nodes, n.vcs, n.buffer);
    RoutedHarness every(n.topology, router(n.vcs, n.buffer, n.ejection, n.hop), n.classes);
    RoutedHarness named(n.topology, router(n.vcs, n.buffer, n.ejection, n.hop), n.classes);
    load(every, n, 4);
    load(named, n, 4);
    every.run(kLong, true);
    named.run(kLong, false);
    CHECK(every.deliveries == named.deliveries);
    CHECK(every.registry.snapshot() == named.registry.snapshot());
    CHECK(named.ticks <= every.ticks);
  }
}

TEST_CASE("routed soak: the order in which nodes are served within a cycle changes nothing") {
  for (const Network& n : networks()) {
    CAPTURE(n.name, n.topology.nodes, n.vcs, n.buffer);
    RoutedHarness ascending(n.topology, router(n.vcs, n.buffer, n.ejection, n.hop), n.classes);
    RoutedHarness shuffled(n.topology, router(n.vcs, n.buffer, n.ejection, n.hop), n.classes);
    std::mt19937 random(9);
    std::shuffle(shuffled.order.begin(), shuffled.order.end(), random);
    load(ascending, n, 5);
    load(shuffled, n, 5);
    ascending.run(kLong);
    shuffled.run(kLong);
    CHECK(ascending.deliveries == shuffled.deliveries);
    CHECK(ascending.registry.snapshot() == shuffled.registry.snapshot());
  }
}

TEST_CASE("routed soak: a sparsely used mesh is ticked only when a head or a tail moves") {
  RoutedHarness h(a_mesh(6, 6), router(1, 8));
  for (unsigned p = 0; p < 50; ++p) h.offer(p * 1000, 0, 35, 5);
  h.run(kLong, false);
  CHECK(h.deliveries.size() == 50);
  // Injection and ten hops; the ends of eleven bursts of five flits; the register becomes free with one of them.
  CHECK(h.ticks <= 50 * (11 + 11 + 1));
}
