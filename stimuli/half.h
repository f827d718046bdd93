#pragma once
// IEEE 754 binary16: conversion from and to float.

#include <cstdint>
#include <cstring>

namespace wharf {

/// The exact value of a half. NaNs keep sign and payload.
inline float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16, digits = std::uint32_t{half & 0x7FFFu} << 13;
  float magnitude;
  std::memcpy(&magnitude, &digits, sizeof magnitude);
  magnitude *= 0x1p112f;  // the difference of the biases, 127 - 15; exact for subnormals too
  std::uint32_t bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  bits = ((half & 0x7C00u) == 0x7C00u ? 0x7F800000u | digits : bits) | sign;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to the nearest half, ties to even; from 65520 on to infinity. NaN becomes 0x7fff, as in PTX.
inline std::uint16_t half_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  bits &= 0x7FFFFFFFu;
  if (bits > 0x7F800000u) return 0x7FFF;
  if (bits >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (bits < 0x38800000u) {  // a subnormal half: this sum has its last digit at 2^-24, and is rounded there
    float sum;
    std::memcpy(&sum, &bits, sizeof sum);
    sum += 0.5f;
    std::memcpy(&bits, &sum, sizeof bits);
    return static_cast<std::uint16_t>(sign | (bits - 0x3F000000u));
  }
  bits += 0xFFFu + (bits >> 13 & 1u) - (112u << 23);
  return static_cast<std::uint16_t>(sign | bits >> 13);
}

}  // namespace wharf
