#pragma once
// cuRAND's device functions: the generators XORWOW, Philox4x32-10 and MRG32k3a, and their distributions. Each follows its publication and
// cuRAND's documentation (Device API Overview); seeds, sequences and offsets select the numbers that cuRAND's generators give for them.

// The order of these matters.
// clang-format off
#include <cuda_runtime.h>
#include <wharf/hide_letters.inc>
#include <wharf/random/states.h>
#if defined(__CUDA__)
#include <wharf/random/xorwow.h>
#include <wharf/random/philox.h>
#include <wharf/random/mrg32k3a.h>
#include <wharf/random/uniform.h>
#include <wharf/random/normal.h>
#include <wharf/random/poisson.h>
#endif
#include <wharf/restore_letters.inc>
