#pragma once
// The primitives of the device mathematics: operations that are one PTX instruction. The same source compiles for the host, where tests
// measure its accuracy; there the approximate instructions are computed in double and rounded once, as the executor does (CU-40).

#if defined(__NVPTX__)
// The device build has no C library's headers.
typedef __INT64_TYPE__ int64_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#else
#include <stdint.h>

#include <cmath>
#endif

#define WHARF_DEVICE extern "C" __attribute__((visibility("default")))

namespace wharf_math {

inline uint32_t bits_of(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float float_of(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline double double_of(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// 2^x, log2(x), sine and cosine by the special function unit.
#if defined(__NVPTX__)
inline float ex2(float x) { return __nvvm_ex2_approx_f(x); }
inline float lg2(float x) { return __nvvm_lg2_approx_f(x); }
inline float sin_approx(float x) { return __nvvm_sin_approx_f(x); }
inline float cos_approx(float x) { return __nvvm_cos_approx_f(x); }
inline float rsqrt_approx(float x) { return __nvvm_rsqrt_approx_f(x); }
inline float div_approx(float x, float y) { return __nvvm_div_approx_f(x, y); }
inline double rsqrt_approx(double x) { return __nvvm_rsqrt_approx_d(x); }
#else
inline float ex2(float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); }
inline float lg2(float x) { return static_cast<float>(std::log2(static_cast<double>(x))); }
inline float sin_approx(float x) { return static_cast<float>(std::sin(static_cast<double>(x))); }
inline float cos_approx(float x) { return static_cast<float>(std::cos(static_cast<double>(x))); }
inline float rsqrt_approx(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
inline float div_approx(float x, float y) { return static_cast<float>(static_cast<double>(x) / y); }
inline double rsqrt_approx(double x) { return 1.0 / std::sqrt(x); }
#endif

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

constexpr float kInfinityF = __builtin_inff(), kNanF = __builtin_nanf("");
constexpr double kInfinity = __builtin_inf(), kNan = __builtin_nan("");

inline bool is_nan(float x) { return x != x; }
inline bool is_nan(double x) { return x != x; }
inline bool is_infinite(float x) { return __builtin_fabsf(x) == kInfinityF; }
inline bool is_infinite(double x) { return __builtin_fabs(x) == kInfinity; }

/// Coefficients in ascending order; Horner's rule with one fused multiply-add each.
template <class T, int count>
inline T polynomial(const T (&coefficients)[count], T x) {
  T sum = coefficients[count - 1];
#if defined(__clang__)
#pragma unroll
#endif
  for (int i = count - 2; i >= 0; --i) sum = fused(sum, x, coefficients[i]);
  return sum;
}

/// 2^n for n in the range of normal numbers.
inline float power_of_two_f(int n) { return float_of(static_cast<uint32_t>(n + 127) << 23); }
inline double power_of_two(int n) { return double_of(static_cast<uint64_t>(n + 1023) << 52); }

/// x * 2^n with one rounding for results that are normal numbers; n may be anything.
inline float scale(float x, int n) {
  n = n < -400 ? -400 : n > 400 ? 400 : n;
  const int quarter = n / 4;  // four factors, each a normal number
  const float factor = power_of_two_f(quarter);
  return x * factor * factor * factor * power_of_two_f(n - 3 * quarter);
}
inline double scale(double x, int n) {
  n = n < -3000 ? -3000 : n > 3000 ? 3000 : n;
  const int quarter = n / 4;
  const double factor = power_of_two(quarter);
  return x * factor * factor * factor * power_of_two(n - 3 * quarter);
}
/// The same for |n| at most 250 (2,000): two factors.
inline float scale_small(float x, int n) { return x * power_of_two_f(n / 2) * power_of_two_f(n - n / 2); }
inline double scale_small(double x, int n) { return x * power_of_two(n / 2) * power_of_two(n - n / 2); }

/// A number as the unevaluated sum of two.
template <class T>
struct Pair {
  T high, low;
};
/// The exact sum, for |a| >= |b| or a = 0.
template <class T>
inline Pair<T> exact_sum(T a, T b) {
  const T sum = a + b;
  return {sum, (a - sum) + b};
}
/// The exact sum of numbers of any size.
template <class T>
inline Pair<T> exact_sum_of_any(T a, T b) {
  const T sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
template <class T>
inline Pair<T> exact_product(T a, T b) {
  const T product = a * b;
  return {product, fused(a, b, -product)};
}

}  // namespace wharf_math
