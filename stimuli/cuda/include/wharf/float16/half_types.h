#pragma once
// The types of half precision, their constants, and functions that take pairs apart and build them.

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

static __inline__ __host__ float wharf_half_value(unsigned short bits) {
  const unsigned exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  float value = exponent == 0 ? static_cast<float>(mantissa) * 0x1p-24f
                              : ldexpf(static_cast<float>(mantissa | 0x400), static_cast<int>(exponent) - 25);
  if (exponent == 0x1f) value = mantissa == 0 ? __builtin_inff() : __builtin_nanf("");
  return (bits & 0x8000) != 0 ? -value : value;
}
#if defined(__CUDA__)
static __inline__ __device__ float wharf_half_value(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
#endif

#include <wharf/float16/types.inc>
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

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

#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
