#pragma once
// Figures of the host during the simulation: the only part of a result that is not a function of the inputs.

#include <cstdint>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

double wall_seconds();         // since an arbitrary instant, the same for every process
double process_cpu_seconds();  // of this process
double peak_rss_mb();          // peak resident size of this process, in 10^6 bytes

/// The `host` member of result.json.
Json host_json(double wall_s, std::uint64_t warp_instructions);

}  // namespace wharf::cli
