#include "stimuli/ptx/lanes/floats/byte_float.h"

#include <algorithm>
#include <cmath>

#include "stimuli/half.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/floats/half.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx::byte_float {

namespace {

constexpr std::uint8_t kNan = 0x7F, kSign = 0x80;

/// Digits with the hidden one, the exponent of the last digit of subnormals, and the bits of the largest value.
struct ByteFormat {
  int digits, least;
  std::uint8_t largest;
};
constexpr ByteFormat format_of(Type type) { return type == Type::e4m3 ? ByteFormat{4, -9, 0x7E} : ByteFormat{3, -16, 0x7B}; }

constexpr Type part_of(Type pair) { return pair == Type::e4m3x2 ? Type::e4m3 : Type::e5m2; }

/// With `Relu` negative values become +0.
template <Type Part, bool Relu>
std::uint32_t pair_of(double high, double low) {
  const auto part = [](double value) { return rounded_to(Part, Relu && value < 0 ? 0 : value); };
  return std::uint32_t{part(high)} << 8 | part(low);
}
template <Type Part, bool Relu>
struct Pack {
  static std::uint16_t of(float high, float low) {
    return static_cast<std::uint16_t>(pair_of<Part, Relu>(static_cast<double>(high), static_cast<double>(low)));
  }
};
template <Type Part, bool Relu>
struct Narrow {
  static std::uint16_t of(std::uint32_t halves) {
    const auto half = [](std::uint32_t bits) { return ptx::value_of(Half{static_cast<std::uint16_t>(bits)}); };
    return static_cast<std::uint16_t>(pair_of<Part, Relu>(half(halves >> 16), half(halves)));
  }
};
template <Type Part, bool Relu>
struct Widen {
  static std::uint32_t of(std::uint16_t pair) {
    return half(static_cast<std::uint8_t>(pair >> 8)) << 16 | half(static_cast<std::uint8_t>(pair));
  }

 private:
  static std::uint32_t half(std::uint8_t bits) {
    const double value = byte_float::value_of(Part, bits);
    return half_of(Relu && value < 0 ? 0 : value).bits;
  }
};

/// The loop for the type of the bytes and for .relu.
template <template <Type, bool> class F, class D, class... S>
Compute chosen(Type pair, const Form& form) {
  if (part_of(pair) == Type::e4m3)
    return form.has("relu") ? &map_lanes<F<Type::e4m3, true>, D, S...> : &map_lanes<F<Type::e4m3, false>, D, S...>;
  return form.has("relu") ? &map_lanes<F<Type::e5m2, true>, D, S...> : &map_lanes<F<Type::e5m2, false>, D, S...>;
}

}  // namespace

double value_of(Type type, std::uint8_t bits) {
  if (type == Type::e5m2) return ptx::value_of(Half{static_cast<std::uint16_t>(bits << 8)});
  if ((bits & kNan) == kNan) return bit_cast<double>(kNan64);
  const int exponent = bits >> 3 & 15, fraction = bits & 7;
  const double value = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
  return (bits & kSign) != 0 ? -value : value;
}

std::uint8_t rounded_to(Type type, double value) {
  if (value != value) return kNan;
  const ByteFormat to = format_of(type);
  const double magnitude = std::min(std::fabs(value), byte_float::value_of(type, to.largest));
  int exponent = 0;
  std::frexp(magnitude, &exponent);                           // magnitude < 2^exponent
  const int unit = std::max(exponent - to.digits, to.least);  // of the last digit
  const double scaled = std::ldexp(magnitude, -unit);
  double digits = std::floor(scaled);
  const double rest = scaled - digits;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(digits, 2.0) != 0)) digits += 1;
  // A carry out of the digits is one into the exponent. Zero has unit `least`.
  const int bits = magnitude == 0 ? 0 : static_cast<int>(digits) + ((unit - to.least) << (to.digits - 1));
  return static_cast<std::uint8_t>(bits | (std::signbit(value) ? kSign : 0));
}

Compute pack(const Form& form) { return chosen<Pack, std::uint16_t, float, float>(form.type(0), form); }
Compute narrow(const Form& form) { return chosen<Narrow, std::uint16_t, std::uint32_t>(form.type(0), form); }
Compute widen(const Form& form) { return chosen<Widen, std::uint32_t, std::uint16_t>(form.type(1), form); }

}  // namespace wharf::ptx::byte_float
