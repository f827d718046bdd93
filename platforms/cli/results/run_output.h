#pragma once
// What the commands that simulate in their own process do with a run: progress, measurement, files.

#include <filesystem>
#include <string>

#include "platforms/cli/configuration.h"
#include "platforms/cli/results/result.h"
#include "platforms/frame/simulation.h"

namespace wharf::cli {

/// Beside the progress bar.
std::string progress_text(const Progress& progress, double elapsed_s);

/// `failure`: why it failed; empty where it did not.
Measurement measurement_of(const Simulation& simulation, const std::string& failure);

/// result.json, stats.csv and the resolved configuration, whose name is `config`.
void write_results(const std::filesystem::path& out, const std::string& config, const Configuration& configuration,
                   const Measurement& measured, const Json& result);

}  // namespace wharf::cli
