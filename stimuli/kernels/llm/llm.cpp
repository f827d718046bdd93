#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd::llm {

Lanes<Product> product(const Lanes<Float8>& sum, const Lanes<Half8>& a, const Lanes<Half8>& b, Right right_by) {
  constexpr std::size_t kSide = 16;
  std::array<std::array<float, kSide>, kSide> left, right, out;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::size_t row = l % kSide, column = l / kSide * kGroup;
    for (std::size_t i = 0; i < kGroup; ++i) {
      left[row][column + i] = float_of_half(a.v[l].v[i]);
      (right_by == Right::by_columns ? right[column + i][row] : right[row][column + i]) = float_of_half(b.v[l].v[i]);
      out[row][column + i] = sum.v[l].v[i];
    }
  }
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t k = 0; k < kSide; ++k) {
      for (std::size_t column = 0; column < kSide; ++column) out[row][column] += left[row][k] * right[k][column];
    }
  }
  Lanes<Product> result;
  for (std::size_t l = 0; l < kLanes; ++l) {
    for (std::size_t i = 0; i < kGroup; ++i) result.v[l].sums.v[i] = out[l % kSide][l / kSide * kGroup + i];
  }
  result.sources = sum.sources | a.sources | b.sources;
  return result;
}

void multiply_add(Warp& w, Lanes<Float8>& sum, const Lanes<Half8>& a, const Lanes<Half8>& b, Right right, Site site) {
  const auto sums = w.compute(2, product(sum, a, b, right), site);
  w.set(sum, lanewise([](const Product& p) { return p.sums; }, sums));
}

void fill(const Array<Half8>& array, Rng& random, float range) {
  for (std::uint32_t i = 0; i < array.size; ++i) {
    for (auto& half : array[i].v) half = half_of_float((2 * static_cast<float>(random.unit()) - 1) * range);
  }
}

namespace {

template <class Same>
bool compare_halves(const std::string& name, const Array<Half8>& actual, const std::vector<float>& expected, std::string& why, Same same) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float a = value(actual, i), b = float_of_half(half_of_float(expected[i]));
    if (same(a, b)) continue;
    std::ostringstream text;
    text.precision(9);
    text << name << "[" << i << "] is " << a << ", expected " << b;
    why = text.str();
    return false;
  }
  return true;
}

}  // namespace

bool equal_halves(const std::string& name, const Array<Half8>& actual, const std::vector<float>& expected, std::string& why) {
  return compare_halves(name, actual, expected, why, [](float a, float b) { return a == b; });
}

bool close_halves(const std::string& name, const Array<Half8>& actual, const std::vector<float>& expected, std::string& why) {
  return compare_halves(name, actual, expected, why, [](float a, float b) { return std::abs(a - b) <= 0.002f * std::abs(b) + 0.001f; });
}

}  // namespace wharf::spmd::llm
