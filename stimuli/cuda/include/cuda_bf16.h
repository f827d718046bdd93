#pragma once
// bfloat16: __nv_bfloat16 and __nv_bfloat162, their conversions and arithmetic.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/float16/round.h>
#define WHARF_SCALAR __nv_bfloat16
#define WHARF_PAIR __nv_bfloat162
#define WHARF_RAW __nv_bfloat16_raw
#define WHARF_TYPE "bf16"
#define WHARF_WORD bfloat16
#define WHARF_DIGITS 7
#define WHARF_ROUNDED wharf_bfloat_rounded
#define WHARF_VALUE wharf_bfloat_value
#define WHARF_DIRECTED double, "f64", "d"
#define WHARF_AS_SCALAR __ushort_as_bfloat16
#define WHARF_AS_PAIR wharf_bfloat_pair
#define WHARF_INFINITY 0x7f80
#define WHARF_SATURATES 0
#include <wharf/float16/bfloat_types.h>
#include <wharf/float16/arithmetic.inc>
#include <wharf/restore_letters.inc>
