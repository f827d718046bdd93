#pragma once
// Functions that are one PTX instruction: integer operations, conversions, arithmetic with a rounding mode. Directed rounding exists on the
// device alone, so the host build has the plain C++ ones only.

#include "stimuli/cuda/device_math/rounding.h"

WHARF_DEVICE int __nv_abs(int x) { return x < 0 ? static_cast<int>(0u - static_cast<unsigned>(x)) : x; }
WHARF_DEVICE long long __nv_llabs(long long x) { return x < 0 ? static_cast<long long>(0ull - static_cast<unsigned long long>(x)) : x; }
WHARF_DEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
WHARF_DEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
WHARF_DEVICE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
WHARF_DEVICE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
WHARF_DEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
WHARF_DEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
WHARF_DEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WHARF_DEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WHARF_DEVICE int __nv_popc(int x) { return __builtin_popcount(static_cast<unsigned>(x)); }
WHARF_DEVICE int __nv_popcll(long long x) { return __builtin_popcountll(static_cast<unsigned long long>(x)); }
WHARF_DEVICE int __nv_clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
WHARF_DEVICE int __nv_clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
WHARF_DEVICE int __nv_ffs(int x) { return __builtin_ffs(x); }
WHARF_DEVICE int __nv_ffsll(long long x) { return __builtin_ffsll(x); }
WHARF_DEVICE int __nv_mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
WHARF_DEVICE unsigned __nv_umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
WHARF_DEVICE long long __nv_mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
WHARF_DEVICE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
// Averages without overflow, rounded down and up.
WHARF_DEVICE int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WHARF_DEVICE int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WHARF_DEVICE unsigned __nv_uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
WHARF_DEVICE unsigned __nv_urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
WHARF_DEVICE unsigned __nv_usad(unsigned a, unsigned b, unsigned sum) { return (a > b ? a - b : b - a) + sum; }
WHARF_DEVICE unsigned __nv_sad(int a, int b, unsigned sum) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b) : static_cast<unsigned>(b) - static_cast<unsigned>(a)) + sum;
}

WHARF_DEVICE int __nv_float_as_int(float x) { return static_cast<int>(wharf_math::bits_of(x)); }
WHARF_DEVICE unsigned __nv_float_as_uint(float x) { return wharf_math::bits_of(x); }
WHARF_DEVICE float __nv_int_as_float(int x) { return wharf_math::float_of(static_cast<uint32_t>(x)); }
WHARF_DEVICE float __nv_uint_as_float(unsigned x) { return wharf_math::float_of(x); }
WHARF_DEVICE long long __nv_double_as_longlong(double x) { return static_cast<long long>(wharf_math::bits_of(x)); }
WHARF_DEVICE double __nv_longlong_as_double(long long x) { return wharf_math::double_of(static_cast<uint64_t>(x)); }
WHARF_DEVICE int __nv_double2hiint(double x) { return static_cast<int>(wharf_math::bits_of(x) >> 32); }
WHARF_DEVICE int __nv_double2loint(double x) { return static_cast<int>(wharf_math::bits_of(x)); }
WHARF_DEVICE double __nv_hiloint2double(int high, int low) {
  return wharf_math::double_of(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low));
}
WHARF_DEVICE float __nv_fast_fdividef(float x, float y) { return wharf_math::div_approx(x, y); }

// Small integer powers, by squaring.
WHARF_DEVICE float __nv_powif(float x, int n) {
  float power = 1;
  for (unsigned left = static_cast<unsigned>(n < 0 ? -static_cast<long long>(n) : n); left != 0; left >>= 1, x *= x)
    if ((left & 1) != 0) power *= x;
  return n < 0 ? 1 / power : power;
}
WHARF_DEVICE double __nv_powi(double x, int n) {
  double power = 1;
  for (unsigned left = static_cast<unsigned>(n < 0 ? -static_cast<long long>(n) : n); left != 0; left >>= 1, x *= x)
    if ((left & 1) != 0) power *= x;
  return n < 0 ? 1 / power : power;
}

#if defined(__NVPTX__)

WHARF_DEVICE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WHARF_DEVICE unsigned __nv_umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
WHARF_DEVICE int __nv_brev(int x) { return static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(x))); }
WHARF_DEVICE long long __nv_brevll(long long x) {
  return static_cast<long long>(__builtin_bitreverse64(static_cast<unsigned long long>(x)));
}
WHARF_DEVICE int __nv_byte_perm(int a, int b, int selector) { return __nvvm_prmt(a, b, selector); }
WHARF_DEVICE float __nv_saturatef(float x) { return __nvvm_saturate_f(x); }
WHARF_DEVICE double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }
WHARF_DEVICE float __nv_frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
WHARF_DEVICE unsigned short __nv_float2half_rn(float x) { return __nvvm_f2h_rn(x); }
WHARF_DEVICE float __nv_half2float(unsigned short x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
  return result;
}
WHARF_DEVICE long long __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
WHARF_DEVICE long long __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
WHARF_DEVICE long long __nv_llround(double x) { return __nvvm_d2ll_rz(__nv_round(x)); }
WHARF_DEVICE long long __nv_llroundf(float x) { return __nvvm_f2ll_rz(__nv_roundf(x)); }

// One rounding mode: CUDA's name (`rn`, `rz`, `rd`, `ru`) and PTX's (`rn`, `rz`, `rm`, `rp`).
#define WHARF_ROUNDED(cuda, ptx)                                                                                \
  WHARF_DEVICE float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }                  \
  WHARF_DEVICE float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }                 \
  WHARF_DEVICE float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }                  \
  WHARF_DEVICE float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }                  \
  WHARF_DEVICE float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                              \
  WHARF_DEVICE float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }                            \
  WHARF_DEVICE float __nv_fmaf_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }      \
  WHARF_DEVICE float __nv_fmaf_ieee_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); } \
  WHARF_DEVICE double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }               \
  WHARF_DEVICE double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }              \
  WHARF_DEVICE double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }               \
  WHARF_DEVICE double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }               \
  WHARF_DEVICE double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                            \
  WHARF_DEVICE double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }                          \
  WHARF_DEVICE double __nv_fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }   \
  WHARF_DEVICE float __nv_double2float_##cuda(double a) { return __nvvm_d2f_##ptx(a); }                         \
  WHARF_DEVICE int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##ptx(a); }                             \
  WHARF_DEVICE unsigned __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##ptx(a); }                      \
  WHARF_DEVICE long long __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##ptx(a); }                       \
  WHARF_DEVICE unsigned long long __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##ptx(a); }            \
  WHARF_DEVICE int __nv_float2int_##cuda(float a) { return __nvvm_f2i_##ptx(a); }                               \
  WHARF_DEVICE unsigned __nv_float2uint_##cuda(float a) { return __nvvm_f2ui_##ptx(a); }                        \
  WHARF_DEVICE long long __nv_float2ll_##cuda(float a) { return __nvvm_f2ll_##ptx(a); }                         \
  WHARF_DEVICE unsigned long long __nv_float2ull_##cuda(float a) { return __nvvm_f2ull_##ptx(a); }              \
  WHARF_DEVICE float __nv_int2float_##cuda(int a) { return __nvvm_i2f_##ptx(a); }                               \
  WHARF_DEVICE float __nv_uint2float_##cuda(unsigned a) { return __nvvm_ui2f_##ptx(a); }                        \
  WHARF_DEVICE float __nv_ll2float_##cuda(long long a) { return __nvvm_ll2f_##ptx(a); }                         \
  WHARF_DEVICE float __nv_ull2float_##cuda(unsigned long long a) { return __nvvm_ull2f_##ptx(a); }              \
  WHARF_DEVICE double __nv_ll2double_##cuda(long long a) { return __nvvm_ll2d_##ptx(a); }                       \
  WHARF_DEVICE double __nv_ull2double_##cuda(unsigned long long a) { return __nvvm_ull2d_##ptx(a); }
WHARF_ROUNDED(rn, rn)
WHARF_ROUNDED(rz, rz)
WHARF_ROUNDED(rd, rm)
WHARF_ROUNDED(ru, rp)
#undef WHARF_ROUNDED
WHARF_DEVICE double __nv_int2double_rn(int a) { return a; }
WHARF_DEVICE double __nv_uint2double_rn(unsigned a) { return a; }

#endif
