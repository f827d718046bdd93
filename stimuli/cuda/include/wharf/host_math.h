#pragma once
// Mathematics that the toolkit offers on the host too and the C library lacks.

static __inline__ __host__ float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static __inline__ __host__ double rsqrt(double x) { return 1.0 / sqrt(x); }
static __inline__ __host__ float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static __inline__ __host__ double rcbrt(double x) { return 1.0 / cbrt(x); }
static __inline__ __host__ double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
static __inline__ __host__ double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
static __inline__ __host__ float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
static __inline__ __host__ float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
static __inline__ __host__ double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static __inline__ __host__ float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
static __inline__ __host__ float fdividef(float x, float y) { return x / y; }
