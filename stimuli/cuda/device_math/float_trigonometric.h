#pragma once
// Trigonometric functions and their inverses in single precision.

#include "stimuli/cuda/device_math/reduction.h"

namespace wharf_math {

constexpr float kHalfPiF = 0x1.921fb6p+0f, kHalfPiLowF = -0x1.777a5cp-25f, kPiF = 0x1.921fb6p+1f, kPiLowF = -0x1.777a5cp-24f;

/// Sine and cosine of |r| up to pi/4.
inline float sine_core(float r) {
  constexpr float kCoefficients[] = {-0.166666642f, 0.00833274797f, -0.00019587866f};  // (sin r - r) / r^3
  const float s = r * r;
  return fused(polynomial(kCoefficients, s) * s, r, r);
}
inline float cosine_core(float r) {
  constexpr float kCoefficients[] = {0.0416666642f, -0.00138883025f, 2.45479168e-05f};  // (cos r - 1 + r^2 / 2) / r^4
  const float s = r * r;
  return fused(polynomial(kCoefficients, s) * s, s, fused(s, -0.5f, 1.0f));
}
/// The sine of a rest in a quadrant; the cosine is the sine one quadrant further.
inline float sine_in_quadrant(float r, int quadrant) {
  const float value = (quadrant & 1) != 0 ? cosine_core(r) : sine_core(r);
  return (quadrant & 2) != 0 ? -value : value;
}

/// atan of x in [0, 1].
inline float atan_core(float x) {
  constexpr float kCoefficients[] = {-0.333333224f,  0.199986815f,  -0.142570451f,  0.108657591f,
                                     -0.0800968185f, 0.0489143208f, -0.0200267471f, 0.00386673887f};
  const float s = x * x;
  return fused(polynomial(kCoefficients, s) * s, x, x);
}
/// asin of |x| up to 0.5.
inline float asin_core(float x) {
  constexpr float kCoefficients[] = {0.166666731f, 0.0749885291f, 0.0450018942f, 0.0265506636f, 0.0380939618f};
  const float s = x * x;
  return fused(polynomial(kCoefficients, s) * s, x, x);
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_sinf(float x) {
  if (wharf_math::is_infinite(x)) return wharf_math::kNanF;
  int quadrant;
  const float r = wharf_math::reduce(x, quadrant);
  return wharf_math::is_nan(x) || x == 0 ? x : wharf_math::sine_in_quadrant(r, quadrant);
}
WHARF_DEVICE float __nv_cosf(float x) {
  if (wharf_math::is_infinite(x)) return wharf_math::kNanF;
  int quadrant;
  const float r = wharf_math::reduce(x, quadrant);
  return wharf_math::is_nan(x) ? x : wharf_math::sine_in_quadrant(r, quadrant + 1);
}
WHARF_DEVICE void __nv_sincosf(float x, float* sine, float* cosine) {
  if (wharf_math::is_infinite(x) || wharf_math::is_nan(x)) {
    *sine = *cosine = x - x;
    return;
  }
  int quadrant;
  const float r = wharf_math::reduce(x, quadrant);
  *sine = x == 0 ? x : wharf_math::sine_in_quadrant(r, quadrant);
  *cosine = wharf_math::sine_in_quadrant(r, quadrant + 1);
}
WHARF_DEVICE float __nv_tanf(float x) {
  if (wharf_math::is_infinite(x)) return wharf_math::kNanF;
  constexpr float kCoefficients[] = {0.333333254f,  0.133343801f,   0.053773731f,
                                     0.0231653564f, 0.00509087276f, 0.00825546216f};  // (tan r - r) / r^3
  int quadrant;
  const float r = wharf_math::reduce(x, quadrant);
  if (wharf_math::is_nan(x) || x == 0) return x;
  const float s = r * r;
  const float t = wharf_math::fused(wharf_math::polynomial(kCoefficients, s) * s, r, r);
  return (quadrant & 1) != 0 ? -1.0f / t : t;
}

WHARF_DEVICE void __nv_sincospif(float x, float* sine, float* cosine) {
  const float n = __builtin_rintf(2 * x);
  const float r = wharf_math::fused(n, -0.5f, x);
  const auto quadrant = static_cast<int>(static_cast<int64_t>(__builtin_fabsf(x) < 0x1p24f ? n : 0.0f));  // beyond, x is an even number
  const float angle = wharf_math::fused(r, wharf_math::kPiF, r * wharf_math::kPiLowF);
  const bool special = wharf_math::is_infinite(x) || wharf_math::is_nan(x);
  *sine = special ? wharf_math::kNanF : x == __builtin_truncf(x) ? x * 0.0f : wharf_math::sine_in_quadrant(angle, quadrant);
  *cosine = special ? wharf_math::kNanF : wharf_math::sine_in_quadrant(angle, quadrant + 1) + 0.0f;
}
WHARF_DEVICE float __nv_sinpif(float x) {
  float sine, cosine;
  __nv_sincospif(x, &sine, &cosine);
  return sine;
}
WHARF_DEVICE float __nv_cospif(float x) {
  float sine, cosine;
  __nv_sincospif(x, &sine, &cosine);
  return cosine;
}

WHARF_DEVICE float __nv_atanf(float x) {
  const float ax = __builtin_fabsf(x);
  const float a = wharf_math::atan_core(ax > 1 ? 1 / ax : ax);
  return wharf_math::is_nan(x) ? x : __builtin_copysignf(ax > 1 ? wharf_math::kHalfPiF - (a - wharf_math::kHalfPiLowF) : a, x);
}
WHARF_DEVICE float __nv_atan2f(float y, float x) {
  if (wharf_math::is_nan(x) || wharf_math::is_nan(y)) return x + y;
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
  const float small = __builtin_fminf(ax, ay), large = __builtin_fmaxf(ax, ay);
  const float ratio = large == 0 ? 0.0f : small == large ? 1.0f : small / large;
  float a = wharf_math::atan_core(ratio);
  if (ay > ax) a = wharf_math::kHalfPiF - (a - wharf_math::kHalfPiLowF);
  if ((wharf_math::bits_of(x) >> 31) != 0) a = wharf_math::kPiF - (a - wharf_math::kPiLowF);
  return __builtin_copysignf(a, y);
}
WHARF_DEVICE float __nv_asinf(float x) {
  const float ax = __builtin_fabsf(x);
  if (ax <= 0.5f) return x == 0 ? x : wharf_math::asin_core(x);
  // asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)); NaN beyond 1.
  const float a = wharf_math::asin_core(__builtin_sqrtf(wharf_math::fused(ax, -0.5f, 0.5f)));
  return __builtin_copysignf(wharf_math::kHalfPiF - (2 * a - wharf_math::kHalfPiLowF), x);
}
WHARF_DEVICE float __nv_acosf(float x) {
  const float ax = __builtin_fabsf(x);
  if (ax <= 0.5f) return wharf_math::kHalfPiF - (wharf_math::asin_core(x) - wharf_math::kHalfPiLowF);
  const float a = 2 * wharf_math::asin_core(__builtin_sqrtf(wharf_math::fused(ax, -0.5f, 0.5f)));
  return x < 0 ? wharf_math::kPiF - (a - wharf_math::kPiLowF) : a;
}

WHARF_DEVICE float __nv_fast_sinf(float x) { return wharf_math::sin_approx(x); }
WHARF_DEVICE float __nv_fast_cosf(float x) { return wharf_math::cos_approx(x); }
WHARF_DEVICE float __nv_fast_tanf(float x) { return wharf_math::div_approx(wharf_math::sin_approx(x), wharf_math::cos_approx(x)); }
WHARF_DEVICE void __nv_fast_sincosf(float x, float* sine, float* cosine) {
  *sine = wharf_math::sin_approx(x);
  *cosine = wharf_math::cos_approx(x);
}
