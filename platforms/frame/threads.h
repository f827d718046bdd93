#pragma once
// Whether several threads can advance a machine (model/base/host/islands.h). threads.cpp also says which of its blocks one thread advances.

#include <string>

namespace wharf {

class Stimulus;
struct GpuParams;
struct RunOptions;

/// Why one thread has to advance the machine, for a message "..., because ..."; empty where `options.threads` can.
std::string why_one_thread(const GpuParams& params, const RunOptions& options, const Stimulus& stimulus);

/// Called when all islands have acted: pauses the simulation, and run_kernel() then throws OneThreadNeeded with `why`.
void pause_for_one_thread(const std::string& why);

}  // namespace wharf
