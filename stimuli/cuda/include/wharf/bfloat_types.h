#pragma once
// The types of bfloat16, the upper half of a float, and their conversions. The host converts by integer operations, the device by one
// instruction.

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

/// The bits of `value` in bfloat16, rounded to nearest even.
static __inline__ __host__ unsigned short wharf_bfloat_bits(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#if defined(__CUDA__)
static __inline__ __device__ unsigned short wharf_bfloat_bits(float value) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#endif
static __inline__ __host__ __device__ float wharf_bfloat_value(unsigned short bits) {
  const unsigned word = static_cast<unsigned>(bits) << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  __host__ __device__ __nv_bfloat16(float value) : bits(wharf_bfloat_bits(value)) {}
  __host__ __device__ __nv_bfloat16(double value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(long long value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ operator float() const { return wharf_bfloat_value(bits); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {bits}; }

  unsigned short bits;
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define WHARF_BFLOAT static __inline__ __host__ __device__
WHARF_BFLOAT __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
WHARF_BFLOAT __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
WHARF_BFLOAT __nv_bfloat16 __double2bfloat16(double value) { return __nv_bfloat16(value); }
WHARF_BFLOAT float __bfloat162float(__nv_bfloat16 value) { return wharf_bfloat_value(value.bits); }
WHARF_BFLOAT __nv_bfloat162 __float2bfloat162_rn(float value) { return {__nv_bfloat16(value), __nv_bfloat16(value)}; }
WHARF_BFLOAT __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {__nv_bfloat16(low), __nv_bfloat16(high)}; }
WHARF_BFLOAT __nv_bfloat162 __float22bfloat162_rn(float2 values) { return {__nv_bfloat16(values.x), __nv_bfloat16(values.y)}; }
WHARF_BFLOAT float2 __bfloat1622float2(__nv_bfloat162 values) {
  return make_float2(__bfloat162float(values.x), __bfloat162float(values.y));
}
WHARF_BFLOAT float __low2float(__nv_bfloat162 values) { return __bfloat162float(values.x); }
WHARF_BFLOAT float __high2float(__nv_bfloat162 values) { return __bfloat162float(values.y); }
WHARF_BFLOAT __nv_bfloat16 __low2bfloat16(__nv_bfloat162 values) { return values.x; }
WHARF_BFLOAT __nv_bfloat16 __high2bfloat16(__nv_bfloat162 values) { return values.y; }
WHARF_BFLOAT __nv_bfloat162 __low2bfloat162(__nv_bfloat162 values) { return {values.x, values.x}; }
WHARF_BFLOAT __nv_bfloat162 __high2bfloat162(__nv_bfloat162 values) { return {values.y, values.y}; }
WHARF_BFLOAT __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 values) { return {values.y, values.x}; }
WHARF_BFLOAT __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
WHARF_BFLOAT __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }
WHARF_BFLOAT __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) { return {value, value}; }
WHARF_BFLOAT __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
WHARF_BFLOAT __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
WHARF_BFLOAT __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
WHARF_BFLOAT __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16_raw{static_cast<unsigned short>(bits)}; }
WHARF_BFLOAT unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
WHARF_BFLOAT short __bfloat16_as_short(__nv_bfloat16 value) { return static_cast<short>(value.bits); }
WHARF_BFLOAT __nv_bfloat16 __int2bfloat16_rn(int value) { return __nv_bfloat16(value); }
WHARF_BFLOAT __nv_bfloat16 __uint2bfloat16_rn(unsigned value) { return __nv_bfloat16(value); }
WHARF_BFLOAT __nv_bfloat16 __short2bfloat16_rn(short value) { return __nv_bfloat16(value); }
WHARF_BFLOAT int __bfloat162int_rn(__nv_bfloat16 value) { return static_cast<int>(rintf(__bfloat162float(value))); }
WHARF_BFLOAT int __bfloat162int_rz(__nv_bfloat16 value) { return static_cast<int>(__bfloat162float(value)); }
#undef WHARF_BFLOAT
