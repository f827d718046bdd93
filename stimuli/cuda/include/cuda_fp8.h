#pragma once
// Floats of 8 bits: __nv_fp8_e4m3 and __nv_fp8_e5m2, their groups of two and four, and conversions.

// The order of these matters.
// clang-format off
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <wharf/hide_letters.inc>
#include <wharf/float8/conversion.h>
#define WHARF_TYPE e4m3
#define WHARF_INTERPRETATION __NV_E4M3
#include <wharf/float8/types.inc>
#define WHARF_TYPE e5m2
#define WHARF_INTERPRETATION __NV_E5M2
#include <wharf/float8/types.inc>
#include <wharf/restore_letters.inc>
