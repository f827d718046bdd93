#pragma once
// Durations of runs, for planning only: the time left of a reproduction, the shard of a run, the workloads of a quick reproduction.
// docs/run_times.yaml keeps seconds by workload, as the last whole reproduction measured them; no figure depends on it.

#include <filesystem>
#include <map>
#include <string>

#include "platforms/cli/runs/run_spec.h"

namespace wharf::cli {

/// For example "dc_l1/private,l1.ways=8": the configuration with its settings, the key of the times.
std::string system_of(const RunSpec& spec);

class RunTimes {
 public:
  /// The project's file; empty where it is missing. Throws InputError where it holds anything but seconds by workload.
  static RunTimes of_project();
  static std::filesystem::path project_file();
  static RunTimes read(const std::filesystem::path& file);

  /// Adds a time measured here; it replaces an earlier one of the same run.
  void add(const std::string& config, const std::string& stimulus, double seconds);

  /// Expected seconds: the time of this run, else the mean over runs of the same stimulus, else of the same workload at other sizes, else
  /// over all; 1 where nothing is known.
  double expected(const RunSpec& spec) const;
  /// The same for a stimulus on any configuration.
  double expected(const std::string& stimulus) const;

  /// The contents of the file: the mean of each stimulus measured here, and the others unchanged.
  std::string as_yaml() const;

 private:
  std::map<std::string, double> by_stimulus() const;

  std::map<std::string, std::map<std::string, double>> measured_;  // by stimulus and configuration
  std::map<std::string, double> known_;                            // from the file
};

}  // namespace wharf::cli
