#include "platforms/cli/runs/single_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/host/islands.h"
#include "platforms/cli/results/cuda_program.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/results/rtl_cost.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/results/sampled_launches.h"
#include "platforms/cli/results/sampled_result.h"
#include "platforms/cli/runs/checkpoint.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "platforms/frame/l2_warmer.h"
#include "platforms/frame/threads.h"
#include "stimuli/sampling/sampled_stimulus.h"
#include "stimuli/self_checking.h"
#include "stimuli/traces/selection/trace_spec.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf::cli {
namespace {

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
  return checking == nullptr || checking->check_results(why) ? std::string() : "the kernels computed other results than the host: " + why;
}

/// Loads the checkpoint of the spec, or asks whether one could be saved.
void begin_run(const PreparedRun& run, Simulation& simulation) {
  if (!run.spec.load.empty()) return load_checkpoint(run.spec, run.configuration, simulation);
  if (run.spec.save_at == kNever) return;
  Archive unused;
  simulation.archive(unused);
}

/// Saves the checkpoint of the spec, and returns why there is none.
std::string save_at_boundary(const PreparedRun& run, const Stimulus& stimulus, Simulation& simulation) {
  const RunSpec& spec = run.spec;
  if (spec.save_at == kNever) return {};
  if (!simulation.run_to_boundary(spec.save_at)) {
    const bool together = run.configuration.params.front_end.runs_kernels_together() && simulation.kernels().size() >= spec.save_at;
    const char* why =
        together ? "at no time had that many kernels ended with no other kernel running" : "the run ended before that many kernels";
    return fmt::format("--save-at {}: {}; {} was not written. result.json lists the kernels", spec.save_at, why, spec.save_file);
  }
  try {
    save_checkpoint(spec, run.configuration, stimulus, simulation);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The reasons why a run failed, why its input is impossible, and why its checkpoint is missing; each empty if it does not apply.
struct Failures {
  std::string of_run, of_input, of_checkpoint;
};

/// True where an instruction was issued.
bool has_measured(const Simulation& simulation) {
  if (simulation.kernels().empty()) return false;
  const Interval& run = simulation.whole_run();
  return stats::View(simulation.statistics(), run.begin, run.end).sum("sm.warp_instructions") != 0;
}

/// The message for an input that ended a run whose first part is in `out`.
std::string ended_by_input(const std::string& why, const Stimulus& stimulus, bool is_sampled, const std::filesystem::path& out) {
  const bool is_trace = dynamic_cast<const traces::TraceStimulus*>(&stimulus) != nullptr && !is_sampled;
  return fmt::format("{}; results until then are in {}, marked partial{}", why, out.string(),
                     is_trace ? " (--skip-bad-kernels skips kernels that cannot be read)" : "");
}

/// Runs to the end. Throws InputError where nothing was measured. `is_apart`: several threads advance warps that compute. An error may then come
/// from a value that depends on their order, so OneThreadNeeded is thrown.
Failures failures_of_run(const PreparedRun& run, Simulation& simulation, const Stimulus& stimulus, bool is_apart) {
  Failures failures;
  try {
    failures.of_checkpoint = save_at_boundary(run, stimulus, simulation);
    simulation.run();
    if (run.spec.verify && !simulation.partial()) failures.of_run = wrong_results(stimulus);
    if (failures.of_run.empty() && !simulation.partial()) failures.of_run = failure_of_program(stimulus);
  } catch (const SimulationError& error) {
    if (is_apart) throw OneThreadNeeded("a run that fails is repeated with one");
    failures.of_run = error.what();
  } catch (const InputError& error) {
    if (is_apart) throw OneThreadNeeded("a run that fails is repeated with one");
    failures.of_input = error.what();
    if (!simulation.partial() || !has_measured(simulation)) throw;
  }
  return failures;
}

/// Of a sampled trace, only the launches that run in detail are opened; of other stimuli, all are.
bool reads_part_of_trace(const PreparedRun& run) { return run.plan && traces::is_trace(run.spec.stimulus); }

/// `warms`: skipped launches and CTAs that are executed have warmed L2.
Json sampled_result_of(const PreparedRun& run, const Json& inputs, const Measurement& measured, const SampledStimulus& sampled,
                       bool warms) {
  const SamplingPlan& plan = *run.plan;
  const bool is_whole = !measured.partial && measured.failure.empty();
  return sampled_result_json(inputs, measured, is_whole ? plan.with_executed(executed_sizes(plan, measured, sampled.skipped())) : plan,
                             size_unit_of(run.spec), {sampled.skipped(), warms && plan.skips_warm_all()});
}

/// Each on a line of its own, for a message.
std::string warnings_below(const Stimulus& stimulus) {
  std::string lines;
  for (const auto& [text, count] : stimulus.warnings()) lines += "\n" + warning_line(text, count);
  return lines;
}

}  // namespace

PreparedRun prepare_run(const RunSpec& spec) {
  Configuration configuration = closed_configuration_of(spec);
  check_stimulus_of(spec);
  return {spec, std::move(configuration)};
}

StimulusOptions stimulus_options_of(const RunSpec& spec, const Configuration& configuration) {
  StimulusOptions options = stimulus_options_of(spec);
  options.device.program = configuration.params.cuda.options();
  options.traces.rules.clusters = configuration.params.facts().runs_clusters;
  return options;
}

std::unique_ptr<Stimulus> open_stimulus(const RunSpec& spec, const Configuration& configuration) {
  return open_named_stimulus(spec.stimulus, spec.seed, stimulus_options_of(spec, configuration));
}

RunOutcome execute(const PreparedRun& run, RunOptions options, const OnRunProgress& on_progress, const RunFiles& files) {
  const RunSpec& spec = run.spec;
  const std::unique_ptr<Stimulus> stimulus = reads_part_of_trace(run) ? open_detailed_part(run) : open_stimulus(spec, run.configuration);
  const std::uint64_t own_limit = limit_of_stimulus(spec.stimulus);  // a run that reaches it is complete
  return execute(run, *stimulus, own_limit, std::move(options), on_progress, files);
}

RunOutcome execute(const PreparedRun& run, Stimulus& stimulus, std::uint64_t own_limit, RunOptions options,
                   const OnRunProgress& on_progress, const RunFiles& files) {
  const RunSpec& spec = run.spec;
  if (spec.save_at != kNever) stimulus.keep_history();
  RunOutcome outcome;
  double begin = wall_seconds();
  options.seed = spec.seed;
  options.verify = spec.verify;
  options.cycle_stack = spec.explain;
  options.limit_warp_instructions = std::min(spec.limit_warp_instructions, own_limit);
  options.limit_cycles = spec.limit_cycles;
  if (options.threads > 1) outcome.why_one_thread = why_one_thread(run.configuration.params, options, stimulus);
  Progress latest;
  options.on_progress = [&, limit = options.limit_warp_instructions](const Progress& progress) {
    latest = progress;
    outcome.stopped = !on_progress(fraction_of(progress, limit), progress, wall_seconds() - begin);
    return !outcome.stopped;
  };
  std::optional<SampledStimulus> sampled;
  if (run.plan) {
    const auto holds = reads_part_of_trace(run) ? SampledStimulus::Holds::detailed_launches : SampledStimulus::Holds::all_launches;
    sampled.emplace(
        stimulus, *run.plan, [&] { return options.on_progress(latest); }, holds);
    options.span_starts = run.plan->span_starts();
    options.before_span = [&] { sampled->skip_to_next_span(); };
  }
  Simulation simulation(run.configuration.params, sampled ? *sampled : stimulus, options);
  const bool warms = sampled && l2_follows_accesses(run.configuration.params);
  const std::unique_ptr<WarmedCaches> caches = warms ? simulation.warmed_l2() : nullptr;
  if (caches != nullptr) sampled->warm(*caches);
  begin = wall_seconds();
  options.on_progress({0.0, 0, 0});
  begin_run(run, simulation);
  const bool is_apart = options.threads > 1 && outcome.why_one_thread.empty() && !stimulus.is_recorded();
  const Failures failures = failures_of_run(run, simulation, stimulus, is_apart);
  outcome.failure = failures.of_run;
  outcome.stopped |= program_was_stopped(stimulus);
  if (simulation.kernels().empty()) {
    if (!outcome.failure.empty()) throw SimulationError(outcome.failure + warnings_below(stimulus));
    if (!simulation.partial() && !outcome.stopped)
      throw InputError(spec.stimulus + ": " + why_nothing_was_measured(stimulus) + warnings_below(stimulus));
  }
  outcome.wall_s = wall_seconds() - begin;

  const std::size_t warm_up = warm_up_of(stimulus);
  if (warm_up > 0 && simulation.kernels().size() <= warm_up && simulation.partial() && !outcome.stopped && failures.of_input.empty())
    throw InputError(spec.stimulus + ": its limit is reached in the kernels that warm the caches, before any measured kernel; raise it");
  const MeasuredPart part = warm_up > 0 ? part_after(warm_up, simulation) : MeasuredPart();
  const std::string failure = outcome.failure + failures.of_input;
  Measurement measured = warm_up > 0 ? measurement_of(simulation, failure, part, warm_up) : measurement_of(simulation, failure);
  measured.partial |= outcome.stopped;
  measured.reached_limit = measured.partial && measured.failure.empty() && issued(measured) >= own_limit;
  measured.partial = measured.partial && !measured.reached_limit;
  const Json inputs = inputs_json_of(spec, run.configuration, stimulus);
  outcome.result = sampled ? sampled_result_of(run, inputs, measured, *sampled, warms) : result_json(inputs, measured, Json());
  name_source_lines(outcome.result, stimulus);
  if (Json program = program_json(stimulus); !program.empty()) outcome.result["cuda"] = std::move(program);
  outcome.result["host"] = host_json(outcome.wall_s, issued(measured));
  if (options.threads > 1 && outcome.why_one_thread.empty()) {
    outcome.result["host"]["threads"] = options.threads;
    outcome.result["host"]["threaded_edges"] = Islands::turns();
  }
  outcome.rtl = rtl::costs();
  if (!outcome.rtl.empty()) outcome.result["host"]["rtl"] = rtl_json(outcome.rtl, outcome.wall_s);
  write_results(files.out, spec.config, run.configuration, measured, outcome.result);
  if (!files.accelsim_stats.empty()) write_file(files.accelsim_stats, accelsim_stats(measured));
  if (!failures.of_input.empty()) throw InputError(ended_by_input(failures.of_input, stimulus, run.plan.has_value(), files.out));
  if (!failures.of_checkpoint.empty() && outcome.failure.empty() && !outcome.stopped) throw InputError(failures.of_checkpoint);
  return outcome;
}

}  // namespace wharf::cli
