// IEEE halves. Sums, products and fused products of halves are computed in double, where one rounding to a half is the right one: a double
// holds the exact sum or product, and all digits of a fused one that can decide the rounding.
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

Half half_of(double value, Rounding rounding) {
  if (value != value) return {0x7FFF};
  const bool negative = std::signbit(value);
  const auto with_sign = [negative](unsigned bits) { return Half{static_cast<std::uint16_t>(bits | (negative ? 0x8000u : 0u))}; };
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return with_sign(0x7C00);
  if (magnitude == 0) return with_sign(0);
  int exponent = 0;
  std::frexp(magnitude, &exponent);               // magnitude < 2^exponent
  const int unit = std::max(exponent - 11, -24);  // of the last digit
  const double scaled = std::ldexp(magnitude, -unit);
  double digits = std::floor(scaled);
  const double rest = scaled - digits;
  const bool away = (rounding == Rounding::up && !negative) || (rounding == Rounding::down && negative);
  const bool odd = std::fmod(digits, 2.0) != 0;
  if (rounding == Rounding::nearest ? rest > 0.5 || (rest == 0.5 && odd) : away && rest > 0) digits += 1;
  // Digits and exponent are neighbours in the format, so that a carry out of the digits is one into the exponent.
  const unsigned bits = static_cast<unsigned>(digits) + (unit > -24 ? static_cast<unsigned>(unit + 24) * 0x400u : 0u);
  if (bits >= 0x7C00) return with_sign(rounding == Rounding::nearest || away ? 0x7C00 : 0x7BFF);
  return with_sign(bits);
}

namespace half {

namespace {

inline Half flushed(Half half) { return (half.bits & 0x7C00) == 0 ? Half{static_cast<std::uint16_t>(half.bits & 0x8000)} : half; }

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
  static double of(double a, double b, double c) { return std::fma(a, b, c); }
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
  template <class... S>
  static Half of(S... sources) {
    double value = F::of(value_of(Ftz ? flushed(sources) : sources)...);
    if (Sat) value = saturated(value);
    const Half result = half_of(value);
    return Ftz ? flushed(result) : result;
  }
};
struct Neg {
  static Half of(Half a) { return {static_cast<std::uint16_t>(a.bits ^ 0x8000)}; }
};
struct Abs {
  static Half of(Half a) { return {static_cast<std::uint16_t>(a.bits & 0x7FFF)}; }
};
template <class F>
struct FlushedFirst {
  static Half of(Half a) { return F::of(flushed(a)); }
};

/// F for the low and the high half of each argument.
template <class F>
struct Pair {
  template <class... S>
  static std::uint32_t of(S... sources) {
    const Half low = F::of(Half{static_cast<std::uint16_t>(sources)}...), high = F::of(Half{static_cast<std::uint16_t>(sources >> 16)}...);
    return std::uint32_t{high.bits} << 16 | low.bits;
  }
};

template <class F, unsigned Sources>
Compute one_or_two(Type type) {
  return type == Type::f16 ? same_type<F, Half, Sources>() : same_type<Pair<F>, std::uint32_t, Sources>();
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

Half sum(Half a, Half b) { return Finished<Add, false, false>::of(a, b); }
Half lesser(Half a, Half b) { return Finished<Extreme<false, false>, false, false>::of(a, b); }
Half greater(Half a, Half b) { return Finished<Extreme<true, false>, false, false>::of(a, b); }

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
