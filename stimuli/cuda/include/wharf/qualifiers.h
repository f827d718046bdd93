#pragma once
// The qualifiers of CUDA C++. A translation unit that is not CUDA (a .c or .cpp file) sees empty ones (CU-10.10).

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else
// The section tells our compiler which variables are managed (stimuli/cuda/compiler/intermediate/managed_variables.h).
#define __managed__ __attribute__((device)) __attribute__((section("wharf_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
// libstdc++ spells __attribute__((__noinline__)). Below clang 15, which knows the keyword, a macro with a body would break that (CU-10.3).
#if !defined(__clang__) || __clang_major__ < 15
#define __noinline__
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __no_return__ __attribute__((noreturn))
#define __device_builtin__
#define __cudart_builtin__
#define __grid_constant__
#define __maxnreg__(count)
#define __annotate__(text)
#define __location__(text)
#define CUDARTAPI
#define CUDART_CB
