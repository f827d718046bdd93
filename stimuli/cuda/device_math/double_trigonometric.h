#pragma once
// Trigonometric functions and their inverses in double precision.

#include "stimuli/cuda/device_math/reduction.h"

namespace wharf_math {

constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54, kPi = 2 * kHalfPi, kPiLow = 2 * kHalfPiLow;

/// Sine and cosine of a pair up to pi/4.
inline double sine_core(Pair<double> r) {
  // (sin r - r) / r^3
  constexpr double kCoefficients[] = {-0.16666666666666666,   0.008333333333330948,   -0.00019841269836756774,
                                      2.7557316101617874e-06, -2.505113165023518e-08, 1.5918115263265974e-10};
  const double s = r.high * r.high;
  const double tail = fused(polynomial(kCoefficients, s) * s, r.high, fused(-0.5 * s, r.low, r.low));
  return r.high + tail;
}
inline double cosine_core(Pair<double> r) {
  // (cos r - 1 + r^2 / 2) / r^4
  constexpr double kCoefficients[] = {0.041666666666666664,    -0.0013888888888887398, 2.480158729876456e-05,
                                      -2.7557317271145144e-07, 2.087614614655861e-09,  -1.1382623647474604e-11};
  const double s = r.high * r.high;
  const Pair<double> lead = exact_sum(1.0, -0.5 * s);
  return lead.high + (lead.low + fused(polynomial(kCoefficients, s) * s, s, -r.high * r.low));
}
inline double sine_in_quadrant(Pair<double> r, int quadrant) {
  const double value = (quadrant & 1) != 0 ? cosine_core(r) : sine_core(r);
  return (quadrant & 2) != 0 ? -value : value;
}

/// atan of x in [0, 1].
inline double atan_core(double x) {
  constexpr double kCoefficients[] = {-0.33333333333333315,   0.1999999999998641,     -0.14285714284072867,   0.11111111032045885,
                                      -0.0909090706749639,    0.07692275905014771,    -0.06666332509211019,   0.05879865489802981,
                                      -0.05249518584337663,   0.04705209153071265,    -0.04165211802350559,   0.03536066107263381,
                                      -0.0275908328958561,    0.018805224043642335,   -0.010595346043695827,  0.004642163938026351,
                                      -0.0014627303082646202, 0.00029221739308086847, -2.7633793313601122e-05};
  const double s = x * x;
  return fused(polynomial(kCoefficients, s) * s, x, x);
}
/// asin of |x| up to 0.5, less x.
inline double asin_tail(double x) {
  constexpr double kCoefficients[] = {0.1666666666666665,   0.07500000000020869,  0.04464285710323956,  0.030381947379559158,
                                      0.022372047201808885, 0.01735526856395352,  0.013929545950485803, 0.011876344296279418,
                                      0.007798626407562228, 0.016049124584949333, -0.01077319532558558, 0.028187667142318115};
  const double s = x * x;
  return polynomial(kCoefficients, s) * s * x;
}

}  // namespace wharf_math

WHARF_DEVICE double __nv_sin(double x) {
  if (wharf_math::is_infinite(x) || wharf_math::is_nan(x)) return x - x;
  int quadrant;
  const wharf_math::Pair<double> r = wharf_math::reduce(x, quadrant);
  return x == 0 ? x : wharf_math::sine_in_quadrant(r, quadrant);
}
WHARF_DEVICE double __nv_cos(double x) {
  if (wharf_math::is_infinite(x) || wharf_math::is_nan(x)) return x - x;
  int quadrant;
  const wharf_math::Pair<double> r = wharf_math::reduce(x, quadrant);
  return wharf_math::sine_in_quadrant(r, quadrant + 1);
}
WHARF_DEVICE void __nv_sincos(double x, double* sine, double* cosine) {
  if (wharf_math::is_infinite(x) || wharf_math::is_nan(x)) {
    *sine = *cosine = x - x;
    return;
  }
  int quadrant;
  const wharf_math::Pair<double> r = wharf_math::reduce(x, quadrant);
  *sine = x == 0 ? x : wharf_math::sine_in_quadrant(r, quadrant);
  *cosine = wharf_math::sine_in_quadrant(r, quadrant + 1);
}
WHARF_DEVICE double __nv_tan(double x) {
  if (x == 0) return x;
  double sine, cosine;
  __nv_sincos(x, &sine, &cosine);
  return sine / cosine;
}

WHARF_DEVICE void __nv_sincospi(double x, double* sine, double* cosine) {
  const double n = __builtin_rint(2 * x);
  const double r = wharf_math::fused(n, -0.5, x);
  const auto quadrant = static_cast<int>(static_cast<int64_t>(__builtin_fabs(x) < 0x1p53 ? n : 0.0));  // beyond, x is an even number
  wharf_math::Pair<double> angle = wharf_math::exact_product(r, wharf_math::kPi);
  angle.low = wharf_math::fused(r, wharf_math::kPiLow, angle.low);
  const bool special = wharf_math::is_infinite(x) || wharf_math::is_nan(x);
  *sine = special ? wharf_math::kNan : x == __builtin_trunc(x) ? x * 0.0 : wharf_math::sine_in_quadrant(angle, quadrant);
  *cosine = special ? wharf_math::kNan : wharf_math::sine_in_quadrant(angle, quadrant + 1) + 0.0;
}
WHARF_DEVICE double __nv_sinpi(double x) {
  double sine, cosine;
  __nv_sincospi(x, &sine, &cosine);
  return sine;
}
WHARF_DEVICE double __nv_cospi(double x) {
  double sine, cosine;
  __nv_sincospi(x, &sine, &cosine);
  return cosine;
}

WHARF_DEVICE double __nv_atan(double x) {
  const double ax = __builtin_fabs(x);
  const double a = wharf_math::atan_core(ax > 1 ? 1 / ax : ax);
  return wharf_math::is_nan(x) ? x : __builtin_copysign(ax > 1 ? wharf_math::kHalfPi - (a - wharf_math::kHalfPiLow) : a, x);
}
WHARF_DEVICE double __nv_atan2(double y, double x) {
  if (wharf_math::is_nan(x) || wharf_math::is_nan(y)) return x + y;
  const double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
  const double small = __builtin_fmin(ax, ay), large = __builtin_fmax(ax, ay);
  const double ratio = large == 0 ? 0.0 : small == large ? 1.0 : small / large;
  double a = wharf_math::atan_core(ratio);
  if (ay > ax) a = wharf_math::kHalfPi - (a - wharf_math::kHalfPiLow);
  if ((wharf_math::bits_of(x) >> 63) != 0) a = wharf_math::kPi - (a - wharf_math::kPiLow);
  return __builtin_copysign(a, y);
}
WHARF_DEVICE double __nv_asin(double x) {
  const double ax = __builtin_fabs(x);
  if (ax <= 0.5) return x == 0 ? x : x + wharf_math::asin_tail(x);
  // asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)); NaN beyond 1.
  const double t = __builtin_sqrt(wharf_math::fused(ax, -0.5, 0.5));
  return __builtin_copysign(wharf_math::kHalfPi - (2 * (t + wharf_math::asin_tail(t)) - wharf_math::kHalfPiLow), x);
}
WHARF_DEVICE double __nv_acos(double x) {
  const double ax = __builtin_fabs(x);
  if (ax <= 0.5) return wharf_math::kHalfPi - (x + (wharf_math::asin_tail(x) - wharf_math::kHalfPiLow));
  const double square = wharf_math::fused(ax, -0.5, 0.5), t = __builtin_sqrt(square);
  // The rounding error of the root counts where the result is small.
  const double lost = t > 0 ? wharf_math::fused(-t, t, square) / (2 * t) : 0;
  const double a = 2 * (t + (wharf_math::asin_tail(t) + lost));
  return x < 0 ? wharf_math::kPi - (a - wharf_math::kPiLow) : a;
}
