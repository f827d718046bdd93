#pragma once
// How long runs take, for plans alone: what is left of a reproduction, which shard a run belongs to, which workloads a quick one takes.
// docs/run_times.yaml keeps seconds by workload, as a whole reproduction last measured them; no figure depends on it.

#include <filesystem>
#include <map>
#include <string>

#include "platforms/cli/runs/run_spec.h"

namespace wharf::cli {

/// "dc_l1/private,l1.ways=8": the configuration with its settings, as times are kept by.
std::string system_of(const RunSpec& spec);

class RunTimes {
 public:
  /// The project's file; without any times where there is none. Throws InputError where it holds something else than seconds by workload.
  static RunTimes of_project();
  static std::filesystem::path project_file();
  static RunTimes read(const std::filesystem::path& file);

  /// Measured here. The next one of the same run takes its place.
  void add(const std::string& config, const std::string& stimulus, double seconds);

  /// Seconds: what this run took, else the mean over runs of the same stimulus, else of the same workload at other sizes, else of all. One
  /// where nothing is known.
  double expected(const RunSpec& spec) const;
  /// The same of a stimulus on any configuration.
  double expected(const std::string& stimulus) const;

  /// As the file has it: of each stimulus measured here the mean, and the others as they were.
  std::string as_yaml() const;

 private:
  std::map<std::string, double> by_stimulus() const;

  std::map<std::string, std::map<std::string, double>> measured_;  // by stimulus and configuration
  std::map<std::string, double> known_;                            // of the file
};

}  // namespace wharf::cli
