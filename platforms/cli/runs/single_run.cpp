#include "platforms/cli/runs/single_run.h"

#include <algorithm>

#include "model/base/error.h"
#include "platforms/cli/files.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/results/rtl_cost.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "stimuli/self_checking.h"

namespace wharf::cli {
namespace {

/// The stimulus's own limit: a run that reaches it is complete.
std::uint64_t own_limit_of(const RunSpec& spec) { return spec.trace.empty() ? limit_of_stimulus(spec.stimulus) : kNever; }

std::uint64_t issued(const Measurement& measured) {
  return stats::View(measured.statistics, measured.run.begin, measured.run.end).sum("sm.warp_instructions");
}

double fraction_of(const Progress& progress, std::uint64_t limit) {
  if (limit == kNever) return progress.fraction;
  return std::max(progress.fraction, static_cast<double>(progress.warp_instructions) / static_cast<double>(limit));
}

/// The difference between the kernels' results and a plain loop on the host; empty where they agree or the stimulus cannot check.
std::string wrong_results(const Stimulus& stimulus) {
  const auto* checking = dynamic_cast<const SelfChecking*>(&stimulus);
  std::string why;
  return checking == nullptr || checking->check_results(why) ? std::string() : "the kernels computed something else than the host: " + why;
}

/// Runs to the end, and returns why it failed.
std::string failure_of_run(Simulation& simulation, const Stimulus& stimulus, bool verify) {
  try {
    simulation.run();
    return verify && !simulation.partial() ? wrong_results(stimulus) : std::string();
  } catch (const SimulationError& error) {
    return error.what();
  }
}

}  // namespace

PreparedRun prepare_run(const RunSpec& spec) {
  Configuration configuration = closed_configuration_of(spec);
  if (spec.trace.empty()) check_stimulus(spec.stimulus);
  return {spec, std::move(configuration)};
}

RunOutcome execute(const PreparedRun& run, RunOptions options, const OnRunProgress& on_progress, const RunFiles& files) {
  const RunSpec& spec = run.spec;
  const std::unique_ptr<Stimulus> stimulus = open_stimulus(spec);
  const std::uint64_t own_limit = own_limit_of(spec);
  RunOutcome outcome;
  double begin = wall_seconds();
  options.seed = spec.seed;
  options.verify = spec.verify;
  options.cycle_stack = spec.explain;
  options.limit_warp_instructions = std::min(spec.limit_warp_instructions, own_limit);
  options.limit_cycles = spec.limit_cycles;
  options.on_progress = [&, limit = options.limit_warp_instructions](const Progress& progress) {
    outcome.stopped = !on_progress(fraction_of(progress, limit), progress, wall_seconds() - begin);
    return !outcome.stopped;
  };
  Simulation simulation(run.configuration.params, *stimulus, options);
  begin = wall_seconds();
  options.on_progress({0.0, 0, 0});
  outcome.failure = failure_of_run(simulation, *stimulus, spec.verify);
  outcome.wall_s = wall_seconds() - begin;

  Measurement measured = measurement_of(simulation, outcome.failure);
  measured.reached_limit = measured.partial && outcome.failure.empty() && issued(measured) >= own_limit;
  measured.partial = measured.partial && !measured.reached_limit;
  outcome.result = result_json(inputs_json_of(spec, run.configuration, *stimulus), measured, Json());
  outcome.result["host"] = host_json(outcome.wall_s, outcome.result["run"]["warp_instructions"].get<std::uint64_t>());
  outcome.rtl = rtl::costs();
  if (!outcome.rtl.empty()) outcome.result["host"]["rtl"] = rtl_json(outcome.rtl, outcome.wall_s);
  write_results(files.out, spec.config, run.configuration, measured, outcome.result);
  if (!files.accelsim_stats.empty()) write_file(files.accelsim_stats, accelsim_stats(measured));
  return outcome;
}

}  // namespace wharf::cli
