// Elementary functions by Taylor series and exact range reduction. The series end where the next term is below 2^-60 of the sum.
#include "stimuli/ptx/lanes/floats/approximate.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "stimuli/ptx/lanes/floats/float_bits.h"

namespace wharf::ptx::approximate {

namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;
constexpr double kHalfPi = 1.57079632679489661923132169164;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) { return bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52); }

/// e^z for |z| <= 0.35.
double exp_near_zero(double z) {
  double sum = 1.0;
  for (int n = 14; n >= 1; --n) sum = 1.0 + sum * z / n;
  return sum;
}

double sin_series(double r) {
  const double square = r * r;
  double sum = 1.0;
  for (int n = 18; n >= 2; n -= 2) sum = 1.0 - sum * square / (n * (n + 1));
  return r * sum;
}
double cos_series(double r) {
  const double square = r * r;
  double sum = 1.0;
  for (int n = 18; n >= 2; n -= 2) sum = 1.0 - sum * square / (n * (n - 1));
  return sum;
}

/// |x| = quarter * pi/2 + rest, with |rest| <= pi/4 and quarter modulo 4.
struct Reduced {
  unsigned quarter;
  double rest;
};

/// Multiplies the 24-bit significand of |x| by 2/pi, from those bits on that matter for the value modulo 4.
Reduced reduce(float x) {
  // 2/pi in binary: the first 256 bits behind the point.
  constexpr std::uint64_t kTwoOverPi[] = {0xA2F9836E4E441529ull, 0xFC2757D1F534DDC0ull, 0xDB6295993C439041ull, 0xFE5163ABDEBBC561ull};
  const auto bits = bit_cast<std::uint32_t>(std::fabs(x));
  const int exponent = static_cast<int>(bits >> 23) - 150;  // |x| = significand * 2^exponent
  const std::uint64_t significand = (bits & 0x7FFFFFu) | 0x800000u;
  // Below 2^-24, the reduction leaves x as it is.
  if (exponent < -48) return {0, std::fabs(static_cast<double>(x))};
  // 2/pi * 2^exponent, without the bits worth 4 or more after the product: bit k behind the point has weight 2^(exponent - k).
  const int first = exponent > 2 ? exponent - 2 : 0;  // leading bits that only add multiples of 4
  const int word = first / 64, shift = first % 64;
  const auto take = [&](int i) {
    const std::uint64_t high = i < 4 ? kTwoOverPi[i] : 0, low = i + 1 < 4 ? kTwoOverPi[i + 1] : 0;
    return shift == 0 ? high : high << shift | low >> (64 - shift);
  };
  const std::uint64_t window[2] = {take(word), take(word + 1)};
  __extension__ typedef unsigned __int128 Uint128;
  const Uint128 fraction = Uint128{window[0]} << 64 | window[1];
  // The product modulo 2^128 units of 2^(exponent - first - 128).
  const Uint128 product = fraction * significand;
  // The integral part of the product begins `point` bits below its top.
  const int point = exponent - first;  // 2, or less for small x
  Uint128 aligned = product;
  unsigned quarter = 0;
  if (point == 2) {
    quarter = static_cast<unsigned>(product >> (128 - point));
    aligned = product << point;
  } else {
    // The integral part does not fit the window: keep the upper bits of the product.
    const Uint128 upper = (Uint128{window[0]} * significand) + (Uint128{window[1]} * significand >> 64);
    // `upper` is the product in units of 2^(exponent - 64); -48 <= exponent < 2.
    const int down = 64 - exponent;  // bits behind the point
    quarter = static_cast<unsigned>(upper >> down) & 3;
    aligned = upper << (128 - down);
  }
  quarter &= 3;
  auto turn = static_cast<std::int64_t>(static_cast<std::uint64_t>(aligned >> 64));  // fraction of a quarter, as 0.64 bits
  double rest = 0;
  if (turn < 0) {  // at least one half: the next quarter is nearer
    ++quarter;
    rest = -std::ldexp(static_cast<double>(static_cast<std::uint64_t>(-turn)), -64);
  } else {
    rest = std::ldexp(static_cast<double>(turn), -64);
  }
  return {quarter & 3, rest * kHalfPi};
}

}  // namespace

double sin(float x) {
  if (!std::isfinite(x)) return kNan;
  if (x == 0) return static_cast<double>(x);
  const Reduced reduced = reduce(x);
  double value = (reduced.quarter & 1) == 0 ? sin_series(reduced.rest) : cos_series(reduced.rest);
  if ((reduced.quarter & 2) != 0) value = -value;
  return std::signbit(x) ? -value : value;
}

double cos(float x) {
  if (!std::isfinite(x)) return kNan;
  const Reduced reduced = reduce(x);
  const double value = (reduced.quarter & 1) == 0 ? cos_series(reduced.rest) : sin_series(reduced.rest);
  return reduced.quarter == 1 || reduced.quarter == 2 ? -value : value;
}

double exp2(float x) {
  if (x != x) return kNan;
  if (x > 200) return kInfinity;
  if (x < -200) return 0.0;
  const double whole = std::floor(static_cast<double>(x) + 0.5);
  return exp_near_zero((static_cast<double>(x) - whole) * kLn2) * power_of_two(static_cast<int>(whole));
}

double log2(float x) {
  if (x != x || x < 0) return kNan;
  if (x == 0) return -kInfinity;
  if (x > std::numeric_limits<float>::max()) return kInfinity;
  int exponent = 0;
  double m = std::frexp(static_cast<double>(x), &exponent);  // [0.5, 1)
  constexpr double kRootHalf = 0.70710678118654752440;
  if (m < kRootHalf) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 artanh s
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int n = 25; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
  return exponent + 2 * s * sum / kLn2;
}

double tanh(float x) {
  if (x != x) return kNan;
  const double a = std::fabs(static_cast<double>(x));
  double value = 1.0;
  if (a < 0.15) {
    // e^(2a) - 1 by its series, because the difference loses digits near 0.
    const double z = 2 * a;
    double sum = 1.0;
    for (int n = 14; n >= 2; --n) sum = 1.0 + sum * z / n;
    value = sum * z / (sum * z + 2);
  } else if (a < 20) {
    const double whole = std::floor(2 * a / kLn2 + 0.5);
    const double power = exp_near_zero(2 * a - whole * kLn2) * power_of_two(static_cast<int>(whole));
    value = 1 - 2 / (power + 1);
  }
  return std::signbit(x) ? -value : value;
}

}  // namespace wharf::ptx::approximate
