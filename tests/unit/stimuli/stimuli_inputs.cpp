// The generated inputs have the statistics of the catalogue (docs/rules/workloads.md).

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "stimuli/inputs/key_tree.h"
#include "stimuli/inputs/mesh_matrix.h"
#include "stimuli/inputs/protein.h"
#include "stimuli/inputs/random_graph.h"
#include "stimuli/inputs/random_matrix.h"
#include "stimuli/inputs/rmat_graph.h"
#include "stimuli/inputs/tetra_mesh.h"
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
  CHECK(double(random_matrix(20000, 0.0001, 1).columns.size()) == Approx(40000).epsilon(0.03));  // gaps longer than one table
}

TEST_CASE("an R-MAT graph has every link both ways, a power law of degrees and the links asked for", "[stimuli][inputs]") {
  const Graph graph = rmat_graph(65536, 3 * 65536, 1);
  REQUIRE(graph.nodes() == 65536);
  CHECK(graph.targets.size() == 6 * 65536);
  int largest = 0, isolated = 0;
  std::multiset<std::pair<int, int>> links;
  for (int i = 0; i < graph.nodes(); ++i) {
    const auto first = graph.targets.begin() + graph.start[std::size_t(i)], last = graph.targets.begin() + graph.start[std::size_t(i) + 1];
    CHECK(std::is_sorted(first, last));
    largest = std::max(largest, int(last - first));
    isolated += first == last;
    for (auto to = first; to != last && i < 200; ++to) {
      if (*to < 200) links.emplace(i, *to);
    }
  }
  CHECK(std::all_of(links.begin(), links.end(), [&](const auto& l) { return links.count({l.second, l.first}) == links.count(l); }));
  CHECK(largest == Approx(608).epsilon(0.1));
  CHECK(isolated / 65536.0 == Approx(0.24).epsilon(0.04));
  const Graph odd = rmat_graph(1000, 500, 2);  // not a power of two
  CHECK(odd.nodes() == 1000);
  CHECK(*std::max_element(odd.targets.begin(), odd.targets.end()) < 1000);
}

TEST_CASE("the matrix of a mesh has the rows of its neighbourhoods", "[stimuli][inputs]") {
  const SparseMatrix matrix = mesh_matrix(100, 3);
  REQUIRE(matrix.row_start.size() == 10001);
  REQUIRE(matrix.values.size() == matrix.columns.size());
  std::array<int, 50> rows{};  // inner rows, by length
  for (int y = 3; y < 97; ++y) {
    for (int x = 3; x < 97; ++x) {
      const auto row = std::size_t(100 * y + x);
      const int length = matrix.row_start[row + 1] - matrix.row_start[row], reach = length == 9 ? 1 : length == 25 ? 2 : 3;
      REQUIRE((length == 9 || length == 25 || length == 49));
      ++rows[std::size_t(length)];
      CHECK(matrix.columns[std::size_t(matrix.row_start[row])] == 100 * (y - reach) + x - reach);
      CHECK(matrix.columns[std::size_t(matrix.row_start[row + 1]) - 1] == 100 * (y + reach) + x + reach);
    }
  }
  CHECK(rows[9] / 8836.0 == Approx(0.25).epsilon(0.06));
  CHECK(rows[25] / 8836.0 == Approx(0.55).epsilon(0.04));
  CHECK(rows[49] / 8836.0 == Approx(0.20).epsilon(0.06));
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
  CHECK(steepest < 21.0 / 64 + 1e-4);  // 21 K over the distance between two supporting points
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

TEST_CASE("a mesh of tetrahedra is symmetric, closed and has the boundary of its box", "[stimuli][inputs]") {
  const int nx = 5, ny = 4, nz = 3;
  for (const int window : {0, 32, 100000}) {
    const auto mesh = tetra_mesh(nx, ny, nz, window, 9);
    REQUIRE(mesh.size() == std::size_t(6 * nx * ny * nz));
    int wing = 0, far = 0, alone = 0, open = 0;
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      float sums[3] = {};
      for (std::size_t face = 0; face < 4; ++face) {
        const auto& normal = mesh[i].normals[face];
        for (std::size_t axis = 0; axis < 3; ++axis) sums[axis] += normal[axis];
        const int other = mesh[i].neighbours[face];
        wing += other == TetraElement::kWing, far += other == TetraElement::kFarField;
        if (other < 0) continue;
        const auto& back = mesh[std::size_t(other)];  // also has this face, with the opposite normal
        bool found = false;
        for (std::size_t f = 0; f < 4; ++f) {
          found |= back.neighbours[f] == int(i) && back.normals[f][0] == -normal[0] && back.normals[f][1] == -normal[1] &&
                   back.normals[f][2] == -normal[2];
        }
        alone += !found;
      }
      open += sums[0] != 0.0f || sums[1] != 0.0f || sums[2] != 0.0f;
    }
    CHECK(alone == 0);
    CHECK(open == 0);
    CHECK(wing == 2 * 2 * nx * ny);  // two triangles per square, on both sides
    CHECK(far == 2 * 2 * (nx * nz + ny * nz));
  }
}

TEST_CASE("a shuffled mesh keeps its elements inside their windows", "[stimuli][inputs]") {
  const auto plain = tetra_mesh(4, 4, 4, 0, 1), shuffled = tetra_mesh(4, 4, 4, 16, 1);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < plain.size(); i += 16) {
    std::multiset<int> before, after;  // by the windows of their neighbours, which shuffling does not change
    for (std::size_t j = i; j < i + 16; ++j) {
      for (const int other : plain[j].neighbours) before.insert(other < 0 ? other : other / 16);
      for (const int other : shuffled[j].neighbours) after.insert(other < 0 ? other : other / 16);
      moved += plain[j].neighbours != shuffled[j].neighbours;
    }
    CHECK(before == after);
  }
  CHECK(moved > plain.size() / 2);
}

TEST_CASE("every key of a tree is found on the way that its nodes show", "[stimuli][inputs]") {
  for (const auto& [keys, per_node, nodes, height] :
       {std::array<int, 4>{1, 128, 1, 0}, std::array<int, 4>{128, 128, 1, 0}, std::array<int, 4>{129, 128, 3, 1},
        std::array<int, 4>{1000, 3, 334 + 112 + 38 + 13 + 5 + 2 + 1, 6}, std::array<int, 4>{1000000, 128, 7813 + 62 + 1, 2}}) {
    const KeyTree tree = key_tree(keys, per_node);
    CHECK(tree.nodes == nodes);
    CHECK(tree.height == height);
    int lost = 0;
    for (int key = 0; key < keys; key += keys / 1000 + 1) {
      const std::int32_t* node = tree.words.data();
      const auto slot = [&] {
        const std::int32_t* const first = node + KeyTree::kKey;
        return std::upper_bound(first, first + KeyTree::kOrder + 1, key) - first - 1;
      };
      for (int level = 0; level < tree.height; ++level) {
        node = tree.words.data() + std::ptrdiff_t(node[KeyTree::kChild + slot()]) * KeyTree::kNodeWords;
      }
      lost += node[KeyTree::kLeaf] != 1 || node[KeyTree::kKey + slot()] != key || node[KeyTree::kChild + slot()] != key;
    }
    CHECK(lost == 0);
  }
}
