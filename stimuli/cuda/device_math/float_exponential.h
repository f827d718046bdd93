#pragma once
// Exponentials, logarithms, powers and hyperbolic functions in single precision.
//
// Polynomials here and in the other files interpolate the function at the Chebyshev nodes of the interval that the comment names.

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

constexpr float kLog2EF = 0x1.715476p+0f, kLog2ELowF = 0x1.4ae0cp-26f;
constexpr float kLn2F = 0x1.62e42ep-1f;
constexpr float kLn2HighF = 0x1.62e4p-1f,
                kLn2LowF = 0x1.7f7d1cp-20f;  // the high part has 15 bits, so that products with exponents are exact

/// e^x * 2^shift for |x| up to 105; larger ones must be clamped.
inline float exp_scaled(float x, int shift) {
  const float n = __builtin_rintf(x * kLog2EF);
  float r = fused(-n, kLn2HighF, x);
  r = fused(-n, kLn2LowF, r);
  return scale_small(ex2(r * kLog2EF), static_cast<int>(n) + shift);
}

/// log(m) of m in [2/3, 4/3), from f = m - 1.
inline float log_of_mantissa(float f) {
  constexpr float kCoefficients[] = {0.333333194f, -0.249999881f, 0.200038046f, -0.16670163f,
                                     0.141175777f, -0.123455159f, 0.134310454f, -0.121304527f};
  const float tail = fused(polynomial(kCoefficients, f), f, -0.5f) * f;
  return fused(tail, f, f);
}

/// Splits a positive number into 2^exponent * mantissa, mantissa in [2/3, 4/3).
inline float split(float x, int& exponent) {
  int scaled = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p24f;
    scaled = -24;
  }
  const uint32_t bits = bits_of(x);
  const int shift = static_cast<int>(bits - 0x3f2aaaab) >> 23;  // the bits of 2/3
  exponent = shift + scaled;
  return float_of(bits - (static_cast<uint32_t>(shift) << 23));
}

/// The result of a logarithm that is not finite; returns true for such an `x`.
inline bool log_special(float x, float& result) {
  if (x > 0 && x < kInfinityF) return false;
  result = x == 0 ? -kInfinityF : x > 0 ? x : kNanF;
  return true;
}

/// log2(x) of a positive number to some 40 bits, for powers.
inline Pair<float> log2_pair(float x) {
  // (2 atanh(s) - 2 s) / s^3 in s^2, |s| at most 0.1716.
  constexpr float kCoefficients[] = {0.666666865f, 0.399887592f, 0.295809865f};
  int exponent;
  float m = split(x, exponent);
  if (m < 0.7071067f) {
    m *= 2;
    --exponent;
  }
  const float f = m - 1, d = m + 1, d_low = m - (d - 1), r = 1.0f / d;
  const float q = f * r;
  const float q_low = fused(-q, d_low, fused(-q, d, f)) * r;
  const float s = q * q;
  const float tail = polynomial(kCoefficients, s) * s * q * kLog2EF;
  // 2 / ln 2 in two parts.
  constexpr float kScale = 2 * kLog2EF, kScaleLow = 2 * kLog2ELowF;
  const Pair<float> lead = exact_product(q, kScale);
  const float low = fused(q, kScaleLow, fused(q_low, kScale, lead.low)) + tail;
  const Pair<float> mantissa = exact_sum(lead.high, low);
  const Pair<float> sum = exact_sum(static_cast<float>(exponent), mantissa.high);
  return exact_sum(sum.high, sum.low + mantissa.low);
}

inline bool is_odd_integer(float y) {
  const float half = 0.5f * y;
  return y == __builtin_truncf(y) && half != __builtin_truncf(half);
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_expf(float x) {
  const float clamped = __builtin_fminf(__builtin_fmaxf(x, -105.0f), 105.0f);
  return wharf_math::is_nan(x) ? x : wharf_math::exp_scaled(clamped, 0);
}

WHARF_DEVICE float __nv_exp2f(float x) {
  // ex2.approx flushes no subnormals, but loses accuracy for them: halve the range first.
  return x < -126.0f ? wharf_math::ex2(x + 64.0f) * 0x1p-64f : wharf_math::ex2(x);
}

WHARF_DEVICE float __nv_exp10f(float x) {
  constexpr float kLog2Of10 = 0x1.a934fp+1f, kLg2High = 0x1.344p-2f, kLg2Low = 0x1.3509f8p-18f;
  if (wharf_math::is_nan(x)) return x;
  const float clamped = __builtin_fminf(__builtin_fmaxf(x, -46.0f), 46.0f);
  const float n = __builtin_rintf(clamped * kLog2Of10);
  float r = wharf_math::fused(-n, kLg2High, clamped);
  r = wharf_math::fused(-n, kLg2Low, r);
  return wharf_math::scale_small(wharf_math::ex2(r * kLog2Of10), static_cast<int>(n));
}

WHARF_DEVICE float __nv_expm1f(float x) {
  using namespace wharf_math;
  constexpr float kTaylor[] = {0.5f, 0.166666672f, 0.0416666679f, 0.00833333377f, 0.00138888892f, 0.000198412701f};
  if (is_nan(x)) return x;
  const float clamped = __builtin_fminf(__builtin_fmaxf(x, -20.0f), 88.8f);
  float n = __builtin_rintf(clamped * kLog2EF);
  if (__builtin_fabsf(clamped) < 0.41f) n = 0;
  float r = fused(-n, kLn2HighF, clamped);
  r = fused(-n, kLn2LowF, r);
  const float p = fused(polynomial(kTaylor, r) * r, r, r);  // e^r - 1
  if (n == 0) return x == 0 ? x : p;
  const float half = scale_small(1.0f, static_cast<int>(n) - 1);
  return 2 * fused(p, half, half - 0.5f);
}

WHARF_DEVICE float __nv_logf(float x) {
  using namespace wharf_math;
  float result;
  if (log_special(x, result)) return result;
  int exponent;
  const float l = log_of_mantissa(split(x, exponent) - 1);
  const auto e = static_cast<float>(exponent);
  return fused(e, kLn2HighF, fused(e, kLn2LowF, l));
}

WHARF_DEVICE float __nv_log2f(float x) {
  using namespace wharf_math;
  float result;
  if (log_special(x, result)) return result;
  int exponent;
  const float l = log_of_mantissa(split(x, exponent) - 1);
  return fused(l, kLog2EF, fused(l, kLog2ELowF, static_cast<float>(exponent)));
}

WHARF_DEVICE float __nv_log10f(float x) {
  using namespace wharf_math;
  constexpr float kLog10E = 0x1.bcb7bp-2f, kLog10ELow = 0x1.526e5p-26f, kLg2High = 0x1.344p-2f, kLg2Low = 0x1.3509f8p-18f;
  float result;
  if (log_special(x, result)) return result;
  int exponent;
  const float l = log_of_mantissa(split(x, exponent) - 1);
  const auto e = static_cast<float>(exponent);
  return fused(e, kLg2High, fused(l, kLog10E, fused(l, kLog10ELow, e * kLg2Low)));
}

WHARF_DEVICE float __nv_log1pf(float x) {
  using namespace wharf_math;
  if (x > -0.25f && x < 0.33f) return x == 0 ? x : log_of_mantissa(x);
  float result;
  const float u = 1 + x;
  if (log_special(u, result)) return result;
  int exponent;
  const float m = split(u, exponent);
  // The rounding error of u = 1 + x, relative to u.
  const float lost = (x < 1 ? x - (u - 1) : 1 - (u - x)) / u;
  const auto e = static_cast<float>(exponent);
  return fused(e, kLn2HighF, fused(e, kLn2LowF, log_of_mantissa(m - 1) + lost));
}

WHARF_DEVICE float __nv_powf(float x, float y) {
  using namespace wharf_math;
  if (x == 1 || y == 0) return 1;
  if (is_nan(x) || is_nan(y)) return x + y;
  const float ax = __builtin_fabsf(x);
  const bool odd = is_odd_integer(y);
  const float sign = x < 0 || (x == 0 && 1 / x < 0) ? (odd ? -1.0f : 1.0f) : 1.0f;
  if (ax == 0 || is_infinite(ax)) return (ax == 0) == (y > 0) ? sign * 0.0f : sign * kInfinityF;
  if (is_infinite(y)) return ax == 1 ? 1.0f : (ax > 1) == (y > 0) ? kInfinityF : 0.0f;
  if (x < 0 && y != __builtin_truncf(y)) return kNanF;
  const Pair<float> l = log2_pair(ax);
  const float high = __builtin_fminf(__builtin_fmaxf(y * l.high, -160.0f), 160.0f);
  const float low = high == y * l.high ? fused(y, l.high, -high) + y * l.low : 0.0f;
  const float n = __builtin_rintf(high);
  const float power = ex2((high - n) + low);
  return sign * scale_small(power, static_cast<int>(n));
}

WHARF_DEVICE float __nv_tanhf(float x) {
  using namespace wharf_math;
  const float ax = __builtin_fabsf(x);
  if (ax < 0.55f) {
    constexpr float kCoefficients[] = {-0.333333313f, 0.133331135f, -0.0539093763f, 0.0213090628f, -0.00660961401f};  // (tanh x - x) / x^3
    const float s = x * x;
    return __builtin_copysignf(fused(polynomial(kCoefficients, s) * s, x, x), x);  // keeps the sign of 0
  }
  const float t = 1 - 2 / (ex2(2 * kLog2EF * __builtin_fminf(ax, 20.0f)) + 1);
  return is_nan(x) ? x : __builtin_copysignf(t, x);
}

WHARF_DEVICE float __nv_sinhf(float x) {
  using namespace wharf_math;
  const float ax = __builtin_fabsf(x);
  if (ax < 1) {
    constexpr float kCoefficients[] = {0.166666761f, 0.00833176263f, 0.000202588853f};  // (sinh x - x) / x^3
    const float s = x * x;
    return fused(polynomial(kCoefficients, s) * s, x, x);
  }
  const float half = exp_scaled(__builtin_fminf(ax, 100.0f), -1);  // e^x / 2, which overflows only where sinh does
  return is_nan(x) ? x : __builtin_copysignf(half - 0.25f / half, x);
}

WHARF_DEVICE float __nv_coshf(float x) {
  using namespace wharf_math;
  if (is_nan(x)) return x;
  const float half = exp_scaled(__builtin_fminf(__builtin_fabsf(x), 100.0f), -1);
  return half + 0.25f / half;
}

WHARF_DEVICE float __nv_asinhf(float x) {
  using namespace wharf_math;
  const float ax = __builtin_fabsf(x);
  if (ax > 0x1p30f) return __builtin_copysignf(__nv_logf(ax) + kLn2F, x);
  const float s = ax * ax;
  return __builtin_copysignf(__nv_log1pf(ax + s / (1 + __builtin_sqrtf(1 + s))), x);
}

WHARF_DEVICE float __nv_acoshf(float x) {
  using namespace wharf_math;
  if (x < 1) return kNanF;
  if (x > 0x1p30f) return __nv_logf(x) + kLn2F;
  const float t = x - 1;
  return __nv_log1pf(t + __builtin_sqrtf(fused(t, t, 2 * t)));
}

WHARF_DEVICE float __nv_atanhf(float x) {
  const float ax = __builtin_fabsf(x);
  return __builtin_copysignf(0.5f * __nv_log1pf(2 * ax / (1 - ax)), x);
}

// Fast variants: one special function and a product (use_fast_math).
WHARF_DEVICE float __nv_fast_expf(float x) { return wharf_math::ex2(x * wharf_math::kLog2EF); }
WHARF_DEVICE float __nv_fast_exp10f(float x) { return wharf_math::ex2(x * 0x1.a934fp+1f); }
WHARF_DEVICE float __nv_fast_logf(float x) { return wharf_math::lg2(x) * wharf_math::kLn2F; }
WHARF_DEVICE float __nv_fast_log2f(float x) { return wharf_math::lg2(x); }
WHARF_DEVICE float __nv_fast_log10f(float x) { return wharf_math::lg2(x) * 0x1.344136p-2f; }
WHARF_DEVICE float __nv_fast_powf(float x, float y) { return wharf_math::ex2(y * wharf_math::lg2(x)); }
