#pragma once
// Rounding, remainders, and the parts of numbers, in both precisions.

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kFraction = 23, kBias = 127;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kFraction = 52, kBias = 1023;
};
inline float from_bits(uint32_t bits) { return float_of(bits); }
inline double from_bits(uint64_t bits) { return double_of(bits); }

/// |x| = mantissa * 2^exponent of a finite number; the mantissa's highest bit is set unless x is subnormal or 0.
template <class T>
inline void decompose(T x, typename Format<T>::Bits& mantissa, int& exponent) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const Bits bits = bits_of(x);
  const int field = static_cast<int>(bits >> F::kFraction & (2 * F::kBias + 1));
  mantissa = bits & ((Bits{1} << F::kFraction) - 1);
  if (field != 0) mantissa |= Bits{1} << F::kFraction;
  exponent = (field == 0 ? 1 : field) - F::kBias - F::kFraction;
}

/// The remainder of |x| / |y| by long division, exact; the low bits of the quotient come along. For finite x and y != 0.
template <class T>
inline T divide_exactly(T x, T y, unsigned& quotient) {
  using Bits = typename Format<T>::Bits;
  Bits a, b;
  int ea, eb;
  decompose(x, a, ea);
  decompose(y, b, eb);
  quotient = 0;
  // Normalise the divisor of a subnormal number, so that one subtraction a step suffices.
  while ((b >> Format<T>::kFraction) == 0) {
    b <<= 1;
    --eb;
  }
  while (a != 0 && (a >> Format<T>::kFraction) == 0) {
    a <<= 1;
    --ea;
  }
  if (a == 0 || ea < eb) return from_bits(static_cast<Bits>(bits_of(x) & ~(Bits{1} << (8 * sizeof(Bits) - 1))));
  for (;; --ea) {
    quotient <<= 1;
    if (a >= b) {
      a -= b;
      quotient |= 1;
    }
    if (ea == eb) break;
    a <<= 1;
  }
  return scale(static_cast<T>(a), eb);
}

template <class T>
inline T modulo(T x, T y, T sign_of) {
  if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0) return static_cast<T>(kNan);
  if (is_infinite(y)) return x;
  unsigned quotient;
  const T r = divide_exactly(x, y, quotient);
  return (bits_of(sign_of) >> (8 * sizeof(T) - 1)) != 0 ? -r : r;
}

/// The remainder to the nearest multiple (even on a tie), and three bits of the quotient with its sign.
template <class T>
inline T nearest_remainder(T x, T y, int* quotient_out) {
  *quotient_out = 0;
  if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0) return static_cast<T>(kNan);
  if (is_infinite(y)) return x;
  const T ay = y < 0 ? -y : y;
  unsigned quotient;
  T r = divide_exactly(x, y, quotient);
  // r > y / 2 without overflow or loss.
  const T other = ay - r;
  if (r > other || (r == other && (quotient & 1) != 0)) {
    r -= ay;
    ++quotient;
  }
  const bool x_negative = (bits_of(x) >> (8 * sizeof(T) - 1)) != 0, y_negative = y < 0;
  *quotient_out = static_cast<int>(quotient & 7) * (x_negative != y_negative ? -1 : 1);
  return x_negative ? -r : r;
}

template <class T>
inline T fraction_and_exponent(T x, int* exponent) {
  *exponent = 0;
  if (x == 0 || is_nan(x) || is_infinite(x)) return x;
  using F = Format<T>;
  using Bits = typename F::Bits;
  int scaled = 0;
  if ((bits_of(x) >> F::kFraction & (2 * F::kBias + 1)) == 0) {
    x *= static_cast<T>(Bits{1} << (F::kFraction + 1));
    scaled = F::kFraction + 1;
  }
  const Bits bits = bits_of(x), field = Bits{2 * F::kBias + 1} << F::kFraction;
  *exponent = static_cast<int>((bits & field) >> F::kFraction) - (F::kBias - 1) - scaled;
  return from_bits(static_cast<Bits>((bits & ~field) | Bits{F::kBias - 1} << F::kFraction));
}

template <class T>
inline int integer_exponent(T x) {
  if (x == 0) return -2147483647 - 1;
  if (is_nan(x)) return -2147483647 - 1;
  if (is_infinite(x)) return 2147483647;
  int exponent;
  fraction_and_exponent(x, &exponent);
  return exponent - 1;
}

template <class T>
inline T next_after(T x, T y) {
  using Bits = typename Format<T>::Bits;
  if (is_nan(x) || is_nan(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return y < 0 ? -from_bits(Bits{1}) : from_bits(Bits{1});
  const Bits bits = bits_of(x);
  return from_bits(static_cast<Bits>((x < y) == (x > 0) ? bits + 1 : bits - 1));
}

}  // namespace wharf_math

// The same functions in both precisions: `suffix` is the builtin's, `f` or nothing.
#define WHARF_BOTH(T, suffix)                                                                                                            \
  WHARF_DEVICE T __nv_fabs##suffix(T x) { return __builtin_fabs##suffix(x); }                                                            \
  WHARF_DEVICE T __nv_floor##suffix(T x) { return __builtin_floor##suffix(x); }                                                          \
  WHARF_DEVICE T __nv_ceil##suffix(T x) { return __builtin_ceil##suffix(x); }                                                            \
  WHARF_DEVICE T __nv_trunc##suffix(T x) { return __builtin_trunc##suffix(x); }                                                          \
  WHARF_DEVICE T __nv_rint##suffix(T x) { return __builtin_rint##suffix(x); }                                                            \
  WHARF_DEVICE T __nv_nearbyint##suffix(T x) { return __builtin_rint##suffix(x); }                                                       \
  WHARF_DEVICE T __nv_round##suffix(T x) {                                                                                               \
    const T whole = __builtin_trunc##suffix(x);                                                                                          \
    return __builtin_copysign##suffix(__builtin_fabs##suffix(x - whole) >= T(0.5) ? whole + __builtin_copysign##suffix(T(1), x) : whole, \
                                      x);                                                                                                \
  }                                                                                                                                      \
  WHARF_DEVICE T __nv_copysign##suffix(T x, T y) { return __builtin_copysign##suffix(x, y); }                                            \
  WHARF_DEVICE T __nv_fmax##suffix(T x, T y) { return __builtin_fmax##suffix(x, y); }                                                    \
  WHARF_DEVICE T __nv_fmin##suffix(T x, T y) { return __builtin_fmin##suffix(x, y); }                                                    \
  WHARF_DEVICE T __nv_fma##suffix(T x, T y, T z) { return __builtin_fma##suffix(x, y, z); }                                              \
  WHARF_DEVICE T __nv_fdim##suffix(T x, T y) { return x <= y ? T(0) : x - y; }                                                           \
  WHARF_DEVICE T __nv_fmod##suffix(T x, T y) { return wharf_math::modulo(x, y, x); }                                                     \
  WHARF_DEVICE T __nv_remquo##suffix(T x, T y, int* quotient) { return wharf_math::nearest_remainder(x, y, quotient); }                  \
  WHARF_DEVICE T __nv_remainder##suffix(T x, T y) {                                                                                      \
    int quotient;                                                                                                                        \
    return wharf_math::nearest_remainder(x, y, &quotient);                                                                               \
  }                                                                                                                                      \
  WHARF_DEVICE T __nv_frexp##suffix(T x, int* exponent) { return wharf_math::fraction_and_exponent(x, exponent); }                       \
  WHARF_DEVICE T __nv_ldexp##suffix(T x, int n) { return wharf_math::scale(x, n); }                                                      \
  WHARF_DEVICE T __nv_scalbn##suffix(T x, int n) { return wharf_math::scale(x, n); }                                                     \
  WHARF_DEVICE T __nv_modf##suffix(T x, T* whole) {                                                                                      \
    *whole = __builtin_trunc##suffix(x);                                                                                                 \
    return __builtin_copysign##suffix(wharf_math::is_infinite(x) ? T(0) : x - *whole, x);                                                \
  }                                                                                                                                      \
  WHARF_DEVICE int __nv_ilogb##suffix(T x) { return wharf_math::integer_exponent(x); }                                                   \
  WHARF_DEVICE T __nv_logb##suffix(T x) {                                                                                                \
    if (wharf_math::is_nan(x) || wharf_math::is_infinite(x)) return x * x;                                                               \
    return x == 0 ? -static_cast<T>(wharf_math::kInfinity) : static_cast<T>(wharf_math::integer_exponent(x));                            \
  }                                                                                                                                      \
  WHARF_DEVICE T __nv_nextafter##suffix(T x, T y) { return wharf_math::next_after(x, y); }
WHARF_BOTH(float, f)
WHARF_BOTH(double, )
#undef WHARF_BOTH

WHARF_DEVICE int __nv_isnanf(float x) { return wharf_math::is_nan(x); }
WHARF_DEVICE int __nv_isnand(double x) { return wharf_math::is_nan(x); }
WHARF_DEVICE int __nv_isinff(float x) { return wharf_math::is_infinite(x); }
WHARF_DEVICE int __nv_isinfd(double x) { return wharf_math::is_infinite(x); }
WHARF_DEVICE int __nv_finitef(float x) { return !wharf_math::is_infinite(x) && !wharf_math::is_nan(x); }
WHARF_DEVICE int __nv_isfinited(double x) { return !wharf_math::is_infinite(x) && !wharf_math::is_nan(x); }
WHARF_DEVICE int __nv_signbitf(float x) { return wharf_math::bits_of(x) >> 31 != 0; }
WHARF_DEVICE int __nv_signbitd(double x) { return wharf_math::bits_of(x) >> 63 != 0; }
WHARF_DEVICE float __nv_nanf(const signed char*) { return wharf_math::kNanF; }
WHARF_DEVICE double __nv_nan(const signed char*) { return wharf_math::kNan; }
