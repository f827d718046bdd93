#pragma once
// Measures the simulator's own speed (docs/performance.md): the parts, and the unit of each.

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// One measurement, made in its own process, because SystemC elaborates once per process.
struct BenchPart {
  std::string name;
  const char* configuration = nullptr;  // nullptr: none; the stimulus executes alone, and without one the kernel activates methods
  std::string stimulus;                 // empty: the hierarchy alone (bench_hierarchy.h); of an exported trace: what is exported
  const char* counted = nullptr;        // counter of the run that is divided by processor time; nullptr: only the start is measured
  std::string key;                      // name of the rate in --json
  std::vector<std::string> settings{};  // each KEY=VALUE of the configuration
  std::string plain = {};               // key of the part without the settings, for the slowdown
  const char* firmware = nullptr;       // booted on the virtual platform; `counted`: the host's "instructions", or "kernels"
  const char* trace = nullptr;          // name of a trace: one of tests/data/accelsim/traces, or `stimulus` exported; read, parsed and run
  bool packed = false;                  // the trace is packed first
};

/// Where the bench that writes to `out` has the trace of a part.
std::filesystem::path trace_folder_of(const BenchPart& part, const std::filesystem::path& out);

/// The parts, and one part for each trace in the folder `traces`, which may be empty. Throws InputError for a folder without a trace.
std::vector<BenchPart> bench_parts(const std::string& traces = {});

/// Measures one part in this process: `rate` and `rss_mb`, of a run also `build_s` and `run_s`, the processor seconds in which the machine
/// was built and simulated; or for the start `simulated_at_s`, the value of wall_seconds() (host.h) after the first cycle. `out`: folder
/// of the bench, for traces that it has put there.
Json measure_part(const BenchPart& part, const std::filesystem::path& out);

/// Transactions per second of the hierarchy alone, with 80 drivers in place of the SMs of `private`.
double hierarchy_transactions_per_second(const char* configuration);

/// SC_METHOD activations per second of a bare SystemC kernel, with two processes that notify each other.
double kernel_activations_per_second();

/// Seconds from a request of `wharf serve` to the first cycle of its run, the median of nine runs of `private`. `folder` is emptied.
double serve_start_s(const std::filesystem::path& folder);

}  // namespace wharf::cli
