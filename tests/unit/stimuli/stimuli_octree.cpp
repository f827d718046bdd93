// The bodies and the octree of BARNES_HUT, and the values of the networks.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "model/base/error.h"
#include "stimuli/inputs/network_values.h"
#include "stimuli/inputs/octree.h"

using namespace wharf;

TEST_CASE("a Plummer sphere has half its mass within 0.77 and the energy of its virial equilibrium", "[stimuli][inputs]") {
  const Bodies b = plummer_sphere(4000, 3);
  REQUIRE(b.x.size() == 4000);
  std::vector<double> radii;
  double kinetic = 0;
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    radii.push_back(std::sqrt(double(b.x[i]) * b.x[i] + double(b.y[i]) * b.y[i] + double(b.z[i]) * b.z[i]));
    kinetic += 0.5 * double(b.mass) * (double(b.vx[i]) * b.vx[i] + double(b.vy[i]) * b.vy[i] + double(b.vz[i]) * b.vz[i]);
  }
  std::nth_element(radii.begin(), radii.begin() + 2000, radii.end());
  CHECK(radii[2000] == Approx(0.77).epsilon(0.05));  // 1.305 radii of 3 pi / 16
  CHECK(kinetic == Approx(0.25).epsilon(0.05));
}

TEST_CASE("an octree holds every body once, sums masses, and lies in the order of its walk", "[stimuli][inputs]") {
  const Bodies b = plummer_sphere(1000, 5);
  const Octree tree = octree(b.x, b.y, b.z, b.mass, 4000);
  CHECK(tree.root == 4000);
  CHECK(std::set<std::int32_t>(tree.order.begin(), tree.order.end()).size() == 1000);
  CHECK(tree.order.size() == 1000);
  CHECK(tree.mass[4000] == Approx(1.0).epsilon(1e-4));
  double x = 0;
  for (const float each : b.x) x += double(each) * b.mass;
  CHECK(tree.x[4000] == Approx(x).margin(1e-5));
  std::size_t cells = 0;
  for (std::size_t node = 1000; node <= 4000; ++node) {
    const auto first = tree.child.begin() + std::ptrdiff_t(node * 8);
    const auto empty = std::find(first, first + 8, -1);
    CHECK(std::all_of(empty, first + 8, [](int child) { return child == -1; }));  // children first
    cells += empty != first;
  }
  CHECK(cells > 300);
  CHECK(tree.child[4000 * 8] >= 0);
  // Consecutive bodies are near each other.
  double apart = 0, shuffled = 0;
  for (std::size_t s = 1; s < 1000; ++s) {
    apart += std::abs(tree.x[std::size_t(tree.order[s])] - tree.x[std::size_t(tree.order[s - 1])]);
    shuffled += std::abs(b.x[s] - b.x[s - 1]);
  }
  CHECK(apart < shuffled / 2);
}

TEST_CASE("an octree without enough cells or with two bodies in one place is refused", "[stimuli][inputs]") {
  const Bodies b = plummer_sphere(100, 5);
  CHECK_THROWS_AS(octree(b.x, b.y, b.z, b.mass, 101), SimulationError);
  CHECK_THROWS_AS(octree({0, 1, 1}, {0, 1, 1}, {0, 1, 1}, 1, 1000), SimulationError);
}

TEST_CASE("weights are centred and activations are half zeros in runs of twelve", "[stimuli][inputs]") {
  WeightSource weights(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double weight = weights.draw();
    sum += weight, squares += weight * weight;
  }
  CHECK(sum / 20000 == Approx(0.0).margin(0.001));
  CHECK(std::sqrt(squares / 20000) == Approx(0.03).epsilon(0.03));
  ActivationSource activations(1);
  int zeros = 0, dead = 0, changes = 0;
  for (int map = 0; map < 200; ++map) {
    activations.start_map();
    int own = 0;
    bool before = false;
    for (int i = 0; i < 1000; ++i) {
      const bool zero = activations.draw() == 0.0;
      own += zero;
      changes += i > 0 && zero != before;
      before = zero;
    }
    zeros += own;
    dead += own == 1000;
  }
  CHECK(dead == Approx(200 / 14.0).margin(8));
  CHECK(zeros / 200e3 == Approx(0.5 + 0.5 / 14).margin(0.03));
  CHECK(changes / 200e3 == Approx(13.0 / 14 / 12).epsilon(0.1));
}
