#pragma once
// bfloat16: __nv_bfloat16 and __nv_bfloat162, their conversions on both sides, and their arithmetic on the device.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/bfloat_types.h>
#if defined(__CUDA__)
#define WHARF_SCALAR __nv_bfloat16
#define WHARF_PAIR __nv_bfloat162
#define WHARF_TYPE "bf16"
#define WHARF_AS_SCALAR __ushort_as_bfloat16
#define WHARF_AS_PAIR wharf_bfloat_pair
#define WHARF_INFINITY 0x7f80
#define WHARF_SATURATES 0
#include <wharf/float16_arithmetic.inc>
#endif
#include <wharf/restore_letters.inc>
