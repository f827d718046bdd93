// Unloaded latencies of mesh, ring and butterfly in closed form (CM-15), and the delays that contention and small buffers add.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/network/routed/routed_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

/// Sends one packet between each pair of nodes, far apart in time. Returns how many did not take `expected(hops, flits)` cycles.
template <class Expected>
unsigned wrong_latencies(const routing::Topology& topology, const RouterParams& p, unsigned classes, unsigned vc, Expected&& expected) {
  RoutedHarness h(topology, p, classes);
  std::vector<Cycle> at, due;
  Cycle now = 0;
  for (unsigned from = 0; from < topology.nodes; ++from)
    for (unsigned to = 0; to < topology.nodes; ++to) {
      const unsigned flits = 1 + (from + to) % 5;
      h.offer(now, from, to, flits, vc);
      at.push_back(now);
      due.push_back(now + expected(topology.hops(from, to), flits));
      now += 300;
    }
  h.run(now + 300, /*every=*/false);
  unsigned wrong = h.deliveries.size() == due.size() ? 0 : 1;
  for (const Ejected& d : h.deliveries) wrong += d.cycle != due[d.handle];
  wrong += static_cast<unsigned>(h.registry.broken_laws().size());
  wrong += h.count("network_latency_sum") != h.count("unloaded_latency_sum");
  return wrong;
}

}  // namespace

TEST_CASE("mesh: unloaded, every pair of a 6 x 6 takes 1 + 2 hops + (f - 1) cycles") {
  const auto closed_form = [](unsigned hops, unsigned flits) { return 1 + 2 * hops + (flits - 1); };
  CHECK(wrong_latencies(a_mesh(6, 6), router(1, 8), 1, 0, closed_form) == 0);
  CHECK(wrong_latencies(a_mesh(6, 6), router(4, 4), 2, 3, closed_form) == 0);
  CHECK(wrong_latencies(a_mesh(6, 6), router(1, 3), 1, 0, closed_form) == 0);  // hop_cycles + 1 slots keep a link busy
  CHECK(wrong_latencies(a_mesh(3, 5), router(2, 8), 1, 1, closed_form) == 0);
}

TEST_CASE("mesh: the cycles of a hop are a parameter") {
  for (const unsigned hop : {1u, 3u, 7u})
    CHECK(wrong_latencies(a_mesh(4, 4), router(1, hop + 1, 16, hop), 1, 0,
                          [&](unsigned hops, unsigned flits) { return 1 + hop * hops + (flits - 1); }) == 0);
}

TEST_CASE("ring: unloaded, every pair takes 1 + 2 hops + (f - 1) cycles, over the dateline too") {
  const auto closed_form = [](unsigned hops, unsigned flits) { return 1 + 2 * hops + (flits - 1); };
  CHECK(wrong_latencies(a_ring(28), router(4, 4), 2, 0, closed_form) == 0);
  CHECK(wrong_latencies(a_ring(28), router(4, 4), 2, 2, closed_form) == 0);
  CHECK(wrong_latencies(a_ring(9, false), router(2, 4), 1, 0, closed_form) == 0);
}

TEST_CASE("butterfly: unloaded, every pair takes 2 cycles a stage and (f - 1)") {
  const auto closed_form = [](unsigned stages) { return [stages](unsigned, unsigned flits) { return 2 * stages + (flits - 1); }; };
  CHECK(wrong_latencies(a_butterfly(6, 2), router(4, 4), 2, 1, closed_form(2)) == 0);
  CHECK(wrong_latencies(a_butterfly(4, 3), router(4, 4), 2, 2, closed_form(3)) == 0);
}

TEST_CASE("routed: with a FIFO of one flit each flit waits for the slot of the one before") {
  // The next slot is left when the flit crosses there, 2 cycles later, and known to be free one cycle after that: 3 cycles per flit.
  RoutedHarness h(a_mesh(3, 1), router(1, 1));
  h.offer(0, 0, 2, 4);
  h.run(100);
  CHECK(h.deliveries.size() == 1);
  CHECK(h.deliveries[0].cycle == 1 + 2 * 2 + 3 * (4 - 1));
}

TEST_CASE("routed: two packets for one output go one after the other, the second as soon as the first's tail has crossed") {
  RoutedHarness h(a_mesh(3, 1), router(1, 8));
  h.offer(0, 0, 1, 5);
  h.offer(0, 2, 1, 5);
  h.run(100);
  REQUIRE(h.deliveries.size() == 2);
  CHECK(h.deliveries[0].cycle == 1 + 2 + 4);
  CHECK(h.deliveries[1].cycle == 1 + 2 + 4 + 5);
}

TEST_CASE("routed: a packet behind another of its register starts in the cycle after the tail") {
  RoutedHarness h(a_mesh(2, 1), router(1, 8));
  h.offer(0, 0, 1, 5);
  h.offer(0, 0, 1, 1);
  h.run(100);
  CHECK(h.deliveries[1].cycle == h.deliveries[0].cycle + 1);
  CHECK(h.count("packet_latency_sum") == (1 + 2 + 4) + (5 + 1 + 2));
  CHECK(h.count("network_latency_sum") == (1 + 2 + 4) + (1 + 2));
}

TEST_CASE("routed: on one virtual channel a packet waits behind one that waits, on another it passes") {
  const auto behind = [](unsigned vcs) {
    RoutedHarness h(a_mesh(3, 2), router(vcs, 2, 1));
    // Node 2 does not take its packets for a while, so they fill the path through node 1. The last packet only crosses node 1.
    h.takes = [](unsigned place, Cycle now) { return place != 2 || now >= 500; };
    for (unsigned i = 0; i < 8; ++i) h.offer(0, 0, 2, 2, 0);
    const std::uint32_t passing = h.offer(100, 0, 4, 1, vcs - 1);
    h.run(1000);
    CHECK(h.deliveries.size() == 9);
    return h.delivered_at(passing);
  };
  CHECK(behind(1) > 500);
  CHECK(behind(2) == 100 + 1 + 2 * 2);
}

TEST_CASE("routed: classes leave through ejection buffers of their own, so that one that is not taken does not stop the other") {
  RoutedHarness h(a_mesh(2, 1), router(2, 1, 1), 2);
  h.takes = [&](unsigned place, Cycle now) { return place != h.logic.place(1, 0) || now >= 500; };
  for (unsigned i = 0; i < 5; ++i) h.offer(0, 0, 1, 3, 0);
  const std::uint32_t other = h.offer(100, 0, 1, 1, 1);
  h.run(1000);
  CHECK(h.deliveries.size() == 6);
  CHECK(h.delivered_at(other) == 100 + 1 + 2);
}

TEST_CASE("routed: misuse and channels that do not suffice are refused") {
  RoutedHarness h(a_mesh(2, 2), router(2, 2));
  h.logic.inject(0, {0, 1, 0, 5, 0}, 0);
  CHECK_THROWS_AS(h.logic.inject(0, {1, 1, 0, 1, 0}, 0), SimulationError);  // the register is full
  CHECK_THROWS_AS(h.logic.inject(1, {1, 4, 0, 1, 0}, 0), SimulationError);  // no such node
  CHECK_THROWS_AS(h.logic.inject(1, {1, 0, 2, 1, 0}, 0), SimulationError);  // no such channel
  CHECK_THROWS_AS(h.logic.inject(1, {1, 0, 0, 0, 0}, 0), SimulationError);  // no flits
  CHECK_THROWS_AS(h.logic.inject(1, {1, 0, 0, 1, 5}, 0), SimulationError);  // queued in the future
  h.logic.tick(0);
  CHECK_THROWS_AS(h.logic.inject(1, {1, 0, 0, 1, 0}, 0), SimulationError);  // the cycle has passed
  CHECK_THROWS_AS(h.logic.pop(3, 1), SimulationError);
  stats::Registry registry;
  CHECK_THROWS_AS(RoutedLogic(a_mesh(2, 2), router(1, 8), 2, registry, "a"), InputError);
  CHECK_THROWS_AS(RoutedLogic(a_ring(4), router(2, 8), 2, registry, "b"), InputError);
  CHECK_THROWS_AS(RoutedLogic(a_ring(4), router(6, 8), 2, registry, "c"), InputError);
  CHECK_THROWS_AS(RoutedLogic(a_mesh(16, 16), router(3, 8), 3, registry, "d"), InputError);  // needs 768 ejection places; 512 are possible
  CHECK(RoutedLogic(a_mesh(16, 16), router(2, 8), 2, registry, "e").in_flight() == 0);
}
