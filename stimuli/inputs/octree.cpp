#include "stimuli/inputs/octree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/base/error.h"
#include "model/base/rng.h"

namespace wharf {
namespace {

struct Point {
  double x, y, z;
};

/// Uniform on the sphere of this radius.
Point on_sphere(double radius, Rng& random) {
  for (;;) {
    const Point p{2 * random.unit() - 1, 2 * random.unit() - 1, 2 * random.unit() - 1};
    const double square = p.x * p.x + p.y * p.y + p.z * p.z;
    if (square > 1 || square == 0) continue;
    const double scale = radius / std::sqrt(square);
    return {p.x * scale, p.y * scale, p.z * scale};
  }
}

/// Inserts bodies one by one; a cell's octant that receives a second body becomes a cell.
class Builder {
 public:
  explicit Builder(Octree& tree) : t_(tree), next_cell_(tree.root) {}

  void build() {
    const auto [west, east] = std::minmax_element(t_.x.begin(), t_.x.begin() + t_.bodies);
    const auto [south, north] = std::minmax_element(t_.y.begin(), t_.y.begin() + t_.bodies);
    const auto [low, high] = std::minmax_element(t_.z.begin(), t_.z.begin() + t_.bodies);
    t_.radius = std::max({*east - *west, *north - *south, *high - *low}) * 0.5f;
    const Cell root{new_cell(), (*west + *east) * 0.5f, (*south + *north) * 0.5f, (*low + *high) * 0.5f, t_.radius};
    for (std::int32_t body = 0; body < t_.bodies; ++body) insert(body, root);
    summarise(root.node);
  }

 private:
  struct Cell {
    std::int32_t node;
    float x, y, z, radius;
  };

  std::int32_t new_cell() {
    if (next_cell_ < t_.bodies) throw SimulationError("an octree needs more cells than it has");
    return next_cell_--;
  }

  /// The slot of the octant in which the body lies; `cell` becomes that octant.
  std::int32_t& descend(std::int32_t body, Cell& cell) {
    const auto i = std::size_t(body);
    const bool east = t_.x[i] > cell.x, north = t_.y[i] > cell.y, high = t_.z[i] > cell.z;
    const std::size_t slot = std::size_t(cell.node) * 8 + (east ? 1 : 0) + (north ? 2 : 0) + (high ? 4 : 0);
    cell.radius *= 0.5f;
    cell.x += east ? cell.radius : -cell.radius;
    cell.y += north ? cell.radius : -cell.radius;
    cell.z += high ? cell.radius : -cell.radius;
    return t_.child[slot];
  }

  void insert(std::int32_t body, Cell cell) {
    for (int depth = 1; depth < Octree::kDeepest; ++depth) {
      std::int32_t& slot = descend(body, cell);
      if (slot < 0) {
        slot = body;
        return;
      }
      if (slot < t_.bodies) {
        const std::int32_t other = slot;
        slot = new_cell();
        Cell octant = cell;
        octant.node = slot;
        descend(other, octant) = other;
      }
      cell.node = slot;
    }
    throw SimulationError("two bodies of an octree coincide");
  }

  /// Moves children to the front, and computes the centre of mass and the order of the bodies.
  void summarise(std::int32_t node) {
    const auto first = t_.child.begin() + node * 8;
    std::stable_partition(first, first + 8, [](std::int32_t child) { return child >= 0; });
    float x = 0, y = 0, z = 0, mass = 0;
    for (auto child = first; child != first + 8 && *child >= 0; ++child) {
      if (*child < t_.bodies)
        t_.order.push_back(*child);
      else
        summarise(*child);
      const auto c = std::size_t(*child);
      x += t_.x[c] * t_.mass[c], y += t_.y[c] * t_.mass[c], z += t_.z[c] * t_.mass[c];
      mass += t_.mass[c];
    }
    const auto n = std::size_t(node);
    t_.x[n] = x / mass, t_.y[n] = y / mass, t_.z[n] = z / mass;
    t_.mass[n] = mass;
  }

  Octree& t_;
  std::int32_t next_cell_;
};

}  // namespace

Bodies plummer_sphere(std::int32_t count, std::uint64_t seed) {
  constexpr double kScale = 3.0 * 3.14159265358979 / 16.0;  // radii; makes the total energy -1/4
  Rng random(seed);
  Bodies b{{}, {}, {}, {}, {}, {}, 1.0f / static_cast<float>(count)};
  for (std::int32_t i = 0; i < count; ++i) {
    // The largest of three uniform numbers is distributed like the cube root of one. This avoids the power function, whose last bit depends
    // on the library.
    double root = 1;
    while (root > 0.9996) root = std::max({random.unit(), random.unit(), random.unit()});
    const double radius = root / std::sqrt(1 - root * root);
    const Point at = on_sphere(radius * kScale, random);
    double speed = 0;  // relative to the escape velocity
    for (double chance = 1; chance > 0;) {
      speed = random.unit();
      const double rest = 1 - speed * speed;
      chance = 0.1 * random.unit() - speed * speed * rest * rest * rest * std::sqrt(rest);
    }
    const Point towards = on_sphere(speed * std::sqrt(2.0 / std::sqrt(1 + radius * radius) / kScale), random);
    b.x.push_back(static_cast<float>(at.x)), b.vx.push_back(static_cast<float>(towards.x));
    b.y.push_back(static_cast<float>(at.y)), b.vy.push_back(static_cast<float>(towards.y));
    b.z.push_back(static_cast<float>(at.z)), b.vz.push_back(static_cast<float>(towards.z));
  }
  return b;
}

Octree octree(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& z, float mass, std::int32_t root) {
  Octree tree{static_cast<std::int32_t>(x.size()), root, 0.0f, {}, x, y, z, {}, {}};
  const std::size_t nodes = std::size_t(root) + 1;
  tree.child.assign(nodes * 8, -1);
  tree.mass.assign(nodes, mass);
  for (auto* const coordinates : {&tree.x, &tree.y, &tree.z}) coordinates->resize(nodes);
  tree.order.reserve(x.size());
  Builder(tree).build();
  return tree;
}

}  // namespace wharf
