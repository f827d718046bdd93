#pragma once
// Exponentials, logarithms, powers and hyperbolic functions in double precision.

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

constexpr double kLog2E = 0x1.71547652b82fep+0, kLog2ELow = 0x1.777d0ffda0d24p-56;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45;  // the high part has 42 bits

/// (e^r - 1 - r) / r^2 for |r| up to ln 2 / 2.
inline double exp_tail(double r) {
  constexpr double kCoefficients[] = {0.5000000000000001,     0.16666666666666669,    0.041666666666623824,   0.008333333333330039,
                                      0.0013888888917367081,  0.00019841269863171557, 2.4801521057868204e-05, 2.7557268276905696e-06,
                                      2.7620201591031547e-07, 2.5100472505694996e-08};
  return polynomial(kCoefficients, r);
}

/// e^(x + low) * 2^shift for |x| up to 1500; larger ones must be clamped.
inline double exp_pair(double x, double low, int shift = 0) {
  const double n = __builtin_rint(x * kLog2E);
  double r = fused(-n, kLn2High, x);
  r = fused(-n, kLn2Low, r) + low;
  const double p = fused(exp_tail(r) * r, r, r);
  return scale_small(1 + p, static_cast<int>(n) + shift);
}

/// Splits a positive number into 2^exponent * mantissa, mantissa in [sqrt(1/2), sqrt(2)).
inline double split(double x, int& exponent) {
  int scaled = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    scaled = -54;
  }
  const uint64_t bits = bits_of(x);
  const int shift = static_cast<int>(static_cast<int64_t>(bits - 0x3fe6a09e667f3bcd) >> 52);
  exponent = shift + scaled;
  return double_of(bits - (static_cast<uint64_t>(static_cast<int64_t>(shift)) << 52));
}

inline bool log_special(double x, double& result) {
  if (x > 0 && x < kInfinity) return false;
  result = x == 0 ? -kInfinity : x > 0 ? x : kNan;
  return true;
}

/// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1].
inline double log_tail(double f) {
  // (2 atanh(s) - 2 s) / s^3 in s^2, with s = f / (2 + f).
  constexpr double kCoefficients[] = {0.666666666666667,  0.3999999999989889,  0.28571428626253836, 0.22222211089379496,
                                      0.1818289243253687, 0.15331611722055008, 0.14617807153417328};
  const double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
  return s * fused(z, polynomial(kCoefficients, z), half) - half;
}

/// log(x) of a positive number to some 65 bits, for powers.
inline Pair<double> log_pair(double x) {
  // (2 atanh(s) - 2 s - 2/3 s^3) / s^5 in s^2.
  constexpr double kCoefficients[] = {0.4000000000000003,  0.2857142857133801,  0.2222222227132681, 0.18181808210921627,
                                      0.15385577463322506, 0.13285868837155604, 0.1291471218801104};
  int exponent;
  const double m = split(x, exponent);
  const double f = m - 1;
  const Pair<double> d = exact_sum_of_any(m, 1.0);
  const double r = 1 / d.high, q = f * r;
  const double q_low = fused(-q, d.low, fused(-q, d.high, f)) * r;
  // Two thirds of the cube, in two parts.
  const Pair<double> square = exact_product(q, q);
  const double square_low = fused(2 * q, q_low, square.low);
  const Pair<double> cube = exact_product(square.high, q);
  const double cube_low = fused(square.high, q_low, fused(square_low, q, cube.low));
  const Pair<double> third = exact_product(cube.high, 0x1.5555555555555p-1);
  const double third_low = fused(cube.high, 0x1.5555555555555p-55, fused(cube_low, 0x1.5555555555555p-1, third.low));
  const double tail = polynomial(kCoefficients, square.high) * square.high * cube.high;
  const Pair<double> lead = exact_sum(2 * q, third.high);
  const double low = lead.low + (2 * q_low + (third_low + tail));
  const auto e = static_cast<double>(exponent);
  const Pair<double> sum = exact_sum_of_any(e * kLn2High, lead.high);
  return exact_sum(sum.high, sum.low + fused(e, kLn2Low, low));
}

inline bool is_odd_integer(double y) {
  const double half = 0.5 * y;
  return y == __builtin_trunc(y) && half != __builtin_trunc(half);
}

inline double clamped(double x, double low, double high) { return __builtin_fmin(__builtin_fmax(x, low), high); }

}  // namespace wharf_math

WHARF_DEVICE double __nv_exp(double x) { return wharf_math::is_nan(x) ? x : wharf_math::exp_pair(wharf_math::clamped(x, -800, 800), 0); }

WHARF_DEVICE double __nv_exp2(double x) {
  using namespace wharf_math;
  if (is_nan(x)) return x;
  const double c = clamped(x, -1100, 1100), n = __builtin_rint(c), f = c - n;
  const double r = f * kLn2, low = fused(f, kLn2, -r) + f * 0x1.abc9e3b39803fp-56;
  const double p = fused(exp_tail(r) * r, r, r) + low;
  return scale_small(1 + p, static_cast<int>(n));
}

WHARF_DEVICE double __nv_exp10(double x) {
  using namespace wharf_math;
  constexpr double kLn10 = 0x1.26bb1bbb55516p+1, kLn10Low = -0x1.f48ad494ea3e9p-53;
  if (is_nan(x)) return x;
  const double c = clamped(x, -350, 350);
  const Pair<double> y = exact_product(c, kLn10);
  return exp_pair(y.high, fused(c, kLn10Low, y.low));
}

WHARF_DEVICE double __nv_expm1(double x) {
  using namespace wharf_math;
  if (is_nan(x)) return x;
  const double c = clamped(x, -50, 800);
  const double n = __builtin_fabs(c) < 0.4 ? 0 : __builtin_rint(c * kLog2E);
  double r = fused(-n, kLn2High, c);
  const double reduced = r;
  r = fused(-n, kLn2Low, r);
  const double low = fused(-n, kLn2Low, reduced - r);
  const double tail = fused(r * exp_tail(r), r, low);
  if (n == 0) {
    // |x| up to 0.4 exceeds the polynomial's interval: halve it there, since expm1(2 h) = p (p + 2).
    if (__builtin_fabs(x) <= 0.34) return x == 0 ? x : x + exp_tail(x) * x * x;
    const double h = 0.5 * x, p = fused(exp_tail(h) * h, h, h);
    return fused(p, p, 2 * p);
  }
  const double half = power_of_two(static_cast<int>(n) - 1 > 1023 ? 1023 : static_cast<int>(n) - 1);
  const double whole = static_cast<int>(n) - 1 > 1023 ? kInfinity : 2 * ((half - 0.5) + (r * half + tail * half));
  return whole;
}

WHARF_DEVICE double __nv_log(double x) {
  using namespace wharf_math;
  double result;
  if (log_special(x, result)) return result;
  int exponent;
  const double f = split(x, exponent) - 1;
  const auto e = static_cast<double>(exponent);
  return fused(e, kLn2High, f + fused(e, kLn2Low, log_tail(f)));
}

WHARF_DEVICE double __nv_log2(double x) {
  using namespace wharf_math;
  double result;
  if (log_special(x, result)) return result;
  int exponent;
  const double f = split(x, exponent) - 1;
  const Pair<double> l = exact_sum(f, log_tail(f));
  const Pair<double> scaled = exact_product(l.high, kLog2E);
  const double low = fused(l.low, kLog2E, fused(l.high, kLog2ELow, scaled.low));
  return static_cast<double>(exponent) + (scaled.high + low);
}

WHARF_DEVICE double __nv_log10(double x) {
  using namespace wharf_math;
  constexpr double kLog10E = 0x1.bcb7b1526e50ep-2, kLog10ELow = 0x1.95355baaafad3p-57, kLg2High = 0x1.34413509f78p-2,
                   kLg2Low = 0x1.fef311f12b358p-46;
  double result;
  if (log_special(x, result)) return result;
  int exponent;
  const double f = split(x, exponent) - 1;
  const Pair<double> l = exact_sum(f, log_tail(f));
  const Pair<double> scaled = exact_product(l.high, kLog10E);
  const auto e = static_cast<double>(exponent);
  const double low = fused(l.low, kLog10E, fused(l.high, kLog10ELow, fused(e, kLg2Low, scaled.low)));
  return fused(e, kLg2High, scaled.high + low);
}

WHARF_DEVICE double __nv_log1p(double x) {
  using namespace wharf_math;
  if (x > -0.29 && x < 0.41) return x == 0 ? x : x + log_tail(x);
  const double u = 1 + x;
  double result;
  if (log_special(u, result)) return result;
  int exponent;
  const double f = split(u, exponent) - 1;
  const double lost = (x < 1 ? x - (u - 1) : 1 - (u - x)) / u;
  const auto e = static_cast<double>(exponent);
  return fused(e, kLn2High, f + (fused(e, kLn2Low, log_tail(f)) + lost));
}

WHARF_DEVICE double __nv_pow(double x, double y) {
  using namespace wharf_math;
  if (x == 1 || y == 0) return 1;
  if (is_nan(x) || is_nan(y)) return x + y;
  const double ax = __builtin_fabs(x);
  const double sign = (bits_of(x) >> 63) != 0 && is_odd_integer(y) ? -1 : 1;
  if (ax == 0 || is_infinite(ax)) return (ax == 0) == (y > 0) ? sign * 0.0 : sign * kInfinity;
  if (is_infinite(y)) return ax == 1 ? 1 : (ax > 1) == (y > 0) ? kInfinity : 0;
  if (x < 0 && y != __builtin_trunc(y)) return kNan;
  const Pair<double> l = log_pair(ax);
  const double high = clamped(y * l.high, -800, 800);
  const double low = high == y * l.high ? fused(y, l.high, -high) + y * l.low : 0;
  return sign * exp_pair(high, low);
}

WHARF_DEVICE double __nv_tanh(double x) {
  using namespace wharf_math;
  const double ax = __builtin_fabs(x);
  if (ax < 0.55) {
    // (tanh x - x) / x^3
    constexpr double kCoefficients[] = {-0.3333333333333333,     0.1333333333333331,    -0.05396825396822027,    0.021869488534068168,
                                        -0.008863235462984688,   0.0035921267673025663, -0.0014558190700396025,  0.0005899051200674843,
                                        -0.00023847198564355907, 9.454941758935152e-05, -3.3718010044053525e-05, 7.872519584876025e-06};
    const double s = x * x;
    return __builtin_copysign(fused(polynomial(kCoefficients, s) * s, x, x), x);  // keeps the sign of 0
  }
  const double t = 1 - 2 / (exp_pair(2 * __builtin_fmin(ax, 30), 0) + 1);
  return is_nan(x) ? x : __builtin_copysign(t, x);
}

WHARF_DEVICE double __nv_sinh(double x) {
  using namespace wharf_math;
  const double ax = __builtin_fabs(x);
  if (ax < 1) {
    // (sinh x - x) / x^3
    constexpr double kCoefficients[] = {0.16666666666666666,    0.008333333333333299,   0.00019841269841324198, 2.7557319191381816e-06,
                                        2.5052117695907823e-08, 1.6057679623801638e-10, 7.746178593018827e-13};
    const double s = x * x;
    return fused(polynomial(kCoefficients, s) * s, x, x);
  }
  const double half = exp_pair(__builtin_fmin(ax, 750), 0, -1);  // e^x / 2, which overflows only where sinh does
  return is_nan(x) ? x : __builtin_copysign(half - 0.25 / half, x);
}

WHARF_DEVICE double __nv_cosh(double x) {
  using namespace wharf_math;
  if (is_nan(x)) return x;
  const double half = exp_pair(__builtin_fmin(__builtin_fabs(x), 750), 0, -1);
  return half + 0.25 / half;
}

WHARF_DEVICE double __nv_asinh(double x) {
  using namespace wharf_math;
  const double ax = __builtin_fabs(x);
  if (ax > 0x1p60) return __builtin_copysign(__nv_log(ax) + kLn2, x);
  const double s = ax * ax;
  return __builtin_copysign(__nv_log1p(ax + s / (1 + __builtin_sqrt(1 + s))), x);
}

WHARF_DEVICE double __nv_acosh(double x) {
  using namespace wharf_math;
  if (x < 1) return kNan;
  if (x > 0x1p60) return __nv_log(x) + kLn2;
  const double t = x - 1;
  return __nv_log1p(t + __builtin_sqrt(fused(t, t, 2 * t)));
}

WHARF_DEVICE double __nv_atanh(double x) {
  const double ax = __builtin_fabs(x);
  return __builtin_copysign(0.5 * __nv_log1p(2 * ax / (1 - ax)), x);
}
