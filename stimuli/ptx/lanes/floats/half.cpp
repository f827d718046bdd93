// Floats of 16 bits. Sums, products and fused products are computed in double, where one rounding to 16 bits is the right one: a double holds
// all digits of a sum or product that can decide the rounding, and fused products are rounded to odd first.
#include "stimuli/ptx/lanes/floats/half.h"

#include <cmath>

#include "stimuli/half.h"
#include "stimuli/ptx/lanes/floats/approximate.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx {

double value_of(Half half) {
  const float value = float_of_half(half.bits);
  return value != value ? bit_cast<double>(kNan64) : static_cast<double>(value);
}

double value_of(Bfloat bfloat) {
  const auto value = bit_cast<float>(static_cast<std::uint32_t>(bfloat.bits) << 16);
  return value != value ? bit_cast<double>(kNan64) : static_cast<double>(value);
}

namespace {

/// Digits with the hidden one, the exponent of the last digit of subnormals, and infinity.
struct ShortFormat {
  int digits;
  int least;
  unsigned infinity;
};
template <class T>
constexpr ShortFormat kFormat = std::is_same_v<T, Half> ? ShortFormat{11, -24, 0x7C00} : ShortFormat{8, -133, 0x7F80};

template <class T>
T flushed_short(T value) {
  return (value.bits & kFormat<T>.infinity) == 0 ? T{static_cast<std::uint16_t>(value.bits & 0x8000)} : value;
}

}  // namespace

Half flushed(Half half) { return flushed_short(half); }
Bfloat flushed(Bfloat bfloat) { return flushed_short(bfloat); }

template <class T>
T rounded_to(double value, Rounding rounding) {
  constexpr ShortFormat kTo = kFormat<T>;
  if (value != value) return {0x7FFF};
  const bool negative = std::signbit(value);
  const auto with_sign = [negative](unsigned bits) { return T{static_cast<std::uint16_t>(bits | (negative ? 0x8000u : 0u))}; };
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return with_sign(kTo.infinity);
  if (magnitude == 0) return with_sign(0);
  int exponent = 0;
  std::frexp(magnitude, &exponent);                             // magnitude < 2^exponent
  const int unit = std::max(exponent - kTo.digits, kTo.least);  // of the last digit
  const double scaled = std::ldexp(magnitude, -unit);
  double digits = std::floor(scaled);
  const double rest = scaled - digits;
  const bool away = (rounding == Rounding::up && !negative) || (rounding == Rounding::down && negative);
  const bool odd = std::fmod(digits, 2.0) != 0;
  if (rounding == Rounding::nearest ? rest > 0.5 || (rest == 0.5 && odd) : away && rest > 0) digits += 1;
  // Digits and exponent are neighbours in the format, so that a carry out of the digits is one into the exponent.
  const unsigned bits = static_cast<unsigned>(digits) + (static_cast<unsigned>(unit - kTo.least) << (kTo.digits - 1));
  if (bits >= kTo.infinity) return with_sign(rounding == Rounding::nearest || away ? kTo.infinity : kTo.infinity - 1);
  return with_sign(bits);
}
template Half rounded_to<Half>(double, Rounding);
template Bfloat rounded_to<Bfloat>(double, Rounding);

namespace half {

namespace {

struct Add {
  static double of(double a, double b) { return a + b; }
};
struct Sub {
  static double of(double a, double b) { return a - b; }
};
struct Mul {
  static double of(double a, double b) { return a * b; }
};
struct Fma {
  /// The product is exact. A sum that is not gets an odd last digit, so that it is no tie for the second rounding.
  static double of(double a, double b, double c) {
    const double product = a * b, sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const double c_part = sum - product, error = (product - (sum - c_part)) + (c - c_part);
    if (error == 0 || (bit_cast<std::uint64_t>(sum) & 1) != 0) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  }
};
struct Exp2 {
  static double of(double a) { return approximate::exp2(static_cast<float>(a)); }
};
struct Tanh {
  static double of(double a) { return approximate::tanh(static_cast<float>(a)); }
};
template <bool Greater, bool Nan>
struct Extreme {
  static double of(double a, double b) {
    if (a != a || b != b) return Nan || (a != a && b != b) ? a + b : (a != a ? b : a);
    if (a == b) return std::signbit(a) == Greater ? b : a;
    return (a < b) == Greater ? b : a;
  }
};

template <class F, bool Ftz, bool Sat>
struct Finished {
  template <class T, class... S>
  static T of(T first, S... others) {
    double value = F::of(value_of(Ftz ? flushed(first) : first), value_of(Ftz ? flushed(others) : others)...);
    if (Sat) value = saturated(value);
    const T result = rounded_to<T>(value);
    return Ftz ? flushed(result) : result;
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return {static_cast<std::uint16_t>(a.bits ^ 0x8000)};
  }
};
struct Abs {
  template <class T>
  static T of(T a) {
    return {static_cast<std::uint16_t>(a.bits & 0x7FFF)};
  }
};
template <class F>
struct FlushedFirst {
  template <class T>
  static T of(T a) {
    return F::of(flushed(a));
  }
};

/// F for the low and the high half of each argument.
template <class F, class T>
struct Pair {
  template <class... S>
  static std::uint32_t of(S... sources) {
    const T low = F::of(T{static_cast<std::uint16_t>(sources)}...), high = F::of(T{static_cast<std::uint16_t>(sources >> 16)}...);
    return std::uint32_t{high.bits} << 16 | low.bits;
  }
};

template <class F, unsigned Sources>
Compute one_or_two(Type type) {
  if (type == Type::bf16) return same_type<F, Bfloat, Sources>();
  if (type == Type::bf16x2) return same_type<Pair<F, Bfloat>, std::uint32_t, Sources>();
  return type == Type::f16 ? same_type<F, Half, Sources>() : same_type<Pair<F, Half>, std::uint32_t, Sources>();
}
template <class F, unsigned Sources>
Compute arithmetic(const Form& form) {
  const bool sat = form.has("sat");
  if (form.has("ftz"))
    return sat ? one_or_two<Finished<F, true, true>, Sources>(form.type()) : one_or_two<Finished<F, true, false>, Sources>(form.type());
  return sat ? one_or_two<Finished<F, false, true>, Sources>(form.type()) : one_or_two<Finished<F, false, false>, Sources>(form.type());
}
template <bool Greater>
Compute extreme(const Form& form) {
  return form.has("NaN") ? arithmetic<Extreme<Greater, true>, 2>(form) : arithmetic<Extreme<Greater, false>, 2>(form);
}

}  // namespace

template <class T>
T sum(T a, T b) {
  return Finished<Add, false, false>::of(a, b);
}
template <class T>
T lesser(T a, T b) {
  return Finished<Extreme<false, false>, false, false>::of(a, b);
}
template <class T>
T greater(T a, T b) {
  return Finished<Extreme<true, false>, false, false>::of(a, b);
}
template Half sum<Half>(Half, Half);
template Half lesser<Half>(Half, Half);
template Half greater<Half>(Half, Half);
template Bfloat sum<Bfloat>(Bfloat, Bfloat);
template Bfloat lesser<Bfloat>(Bfloat, Bfloat);
template Bfloat greater<Bfloat>(Bfloat, Bfloat);

Compute add(const Form& form) { return arithmetic<Add, 2>(form); }
Compute sub(const Form& form) { return arithmetic<Sub, 2>(form); }
Compute mul(const Form& form) { return arithmetic<Mul, 2>(form); }
Compute fma(const Form& form) { return arithmetic<Fma, 3>(form); }
Compute neg(const Form& form) { return form.has("ftz") ? one_or_two<FlushedFirst<Neg>, 1>(form.type()) : one_or_two<Neg, 1>(form.type()); }
Compute abs(const Form& form) { return form.has("ftz") ? one_or_two<FlushedFirst<Abs>, 1>(form.type()) : one_or_two<Abs, 1>(form.type()); }
Compute min(const Form& form) { return extreme<false>(form); }
Compute max(const Form& form) { return extreme<true>(form); }

Compute ex2(const Form& form) { return arithmetic<Exp2, 1>(form); }
Compute tanh(const Form& form) { return arithmetic<Tanh, 1>(form); }

}  // namespace half
}  // namespace wharf::ptx
