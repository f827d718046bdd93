#pragma once
// Reduction of an angle to a quadrant and a rest in [-pi/4, pi/4].

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

// The bits of 2/pi behind the binary point, after a word of zeros.
#if defined(__NVPTX__)
__attribute__((address_space(4)))
#endif
const uint64_t kTwoOverPi[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                               0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
                               0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
                               0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
                               0xf0cfbc209af4361d};

/// 64 bits of the table from bit `first` on; bit 0 is the first of the word of zeros.
inline uint64_t two_over_pi(int first) {
  const int word = first >> 6, shift = first & 63;
  const uint64_t high = kTwoOverPi[word] << shift;
  return shift == 0 ? high : high | kTwoOverPi[word + 1] >> (64 - shift);
}

/// Angles for which three products are exact enough.
constexpr float kLargeAngleF = 105615.0f;
constexpr double kLargeAngle = 1e9;

/// x of any finite size, by the product of its mantissa with the bits of 2/pi that matter (Payne and Hanek). 24 by 96 bits.
inline float reduce_large(float x, int& quadrant) {
  const uint32_t bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 150;  // x = mantissa * 2^exponent
  const uint64_t mantissa = (bits & 0x7fffff) | 0x800000;
  // Bits of weight 2^(2 - exponent) and more change the product by multiples of 4 quadrants.
  const int first = exponent - 2 + 64;
  const uint64_t sum = mantissa * two_over_pi(first) + (mantissa * (two_over_pi(first + 64) >> 32) >> 32);
  // `sum` has 62 bits behind the binary point of the quadrant count.
  quadrant = static_cast<int>((sum + (uint64_t{1} << 61)) >> 62);
  const auto rest = static_cast<int64_t>(sum - (static_cast<uint64_t>(quadrant) << 62));
  const double angle = static_cast<double>(rest) * (0x1.921fb54442d18p+0 * 0x1p-62);
  if (x < 0) quadrant = -quadrant;
  return static_cast<float>(x < 0 ? -angle : angle);
}

inline float reduce(float x, int& quadrant) {
  if (__builtin_fabsf(x) > kLargeAngleF) return reduce_large(x, quadrant);
  const float n = __builtin_rintf(x * 0x1.45f306p-1f);
  float r = fused(-n, 0x1.921fb4p+0f, x);
  r = fused(-n, 0x1.4442dp-24f, r);
  r = fused(-n, 0x1.84698ap-48f, r);
  quadrant = static_cast<int>(n);
  return r;
}

/// 53 by 192 bits; the rest comes as a pair.
inline Pair<double> reduce_large(double x, int& quadrant) {
  const uint64_t bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
  const uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int first = exponent - 2 + 64;
  const uint64_t a = two_over_pi(first), b = two_over_pi(first + 64), c = two_over_pi(first + 128);
  // The product modulo 2^192, without its lowest word.
  const unsigned __int128 low = static_cast<unsigned __int128>(mantissa) * c >> 64;
  const unsigned __int128 middle = static_cast<unsigned __int128>(mantissa) * b + low;
  const uint64_t top = mantissa * a + static_cast<uint64_t>(middle >> 64), next = static_cast<uint64_t>(middle);
  quadrant = static_cast<int>((top + (uint64_t{1} << 61)) >> 62);
  const auto rest = static_cast<int64_t>(top - (static_cast<uint64_t>(quadrant) << 62));
  // rest * 2^-62 + next * 2^-126 quadrants, in two doubles.
  const auto high = static_cast<double>(rest);
  const int64_t left = rest - static_cast<int64_t>(high);
  const Pair<double> turns = exact_sum(high * 0x1p-62, static_cast<double>(left) * 0x1p-62 + static_cast<double>(next) * 0x1p-126);
  constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;
  Pair<double> angle = exact_product(turns.high, kHalfPi);
  angle.low += turns.high * kHalfPiLow + turns.low * kHalfPi;
  if (x >= 0) return exact_sum(angle.high, angle.low);
  quadrant = -quadrant;
  return exact_sum(-angle.high, -angle.low);
}

inline Pair<double> reduce(double x, int& quadrant) {
  if (__builtin_fabs(x) > kLargeAngle) return reduce_large(x, quadrant);
  // pi/2 in three parts of 53 bits; fma makes each product exact.
  const double n = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  quadrant = static_cast<int>(static_cast<int64_t>(n));
  const double high = fused(-n, 0x1.921fb54442d18p+0, x);
  const Pair<double> product = exact_product(n, 0x1.1a62633145c07p-54);
  const Pair<double> r = exact_sum_of_any(high, -product.high);
  return exact_sum(r.high, fused(n, 0x1.f1976b7ed8fbcp-110, r.low - product.low));
}

}  // namespace wharf_math
