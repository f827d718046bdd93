// The generated inputs have the statistics that the workload catalogue gives.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "stimuli/inputs/protein.h"
#include "stimuli/inputs/random_graph.h"
#include "stimuli/inputs/random_matrix.h"
#include "stimuli/inputs/thermal_map.h"

using namespace wharf;

TEST_CASE("a random graph has every link both ways and the mean degree of its draws", "[stimuli][inputs]") {
  const Graph graph = random_graph(5000, 2, 4, 7);
  REQUIRE(graph.nodes() == 5000);
  REQUIRE(std::size_t(graph.start.back()) == graph.targets.size());
  std::multiset<std::pair<int, int>> links;
  int least = 1000;
  for (int i = 0; i < graph.nodes(); ++i) {
    least = std::min(least, graph.start[std::size_t(i) + 1] - graph.start[std::size_t(i)]);
    for (int e = graph.start[std::size_t(i)]; e < graph.start[std::size_t(i) + 1]; ++e) links.emplace(i, graph.targets[std::size_t(e)]);
  }
  CHECK(least >= 2);
  CHECK(std::all_of(links.begin(), links.end(), [&](const auto& link) {
    return links.count({link.second, link.first}) == links.count(link);
  }));
  CHECK(double(graph.targets.size()) / 5000 == Approx(6.0).epsilon(0.02));
}

TEST_CASE("a random matrix has ascending columns, the density asked for and values below 10", "[stimuli][inputs]") {
  const SparseMatrix matrix = random_matrix(2000, 0.01, 5);
  REQUIRE(matrix.row_start.size() == 2001);
  REQUIRE(matrix.columns.size() == matrix.values.size());
  REQUIRE(std::size_t(matrix.row_start.back()) == matrix.columns.size());
  double squares = 0;
  for (std::size_t row = 0; row < 2000; ++row) {
    const auto first = matrix.columns.begin() + matrix.row_start[row], last = matrix.columns.begin() + matrix.row_start[row + 1];
    CHECK(std::adjacent_find(first, last, [](int a, int b) { return a >= b; }) == last);
    CHECK((first == last || (*first >= 0 && *(last - 1) < 2000)));
    squares += std::pow(double(last - first) - 20.0, 2);
  }
  CHECK(double(matrix.columns.size()) == Approx(2000 * 2000 * 0.01).epsilon(0.02));
  CHECK(squares / 2000 == Approx(2000 * 0.01 * 0.99).epsilon(0.1));  // variance of a binomial row
  CHECK(*std::min_element(matrix.values.begin(), matrix.values.end()) >= 0.0f);
  CHECK(*std::max_element(matrix.values.begin(), matrix.values.end()) < 10.0f);
}

TEST_CASE("a full matrix is full and a very sparse one has long gaps", "[stimuli][inputs]") {
  CHECK(random_matrix(50, 1.0, 1).columns.size() == 50 * 50);
  CHECK(double(random_matrix(20000, 0.0001, 1).columns.size()) == Approx(40000).epsilon(0.03));  // gaps beyond one table
}

TEST_CASE("temperatures are smooth and powers come in few values and rectangles", "[stimuli][inputs]") {
  const int rows = 200, columns = 300;
  const auto warm = temperature_map(rows, columns, 3), power = power_map(rows, columns, 3);
  REQUIRE(warm.size() == std::size_t(rows * columns));
  REQUIRE(power.size() == warm.size());
  CHECK(*std::min_element(warm.begin(), warm.end()) >= 323.0f);
  CHECK(*std::max_element(warm.begin(), warm.end()) <= 344.0f);
  double steepest = 0;
  std::size_t steps = 0;
  for (std::size_t i = 1; i < warm.size(); ++i) {
    if (i % std::size_t(columns) == 0) continue;
    steepest = std::max(steepest, std::abs(double(warm[i]) - double(warm[i - 1])));
    steps += power[i] != power[i - 1];
  }
  CHECK(steepest < 21.0 / 64 + 1e-4);  // 21 K over the distance of two supporting points
  CHECK(double(steps) / double(warm.size()) < 1.0 / 10);
  CHECK(std::set<float>(power.begin(), power.end()).size() <= 68);
  CHECK(std::set<float>(power.begin(), power.end()).size() > 30);
}

TEST_CASE("proteins use ten symbols alike, and similarities are symmetric and best on the diagonal", "[stimuli][inputs]") {
  const auto protein = random_protein(10000, 4, 1);
  for (int symbol = 0; symbol < 10; ++symbol) {
    CHECK(double(std::count(protein.begin(), protein.end(), symbol)) == Approx(1000).epsilon(0.15));
  }
  CHECK(protein != random_protein(10000, 4, 2));
  std::set<int> values;
  for (std::uint8_t a = 0; a < 10; ++a) {
    for (std::uint8_t b = 0; b < 10; ++b) {
      values.insert(similarity(a, b));
      CHECK(similarity(a, b) == similarity(b, a));
      CHECK(similarity(a, b) <= similarity(a, a));
    }
  }
  CHECK(*values.begin() == -4);
  CHECK(*values.rbegin() == 9);
}
