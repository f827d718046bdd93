#pragma once
// Complex numbers as vector types, in single (`f`) and double precision.

#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WHARF_COMPLEX(Complex, Real, suffix, Make)                                                                          \
  static __inline__ __host__ __device__ Complex make_##Complex(Real x, Real y) { return Make(x, y); }                       \
  static __inline__ __host__ __device__ Real cuCreal##suffix(Complex a) { return a.x; }                                     \
  static __inline__ __host__ __device__ Real cuCimag##suffix(Complex a) { return a.y; }                                     \
  static __inline__ __host__ __device__ Complex cuConj##suffix(Complex a) { return Make(a.x, -a.y); }                       \
  static __inline__ __host__ __device__ Complex cuCadd##suffix(Complex a, Complex b) { return Make(a.x + b.x, a.y + b.y); } \
  static __inline__ __host__ __device__ Complex cuCsub##suffix(Complex a, Complex b) { return Make(a.x - b.x, a.y - b.y); } \
  static __inline__ __host__ __device__ Complex cuCmul##suffix(Complex a, Complex b) {                                      \
    return Make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                              \
  }                                                                                                                         \
  /* Both operands are scaled by the divisor's size, so that its square does not overflow. */                               \
  static __inline__ __host__ __device__ Complex cuCdiv##suffix(Complex a, Complex b) {                                      \
    const Real scale = 1 / (fabs##suffix(b.x) + fabs##suffix(b.y));                                                         \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                      \
    const Real inverse = 1 / (bx * bx + by * by);                                                                           \
    return Make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                                              \
  }                                                                                                                         \
  static __inline__ __host__ __device__ Real cuCabs##suffix(Complex a) { return hypot##suffix(a.x, a.y); }                  \
  static __inline__ __host__ __device__ Complex cuCfma##suffix(Complex a, Complex b, Complex c) {                           \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                                                                         \
  }
WHARF_COMPLEX(cuFloatComplex, float, f, make_float2)
WHARF_COMPLEX(cuDoubleComplex, double, , make_double2)
#undef WHARF_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}

#include <wharf/restore_letters.inc>
