#pragma once
// A simulation in a child process: SystemC elaborates once per process, but a test may compare several machines.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/simulation.h"
#include "tests/platform/machines/scripted.h"

namespace wharf::test {

enum class End { done, simulation_failed, bad_input, crashed };

/// The outcome of a run.
struct Outcome {
  End end = End::crashed;
  std::string failure;  // text of the exception
  cli::Json result;     // as in result.json, without inputs and host
  std::string csv;      // as in stats.csv

  /// A metric of the whole run, and of kernel `index`.
  std::uint64_t run(const std::string& metric) const { return result.at("run").at(metric).get<std::uint64_t>(); }
  std::uint64_t kernel(std::size_t index, const std::string& metric) const {
    return result.at("kernels").at(index).at(metric).get<std::uint64_t>();
  }
  double ratio(const std::string& metric) const { return result.at("run").at(metric).get<double>(); }
  /// result.json and stats.csv: they must be identical for identical inputs.
  std::string bytes() const { return result.dump() + csv; }
};

using OpenStimulus = std::function<std::unique_ptr<Stimulus>()>;

/// The file to which a run saves its state after its first kernel, or from which a run goes on.
struct Checkpoint {
  std::string file;
  bool loads = false;
};

Outcome run_apart(const GpuParams& params, const OpenStimulus& open, const RunOptions& options = {},
                  const std::optional<Checkpoint>& checkpoint = {});
Outcome run_apart(const GpuParams& params, const std::vector<ScriptedKernel>& kernels, const RunOptions& options = {});

/// The metrics of the whole run in which the two differ, and the counters of single blocks; short enough to read. `a` must have ended
/// without failure.
std::string differing_metrics(const Outcome& a, const Outcome& b);

/// Golden memory and a protocol checker on every link.
RunOptions checked();

/// The parameters of a named configuration with some keys set, such as "sms=4".
GpuParams machine(const std::string& configuration, const std::vector<std::string>& settings = {});

}  // namespace wharf::test
