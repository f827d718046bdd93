#pragma once
// min and max for every pair of arithmetic types, on both sides: a call from a __host__ __device__ function is ambiguous otherwise
// (CU-10.5). A mixed pair converts as the usual arithmetic conversions do.

#define WHARF_MIN_MAX(result, left, right)                                                                                    \
  static __inline__ __host__ __device__ result min(left a, right b) { return result(a) < result(b) ? result(a) : result(b); } \
  static __inline__ __host__ __device__ result max(left a, right b) { return result(a) > result(b) ? result(a) : result(b); }
typedef unsigned int wharf_uint;
typedef unsigned long wharf_ulong;
typedef long long wharf_llong;
typedef unsigned long long wharf_ullong;
WHARF_MIN_MAX(int, int, int)
WHARF_MIN_MAX(wharf_uint, wharf_uint, wharf_uint)
WHARF_MIN_MAX(wharf_uint, wharf_uint, int)
WHARF_MIN_MAX(wharf_uint, int, wharf_uint)
WHARF_MIN_MAX(long, long, long)
WHARF_MIN_MAX(wharf_ulong, wharf_ulong, wharf_ulong)
WHARF_MIN_MAX(wharf_ulong, wharf_ulong, long)
WHARF_MIN_MAX(wharf_ulong, long, wharf_ulong)
WHARF_MIN_MAX(wharf_llong, wharf_llong, wharf_llong)
WHARF_MIN_MAX(wharf_ullong, wharf_ullong, wharf_ullong)
WHARF_MIN_MAX(wharf_ullong, wharf_ullong, wharf_llong)
WHARF_MIN_MAX(wharf_ullong, wharf_llong, wharf_ullong)
#undef WHARF_MIN_MAX

// Floating point: a NaN loses against a number, as fmin and fmax have it.
#define WHARF_MIN_MAX(result, suffix, left, right)                                                 \
  static __inline__ __host__ __device__ result min(left a, right b) { return fmin##suffix(a, b); } \
  static __inline__ __host__ __device__ result max(left a, right b) { return fmax##suffix(a, b); }
WHARF_MIN_MAX(float, f, float, float)
WHARF_MIN_MAX(double, , double, double)
WHARF_MIN_MAX(double, , double, float)
WHARF_MIN_MAX(double, , float, double)
#undef WHARF_MIN_MAX
