#pragma once
// Half precision: __half and __half2, their conversions and arithmetic.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/float16/round.h>
#define WHARF_SCALAR __half
#define WHARF_PAIR __half2
#define WHARF_RAW __half_raw
#define WHARF_TYPE "f16"
#define WHARF_WORD half
#define WHARF_DIGITS 10
#define WHARF_ROUNDED wharf_half_rounded
#define WHARF_VALUE wharf_half_value
#define WHARF_DIRECTED float, "f32", "f"
#define WHARF_AS_SCALAR __ushort_as_half
#define WHARF_AS_PAIR wharf_half_pair
#define WHARF_INFINITY 0x7c00
#define WHARF_SATURATES 1
#include <wharf/float16/half_types.h>
#include <wharf/float16/arithmetic.inc>
#include <wharf/restore_letters.inc>
