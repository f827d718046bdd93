#pragma once
// Compares the memory that the tables of a machine need with the memory that the host has left, before anything is built.
//
// Counts only tables whose size follows from the configuration. Not counted: tables that grow with the stimulus (payloads, the directory of
// copies, golden memory), and queues, which need at most a few hundred MiB with any legal value.

#include <cstdint>
#include <vector>

#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Largest first. `verify`: a run with golden memory.
std::vector<TableMemory> table_memory(const GpuParams& params, bool verify);

/// Bytes that this process may still allocate: what the system has available, within the limits of its control groups and of RLIMIT_AS.
std::uint64_t available_memory();

/// Throws InputError if the tables exceed available_memory().
void require_memory(const GpuParams& params, bool verify);

}  // namespace wharf
