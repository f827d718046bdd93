#pragma once
// Bessel functions: J and Y of integer order, and the modified I0 and I1.

#include "stimuli/cuda/device_math/bessel_polynomials.h"
#include "stimuli/cuda/device_math/by_type.h"

namespace wharf_math {

constexpr double kTwoByPi = 0x1.45f306dc9c883p-1, kOneByPi = kTwoByPi / 2;

/// x - zero, accurate where it is small.
template <class T>
inline T offset_from(T x, Pair<T> zero) {
  return (x - zero.high) - zero.low;
}
/// log(x / zero), accurate around the zero. `log_of_zero` is the zero's logarithm.
template <class T>
inline T log_ratio(T x, Pair<T> zero, double log_of_zero) {
  if (2 * x < zero.high) return natural_log(x) - static_cast<T>(log_of_zero);
  return log_of_one_plus(offset_from(x, zero) / zero.high);
}

/// Sum and difference of the sine and the cosine of an angle, times the amplitude sqrt(1 / (pi x)) modulus.
template <class T>
struct Wave {
  T sum, difference;
};
inline void sine_and_cosine(float x, float shift, float& sine, float& cosine) {
  int quadrant;
  const float r = reduce(x, quadrant) + shift;
  sine = sine_in_quadrant(r, quadrant);
  cosine = sine_in_quadrant(r, quadrant + 1);
}
inline void sine_and_cosine(double x, double shift, double& sine, double& cosine) {
  int quadrant;
  const Pair<double> rest = reduce(x, quadrant);
  const Pair<double> r = exact_sum_of_any(rest.high, rest.low + shift);
  sine = sine_in_quadrant(r, quadrant);
  cosine = sine_in_quadrant(r, quadrant + 1);
}
/// For x >= 8. The angles of the Bessel functions differ from x + phase / x by odd multiples of pi / 4.
template <class T>
inline Wave<T> wave_of(T x, T modulus, T phase) {
  if (is_infinite(x)) return {0, 0};
  T sine, cosine;
  sine_and_cosine(x, phase / x, sine, cosine);
  const T amplitude = square_root(static_cast<T>(kOneByPi) / x) * modulus;
  return {amplitude * (sine + cosine), amplitude * (sine - cosine)};
}
template <class T>
inline Wave<T> wave_of_order_0(T x) {
  const T t = 1 / x / x;
  return wave_of(x, modulus_0(t), phase_0(t));
}
template <class T>
inline Wave<T> wave_of_order_1(T x) {
  const T t = 1 / x / x;
  return wave_of(x, modulus_1(t), phase_1(t));
}

template <class T>
inline T bessel_j0(T x) {
  using Zeros = BesselZeros<T>;
  const T ax = magnitude(x);
  if (is_nan(x)) return x;
  if (x == 0) return 1;
  if (ax >= 8) return wave_of_order_0(ax).sum;
  if (ax >= 4) return offset_from(ax, Zeros::kJ0Second) * j0_high(ax - 6);
  return offset_from(ax, Zeros::kJ0First) * (ax + Zeros::kJ0First.high) * j0_low(fused(ax, ax, T(-8)));
}
template <class T>
inline T bessel_j1(T x) {
  using Zeros = BesselZeros<T>;
  const T ax = magnitude(x);
  if (is_nan(x)) return x;
  if (ax < 5) return x * (offset_from(ax, Zeros::kJ1First) * (ax + Zeros::kJ1First.high) * j1_low(fused(ax, ax, T(-12))));
  const T value = ax >= 8 ? wave_of_order_1(ax).difference : offset_from(ax, Zeros::kJ1Second) * j1_high(ax - T(6.5));
  return x < 0 ? -value : value;
}
/// The value of Y where it is not finite; returns true for such an `x`.
template <class T>
inline bool bessel_y_special(T x, T& result) {
  if (x > 0) return false;
  result = x == 0 ? -static_cast<T>(kInfinity) : static_cast<T>(kNan);
  return true;
}
template <class T>
inline T bessel_y0(T x) {
  using Zeros = BesselZeros<T>;
  T result;
  if (bessel_y_special(x, result)) return result;
  if (x >= 8) return wave_of_order_0(x).difference;
  if (x >= T(5.5)) return offset_from(x, Zeros::kY0Third) * y0_high(x - T(6.75));
  if (x >= T(2.6)) return offset_from(x, Zeros::kY0Second) * y0_middle(x - 4);
  const T regular = offset_from(x, Zeros::kY0First) * (x + Zeros::kY0First.high) * y0_low(fused(x, x, T(-3)));
  return fused(static_cast<T>(kTwoByPi) * log_ratio(x, Zeros::kY0First, -0.11252280788079412), bessel_j0(x), regular);
}
template <class T>
inline T bessel_y1(T x) {
  using Zeros = BesselZeros<T>;
  T result;
  if (bessel_y_special(x, result)) return result;
  if (x >= 8) return 0 - wave_of_order_1(x).sum;  // a positive 0 at infinity
  if (x >= T(3.6)) return offset_from(x, Zeros::kY1Second) * y1_high(x - T(5.75));
  const T regular = offset_from(x, Zeros::kY1First) * (x + Zeros::kY1First.high) * y1_low(fused(x, x, T(-6))) / x;
  return fused(static_cast<T>(kTwoByPi) * log_ratio(x, Zeros::kY1First, 0.7871571181569951), bessel_j1(x), regular);
}

/// Jn(x) for 0 < x <= n: the recurrence runs down from an order that is large enough (Miller), and J0 + 2 J2 + 2 J4 + ... = 1 gives the
/// scale.
template <class T>
inline T bessel_j_below_order(int n, T x) {
  constexpr int kDigits = sizeof(T) == 4 ? 60 : 160;
  constexpr T kLarge = sizeof(T) == 4 ? T(0x1p40) : T(0x1p400);
  const int first = 2 * ((n + static_cast<int>(square_root(static_cast<T>(kDigits) * n))) / 2);
  T above = 0, value = 1, result = 0, sum = 0;
  for (int k = first; k > 0; --k) {
    const T below = k * (2 / x) * value - above;
    above = value;
    value = below;
    if (magnitude(value) > kLarge) {
      value /= kLarge;
      above /= kLarge;
      result /= kLarge;
      sum /= kLarge;
    }
    if (k % 2 != 0) sum += value;  // of order k - 1
    if (k == n) result = above;
  }
  return result / (2 * sum - value);
}
/// Computes order n >= 2 from orders 0 and 1 by upward recurrence: stable for Yn, and for Jn where x > n.
template <class T>
inline T recur_upwards(int n, T x, T below, T value) {
  for (int k = 1; k < n && !is_infinite(value); ++k) {
    const T above = k * (2 / x) * value - below;
    below = value;
    value = above;
  }
  return value;
}
template <class T>
inline T bessel_jn(int n, T x) {
  if (n < 0) return static_cast<T>(kNan);
  if (n == 0) return bessel_j0(x);
  if (n == 1 || is_nan(x)) return bessel_j1(x);
  const T ax = magnitude(x);
  T value = 1;
  if (ax > n) {
    value = recur_upwards(n, ax, bessel_j0(ax), bessel_j1(ax));
  } else if (ax * ax < (sizeof(T) == 4 ? T(0x1p-22) : T(0x1p-51)) * n) {
    for (int k = 1; k <= n && value != 0; ++k) value *= T(0.5) * ax / k;  // the other terms of the series are too small to count
  } else {
    value = bessel_j_below_order(n, ax);
  }
  return x < 0 && n % 2 != 0 ? -value : value;
}
template <class T>
inline T bessel_yn(int n, T x) {
  if (n < 0) return static_cast<T>(kNan);
  if (n == 0) return bessel_y0(x);
  if (n == 1 || !(x > 0)) return bessel_y1(x);
  return recur_upwards(n, x, bessel_y0(x), bessel_y1(x));
}

/// e^x / 2^kLess, so that x may exceed what e^x has a number for.
constexpr int kLess = 16;
inline float lessened_exp(float x) { return exp_scaled(x, -kLess); }
inline double lessened_exp(double x) { return exp_pair(x, 0, -kLess); }
/// e^x times `scaled`, a number below 1, over sqrt(x).
template <class T>
inline T large_bessel_i(T x, T scaled) {
  return lessened_exp(x) * (scaled / square_root(x)) * (1 << kLess);
}
template <class T>
constexpr T kInfiniteBesselI = sizeof(T) == 4 ? 95 : 720;  // I0 and I1 overflow from there on
template <class T>
inline T bessel_i0(T x) {
  if (is_nan(x)) return x;
  const T ax = smaller(magnitude(x), kInfiniteBesselI<T>);
  return ax < 8 ? i0_low(ax * ax) : large_bessel_i(ax, i0_high(1 / ax));
}
template <class T>
inline T bessel_i1(T x) {
  if (is_nan(x)) return x;
  const T ax = smaller(magnitude(x), kInfiniteBesselI<T>);
  if (ax < 8) return x * i1_low(ax * ax);
  const T value = large_bessel_i(ax, i1_high(1 / ax));
  return x < 0 ? -value : value;
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_j0f(float x) { return wharf_math::bessel_j0(x); }
WHARF_DEVICE double __nv_j0(double x) { return wharf_math::bessel_j0(x); }
WHARF_DEVICE float __nv_j1f(float x) { return wharf_math::bessel_j1(x); }
WHARF_DEVICE double __nv_j1(double x) { return wharf_math::bessel_j1(x); }
WHARF_DEVICE float __nv_jnf(int n, float x) { return wharf_math::bessel_jn(n, x); }
WHARF_DEVICE double __nv_jn(int n, double x) { return wharf_math::bessel_jn(n, x); }
WHARF_DEVICE float __nv_y0f(float x) { return wharf_math::bessel_y0(x); }
WHARF_DEVICE double __nv_y0(double x) { return wharf_math::bessel_y0(x); }
WHARF_DEVICE float __nv_y1f(float x) { return wharf_math::bessel_y1(x); }
WHARF_DEVICE double __nv_y1(double x) { return wharf_math::bessel_y1(x); }
WHARF_DEVICE float __nv_ynf(int n, float x) { return wharf_math::bessel_yn(n, x); }
WHARF_DEVICE double __nv_yn(int n, double x) { return wharf_math::bessel_yn(n, x); }
WHARF_DEVICE float __nv_cyl_bessel_i0f(float x) { return wharf_math::bessel_i0(x); }
WHARF_DEVICE double __nv_cyl_bessel_i0(double x) { return wharf_math::bessel_i0(x); }
WHARF_DEVICE float __nv_cyl_bessel_i1f(float x) { return wharf_math::bessel_i1(x); }
WHARF_DEVICE double __nv_cyl_bessel_i1(double x) { return wharf_math::bessel_i1(x); }
