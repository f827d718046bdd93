#pragma once
// Roots, norms and their reciprocals.

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float larger(float a, float b) { return __builtin_fmaxf(a, b); }
inline double larger(double a, double b) { return __builtin_fmax(a, b); }
inline float power_of_two_like(float, int n) { return power_of_two_f(n); }
inline double power_of_two_like(double, int n) { return power_of_two(n); }
inline int exponent_of(float x) { return static_cast<int>(bits_of(x) >> 23 & 0xff) - 127; }
inline int exponent_of(double x) { return static_cast<int>(bits_of(x) >> 52 & 0x7ff) - 1023; }

/// The root of a sum of squares without overflow: the values are scaled by a power of two of about the largest one's size.
template <class T, int count>
inline T norm_of(const T (&values)[count]) {
  constexpr int kMostExponent = sizeof(T) == 4 ? 120 : 1000;
  T largest = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || is_infinite(values[i]);
    largest = larger(largest, magnitude(values[i]));
  }
  if (infinite) return magnitude(static_cast<T>(kInfinity));
  int exponent = exponent_of(largest);
  exponent = exponent > kMostExponent ? kMostExponent : exponent < -kMostExponent ? -kMostExponent : exponent;
  const T down = power_of_two_like(largest, -exponent), up = power_of_two_like(largest, exponent);
  T sum = 0;
  for (int i = 0; i < count; ++i) {
    const T scaled = values[i] * down;
    sum = fused(scaled, scaled, sum);
  }
  return square_root(sum) * up;
}

template <class T>
inline T norm_of_many(int count, const T* values) {
  T largest = 0, sum = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || is_infinite(values[i]);
    largest = larger(largest, magnitude(values[i]));
  }
  if (infinite || largest == 0) return largest;
  for (int i = 0; i < count; ++i) sum = fused(values[i] / largest, values[i] / largest, sum);
  return square_root(sum) * largest;
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_sqrtf(float x) { return __builtin_sqrtf(x); }
WHARF_DEVICE double __nv_sqrt(double x) { return __builtin_sqrt(x); }
WHARF_DEVICE float __nv_rsqrtf(float x) { return wharf_math::rsqrt_approx(x); }
WHARF_DEVICE double __nv_rsqrt(double x) { return wharf_math::rsqrt_approx(x); }

WHARF_DEVICE float __nv_cbrtf(float x) {
  using namespace wharf_math;
  if (x == 0 || is_nan(x) || is_infinite(x)) return x;
  float ax = __builtin_fabsf(x), factor = 1;
  if (ax < 0x1p-126f) {
    ax *= 0x1p24f;
    factor = 0x1p-8f;
  }
  // One step of Newton's method on the estimate of the special function unit.
  const float y = ex2(lg2(ax) * 0.333333343f);
  const float r = fused(-y * y, y, ax);
  return __builtin_copysignf(fused(r, 0.333333343f / (y * y), y) * factor, x);
}
WHARF_DEVICE double __nv_cbrt(double x) {
  using namespace wharf_math;
  if (x == 0 || is_nan(x) || is_infinite(x)) return x;
  double ax = __builtin_fabs(x), factor = 1;
  if (ax < 0x1p-1022) {
    ax *= 0x1p54;
    factor = 0x1p-18;
  }
  // Exponent by thirds, then Newton's method from an estimate in single precision.
  const int exponent = exponent_of(ax), third = (exponent + 3 * 1024) / 3 - 1024;
  const double m = ax * power_of_two(-3 * third / 2) * power_of_two(-3 * third - (-3 * third / 2));
  double y = static_cast<double>(ex2(lg2(static_cast<float>(m)) * 0.333333343f));
  y = y - (y * y * y - m) / (3 * y * y);
  const Pair<double> square = exact_product(y, y);
  const Pair<double> cube = exact_product(square.high, y);
  const double error = ((cube.high - m) + cube.low) + square.low * y;
  y = y - error / (3 * square.high);
  return __builtin_copysign(y * power_of_two(third) * factor, x);
}
WHARF_DEVICE float __nv_rcbrtf(float x) { return 1 / __nv_cbrtf(x); }
WHARF_DEVICE double __nv_rcbrt(double x) { return 1 / __nv_cbrt(x); }

WHARF_DEVICE float __nv_hypotf(float x, float y) {
  const float values[] = {x, y};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE double __nv_hypot(double x, double y) {
  const double values[] = {x, y};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE float __nv_norm3df(float x, float y, float z) {
  const float values[] = {x, y, z};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE double __nv_norm3d(double x, double y, double z) {
  const double values[] = {x, y, z};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE float __nv_norm4df(float x, float y, float z, float w) {
  const float values[] = {x, y, z, w};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE double __nv_norm4d(double x, double y, double z, double w) {
  const double values[] = {x, y, z, w};
  return wharf_math::norm_of(values);
}
WHARF_DEVICE float __nv_normf(int count, const float* values) { return wharf_math::norm_of_many(count, values); }
WHARF_DEVICE double __nv_norm(int count, const double* values) { return wharf_math::norm_of_many(count, values); }
WHARF_DEVICE float __nv_rhypotf(float x, float y) { return 1 / __nv_hypotf(x, y); }
WHARF_DEVICE double __nv_rhypot(double x, double y) { return 1 / __nv_hypot(x, y); }
WHARF_DEVICE float __nv_rnorm3df(float x, float y, float z) { return 1 / __nv_norm3df(x, y, z); }
WHARF_DEVICE double __nv_rnorm3d(double x, double y, double z) { return 1 / __nv_norm3d(x, y, z); }
WHARF_DEVICE float __nv_rnorm4df(float x, float y, float z, float w) { return 1 / __nv_norm4df(x, y, z, w); }
WHARF_DEVICE double __nv_rnorm4d(double x, double y, double z, double w) { return 1 / __nv_norm4d(x, y, z, w); }
WHARF_DEVICE float __nv_rnormf(int count, const float* values) { return 1 / __nv_normf(count, values); }
WHARF_DEVICE double __nv_rnorm(int count, const double* values) { return 1 / __nv_norm(count, values); }
