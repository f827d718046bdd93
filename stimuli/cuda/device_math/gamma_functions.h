#pragma once
// The gamma function and its logarithm.

#include "stimuli/cuda/device_math/by_type.h"

namespace wharf_math {

/// 1 / gamma(2 + t) for |t| up to 1/2.
inline float reciprocal_gamma(float t) {
  constexpr float kCoefficients[] = {1.0f,           -0.422784358f,  -0.233093739f,    0.191092163f,    -0.0245526135f,
                                     -0.0176604614f, 0.00802505389f, -0.000722991652f, -0.000370425056f};
  return polynomial(kCoefficients, t);
}
inline double reciprocal_gamma(double t) {
  constexpr double kCoefficients[] = {1.0,
                                      -0.42278433509846713,
                                      -0.23309373642178705,
                                      0.19109110138769153,
                                      -0.024552490005374752,
                                      -0.017645244550146086,
                                      0.008023273021458766,
                                      -0.0008043297755476945,
                                      -0.0003608378035444817,
                                      0.00014559614124980513,
                                      -1.7545968270676578e-05,
                                      -2.588987414363024e-06,
                                      1.3390150218113123e-06,
                                      -2.0551047374863304e-07,
                                      -1.4258717168188387e-09,
                                      6.365451850342688e-09};
  return polynomial(kCoefficients, t);
}
/// log(gamma(2 + t)) / t for |t| up to 1/2.
inline float log_gamma_near_two(float t) {
  constexpr float kCoefficients[] = {0.422784328f,   0.322467029f,    -0.06735228f,    0.0205808003f,    -0.00738617405f,
                                     0.00289079524f, -0.00118586002f, 0.000506517128f, -0.000253817096f, 0.000113472823f};
  return polynomial(kCoefficients, t);
}
inline double log_gamma_near_two(double t) {
  constexpr double kCoefficients[] = {0.42278433509846713,     0.3224670334241132,     -0.06735230105319814,    0.02058080842778457,
                                      -0.0073855510286681535,  0.002890510330738737,   -0.0011927539120010226,  0.0005096695248853096,
                                      -0.00022315475074520367, 9.945750909889392e-05,  -4.4926351103833334e-05, 2.050726741605779e-05,
                                      -9.438458716242811e-06,  4.374374916915131e-06,  -2.0449201467015115e-06, 9.578663334114758e-07,
                                      -4.303558760359961e-07,  2.0304806751615227e-07, -1.3412819758517287e-07, 6.379047507619774e-08};
  return polynomial(kCoefficients, t);
}
/// log(gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi) / 2) for x >= 8, as a polynomial in 1 / x^2 times 1 / x.
inline float stirling_rest(float x) {
  constexpr float kCoefficients[] = {0.0833333358f, -0.00277777691f, 0.000793409301f, -0.000570147007f};
  const float r = 1 / x;
  return polynomial(kCoefficients, r * r) * r;
}
inline double stirling_rest(double x) {
  constexpr double kCoefficients[] = {0.08333333333333333,  -0.0027777777777776747, 0.0007936507935117266, -0.0005952380234286479,
                                      0.000841732526727762, -0.0019149659059377068, 0.006208136501150856,  -0.02085581632116246};
  const double r = 1 / x;
  return polynomial(kCoefficients, r * r) * r;
}

constexpr double kHalfLogTwoPi = 0.91893853320467274;

/// gamma(x)^sign * 2^shift for x from 8 to 44 (190), by Stirling's series; sign is 1 or -1.
inline float gamma_power(float x, float sign, int shift) {
  // The logarithm to base 2 as a pair: (x - 1/2) log2(x) - x log2(e) + the rest.
  const Pair<float> l = log2_pair(x);
  const Pair<float> power = exact_product(x - 0.5f, l.high), linear = exact_product(x, kLog2EF);
  const Pair<float> difference = exact_sum(power.high, -linear.high);
  const Pair<float> sum = exact_sum(difference.high, (static_cast<float>(kHalfLogTwoPi) + stirling_rest(x)) * kLog2EF);
  const float low = sum.low + difference.low + (fused(x - 0.5f, l.low, power.low) - fused(x, kLog2ELowF, linear.low));
  const float n = __builtin_rintf(sum.high);
  return scale_small(ex2(sign * ((sum.high - n) + low)), static_cast<int>(sign * n) + shift);
}
inline double gamma_power(double x, double sign, int shift) {
  const Pair<double> l = log_pair(x);
  const Pair<double> power = exact_product(x - 0.5, l.high);
  const Pair<double> difference = exact_sum(power.high, -x);
  const Pair<double> sum = exact_sum(difference.high, kHalfLogTwoPi + stirling_rest(x));
  const double low = sum.low + difference.low + fused(x - 0.5, l.low, power.low);
  return exp_pair(sign * sum.high, sign * low, shift);
}

/// gamma(x) for |x| < 8 is product / reciprocal_gamma(t) for x > 2, and 1 / (product * reciprocal_gamma(t)) below.
template <class T>
struct GammaSteps {
  T t, product;
};
template <class T>
inline GammaSteps<T> step_to_two(T x) {
  T product = 1;
  while (x > T(2.5)) {
    x -= 1;
    product *= x;
  }
  while (x < T(1.5)) {
    product *= x;
    x += 1;
  }
  return {x - 2, product};
}

template <class T>
inline T gamma(T x) {
  constexpr T kPole = static_cast<T>(kInfinity);
  constexpr T kMost = sizeof(T) == 4 ? 44 : 190;     // beyond, gamma(x) overflows and gamma(-x) underflows
  constexpr int kShift = sizeof(T) == 4 ? 60 : 200;  // keeps 1 / gamma(x) up to there a normal number
  if (is_nan(x)) return x;
  if (x == 0) return 1 / x;
  if (x < 0 && is_integer(x)) return static_cast<T>(kNan);
  const T ax = magnitude(x);
  if (ax < 8) {
    const GammaSteps<T> steps = step_to_two(x);
    const T reciprocal = reciprocal_gamma(steps.t);
    return x > 2 ? steps.product / reciprocal : 1 / (steps.product * reciprocal);
  }
  if (x > 0) return x > kMost ? kPole : gamma_power(x, T(1), 0);
  // gamma(-x) = -pi / (x sin(pi x) gamma(x))
  const T factor = static_cast<T>(-kPi) / (ax * sine_of_pi_times(ax));
  return scale_small(factor * gamma_power(smaller(ax, kMost), T(-1), kShift), -kShift);
}

template <class T>
inline T log_gamma(T x) {
  if (is_nan(x)) return x;
  if (is_infinite(x) || (x <= 0 && is_integer(x))) return static_cast<T>(kInfinity);
  const T ax = magnitude(x);
  // Around 1 the logarithm vanishes: log(gamma(x)) = log(gamma(1 + x)) - log(x), both exact there.
  if (x >= T(0.5) && x < T(1.5)) return fused(x - 1, log_gamma_near_two(x - 1), -log_of_one_plus(x - 1));
  if (ax < 8) {
    const GammaSteps<T> steps = step_to_two(x);
    const T rest = natural_log(magnitude(steps.product));
    return fused(steps.t, log_gamma_near_two(steps.t), x > 2 ? rest : -rest);
  }
  const T far = fused(ax - T(0.5), natural_log(ax) - 1, static_cast<T>(kHalfLogTwoPi - 0.5) + stirling_rest(ax));
  return x > 0 ? far : natural_log(static_cast<T>(kPi) / magnitude(ax * sine_of_pi_times(ax))) - far;
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_tgammaf(float x) { return wharf_math::gamma(x); }
WHARF_DEVICE double __nv_tgamma(double x) { return wharf_math::gamma(x); }
WHARF_DEVICE float __nv_lgammaf(float x) { return wharf_math::log_gamma(x); }
WHARF_DEVICE double __nv_lgamma(double x) { return wharf_math::log_gamma(x); }
