#pragma once
// Asynchronous copies to shared memory by C functions.

#include <cuda_runtime.h>

// The order of these matters.
// clang-format off
#if defined(__CUDA__)
#include <wharf/hide_letters.inc>
#include <wharf/asynchronous/instructions.h>
#include <wharf/asynchronous/pipeline_primitives.h>
#include <wharf/restore_letters.inc>
#endif
