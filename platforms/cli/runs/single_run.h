#pragma once
// One run in this process, from its specification to its files. SystemC elaborates once, so a process executes one.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/rtl/transactor.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/inputs/configuration.h"
#include "platforms/simulation.h"
#include "stimuli/sampling/sampling_plan.h"

namespace wharf::cli {

/// A run whose inputs are read and good.
struct PreparedRun {
  RunSpec spec;
  Configuration configuration;
  std::optional<SamplingPlan> plan = {};  // of the launches, if a sample of them runs
};

/// Reads the configuration and the name of the stimulus. Throws InputError for a mistake in them, and if the configuration means the best
/// of several runs.
PreparedRun prepare_run(const RunSpec& spec);
/// How the spec and the configuration want its stimulus read and scheduled.
StimulusOptions stimulus_options_of(const RunSpec& spec, const Configuration& configuration);
/// Opens the spec's stimulus as the spec and the configuration want it read and scheduled. Throws InputError.
std::unique_ptr<Stimulus> open_stimulus(const RunSpec& spec, const Configuration& configuration);

/// Called when the simulation begins and then as RunOptions::on_progress: the fraction that is done (< 0 where unknown), the progress, and
/// the seconds since the beginning. Returns false to stop the run.
using OnRunProgress = std::function<bool(double fraction, const Progress& progress, double elapsed_s)>;

struct RunFiles {
  std::filesystem::path out;             // folder of result.json, stats.csv and config.yaml
  std::filesystem::path accelsim_stats;  // totals under Accel-Sim's names; empty for none
};

struct RunOutcome {
  Json result;                 // as in result.json
  std::string failure;         // why the simulation failed; empty where it did not
  double wall_s = 0.0;         // of the simulation alone
  std::string why_one_thread;  // although several were asked for (platforms/frame/threads.h); empty: they advanced the machine
  std::vector<rtl::Cost> rtl;  // of its blocks that are RTL, which are gone with the simulation
  bool stopped = false;        // on_progress asked for it
};

/// Simulates and writes the files, also those of a run that fails or is stopped. Seed, verification, cycle stack and limits are those of
/// the spec, regardless of `options`, of which all other members apply. Throws InputError where the stimulus cannot be opened, does not fit
/// the configuration, a checkpoint does not fit the run or is not reached, or a file cannot be written; where the run itself has ended, its
/// files are there.
RunOutcome execute(const PreparedRun& run, RunOptions options, const OnRunProgress& on_progress, const RunFiles& files);
/// The same of a stimulus that is open: the spec only names it. A run that reaches `own_limit` warp instructions is complete; kNever for none.
RunOutcome execute(const PreparedRun& run, Stimulus& stimulus, std::uint64_t own_limit, RunOptions options,
                   const OnRunProgress& on_progress, const RunFiles& files);

}  // namespace wharf::cli
