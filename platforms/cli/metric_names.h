#pragma once
// Lists the metrics of a configuration by building its machine, without running it: counters and derived metrics.

#include <map>
#include <string>
#include <vector>

#include "platforms/inputs/configuration.h"

namespace wharf::cli {

struct MetricInfo {
  std::string name, help;
  bool histogram = false;  // listed under `tables` of result.json, not under `run`
};

/// Sorted by name. Elaborates a Simulation, so call it once per process.
std::vector<MetricInfo> metrics_of(const Configuration& configuration);

/// The names of the metrics under `run`, found by child processes and cached.
class MetricNames {
 public:
  /// Throws InputError, suggesting the nearest metric, where `config` has no metric `name`.
  void require(const std::string& name, const std::string& config, const std::vector<std::string>& overrides);

 private:
  const std::vector<std::string>& of(const std::string& config, const std::vector<std::string>& overrides);

  std::map<std::string, std::vector<std::string>> known_;  // by configuration, because few settings change the metrics
};

}  // namespace wharf::cli
