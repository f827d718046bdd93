// Node maps as printed (RS-1, SL-35), distances, and the butterflies of shared_l1 section 11.

#include <catch2/catch.hpp>

#include "policies/routing/node_map.h"
#include "policies/routing/topology.h"

using namespace wharf;
using namespace wharf::routing;

namespace {

using Nodes = std::vector<std::uint32_t>;

unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

Topology square(unsigned side) {
  Shape shape;
  shape.columns = shape.rows = side;
  return mesh(shape);
}

}  // namespace

TEST_CASE("node map: the built-in maps of GPGPU-Sim for 28 and 8 on 6 x 6 and 56 and 8 on 8 x 8") {
  CHECK(slice_nodes(6, 6, 8) == Nodes{3, 7, 10, 12, 23, 25, 28, 32});
  CHECK(slice_nodes(8, 8, 8) == Nodes{3, 15, 17, 29, 36, 47, 49, 61});
}

TEST_CASE("node map: the staggered rule gives the lists printed for the larger systems") {
  CHECK(slice_nodes(8, 8, 16) == Nodes{2, 6, 9, 13, 16, 20, 27, 31, 34, 38, 41, 45, 48, 52, 59, 63});
  CHECK(slice_nodes(10, 10, 16) == Nodes{2, 7, 10, 15, 21, 31, 36, 47, 52, 57, 60, 65, 76, 81, 86, 92});
  CHECK(slice_nodes(10, 10, 32) ==
        Nodes{1, 3, 6, 8, 11, 14, 18, 21, 24, 27, 30, 34, 37, 40, 43, 47, 51, 53, 56, 58, 63, 66, 69, 72, 76, 79, 82, 85, 89, 92, 95, 98});
  CHECK(slice_nodes(10, 10, 24) == Nodes{1, 5, 8, 10, 15, 21, 24, 27, 31, 36, 44, 49, 50, 53, 56, 60, 65, 72, 76, 79, 81, 86, 94, 99});
}

TEST_CASE("node map: SMs take the nodes without a slice in ascending order") {
  const std::vector<std::uint16_t> nodes = endpoint_nodes(28, slice_nodes(6, 6, 8));
  REQUIRE(nodes.size() == 36);
  CHECK(std::vector<std::uint16_t>(nodes.begin(), nodes.begin() + 8) == std::vector<std::uint16_t>{0, 1, 2, 4, 5, 6, 8, 9});
  CHECK(nodes[27] == 35);
  CHECK(nodes[28] == 3);
  CHECK(nodes[35] == 32);
}

TEST_CASE("node map: on any grid the rule gives each slice a node of its own") {
  for (unsigned columns = 1; columns <= 12; ++columns)
    for (unsigned rows = 1; rows <= 12; ++rows)
      for (unsigned slices = 1; slices < columns * rows; ++slices) {
        const Nodes nodes = slice_nodes(columns, rows, slices);
        bool apart = nodes.size() == slices && nodes.back() < columns * rows;
        for (std::size_t i = 1; i < nodes.size(); ++i) apart = apart && nodes[i - 1] < nodes[i];
        if (!apart) CHECK((columns == 0 && rows == 0 && slices == 0));
      }
  SUCCEED();
}

TEST_CASE("mesh: hops are the distance along row and column") {
  for (const unsigned side : {2u, 6u, 10u}) {
    const Topology t = square(side);
    unsigned wrong = 0;
    for (unsigned a = 0; a < t.nodes; ++a)
      for (unsigned b = 0; b < t.nodes; ++b) wrong += t.hops(a, b) != distance(a % side, b % side) + distance(a / side, b / side);
    CHECK(wrong == 0);
  }
}

TEST_CASE("mesh: on 6 x 6 a core is 4.06 hops from another core and 3.86 from a slice, on average") {
  const Topology t = square(6);
  const std::vector<std::uint16_t> node = endpoint_nodes(28, slice_nodes(6, 6, 8));
  double cores = 0, slices = 0;
  for (unsigned a = 0; a < 28; ++a)
    for (unsigned b = 0; b < 36; ++b) (b < 28 ? cores : slices) += t.hops(node[a], node[b]);
  CHECK(cores / (28 * 27) == Approx(4.06).margin(0.005));
  CHECK(slices / (28 * 8) == Approx(3.86).margin(0.005));
}

TEST_CASE("mesh: with uniform homes and slices Min(H,L2)'s shares of 3.6, 39.9, 12.8 and 43.8 percent follow from the hops") {
  const Topology t = square(6);
  const std::vector<std::uint16_t> node = endpoint_nodes(28, slice_nodes(6, 6, 8));
  double local = 0, home = 0, tie = 0, slice = 0;
  for (unsigned a = 0; a < 28; ++a)
    for (unsigned h = 0; h < 28; ++h)
      for (unsigned s = 28; s < 36; ++s) {
        const unsigned to_home = t.hops(node[a], node[h]), to_slice = t.hops(node[a], node[s]);
        ++(a == h ? local : to_home < to_slice ? home : to_home == to_slice ? tie : slice);
      }
  const double all = 28 * 28 * 8;
  CHECK(100 * local / all == Approx(3.6).margin(0.05));
  CHECK(100 * home / all == Approx(39.9).margin(0.05));
  CHECK(100 * tie / all == Approx(12.8).margin(0.05));
  CHECK(100 * slice / all == Approx(43.8).margin(0.05));
}

TEST_CASE("ring: hops are the shorter way round, or the only way") {
  for (const bool both : {true, false}) {
    Shape shape;
    shape.nodes = 28;
    shape.bidirectional = both;
    const Topology t = ring(shape);
    unsigned wrong = 0;
    for (unsigned a = 0; a < 28; ++a)
      for (unsigned b = 0; b < 28; ++b) {
        const unsigned up = (b + 28 - a) % 28;
        wrong += t.hops(a, b) != (both ? std::min(up, 28 - up) : up);
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("butterfly: the 6-ary 2-fly has 2 stages of 6 switches for 36 nodes, the 4-ary 3-fly 3 of 16 for 64") {
  Shape shape;
  const Topology small = butterfly(shape);
  CHECK(small.nodes == 36);
  CHECK(small.routers == 2 * 6);
  CHECK(small.ports == 6);
  shape.radix = 4;
  shape.stages = 3;
  const Topology large = butterfly(shape);
  CHECK(large.nodes == 64);
  CHECK(large.routers == 3 * 16);
  CHECK(large.ports == 4);
  CHECK(small.hops(0, 35) == 2);
  CHECK(large.hops(63, 63) == 3);
}

TEST_CASE("butterfly: a packet's outputs are the digits of its destination, the most significant first") {
  Shape shape;
  shape.radix = 4;
  shape.stages = 3;
  const Topology t = butterfly(shape);
  const unsigned to = 2 * 16 + 3 * 4 + 1;
  unsigned wrong = 0;
  for (unsigned from = 0; from < 64; ++from) {
    unsigned router = t.entries[from].router;
    for (const unsigned digit : {2u, 3u, 1u}) {
      wrong += t.route(router, to) != digit;
      router = t.link(router, digit).target;
    }
  }
  CHECK(wrong == 0);
}
