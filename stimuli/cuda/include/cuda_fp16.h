#pragma once
// Half precision: __half and __half2, their conversions on both sides, and their arithmetic on the device.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/half_types.h>
#if defined(__CUDA__)
#include <wharf/half_arithmetic.h>
#endif
#include <wharf/restore_letters.inc>
