#pragma once
// clang-format off
// The CUDA runtime's main header, for clang without a toolkit (CU-9 to CU-11): our types and API on top of the device headers that come with
// clang. Compile with `-include cuda_runtime.h`, as nvcc does; including it once more does nothing. A .c or .cpp file may include it too.
// The order of the includes matters.

#include <wharf/hide_letters.inc>
#if defined(__CUDA__)
// Forward declarations of the device's mathematics come before any C or C++ header (CU-9).
#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 2
#define __CUDACC_VER_BUILD__ 0
#endif

#if defined(__cplusplus)
#include <cmath>
#include <cstdlib>
#include <utility>
#endif
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>  // before any C++ header that includes clang's cuda_wrappers/new, which uses ::malloc (CU-10.2)
#include <string.h>
#include <time.h>

#define CUDA_VERSION 11020
#define CUDART_VERSION 11020

// Guards of the toolkit's headers, which programs' own helper headers test (CU-10.7).
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

#include <wharf/qualifiers.h>
#include <wharf/vector_types.h>
#include <wharf/runtime_types.h>
#include <wharf/texture_types.h>
#include <wharf/graphs/types.h>
#include <wharf/device_properties.h>
#include <wharf/runtime_functions.h>
#include <wharf/graphs/functions.h>
#if defined(__cplusplus)
#include <wharf/runtime_templates.h>
#include <wharf/texture_templates.h>
#endif

#if defined(__CUDA__)
typedef unsigned int cuuint32_t;  // clang's intrinsics name it

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
// clang's min and max are for int and for the device alone; min_max.h has all (CU-10.5).
#define min wharf_clang_min
#define max wharf_clang_max
#include <__clang_cuda_math.h>
#undef min
#undef max
#include <wharf/min_max.h>
#include <wharf/dynamic_programming.h>
#include <wharf/device_system.h>
#include <wharf/builtin_variables.h>
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_texture_intrinsics.h>
#include <wharf/atomics.h>
#include <wharf/device_extras.h>
#include <wharf/barriers.h>
#include <wharf/float_overloads.h>
#include <wharf/host_math.h>
#include <wharf/texture_fetch.h>
#include <wharf/surface_access.h>
#endif
#include <wharf/restore_letters.inc>
