#pragma once
// Half precision: __half and __half2, their conversions on both sides, and their arithmetic on the device.

// clang-format off: the order of the includes matters
#include <cuda_runtime.h>
#include <wharf/half_types.h>
#include <wharf/hide_letters.inc>
#if defined(__CUDA__)
#include <wharf/half_arithmetic.h>
#endif
#include <wharf/restore_letters.inc>
