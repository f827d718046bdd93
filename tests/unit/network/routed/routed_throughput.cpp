// The sustained throughput of the networks against known bounds, and its division among the nodes.

#include <catch2/catch.hpp>

#include "tests/unit/network/routed/routed_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

/// Flits per cycle that leave the network between two cycles. Every node always has a packet for `to(node)` waiting on each channel.
template <class Destination>
double sustained(RoutedHarness& h, unsigned nodes, unsigned vcs, unsigned flits, Cycle from, Cycle until, Destination&& to) {
  for (unsigned node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < until / flits / vcs + 4; ++i)
      for (unsigned vc = 0; vc < vcs; ++vc) {
        const unsigned destination = to(node, i);
        if (destination != node) h.offer(0, node, destination, flits, vc);
      }
  h.run(from);
  const std::size_t before = h.deliveries.size();
  h.run(until);
  return static_cast<double>((h.deliveries.size() - before) * flits) / static_cast<double>(until - from);
}

}  // namespace

TEST_CASE("mesh: all to one is limited by the ejection link, one flit a cycle") {
  for (const unsigned flits : {1u, 5u}) {
    RoutedHarness h(a_mesh(6, 6), router(1, 8));
    CHECK(sustained(h, 36, 1, flits, 200, 2200, [](unsigned, unsigned) { return 14u; }) == Approx(1.0).margin(0.01));
  }
}

TEST_CASE("mesh: one to all is limited by the node's register, one flit a cycle") {
  RoutedHarness h(a_mesh(6, 6), router(4, 4));
  const double rate =
      sustained(h, 36, 4, 5, 200, 2200, [](unsigned node, unsigned i) { return node != 14 ? node : (15 + i * 7 % 35) % 36; });
  CHECK(rate > 0.95);
  CHECK(rate <= 1.01);
}

TEST_CASE("mesh: neighbours in one direction use their links in every cycle") {
  RoutedHarness h(a_mesh(6, 1), router(1, 3));
  CHECK(sustained(h, 6, 1, 5, 200, 1200, [](unsigned node, unsigned) { return node == 5 ? 5 : node + 1; }) == Approx(5.0).margin(0.05));
}

TEST_CASE("mesh: random traffic stays below the bisection bound and reaches a good part of it") {
  // Half of the traffic crosses the middle of 6 x 6. 12 links carry it, so at most 24 flits per cycle pass.
  RoutedHarness h(a_mesh(6, 6), router(4, 4));
  std::mt19937 random(7);
  const double rate = sustained(h, 36, 4, 5, 1000, 3000, [&](unsigned, unsigned) { return static_cast<unsigned>(random() % 36); });
  CHECK(rate < 24.0);
  CHECK(rate > 10.0);
}

TEST_CASE("mesh: nodes at the same distance from a hot spot get the same share, and the share of none is zero") {
  RoutedHarness h(a_mesh(5, 5), router(1, 4));
  sustained(h, 25, 1, 1, 200, 6200, [](unsigned, unsigned) { return 12u; });
  std::vector<unsigned> from(25);
  const unsigned queued = 6200 + 4;
  for (const Ejected& d : h.deliveries) ++from[(d.handle / queued) + (d.handle / queued >= 12)];
  for (unsigned node = 0; node < 25; ++node)
    if (node != 12) CHECK(from[node] > 50);
  // The four neighbours of the hot spot each feed one of its inputs.
  for (const unsigned neighbour : {7u, 11u, 13u, 17u}) CHECK(from[neighbour] > 300);
}

TEST_CASE("ring: both directions carry a flit a cycle and link") {
  RoutedHarness h(a_ring(8), router(4, 4), 2);
  const double rate = sustained(h, 8, 1, 4, 200, 2200, [](unsigned node, unsigned i) { return (node + (i % 2 == 0 ? 1 : 7)) % 8; });
  CHECK(rate == Approx(8.0).margin(0.1));  // each node injects one flit per cycle
}

TEST_CASE("butterfly: a permutation without conflicts passes at one flit a cycle and node") {
  RoutedHarness h(a_butterfly(6, 2), router(4, 4), 1);
  // The destination is one more in both digits: every switch of both stages has six different outputs.
  const double rate = sustained(h, 36, 1, 5, 200, 1200, [](unsigned node, unsigned) { return (node / 6 + 1) % 6 * 6 + (node + 1) % 6; });
  CHECK(rate > 29.0);
}

TEST_CASE("routed: smaller buffers never make it faster") {
  const auto rate = [](unsigned buffer) {
    RoutedHarness h(a_mesh(4, 4), router(1, buffer));
    std::mt19937 random(3);
    return sustained(h, 16, 1, 5, 500, 2500, [&](unsigned, unsigned) { return static_cast<unsigned>(random() % 16); });
  };
  const double one = rate(1), three = rate(3), eight = rate(8);
  CHECK(one < three);
  CHECK(three <= eight * 1.02);
  CHECK(one > 0.5);
}
