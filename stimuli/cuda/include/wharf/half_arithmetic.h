#pragma once
// Arithmetic of half precision in device code: one instruction for a half, and one for both halves of a pair.

#define WHARF_HALF static __inline__ __device__

WHARF_HALF unsigned wharf_pair_bits(__half2 pair) { return pair.x.bits | static_cast<unsigned>(pair.y.bits) << 16; }
WHARF_HALF __half2 wharf_pair(unsigned bits) {
  return {__ushort_as_half(static_cast<unsigned short>(bits)), __ushort_as_half(static_cast<unsigned short>(bits >> 16))};
}

#define WHARF_HALF_BINARY(name, instruction)                                                               \
  WHARF_HALF __half name(__half a, __half b) {                                                             \
    unsigned short bits;                                                                                   \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits), "h"(b.bits));                           \
    return __ushort_as_half(bits);                                                                         \
  }                                                                                                        \
  WHARF_HALF __half2 name##2(__half2 a, __half2 b) {                                                       \
    unsigned bits;                                                                                         \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(wharf_pair_bits(a)), "r"(wharf_pair_bits(b))); \
    return wharf_pair(bits);                                                                               \
  }
WHARF_HALF_BINARY(__hadd, "add.rn")
WHARF_HALF_BINARY(__hsub, "sub.rn")
WHARF_HALF_BINARY(__hmul, "mul.rn")
WHARF_HALF_BINARY(__hadd_sat, "add.rn.sat")
WHARF_HALF_BINARY(__hsub_sat, "sub.rn.sat")
WHARF_HALF_BINARY(__hmul_sat, "mul.rn.sat")
#undef WHARF_HALF_BINARY

WHARF_HALF __half __hfma(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return __ushort_as_half(bits);
}
WHARF_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(wharf_pair_bits(a)), "r"(wharf_pair_bits(b)), "r"(wharf_pair_bits(c)));
  return wharf_pair(bits);
}
WHARF_HALF __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
WHARF_HALF __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
WHARF_HALF __half __habs(__half a) { return __ushort_as_half(a.bits & 0x7fff); }
WHARF_HALF __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
WHARF_HALF __half __hdiv(__half a, __half b) { return __float2half(__half2float(a) / __half2float(b)); }
WHARF_HALF __half2 __h2div(__half2 a, __half2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }

// Comparisons in single precision, which holds every half exactly. `u` also is true where an operand is NaN.
#define WHARF_HALF_COMPARISON(name, operation)                                                        \
  WHARF_HALF bool __h##name(__half a, __half b) { return __half2float(a) operation __half2float(b); } \
  WHARF_HALF bool __h##name##u(__half a, __half b) {                                                  \
    const float x = __half2float(a), y = __half2float(b);                                             \
    return x != x || y != y || x operation y;                                                         \
  }                                                                                                   \
  WHARF_HALF __half2 __h##name##2(__half2 a, __half2 b) {                                             \
    return {__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f)};    \
  }                                                                                                   \
  WHARF_HALF bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
WHARF_HALF_COMPARISON(eq, ==)
WHARF_HALF_COMPARISON(lt, <)
WHARF_HALF_COMPARISON(le, <=)
WHARF_HALF_COMPARISON(gt, >)
WHARF_HALF_COMPARISON(ge, >=)
#undef WHARF_HALF_COMPARISON
WHARF_HALF bool __hne(__half a, __half b) { return __half2float(a) < __half2float(b) || __half2float(a) > __half2float(b); }
WHARF_HALF bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
WHARF_HALF int __hisinf(__half a) { return (a.bits & 0x7fff) == 0x7c00 ? ((a.bits & 0x8000) != 0 ? -1 : 1) : 0; }
WHARF_HALF __half __hmax(__half a, __half b) { return __float2half(fmaxf(__half2float(a), __half2float(b))); }
WHARF_HALF __half __hmin(__half a, __half b) { return __float2half(fminf(__half2float(a), __half2float(b))); }
WHARF_HALF __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
WHARF_HALF __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

// Functions by way of single precision, rounded once.
#define WHARF_HALF_FUNCTION(name, function)                                               \
  WHARF_HALF __half h##name(__half a) { return __float2half(function(__half2float(a))); } \
  WHARF_HALF __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
WHARF_HALF_FUNCTION(sqrt, sqrtf)
WHARF_HALF_FUNCTION(rsqrt, rsqrtf)
WHARF_HALF_FUNCTION(rcp, 1.0f /)
WHARF_HALF_FUNCTION(exp, expf)
WHARF_HALF_FUNCTION(exp2, exp2f)
WHARF_HALF_FUNCTION(log, logf)
WHARF_HALF_FUNCTION(log2, log2f)
WHARF_HALF_FUNCTION(log10, log10f)
WHARF_HALF_FUNCTION(sin, sinf)
WHARF_HALF_FUNCTION(cos, cosf)
WHARF_HALF_FUNCTION(floor, floorf)
WHARF_HALF_FUNCTION(ceil, ceilf)
WHARF_HALF_FUNCTION(trunc, truncf)
WHARF_HALF_FUNCTION(rint, rintf)
#undef WHARF_HALF_FUNCTION

WHARF_HALF __half operator+(__half a, __half b) { return __hadd(a, b); }
WHARF_HALF __half operator-(__half a, __half b) { return __hsub(a, b); }
WHARF_HALF __half operator*(__half a, __half b) { return __hmul(a, b); }
WHARF_HALF __half operator/(__half a, __half b) { return __hdiv(a, b); }
WHARF_HALF __half operator-(__half a) { return __hneg(a); }
WHARF_HALF __half& operator+=(__half& a, __half b) { return a = a + b; }
WHARF_HALF __half& operator-=(__half& a, __half b) { return a = a - b; }
WHARF_HALF __half& operator*=(__half& a, __half b) { return a = a * b; }
WHARF_HALF __half& operator/=(__half& a, __half b) { return a = a / b; }
WHARF_HALF bool operator==(__half a, __half b) { return __heq(a, b); }
WHARF_HALF bool operator!=(__half a, __half b) { return !__heq(a, b); }
WHARF_HALF bool operator<(__half a, __half b) { return __hlt(a, b); }
WHARF_HALF bool operator<=(__half a, __half b) { return __hle(a, b); }
WHARF_HALF bool operator>(__half a, __half b) { return __hgt(a, b); }
WHARF_HALF bool operator>=(__half a, __half b) { return __hge(a, b); }
WHARF_HALF __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
WHARF_HALF __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
WHARF_HALF __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
WHARF_HALF __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }

WHARF_HALF __half __ldg(const __half* pointer) { return __ushort_as_half(__ldg(reinterpret_cast<const unsigned short*>(pointer))); }
WHARF_HALF __half2 __ldg(const __half2* pointer) { return wharf_pair(__ldg(reinterpret_cast<const unsigned*>(pointer))); }
WHARF_HALF __half2 __shfl_sync(unsigned mask, __half2 value, int lane, int width = 32) {
  return wharf_pair(__shfl_sync(mask, wharf_pair_bits(value), lane, width));
}
WHARF_HALF __half2 __shfl_down_sync(unsigned mask, __half2 value, unsigned distance, int width = 32) {
  return wharf_pair(__shfl_down_sync(mask, wharf_pair_bits(value), distance, width));
}
WHARF_HALF __half2 __shfl_xor_sync(unsigned mask, __half2 value, int lanes, int width = 32) {
  return wharf_pair(__shfl_xor_sync(mask, wharf_pair_bits(value), lanes, width));
}
WHARF_HALF __half atomicAdd(__half* address, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.bits) : "memory");
  return __ushort_as_half(old);
}
WHARF_HALF __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(wharf_pair_bits(value)) : "memory");
  return wharf_pair(old);
}
#undef WHARF_HALF
