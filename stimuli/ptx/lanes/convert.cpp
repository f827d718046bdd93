// Conversions on lanes. Every pair of types has one loop per rounding that it can have; the host's own conversions are used only where they are defined.
#include "stimuli/ptx/lanes/convert.h"

#include <algorithm>
#include <cfenv>
#include <limits>

#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/floats/half.h"
#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::convert {

namespace {

template <class T>
inline constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, double> || kIsShortFloat<T>;

template <class T>
inline double as_double(T value) {
  if constexpr (kIsShortFloat<T>)
    return value_of(value);
  else
    return static_cast<double>(value);
}

/// Rounds to an integral value, keeping the sign of zero.
template <Rounding Mode>
inline double integral(double value) {
  switch (Mode) {
    case Rounding::nearest: {
      const double lower = std::floor(value), rest = value - lower;
      const double rounded = rest < 0.5 || (rest == 0.5 && std::fmod(lower, 2.0) == 0) ? lower : lower + 1;
      return std::copysign(rounded, value);
    }
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
  }
  return value;
}

/// Clamps the value of an S to the range of D. NaN becomes 0, or the highest bit alone where either has 64 bits (PTX ISA, cvt).
template <class D, class S>
inline D clamped(double value) {
  constexpr bool kIsLong = std::is_same_v<S, double> || sizeof(D) == 8;
  if (value != value) return kIsLong ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  // 2^63 and 2^64 are exact doubles, where the largest integers are not.
  const double above = std::ldexp(1.0, std::numeric_limits<D>::digits);
  if (value >= above) return std::numeric_limits<D>::max();
  if (value <= static_cast<double>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(value);
}

template <class D, class S, bool Sat>
inline D integer_to_integer(S value) {
  if constexpr (Sat) {
    if constexpr (std::is_signed_v<S>) {
      if (value < 0 && !std::is_signed_v<D>) return 0;
      if constexpr (std::is_signed_v<D>)
        return static_cast<D>(std::clamp<std::int64_t>(value, std::numeric_limits<D>::min(), std::numeric_limits<D>::max()));
    }
    return static_cast<D>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(std::numeric_limits<D>::max())));
  } else {
    return static_cast<D>(value);
  }
}

/// One conversion. `ToIntegral` rounds to an integral value first; Mode is the direction of that, or of the conversion itself.
template <class D, class S, Rounding Mode, bool ToIntegral, bool Ftz, bool Sat>
struct Convert {
  static D of(S value) {
    if constexpr (!kIsFloat<D> && !kIsFloat<S>) {
      return integer_to_integer<D, S, Sat>(value);
    } else if constexpr (!kIsFloat<D>) {
      if constexpr (std::is_same_v<S, float>) {
        if (Ftz) value = flushed(value);
      }
      return clamped<D, S>(integral<Mode>(as_double(value)));
    } else if constexpr (kIsShortFloat<D>) {
      return to_short(value);
    } else {
      return to_float(value);
    }
  }

 private:
  static D to_short(S value) {
    if constexpr (std::is_integral_v<S>) {
      // Beyond 2^53 every integer is an infinity as a half, so that rounding to double first changes nothing. bf16 takes none of 64 bits.
      const auto wide = static_cast<double>(value);
      return rounded_to<D>(Sat ? saturated(wide) : wide, Mode);
    } else {
      if constexpr (Ftz && std::is_same_v<S, float>) value = flushed(value);
      double wide = as_double(value);
      if (ToIntegral) wide = integral<Mode>(wide);
      if (Sat) wide = saturated(wide);
      return rounded_to<D>(wide, Mode);
    }
  }
  static D to_float(S value) {
    if constexpr (std::is_integral_v<S>) {
      const D result = static_cast<D>(value);  // in the rounding mode that is set
      return Sat ? saturated(result) : result;
    } else {
      if constexpr (Ftz && std::is_same_v<S, float>) value = flushed(value);
      D result;
      if constexpr (kIsShortFloat<S>)
        result = static_cast<D>(value_of(value));
      else
        result = static_cast<D>(value);
      if (ToIntegral && result == result) result = static_cast<D>(integral<Mode>(static_cast<double>(result)));
      if constexpr (Ftz && std::is_same_v<D, float>) result = flushed(result);
      return Sat ? saturated(result) : canonical(result);
    }
  }
};

/// Needs the host's rounding mode: results of float type that the host rounds.
template <class D, class S, Rounding Mode, bool ToIntegral>
inline constexpr bool kRoundsOnHost = (std::is_same_v<D, float> || std::is_same_v<D, double>)&&!ToIntegral && Mode != Rounding::nearest;

constexpr int host_mode(Rounding mode) {
  return mode == Rounding::zero ? FE_TOWARDZERO : mode == Rounding::down ? FE_DOWNWARD : mode == Rounding::up ? FE_UPWARD : FE_TONEAREST;
}

template <class D, class S, Rounding Mode, bool ToIntegral, bool Ftz, bool Sat>
void convert_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  using F = Convert<D, S, Mode, ToIntegral, Ftz, Sat>;
  if constexpr (kRoundsOnHost<D, S, Mode, ToIntegral>) {
    const int before = std::fegetround();
    std::fesetround(host_mode(Mode));
    map_lanes<F, D, S>(operation, rows, active);
    std::fesetround(before);
  } else {
    map_lanes<F, D, S>(operation, rows, active);
  }
}

template <class D, class S, Rounding Mode, bool ToIntegral>
Compute with_flags(const Form& form) {
  // An integer of a float is clamped with and without sat.
  const bool sat = form.has("sat") && (kIsFloat<D> || !kIsFloat<S>);
  if constexpr (std::is_same_v<S, float> || (std::is_same_v<S, double> && std::is_same_v<D, float>)) {
    if (form.has("ftz")) {
      if constexpr (kIsFloat<D>)
        if (sat) return &convert_lanes<D, S, Mode, ToIntegral, true, true>;
      return &convert_lanes<D, S, Mode, ToIntegral, true, false>;
    }
  }
  if constexpr (kIsFloat<D> || !kIsFloat<S>)
    if (sat) return &convert_lanes<D, S, Mode, ToIntegral, false, true>;
  return &convert_lanes<D, S, Mode, ToIntegral, false, false>;
}

/// Only the loops that a row of the table can reach: floats become integers, or values of their own type, with RNDI (rni, rzi, ...);
/// conversions to a float that may be inexact have RND (rn, rz, ...).
template <class D, class S>
Compute with_rounding(const Form& form) {
  if constexpr (kIsFloat<S> && (!kIsFloat<D> || std::is_same_v<D, S>)) {
    if (form.has("rni")) return with_flags<D, S, Rounding::nearest, true>(form);
    if (form.has("rzi")) return with_flags<D, S, Rounding::zero, true>(form);
    if (form.has("rmi")) return with_flags<D, S, Rounding::down, true>(form);
    if (form.has("rpi")) return with_flags<D, S, Rounding::up, true>(form);
  } else if constexpr (kIsFloat<D> && (!kIsFloat<S> || sizeof(D) < sizeof(S))) {
    if (form.has("rz")) return with_flags<D, S, Rounding::zero, false>(form);
    if (form.has("rm")) return with_flags<D, S, Rounding::down, false>(form);
    if (form.has("rp")) return with_flags<D, S, Rounding::up, false>(form);
  }
  if constexpr (kIsFloat<S> && !kIsFloat<D>)
    return nullptr;
  else
    return with_flags<D, S, Rounding::nearest, false>(form);
}

template <class D>
Compute from(const Form& form) {
  switch (form.type(1)) {
    case Type::u8:
      return with_rounding<D, std::uint8_t>(form);
    case Type::s8:
      return with_rounding<D, std::int8_t>(form);
    case Type::u16:
      return with_rounding<D, std::uint16_t>(form);
    case Type::s16:
      return with_rounding<D, std::int16_t>(form);
    case Type::u32:
      return with_rounding<D, std::uint32_t>(form);
    case Type::s32:
      return with_rounding<D, std::int32_t>(form);
    case Type::u64:
      return with_rounding<D, std::uint64_t>(form);
    case Type::s64:
      return with_rounding<D, std::int64_t>(form);
    case Type::f16:
      return with_rounding<D, Half>(form);
    case Type::bf16:
      if constexpr (!kIsShortFloat<D>) return with_rounding<D, Bfloat>(form);
      return nullptr;
    case Type::f32:
      return with_rounding<D, float>(form);
    case Type::f64:
      return with_rounding<D, double>(form);
    default:
      return nullptr;
  }
}

/// The low bits of a 64-bit source, as an S.
template <class D, class S>
struct FromLowBits {
  static D of(std::uint64_t value) { return static_cast<D>(static_cast<S>(value)); }
};
template <class D>
Compute from_low_bits(Type type) {
  switch (type) {
    case Type::u8:
      return &map_lanes<FromLowBits<D, std::uint8_t>, D, std::uint64_t>;
    case Type::s8:
      return &map_lanes<FromLowBits<D, std::int8_t>, D, std::uint64_t>;
    case Type::u16:
      return &map_lanes<FromLowBits<D, std::uint16_t>, D, std::uint64_t>;
    case Type::s16:
      return &map_lanes<FromLowBits<D, std::int16_t>, D, std::uint64_t>;
    case Type::u32:
      return &map_lanes<FromLowBits<D, std::uint32_t>, D, std::uint64_t>;
    case Type::s32:
      return &map_lanes<FromLowBits<D, std::int32_t>, D, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <class T, Rounding Mode>
struct Pack {
  static std::uint32_t of(float a, float b) {
    return std::uint32_t{rounded_to<T>(static_cast<double>(a), Mode).bits} << 16 | rounded_to<T>(static_cast<double>(b), Mode).bits;
  }
};
template <class T>
Compute pack(const Form& form) {
  return form.has("rz") ? &map_lanes<Pack<T, Rounding::zero>, std::uint32_t, float, float>
                        : &map_lanes<Pack<T, Rounding::nearest>, std::uint32_t, float, float>;
}

/// To the nearest f32 of 10 explicit digits; ties go away from zero.
struct ToTf32 {
  static std::uint32_t of(float value) {
    constexpr std::uint32_t kDropped = 0x1FFF, kHalf = 0x1000;
    if (value != value) return kNan32;
    return (bit_cast<std::uint32_t>(value) + (std::isinf(value) ? 0 : kHalf)) & ~kDropped;
  }
};

}  // namespace

Compute cvt(const Form& form) {
  switch (form.type(0)) {
    case Type::u8:
      return from<std::uint8_t>(form);
    case Type::s8:
      return from<std::int8_t>(form);
    case Type::u16:
      return from<std::uint16_t>(form);
    case Type::s16:
      return from<std::int16_t>(form);
    case Type::u32:
      return from<std::uint32_t>(form);
    case Type::s32:
      return from<std::int32_t>(form);
    case Type::u64:
      return from<std::uint64_t>(form);
    case Type::s64:
      return from<std::int64_t>(form);
    case Type::f16:
      return from<Half>(form);
    case Type::bf16:
      return from<Bfloat>(form);
    case Type::tf32:
      return &map_lanes<ToTf32, std::uint32_t, float>;
    case Type::f32:
      return from<float>(form);
    case Type::f64:
      return from<double>(form);
    default:
      return nullptr;
  }
}

Compute cvt_of_wide(const Form& form) {
  if (form.has("sat")) return nullptr;
  switch (form.type(0)) {
    case Type::u16:
      return from_low_bits<std::uint16_t>(form.type(1));
    case Type::s16:
      return from_low_bits<std::int16_t>(form.type(1));
    case Type::u32:
      return from_low_bits<std::uint32_t>(form.type(1));
    case Type::s32:
      return from_low_bits<std::int32_t>(form.type(1));
    case Type::u64:
      return from_low_bits<std::uint64_t>(form.type(1));
    case Type::s64:
      return from_low_bits<std::int64_t>(form.type(1));
    default:
      return nullptr;
  }
}

Compute cvt_pair(const Form& form) { return form.type() == Type::bf16x2 ? pack<Bfloat>(form) : pack<Half>(form); }

}  // namespace wharf::ptx::convert
