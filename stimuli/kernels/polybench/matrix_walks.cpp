#include "stimuli/kernels/polybench/matrix_walks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace wharf::spmd {

void row_walk(Warp& w, const Walk& k) {
  const auto i = w.global_x();
  w.where(i < k.threads, [&] {
    Lanes<float> sum = 0.0f;
    if (k.adds_to_y)
      sum = w.load(k.y, i);
    else
      w.store(k.y, i, sum);
    const auto row = i * k.pitch;
    for (const int j : w.trips(k.trips)) {
      const auto a = w.load(k.a, row + j);
      const auto x = w.load(k.x, j);
      w.update(sum, 1.3, sum + a * x);
      if (!k.promote) w.store(k.y, i, sum);
    }
    if (k.promote) w.store(k.y, i, sum);
  });
}

void column_walk(Warp& w, const Walk& k) {
  const auto j = w.global_x();
  w.where(j < k.threads, [&] {
    Lanes<float> sum = 0.0f;
    if (k.adds_to_y)
      sum = w.load(k.y, j);
    else
      w.store(k.y, j, sum);
    for (const int i : w.trips(k.trips)) {
      const auto a = w.load(k.a, i * k.pitch + j);
      const auto x = w.load(k.x, i);
      w.update(sum, 1.8, sum + a * x);
      if (!k.promote) w.store(k.y, j, sum);
    }
    if (k.promote) w.store(k.y, j, sum);
  });
}

std::vector<float> expected_row_walk(const Walk& walk, const float* x, std::vector<float> y) {
  for (int i = 0; i < walk.threads; ++i) {
    float& sum = y[static_cast<std::size_t>(i)];
    if (!walk.adds_to_y) sum = 0.0f;
    for (int j = 0; j < walk.trips; ++j) sum += walk.a[std::uint64_t(i) * std::uint64_t(walk.pitch) + std::uint64_t(j)] * x[j];
  }
  return y;
}

std::vector<float> expected_column_walk(const Walk& walk, const float* x, std::vector<float> y) {
  if (!walk.adds_to_y) std::fill_n(y.begin(), walk.threads, 0.0f);
  for (int i = 0; i < walk.trips; ++i) {
    const float* const row = walk.a.data + std::uint64_t(i) * std::uint64_t(walk.pitch);
    for (int j = 0; j < walk.threads; ++j) y[static_cast<std::size_t>(j)] += row[j] * x[i];
  }
  return y;
}

void fill_walked(const Array<float>& a, int n, const Walk& rows, const Walk& columns) {
  for (int i = 0; i < std::max(rows.threads, columns.trips); ++i) {
    const int along = i < rows.threads ? rows.trips : 0, down = i < columns.trips ? columns.threads : 0;
    float* const row = a.data + std::uint64_t(i) * std::uint64_t(rows.pitch);
    for (int j = 0; j < std::max(along, down); ++j) row[j] = static_cast<float>(i) * static_cast<float>(j) / static_cast<float>(n);
  }
}

std::vector<float> vector_of(int count, const std::function<float(int)>& value) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = value(i);
  return out;
}

}  // namespace wharf::spmd
