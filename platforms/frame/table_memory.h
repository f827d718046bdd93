#pragma once
// The host's memory that the tables of a machine take, compared with what the host has left before anything is built.
//
// Only tables of a size that the configuration gives are counted. What grows with the stimulus (payloads, the directory of copies, golden
// memory) is not, nor are queues, which no legal value makes larger than some hundred MiB.

#include <cstdint>
#include <vector>

#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Largest first. `verify`: a run with golden memory.
std::vector<TableMemory> table_memory(const GpuParams& params, bool verify);

/// Bytes that this process may still allocate: what the system has available, within the limits of its control groups and of RLIMIT_AS.
std::uint64_t available_memory();

/// Throws InputError where the tables exceed available_memory().
void require_memory(const GpuParams& params, bool verify);

}  // namespace wharf
