#pragma once
// The types of half precision and their conversions. The host converts by integer operations, the device by one instruction.

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

/// The bits of `value` in half precision, rounded to nearest even.
static __inline__ __host__ unsigned short wharf_half_bits(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  const unsigned sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);  // rounds to infinity
  // Normal numbers keep 10 bits of the mantissa; subnormal ones fewer, down to none below 2^-25.
  const int exponent = static_cast<int>(magnitude >> 23);
  const unsigned mantissa = exponent >= 113 ? magnitude - (112u << 23) : (magnitude & 0x7fffff) | 0x800000;
  const int shift = exponent >= 113 ? 13 : 126 - exponent;
  if (shift > 24) return static_cast<unsigned short>(sign);
  const unsigned kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  return static_cast<unsigned short>(sign | (kept + (rest > half || (rest == half && (kept & 1) != 0))));
}
static __inline__ __host__ float wharf_half_value(unsigned short bits) {
  const unsigned exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  float value = exponent == 0 ? static_cast<float>(mantissa) * 0x1p-24f
                              : ldexpf(static_cast<float>(mantissa | 0x400), static_cast<int>(exponent) - 25);
  if (exponent == 0x1f) value = mantissa == 0 ? __builtin_inff() : __builtin_nanf("");
  return (bits & 0x8000) != 0 ? -value : value;
}
#if defined(__CUDA__)
static __inline__ __device__ unsigned short wharf_half_bits(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
static __inline__ __device__ float wharf_half_value(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
#endif

struct __half {
  __half() = default;
  __host__ __device__ __half(__half_raw raw) : bits(raw.x) {}
  __host__ __device__ __half(float value) : bits(wharf_half_bits(value)) {}
  __host__ __device__ __half(double value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(int value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(unsigned value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(short value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(long long value) : __half(static_cast<float>(value)) {}
  __host__ __device__ operator float() const { return wharf_half_value(bits); }
  __host__ __device__ operator __half_raw() const { return {bits}; }

  unsigned short bits;
};
struct __attribute__((aligned(4))) __half2 {
  __half2() = default;
  __host__ __device__ __half2(__half low, __half high) : x(low), y(high) {}
  __half x, y;
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

static __inline__ __host__ __device__ __half __float2half(float value) { return __half(value); }
static __inline__ __host__ __device__ __half __float2half_rn(float value) { return __half(value); }
static __inline__ __host__ __device__ __half __double2half(double value) { return __half(value); }
static __inline__ __host__ __device__ float __half2float(__half value) { return wharf_half_value(value.bits); }
static __inline__ __host__ __device__ __half2 __float2half2_rn(float value) { return {__half(value), __half(value)}; }
static __inline__ __host__ __device__ __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
static __inline__ __host__ __device__ __half2 __float22half2_rn(float2 values) { return {__half(values.x), __half(values.y)}; }
static __inline__ __host__ __device__ float2 __half22float2(__half2 values) {
  return make_float2(__half2float(values.x), __half2float(values.y));
}
static __inline__ __host__ __device__ float __low2float(__half2 values) { return __half2float(values.x); }
static __inline__ __host__ __device__ float __high2float(__half2 values) { return __half2float(values.y); }
static __inline__ __host__ __device__ __half __low2half(__half2 values) { return values.x; }
static __inline__ __host__ __device__ __half __high2half(__half2 values) { return values.y; }
static __inline__ __host__ __device__ __half2 __low2half2(__half2 values) { return {values.x, values.x}; }
static __inline__ __host__ __device__ __half2 __high2half2(__half2 values) { return {values.y, values.y}; }
static __inline__ __host__ __device__ __half2 __lowhigh2highlow(__half2 values) { return {values.y, values.x}; }
static __inline__ __host__ __device__ __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
static __inline__ __host__ __device__ __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
static __inline__ __host__ __device__ __half2 __half2half2(__half value) { return {value, value}; }
static __inline__ __host__ __device__ __half2 __halves2half2(__half low, __half high) { return {low, high}; }
static __inline__ __host__ __device__ __half2 make_half2(__half low, __half high) { return {low, high}; }
static __inline__ __host__ __device__ __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
static __inline__ __host__ __device__ __half __short_as_half(short bits) { return __half_raw{static_cast<unsigned short>(bits)}; }
static __inline__ __host__ __device__ unsigned short __half_as_ushort(__half value) { return value.bits; }
static __inline__ __host__ __device__ short __half_as_short(__half value) { return static_cast<short>(value.bits); }
static __inline__ __host__ __device__ __half __int2half_rn(int value) { return __half(value); }
static __inline__ __host__ __device__ __half __uint2half_rn(unsigned value) { return __half(value); }
static __inline__ __host__ __device__ __half __short2half_rn(short value) { return __half(value); }
static __inline__ __host__ __device__ int __half2int_rn(__half value) { return static_cast<int>(rintf(__half2float(value))); }
static __inline__ __host__ __device__ int __half2int_rz(__half value) { return static_cast<int>(__half2float(value)); }
