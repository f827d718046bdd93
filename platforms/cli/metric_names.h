#pragma once
// What a configuration measures, found by building its machine: the counters and derived metrics of one that has run nothing.

#include <map>
#include <string>
#include <vector>

#include "platforms/cli/configuration.h"

namespace wharf::cli {

struct MetricInfo {
  std::string name, help;
  bool histogram = false;  // stands under `tables` of result.json, not under `run`
};

/// Sorted by name. Elaborates a Simulation: once a process.
std::vector<MetricInfo> metrics_of(const Configuration& configuration);

/// Names of the metrics under `run`, found in processes of their own and remembered.
class MetricNames {
 public:
  /// Throws InputError where `config` has no metric `name`, with the nearest that it has.
  void require(const std::string& name, const std::string& config, const std::vector<std::string>& overrides);

 private:
  const std::vector<std::string>& of(const std::string& config, const std::vector<std::string>& overrides);

  std::map<std::string, std::vector<std::string>> known_;  // by configuration: few settings change what is measured
};

}  // namespace wharf::cli
