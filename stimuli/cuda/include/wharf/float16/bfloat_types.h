#pragma once
// The types of bfloat16, the upper half of a float, their constants, and functions that take pairs apart and build them.

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

static __inline__ __host__ __device__ float wharf_bfloat_value(unsigned short bits) {
  const unsigned word = static_cast<unsigned>(bits) << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

#include <wharf/float16/types.inc>
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define WHARF_BFLOAT static __inline__ __host__ __device__
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
#undef WHARF_BFLOAT

#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
