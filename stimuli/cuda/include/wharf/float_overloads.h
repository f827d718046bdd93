#pragma once
// Overloads for float of the device's mathematics. clang declares most of them and leaves their definition to the toolkit.

#define WHARF_OF_ONE(name) \
  static __inline__ __device__ float name(float x) { return name##f(x); }
#define WHARF_OF_TWO(name) \
  static __inline__ __device__ float name(float x, float y) { return name##f(x, y); }
#define WHARF_TO(type, name) \
  static __inline__ __device__ type name(float x) { return name##f(x); }
#define WHARF_OF_ORDER(name) \
  static __inline__ __device__ float name(int order, float x) { return name##f(order, x); }

WHARF_OF_ONE(acosh)
WHARF_OF_ONE(asinh)
WHARF_OF_ONE(atanh)
WHARF_OF_ONE(cbrt)
WHARF_OF_ONE(rcbrt)
WHARF_OF_ONE(rsqrt)
WHARF_OF_ONE(exp2)
WHARF_OF_ONE(exp10)
WHARF_OF_ONE(expm1)
WHARF_OF_ONE(log1p)
WHARF_OF_ONE(log2)
WHARF_OF_ONE(logb)
WHARF_OF_ONE(nearbyint)
WHARF_OF_ONE(rint)
WHARF_OF_ONE(round)
WHARF_OF_ONE(trunc)
WHARF_OF_ONE(sinpi)
WHARF_OF_ONE(cospi)
WHARF_OF_ONE(erf)
WHARF_OF_ONE(erfc)
WHARF_OF_ONE(erfcx)
WHARF_OF_ONE(erfinv)
WHARF_OF_ONE(erfcinv)
WHARF_OF_ONE(normcdf)
WHARF_OF_ONE(normcdfinv)
WHARF_OF_ONE(lgamma)
WHARF_OF_ONE(tgamma)
WHARF_OF_ONE(j0)
WHARF_OF_ONE(j1)
WHARF_OF_ONE(y0)
WHARF_OF_ONE(y1)
WHARF_OF_ONE(cyl_bessel_i0)
WHARF_OF_ONE(cyl_bessel_i1)
WHARF_OF_ORDER(jn)
WHARF_OF_ORDER(yn)
WHARF_OF_TWO(copysign)
WHARF_OF_TWO(fdim)
WHARF_OF_TWO(fmax)
WHARF_OF_TWO(fmin)
WHARF_OF_TWO(hypot)
WHARF_OF_TWO(rhypot)
WHARF_OF_TWO(nextafter)
WHARF_OF_TWO(remainder)
WHARF_TO(int, ilogb)
WHARF_TO(long, lrint)
WHARF_TO(long, lround)
WHARF_TO(long long, llrint)
WHARF_TO(long long, llround)
static __inline__ __device__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static __inline__ __device__ float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
static __inline__ __device__ float scalbn(float x, int power) { return scalbnf(x, power); }
static __inline__ __device__ float scalbln(float x, long power) { return scalblnf(x, power); }
static __inline__ __device__ void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
static __inline__ __device__ void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }

#undef WHARF_OF_ONE
#undef WHARF_OF_TWO
#undef WHARF_TO
#undef WHARF_OF_ORDER
