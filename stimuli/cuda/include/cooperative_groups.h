#pragma once
// Cooperative groups: grids of cooperative launches, clusters, blocks, tiles of a warp, and threads that run together.

#include <cuda_runtime.h>

// The order of these matters.
// clang-format off
#if defined(__CUDA__)
#include <wharf/hide_letters.inc>
#include <wharf/asynchronous/instructions.h>
#include <wharf/cooperative_groups.h>
#include <wharf/grid_group.h>
#include <wharf/asynchronous/cluster_group.h>
#include <wharf/cooperative_reduce.h>
#include <wharf/restore_letters.inc>
#endif
