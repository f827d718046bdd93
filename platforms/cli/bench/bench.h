#pragma once
// The simulator's own speed (docs/performance.md): what is measured, and in which unit.

#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// One measurement, made in a process of its own: SystemC elaborates once a process.
struct BenchPart {
  const char* name;
  const char* configuration;  // nullptr: the kernel's own activation rate
  const char* stimulus;       // nullptr: the hierarchy alone (bench_hierarchy.h)
  const char* counted;   // total of the run that is divided by processor time; nullptr: only the start is measured
  const char* key;       // of the rate in --json
  const char* setting = nullptr;  // KEY=VALUE of the configuration
  const char* plain = nullptr;    // key of the same without the setting, from which its slowdown follows
  const char* firmware = nullptr;  // booted on the virtual platform in place of a stimulus; `counted`: "instructions" of the host or "kernels"
};

std::vector<BenchPart> bench_parts();

/// Measures one part in this process: `rate` and `rss_mb`, or for the start `simulated_at_s`, host.h's wall_seconds() after the first
/// cycle.
Json measure_part(const BenchPart& part);

/// Transactions a second of the hierarchy alone: 80 drivers for the SMs of `private`.
double hierarchy_transactions_per_second(const char* configuration);

/// SC_METHOD activations a second of a bare SystemC kernel: two processes that notify each other.
double kernel_activations_per_second();

}  // namespace wharf::cli
