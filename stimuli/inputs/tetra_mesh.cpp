#include "stimuli/inputs/tetra_mesh.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "model/base/rng.h"

namespace wharf {
namespace {

constexpr int kPerCube = 6;

using Axes = std::array<int, 3>;

// Tetrahedron (a, b, c) of a cube has the corners 0, a, a+b, a+b+c: the points of the cube with x_a >= x_b >= x_c.
constexpr Axes kOrders[kPerCube] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

int number_of(const Axes& order) { return static_cast<int>(std::find(std::begin(kOrders), std::end(kOrders), order) - kOrders); }

/// The tetrahedron across face `face` of one of order (a, b, c), and the axis and direction of its cube (axis -1: the same cube).
struct Across {
  Axes order;
  int axis, step;
};

Across across(const Axes& o, int face) {
  const auto [a, b, c] = o;
  switch (face) {
    case 0:
      return {{b, c, a}, a, 1};
    case 1:
      return {{b, a, c}, -1, 0};
    case 2:
      return {{a, c, b}, -1, 0};
    default:
      return {{c, a, b}, c, -1};
  }
}

/// Half the unit vector of one axis, or half the difference of two: faces have area 1/2 or sqrt(2)/2.
std::array<float, 3> inward_normal(const Axes& o, int face) {
  std::array<float, 3> n{};
  const auto at = [&](int axis) -> float& { return n[std::size_t(axis)]; };
  if (face == 0) at(o[0]) = -0.5f;
  if (face == 1) at(o[0]) = 0.5f, at(o[1]) = -0.5f;
  if (face == 2) at(o[1]) = 0.5f, at(o[2]) = -0.5f;
  if (face == 3) at(o[2]) = 0.5f;
  return n;
}

/// new number[old number]
std::vector<std::int32_t> shuffled(std::size_t count, int window, std::uint64_t seed) {
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Rng random(seed);
  for (std::size_t first = 0; window > 1 && first < count; first += std::size_t(window)) {
    const std::size_t size = std::min(std::size_t(window), count - first);
    for (std::size_t i = size - 1; i > 0; --i) std::swap(numbers[first + i], numbers[first + random.below(i + 1)]);
  }
  return numbers;
}

}  // namespace

std::vector<TetraElement> tetra_mesh(int nx, int ny, int nz, int window, std::uint64_t seed) {
  const std::array<int, 3> size{nx, ny, nz};
  std::vector<TetraElement> mesh(std::size_t(kPerCube) * std::size_t(nx) * std::size_t(ny) * std::size_t(nz));
  const auto numbers = shuffled(mesh.size(), window, seed);
  const auto number = [&](const std::array<int, 3>& cube, const Axes& order) {
    const auto plain = std::size_t(kPerCube) * std::size_t(cube[0] + nx * (cube[1] + ny * cube[2])) + std::size_t(number_of(order));
    return numbers[plain];
  };
  std::array<int, 3> cube{};
  for (cube[2] = 0; cube[2] < nz; ++cube[2]) {
    for (cube[1] = 0; cube[1] < ny; ++cube[1]) {
      for (cube[0] = 0; cube[0] < nx; ++cube[0]) {
        for (const Axes& order : kOrders) {
          TetraElement& element = mesh[std::size_t(number(cube, order))];
          for (int face = 0; face < 4; ++face) {
            const Across there = across(order, face);
            std::array<int, 3> other = cube;
            bool inside = true;
            if (there.axis >= 0) {
              int& place = other[std::size_t(there.axis)];
              place += there.step;
              inside = place >= 0 && place < size[std::size_t(there.axis)];
            }
            const std::int32_t boundary = there.axis == 2 ? TetraElement::kWing : TetraElement::kFarField;
            element.neighbours[std::size_t(face)] = inside ? number(other, there.order) : boundary;
            element.normals[std::size_t(face)] = inward_normal(order, face);
          }
        }
      }
    }
  }
  return mesh;
}

}  // namespace wharf
