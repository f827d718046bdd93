// The formula of common section 14 (DC-24) for area and static power of networks. Its coefficients are fitted to the published points
// below. So this test shows that the formula is implemented as written, but nothing about real networks.

#include <catch2/catch.hpp>
#include <cmath>

#include "model/base/energy/noc.h"

namespace wharf::energy {
namespace {

constexpr NocParams kParams;

/// Requests and replies of `count` crossbars.
void add(std::vector<NocNetwork>& networks, unsigned count, unsigned inputs, unsigned outputs, Reach reach, unsigned flit_bytes = 32) {
  networks.push_back(crossbars("net.request", count, inputs, outputs, flit_bytes, reach));
  networks.push_back(crossbars("net.reply", count, outputs, inputs, flit_bytes, reach));
}

/// NoC#1 of `count1` crossbars and NoC#2 of `count2`; a network of 0 crossbars is left out.
std::vector<NocNetwork> two(unsigned count1, unsigned in1, unsigned out1, unsigned count2, unsigned in2, unsigned out2) {
  std::vector<NocNetwork> networks;
  if (count1 != 0) add(networks, count1, in1, out1, Reach::cluster);
  add(networks, count2, in2, out2, Reach::chip);
  return networks;
}

TEST_CASE("fitted: area and static power of the networks of dc_l1 lie within the stated residuals of the published ones") {
  struct Row {
    const char* name;
    std::vector<NocNetwork> networks;
    double area, published_area, leakage, published_leakage;  // < 0: not published
  };
  const Row rows[] = {
      {"base", two(0, 0, 0, 1, 80, 32), 1.000, 1, 1.000, 1},         {"Pr40", two(40, 2, 1, 1, 40, 32), .723, .72, .967, .96},
      {"Pr20", two(20, 4, 1, 1, 20, 32), .460, .46, .690, -1},       {"Pr10", two(10, 8, 1, 1, 10, 32), .328, .33, .551, -1},
      {"Sh40", two(1, 80, 40, 1, 40, 32), 1.690, 1.69, 1.568, 1.57}, {"C5", two(5, 16, 8, 8, 5, 4), .550, .55, .859, .85},
      {"C10", two(10, 8, 4, 4, 10, 8), .500, .50, .828, .84},        {"C20", two(20, 4, 2, 2, 20, 16), .550, .55, .859, .86},
      {"Pr80", two(80, 1, 1, 1, 80, 32), 1.013, -1, 1.040, -1},
  };
  double squares = 0, points = 0, static_squares = 0, static_points = 0;
  for (const Row& row : rows) {
    INFO(row.name);
    const double area = relative_area(kParams, row.networks), leakage = relative_static_power(kParams, row.networks);
    CHECK(area == Approx(row.area).margin(0.0006));
    CHECK(leakage == Approx(row.leakage).margin(0.0006));
    if (row.published_area > 0) {
      CHECK(std::abs(area - row.published_area) <= 0.0035);  // largest error: Pr40
      squares += (area - row.published_area) * (area - row.published_area);
      ++points;
    }
    if (row.published_leakage > 0) {
      CHECK(std::abs(leakage - row.published_leakage) <= 0.0125);  // largest error: C10
      static_squares += (leakage - row.published_leakage) * (leakage - row.published_leakage);
      ++static_points;
    }
  }
  CHECK(std::sqrt(squares / points) == Approx(0.0013).margin(0.0001));
  CHECK(std::sqrt(static_squares / static_points) == Approx(0.0067).margin(0.0005));
}

TEST_CASE("fitted: flits five times as wide cost 20.9 times the area and 5 times the static power") {
  std::vector<NocNetwork> networks;
  add(networks, 1, 80, 32, Reach::chip, 160);
  CHECK(relative_area(kParams, networks) == Approx(20.9).margin(0.05));
  CHECK(relative_static_power(kParams, networks) == Approx(5.0).margin(0.005));
}

TEST_CASE("a router of a mesh is a 5 x 5 switch and four links of 2 mm") {
  const NocNetwork mesh = routers("net.request", 36, 5, false, 32);
  CHECK(mesh.links == 36 * 4);
  const double one = kParams.area.crosspoint * 25 + kParams.area.port * 10 + kParams.area.link_mm * 8;
  CHECK(relative_area(kParams, {mesh, mesh}) == Approx(36 * one));
  const double leakage = kParams.leakage.crosspoint * 25 + kParams.leakage.port * 10 + kParams.leakage.link_mm * 8;
  CHECK(relative_static_power(kParams, {mesh, mesh}) == Approx(36 * leakage));
}

TEST_CASE("the switches of a butterfly have a link at every output") { CHECK(routers("net.peer", 12, 6, true, 32).links == 12 * 6); }

TEST_CASE("a flit through a crossbar passes one switch and the links of two ports") {
  const NocDynamic events = dynamic_of(kParams, crossbars("net.request", 1, 80, 32, 32, Reach::chip), {100, 0, 3200});
  CHECK(events.switch_passes == 100);
  CHECK(events.switch_pj == 6 + 0.25 * 112);
  CHECK(events.link_passes == 200);
  CHECK(events.link_pj == Approx(6.4 * 12.3));
}

TEST_CASE("a flit over a direct link passes that link and no switch") {
  const NocDynamic events = dynamic_of(kParams, crossbars("net.request", 80, 1, 1, 32, Reach::cluster), {100, 0, 3200});
  CHECK(events.switch_passes == 0);
  CHECK(events.link_passes == 100);
  CHECK(events.link_pj == Approx(6.4 * 3.3));
}

TEST_CASE("a flit of three hops in a mesh passes four routers and three links") {
  const NocDynamic events = dynamic_of(kParams, routers("net.request", 36, 5, false, 32), {1, 3, 32});
  CHECK(events.switch_passes == 4);
  CHECK(events.switch_pj == 6 + 0.25 * 10);
  CHECK(events.link_passes == 3);
  CHECK(events.link_pj == Approx(6.4 * 2));
}

TEST_CASE("a flit of two stages in a butterfly passes two switches and two links") {
  const NocDynamic events = dynamic_of(kParams, routers("net.peer", 12, 6, true, 32), {1, 2, 32});
  CHECK(events.switch_passes == 2);
  CHECK(events.link_passes == 2);
}

TEST_CASE("wider flits cost more in proportion") {
  const NocDynamic events = dynamic_of(kParams, crossbars("net.request", 1, 30, 24, 40, Reach::chip), {1, 0, 40});
  CHECK(events.switch_pj == Approx((6 + 0.25 * 54) * 40 / 32));
  CHECK(events.link_pj == Approx(6.4 * 12.3 * 40 / 32));
}

}  // namespace
}  // namespace wharf::energy
