// The two-stage network of every row of the geometry table (dc_l1 section 7), and its guarantees (dc_l1 section 12).

#include <catch2/catch.hpp>
#include <set>

#include "model/designs/dc_l1/dc_l1_geometry.h"

using namespace wharf;

namespace {

struct Row {
  const char* name;
  DcL1Geometry geometry;
  DcL1Geometry::Crossbars noc1, noc2;
  double link_cycles;  // of NoC#1 relative to the baseline's, as the source counts
  double drop;         // of peak bandwidth
};

const Row kRows[] = {
    {"Pr80", {80, 80, 80, 32, true}, {80, 1, 1}, {1, 80, 32}, 1, 4},
    {"Pr40", {80, 40, 40, 32, true}, {40, 2, 1}, {1, 40, 32}, 1, 8},
    {"Pr20", {80, 20, 20, 32, true}, {20, 4, 1}, {1, 20, 32}, 1, 16},
    {"Pr10", {80, 10, 10, 32, true}, {10, 8, 1}, {1, 10, 32}, 1, 32},
    {"Sh40", {80, 40, 1, 32, false}, {1, 80, 40}, {1, 40, 32}, 1, 8},
    {"Sh40+C5", {80, 40, 5, 32, true}, {5, 16, 8}, {8, 5, 4}, 1, 8},
    {"Sh40+C10", {80, 40, 10, 32, true}, {10, 8, 4}, {4, 10, 8}, 1, 8},
    {"Sh40+C20", {80, 40, 20, 32, true}, {20, 4, 2}, {2, 20, 16}, 1, 8},
    {"Sh40+C40", {80, 40, 40, 32, true}, {40, 2, 1}, {1, 40, 32}, 1, 8},
    {"Sh40+C10+Boost", {80, 40, 10, 32, true}, {10, 8, 4}, {4, 10, 8}, 0.5, 4},
    {"Sh60+C10+Boost", {120, 60, 10, 48, true}, {10, 12, 6}, {6, 10, 8}, 0.5, 4},
    {"ATA decoupled", {30, 30, 3, 24, false}, {3, 10, 10}, {1, 30, 24}, 1, 4},
};

bool operator==(const DcL1Geometry::Crossbars& a, const DcL1Geometry::Crossbars& b) {
  return a.count == b.count && a.inputs == b.inputs && a.outputs == b.outputs;
}

}  // namespace

TEST_CASE("dc_l1 geometry: every row of the table has its crossbars, its peak bandwidth and as many copies as clusters") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const DcL1Geometry& g = row.geometry;
    CHECK(g.mistake().what == "");
    CHECK((g.noc1() == row.noc1));
    CHECK((g.noc2() == row.noc2));
    CHECK(g.bandwidth_drop(32, row.link_cycles) == row.drop);
    CHECK(g.most_copies() == g.clusters);
    CHECK(g.direct_links() == (row.noc1.inputs == 1));
  }
}

TEST_CASE("dc_l1 geometry: Sh40 has six home bits, Sh40+C10 two, and PrY none") {
  CHECK(kRows[4].geometry.home_bits() == 6);
  CHECK(kRows[6].geometry.home_bits() == 2);
  CHECK(kRows[1].geometry.home_bits() == 0);
}

// DC-18
TEST_CASE("dc_l1 geometry: clusters are neighbours, eight cores and four nodes each under Sh40+C10") {
  const DcL1Geometry& g = kRows[6].geometry;
  CHECK(g.cluster_of(7) == 0);
  CHECK(g.cluster_of(8) == 1);
  CHECK(g.node_of(8, 0) == 4);
  CHECK(g.node_of(79, 3) == 39);
}

TEST_CASE(
    "dc_l1 geometry: a node and the slices that it reaches are ports of one crossbar, and each slice has a way to a node of each cluster") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const DcL1Geometry& g = row.geometry;
    const DcL1Geometry::Crossbars noc2 = g.noc2();
    std::set<unsigned> ports;
    for (unsigned node = 0; node < g.nodes; ++node) {
      CHECK(ports.insert(g.lower_port(node)).second);
      for (unsigned slice = 0; slice < g.slices; ++slice) {
        const bool same = g.lower_port(node) / noc2.inputs == (g.slice_port(slice) - g.nodes) / noc2.outputs;
        REQUIRE(g.reaches(node, slice) == same);
      }
    }
    CHECK(*ports.rbegin() == g.nodes - 1);
    for (unsigned slice = 0; slice < g.slices; ++slice) {
      unsigned reaching = 0;
      for (unsigned node = 0; node < g.nodes; ++node) reaching += g.reaches(node, slice) ? 1 : 0;
      CHECK(reaching == (g.partitioned() ? g.clusters : g.nodes));
    }
    const DcL1Geometry::Crossbars noc1 = g.noc1();
    for (unsigned core = 0; core < g.cores; ++core)
      for (unsigned home = 0; home < g.nodes_per_cluster(); ++home)
        REQUIRE(core / noc1.inputs == (g.upper_port(g.node_of(core, home)) - g.cores) / noc1.outputs);
  }
}

TEST_CASE("dc_l1 geometry: every Y and Z is legal or says what to do") {
  unsigned legal = 0;
  for (unsigned y = 1; y <= 80; ++y) {
    for (unsigned z = 1; z <= 80; ++z) {
      const DcL1Geometry g{80, y, z, 32, true};
      const bool equal = 80 % z == 0 && y % z == 0;
      const bool joined = z == 1 || (equal && 32 % (y / z) == 0);
      CAPTURE(y, z);
      const DcL1Geometry::Mistake mistake = g.mistake();
      REQUIRE(mistake.what.empty() == (equal && joined));
      REQUIRE(mistake.what.empty() == mistake.remedy.empty());
      if (mistake.what.empty()) ++legal;
    }
  }
  CHECK(legal > 100);
  CHECK(DcL1Geometry{80, 81, 1, 32, false}.mistake().what != "");
}
