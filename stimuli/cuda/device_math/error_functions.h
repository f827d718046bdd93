#pragma once
// The error function and its kin, and the distribution function of the normal distribution.

#include "stimuli/cuda/device_math/double_exponential.h"
#include "stimuli/cuda/device_math/float_exponential.h"

namespace wharf_math {

/// e^(x^2) erfc(x) for x >= 0: a polynomial for (1 + 2 x) times it in t = (x - 4) / (x + 4), which maps all of them to [-1, 1).
inline float scaled_erfc(float x) {
  constexpr float kCoefficients[] = {1.23299515f,      -0.139621124f,    0.0153797697f,   0.0680970103f,   -0.101040952f,
                                     0.0937335119f,    -0.0663189963f,   0.0371633992f,   -0.0162304826f,  0.00504405191f,
                                     -0.000709052372f, -0.000217872235f, 0.000114181545f, -9.40194695e-06f};
  const float t = (x - 4) / (x + 4);
  return x > 0x1p60f ? 0.564189584f / x : polynomial(kCoefficients, t) / fused(2.0f, x, 1.0f);  // 1 / sqrt(pi)
}
inline double scaled_erfc(double x) {
  constexpr double kCoefficients[] = {1.2329951186255526,      -0.1396211168405625,     0.015379652102620024,   0.06809705425469155,
                                      -0.10103906603632411,    0.09373283499839671,     -0.06633036581166873,   0.037167515536625416,
                                      -0.016197734065722173,   0.00503196998609486,     -0.0007577732210969818, -0.00019925673703578264,
                                      0.00015062131426058252,  -2.439909546460154e-05,  -1.12207732719772e-05,  5.709608460329622e-06,
                                      2.909458486953017e-07,   -8.256654075585048e-07,  7.888021763665051e-08,  1.1105649713619726e-07,
                                      -2.1867033691968357e-08, -1.5549862693664754e-08, 3.9500316138286855e-09, 2.268580690666596e-09,
                                      -5.374205986213886e-10,  -2.968717808232408e-10,  4.176348457297161e-11,  2.361451525426227e-11};
  const double t = (x - 4) / (x + 4);
  return x > 0x1p500 ? 0.56418958354775628 / x : polynomial(kCoefficients, t) / fused(2.0, x, 1.0);
}

/// erfc(x) for x >= 0 where e^-(x^2) is a number: what rounding the square has lost corrects the product.
inline float far_erfc(float x) {
  const Pair<float> square = exact_product(x, x);
  const float product = exp_scaled(-__builtin_fminf(square.high, 105.0f), 0), scaled = scaled_erfc(x);
  return fused(product, scaled, -product * square.low * scaled);
}
inline double far_erfc(double x) {
  const Pair<double> square = exact_product(x, x);
  return exp_pair(-__builtin_fmin(square.high, 800), -square.low) * scaled_erfc(x);
}

/// erf(x) for |x| < 1.
inline float small_erf(float x) {
  constexpr float kCoefficients[] = {1.12837911f,    -0.37612626f,    0.112835944f,   -0.0268542115f,
                                     0.00518908724f, -0.00080168643f, 7.87587487e-05f};
  return polynomial(kCoefficients, x * x) * x;
}
inline double small_erf(double x) {
  constexpr double kCoefficients[] = {1.1283791670955126,     -0.37612638903183754,    0.1128379167095512,     -0.02686617064512984,
                                      0.0052239776254232985,  -0.000854832702193483,   0.00012055332902888736, -1.4925647567519332e-05,
                                      1.6462045441468418e-06, -1.6364642158167616e-07, 1.4792401209404813e-08, -1.216456005728345e-09,
                                      8.709045129053106e-11,  -4.230945824295338e-12};
  return polynomial(kCoefficients, x * x) * x;
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_erff(float x) {
  const float ax = __builtin_fabsf(x);
  if (ax < 1) return wharf_math::small_erf(x);
  const float far = __builtin_fminf(ax, 10.0f);
  return wharf_math::is_nan(x) ? x : __builtin_copysignf(1 - wharf_math::far_erfc(far), x);
}
WHARF_DEVICE double __nv_erf(double x) {
  const double ax = __builtin_fabs(x);
  if (ax < 1) return wharf_math::small_erf(x);
  const double far = __builtin_fmin(ax, 10);
  return wharf_math::is_nan(x) ? x : __builtin_copysign(1 - wharf_math::far_erfc(far), x);
}
WHARF_DEVICE float __nv_erfcf(float x) {
  if (wharf_math::is_nan(x)) return x;
  const float ax = __builtin_fminf(__builtin_fabsf(x), 11.0f);
  const float far = wharf_math::far_erfc(ax);
  return x < 0 ? 2 - far : far;
}
WHARF_DEVICE double __nv_erfc(double x) {
  if (wharf_math::is_nan(x)) return x;
  const double ax = __builtin_fmin(__builtin_fabs(x), 28);
  const double far = wharf_math::far_erfc(ax);
  return x < 0 ? 2 - far : far;
}
WHARF_DEVICE float __nv_erfcxf(float x) {
  if (x >= 0) return wharf_math::scaled_erfc(x);
  const float clamped = __builtin_fmaxf(x, -10.0f);  // from there on the result is infinite
  const wharf_math::Pair<float> square = wharf_math::exact_product(clamped, clamped);
  const float e = wharf_math::exp_scaled(square.high, 0);
  return wharf_math::is_nan(x) ? x : 2 * (e + (e < wharf_math::kInfinityF ? e * square.low : 0.0f)) - wharf_math::scaled_erfc(-clamped);
}
WHARF_DEVICE double __nv_erfcx(double x) {
  if (x >= 0) return wharf_math::scaled_erfc(x);
  const double clamped = __builtin_fmax(x, -28);
  const wharf_math::Pair<double> square = wharf_math::exact_product(clamped, clamped);
  return wharf_math::is_nan(x) ? x : 2 * wharf_math::exp_pair(square.high, square.low) - wharf_math::scaled_erfc(-clamped);
}
// The argument of erfc is -x / sqrt(2) in two parts, whose second one shifts the result by the derivative.
WHARF_DEVICE float __nv_normcdff(float x) {
  constexpr float kRoot = 0x1.6a09e6p-1f, kRootLow = 0x1.9fcef4p-27f;
  const float clamped = __builtin_fmaxf(__builtin_fminf(x, 15.0f), -15.0f);
  const wharf_math::Pair<float> y = wharf_math::exact_product(clamped, -kRoot);
  const float low = wharf_math::fused(clamped, -kRootLow, y.low);
  const float half = 0.5f * __nv_erfcf(y.high);
  return wharf_math::is_nan(x) ? x : y.high > 0 ? wharf_math::fused(-2 * half * y.high, low, half) : half;
}
WHARF_DEVICE double __nv_normcdf(double x) {
  constexpr double kRoot = 0x1.6a09e667f3bcdp-1, kRootLow = -0x1.bdd3413b26456p-55;
  const double clamped = __builtin_fmax(__builtin_fmin(x, 39), -39);
  const wharf_math::Pair<double> y = wharf_math::exact_product(clamped, -kRoot);
  const double low = wharf_math::fused(clamped, -kRootLow, y.low);
  const double half = 0.5 * __nv_erfc(y.high);
  return wharf_math::is_nan(x) ? x : y.high > 0 ? wharf_math::fused(-2 * half * y.high, low, half) : half;
}
