#pragma once
// Half precision: __half and __half2, their conversions on both sides, and their arithmetic on the device.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/half_types.h>
#if defined(__CUDA__)
#define WHARF_SCALAR __half
#define WHARF_PAIR __half2
#define WHARF_TYPE "f16"
#define WHARF_AS_SCALAR __ushort_as_half
#define WHARF_AS_PAIR wharf_half_pair
#define WHARF_INFINITY 0x7c00
#define WHARF_SATURATES 1
#include <wharf/float16_arithmetic.inc>
#endif
#include <wharf/restore_letters.inc>
