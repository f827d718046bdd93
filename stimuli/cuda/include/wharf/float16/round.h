#pragma once
// What conversions to and from half and bfloat16 share: rounding on the host, and integers of 64 bits.

#include <limits>
#include <type_traits>

/// The bits of `value` in a float of 16 bits with `digits` explicit bits of mantissa (10: half, 7: bfloat16), rounded once. `direction`: 'n' to
/// nearest even, 'z' toward zero, 'd' down, 'u' up. NaN becomes 0x7fff.
static __inline__ __host__ unsigned short wharf_round_to_float16(double value, int digits, char direction) {
  unsigned long long magnitude;
  memcpy(&magnitude, &value, sizeof magnitude);
  const bool negative = magnitude >> 63 != 0;
  magnitude &= ~0ull >> 1;
  const unsigned sign = negative ? 0x8000 : 0, infinity = 0x7fffu >> digits << digits;
  if (magnitude > 0x7ffull << 52) return 0x7fff;
  if (magnitude == 0x7ffull << 52) return static_cast<unsigned short>(sign | infinity);
  if (magnitude == 0) return static_cast<unsigned short>(sign);
  // Subnormal results keep fewer bits than normal ones, down to none.
  const int bias = static_cast<int>(infinity >> (digits + 1)), exponent = static_cast<int>(magnitude >> 52) - 1023 + bias;
  const unsigned long long hidden = 1ull << 52;
  const unsigned long long mantissa =
      exponent > 0 ? magnitude - (static_cast<unsigned long long>(1023 - bias) << 52) : (magnitude & (hidden - 1)) | hidden;
  int shift = exponent > 0 ? 52 - digits : 53 - digits - exponent;
  if (shift > 54) shift = 54;
  const unsigned long long kept = mantissa >> shift, rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
  const bool outward = direction == 'n' || (direction == 'u' && !negative) || (direction == 'd' && negative);
  const bool increments = direction == 'n' ? rest > half || (rest == half && (kept & 1) != 0) : outward && rest != 0;
  if (kept >= infinity) return static_cast<unsigned short>(sign | (outward ? infinity : infinity - 1));
  return static_cast<unsigned short>(sign | (static_cast<unsigned>(kept) + increments));
}

/// The integer of an integral value, clamped to the range of T. NaN becomes 0, as in PTX (CU-41).
template <class T>
static __inline__ __host__ T wharf_integer(double value) {
  if (value != value) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : 0;
  if (value >= ldexp(1.0, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
  return value <= static_cast<double>(std::numeric_limits<T>::min()) ? std::numeric_limits<T>::min() : static_cast<T>(value);
}

/// A double that rounds to every shorter float as `value` does: the last bit of its mantissa is 1 where bits were dropped.
static __inline__ __host__ __device__ double wharf_round_to_odd(unsigned long long value) {
  if (value >> 53 == 0) return static_cast<double>(value);
  return static_cast<double>(value >> 11 | ((value & 0x7ff) != 0 ? 1 : 0)) * 2048.0;
}
static __inline__ __host__ __device__ double wharf_round_to_odd(long long value) {
  return value < 0 ? -wharf_round_to_odd(0 - static_cast<unsigned long long>(value))
                   : wharf_round_to_odd(static_cast<unsigned long long>(value));
}
