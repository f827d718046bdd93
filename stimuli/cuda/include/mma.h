#pragma once
// nvcuda::wmma: matrices that a warp holds in its registers, and their products.

// The order of these matters.
// clang-format off
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <wharf/hide_letters.inc>
#if defined(__CUDA__)
#include <wharf/matrices/fragment.h>
#include <wharf/matrices/access.h>
#include <wharf/matrices/product.h>
#endif
#include <wharf/restore_letters.inc>
