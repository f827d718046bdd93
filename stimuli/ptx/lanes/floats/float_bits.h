#pragma once
// Bits of floats: canonical NaNs, flushing of subnormals, saturation.

#include <cmath>
#include <cstdint>
#include <cstring>

namespace wharf::ptx {

template <class To, class From>
inline To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline constexpr std::uint32_t kNan32 = 0x7FFFFFFFu;            // the NaN that arithmetic on f32 gives (CU-39)
inline constexpr std::uint64_t kNan64 = 0xFFF8000000000000ull;  // and on f64
inline constexpr std::uint32_t kSign32 = 0x80000000u;
inline constexpr std::uint64_t kSign64 = 0x8000000000000000ull;

inline float canonical(float value) { return value != value ? bit_cast<float>(kNan32) : value; }
inline double canonical(double value) { return value != value ? bit_cast<double>(kNan64) : value; }

/// Subnormals become zeros of their sign.
inline float flushed(float value) {
  const auto bits = bit_cast<std::uint32_t>(value);
  return bit_cast<float>((bits & 0x7F800000u) == 0 ? bits & kSign32 : bits);
}
inline double flushed(double value) {
  const auto bits = bit_cast<std::uint64_t>(value);
  return bit_cast<double>((bits & 0x7FF0000000000000ull) == 0 ? bits & kSign64 : bits);
}

/// Clamps to [0, 1]; NaN becomes +0.
template <class T>
inline T saturated(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

}  // namespace wharf::ptx
