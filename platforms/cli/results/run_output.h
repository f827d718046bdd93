#pragma once
// Progress, measurement and files of the commands that simulate in their own process.

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/inputs/configuration.h"
#include "platforms/simulation.h"

namespace wharf::cli {

/// The text next to the progress bar.
std::string progress_text(const Progress& progress, double elapsed_s);

/// The part of a run behind its first kernels.
struct MeasuredPart {
  Interval run;
  std::vector<Interval> kernels, windows;
};
MeasuredPart part_after(std::size_t kernels, const Simulation& simulation);

/// `failure` is the reason for a failed run; empty otherwise.
Measurement measurement_of(const Simulation& simulation, const std::string& failure);
/// Measures `part` alone, behind `warm_up` kernels that are not measured. `part` must outlive the result.
Measurement measurement_of(const Simulation& simulation, const std::string& failure, const MeasuredPart& part, std::size_t warm_up);

/// The files that write_results() writes.
std::vector<std::string> result_files();

/// Writes result.json, stats.csv and the resolved configuration, under the name `config`. Of a sampled result, stats.csv has the estimates.
void write_results(const std::filesystem::path& out, const std::string& config, const Configuration& configuration,
                   const Measurement& measured, const Json& result);

}  // namespace wharf::cli
