#include "stimuli/inputs/thermal_map.h"

#include <cstddef>

#include "model/base/rng.h"

namespace wharf {
namespace {

constexpr int kCell = 64;       // distance between the random grid points of a temperature map
constexpr int kRectangle = 32;  // longest side of a rectangle of equal power

}  // namespace

std::vector<float> temperature_map(int rows, int columns, std::uint64_t seed) {
  Rng random(seed, 1);
  const int across = columns / kCell + 2, down = rows / kCell + 2;
  std::vector<double> points(std::size_t(across) * std::size_t(down));
  for (double& point : points) point = 323.0 + 21.0 * random.unit();
  const auto at = [&](int y, int x) { return points[std::size_t(y) * std::size_t(across) + std::size_t(x)]; };
  std::vector<float> map;
  map.reserve(std::size_t(rows) * std::size_t(columns));
  for (int y = 0; y < rows; ++y) {
    const double v = double(y % kCell) / kCell;
    for (int x = 0; x < columns; ++x) {
      const double u = double(x % kCell) / kCell;
      const int i = y / kCell, j = x / kCell;
      const double upper = at(i, j) * (1 - u) + at(i, j + 1) * u, lower = at(i + 1, j) * (1 - u) + at(i + 1, j + 1) * u;
      map.push_back(static_cast<float>(upper * (1 - v) + lower * v));
    }
  }
  return map;
}

std::vector<float> power_map(int rows, int columns, std::uint64_t seed) {
  Rng random(seed, 2);
  std::vector<float> map(std::size_t(rows) * std::size_t(columns));
  for (int top = 0, height; top < rows; top += height) {
    height = static_cast<int>(random.between(4, kRectangle));
    for (int left = 0, width; left < columns; left += width) {
      width = static_cast<int>(random.between(4, kRectangle));
      const auto value = static_cast<float>(1.7e-5 + (2.8e-3 - 1.7e-5) * double(random.below(68)) / 67.0);
      for (int y = top; y < top + height && y < rows; ++y) {
        for (int x = left; x < left + width && x < columns; ++x) map[std::size_t(y) * std::size_t(columns) + std::size_t(x)] = value;
      }
    }
  }
  return map;
}

}  // namespace wharf
