#pragma once
// Conversions between floats of 8 bits and others. From sm_89 on the device has instructions for all but overflows that do not saturate.

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#define WHARF_BOTH static __inline__ __host__ __device__

/// Rounds the bits of a double to nearest even. NaN becomes 0x7f. Without saturation an overflow is 0x7f of e4m3, which has no infinity, or
/// the infinity of e5m2.
WHARF_BOTH unsigned wharf_float8_of(unsigned long long value, __nv_saturation_t saturation, __nv_fp8_interpretation_t interpretation) {
  const int digits = interpretation == __NV_E4M3 ? 3 : 2, least = interpretation == __NV_E4M3 ? -6 : -14;  // explicit ones; least exponent
  const unsigned largest = interpretation == __NV_E4M3 ? 0x7e : 0x7b, beyond = interpretation == __NV_E4M3 ? 0x7f : 0x7c;
  const unsigned sign = value >> 63 != 0 ? 0x80 : 0;
  const int exponent = static_cast<int>(value >> 52 & 0x7ff) - 1023;
  const unsigned long long fraction = value & 0xfffffffffffffull;
  if (exponent == 1024 && fraction != 0) return 0x7f;
  const int missing = exponent < least ? least - exponent : 0;  // digits that a subnormal lacks
  if (missing > digits + 1) return sign;
  unsigned bits = beyond;
  if (exponent < 16) {
    const unsigned long long all = fraction | 1ull << 52;
    const int dropped = 52 - digits + missing;
    const unsigned long long rest = all & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    bits = static_cast<unsigned>(all >> dropped) + (missing == 0 ? static_cast<unsigned>(exponent - least) << digits : 0);
    if (rest > half || (rest == half && (bits & 1) != 0)) ++bits;
  }
  if (bits > largest) bits = saturation == __NV_SATFINITE ? largest : beyond;
  return sign | bits;
}
/// The half of that value.
WHARF_BOTH unsigned short wharf_half_of_float8(unsigned bits, __nv_fp8_interpretation_t interpretation) {
  if (interpretation == __NV_E5M2) return static_cast<unsigned short>((bits & 0x7f) > 0x7c ? 0x7fff : bits << 8);
  const unsigned sign = (bits & 0x80) << 8, magnitude = bits & 0x7f;
  if (magnitude == 0x7f) return 0x7fff;
  if (magnitude >= 8) return static_cast<unsigned short>(sign | ((magnitude << 7) + (8 << 10)));  // exponents 7 and 15 are 0
  // Multiples of 2^-9 up to 7, which are normal halves.
  unsigned digits = magnitude << 7, exponent = 9;
  while (digits != 0 && (digits & 0x400) == 0) digits <<= 1, --exponent;
  return static_cast<unsigned short>(sign | (digits == 0 ? 0 : exponent << 10 | (digits & 0x3ff)));
}

WHARF_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation, __nv_fp8_interpretation_t interpretation) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return static_cast<__nv_fp8_storage_t>(wharf_float8_of(bits, saturation, interpretation));
}
WHARF_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 values, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t interpretation) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(values.x, saturation, interpretation) |
                                           __nv_cvt_double_to_fp8(values.y, saturation, interpretation) << 8);
}
WHARF_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 values, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t interpretation) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  unsigned short pair;
  if (saturation == __NV_SATFINITE && interpretation == __NV_E4M3) {
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(values.y), "f"(values.x));
    return pair;
  }
  if (saturation == __NV_SATFINITE) {
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(values.y), "f"(values.x));
    return pair;
  }
#endif
  return __nv_cvt_double2_to_fp8x2(make_double2(static_cast<double>(values.x), static_cast<double>(values.y)), saturation, interpretation);
}
WHARF_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation, __nv_fp8_interpretation_t interpretation) {
  return static_cast<__nv_fp8_storage_t>(__nv_cvt_float2_to_fp8x2(make_float2(value, 0), saturation, interpretation));
}
WHARF_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__half2float(value), saturation, interpretation);
}
WHARF_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw values, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t interpretation) {
  const float2 floats = make_float2(__half2float(__half_raw{values.x}), __half2float(__half_raw{values.y}));
  return __nv_cvt_float2_to_fp8x2(floats, saturation, interpretation);
}
WHARF_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__bfloat162float(value), saturation, interpretation);
}
WHARF_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw values, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t interpretation) {
  const float2 floats = make_float2(__bfloat162float(__nv_bfloat16_raw{values.x}), __bfloat162float(__nv_bfloat16_raw{values.y}));
  return __nv_cvt_float2_to_fp8x2(floats, saturation, interpretation);
}

WHARF_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t pair, __nv_fp8_interpretation_t interpretation) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  unsigned halves;
  if (interpretation == __NV_E4M3)
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(pair));
  else
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(pair));
  return {static_cast<unsigned short>(halves), static_cast<unsigned short>(halves >> 16)};
#else
  return {wharf_half_of_float8(pair & 0xff, interpretation), wharf_half_of_float8(pair >> 8, interpretation)};
#endif
}
WHARF_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t interpretation) {
  return {__nv_cvt_fp8x2_to_halfraw2(bits, interpretation).x};
}

#undef WHARF_BOTH
