#include "platforms/cli/runs/sampling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/front_end/front_end.h"
#include "platforms/cli/runs/single_run.h"
#include "platforms/frame/l2_warmer.h"
#include "stimuli/recorded_names.h"
#include "stimuli/sampling/launch_census.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {

void require_sampleable(const RunSpec& spec, const Configuration& configuration) {
  const GpuParams& params = configuration.params;
  if (params.front_end.runs_kernels_together())
    throw InputError("front_end.concurrent_kernels: " + std::to_string(params.front_end.concurrent_kernels) +
                     ": --sample needs launches that run one after another; set front_end.concurrent_kernels=1");
  if (params.data != DataKept::none)
    throw InputError("data: bytes: --sample leaves old bytes in the caches, because skipped launches write to memory alone; set data=none");
  if (limit_of_stimulus(spec.stimulus) != kNever)
    throw InputError(spec.stimulus + ": --sample estimates a whole program; leave out limit_warp_instructions");
  if (is_recorded_name(spec.stimulus) && split_recorded(spec.stimulus).warm)
    throw InputError(spec.stimulus + ": --sample chooses which launches warm the caches; leave out :warm");
}

SamplingPlan plan_launches(const RunSpec& spec, const Configuration& configuration, const std::function<void(std::size_t)>& on_launch) {
  std::unique_ptr<Stimulus> stimulus = open_stimulus(spec, configuration);
  const GpuParams& params = configuration.params;
  // CTAs of distributed blocks start out of order. Where skipped CTAs do not warm L2, spans find it too empty.
  const bool warms = l2_follows_accesses(params), in_part = warms && params.front_end.cta_scheduler != "distributed";
  const SmGroups gpcs = params.gpcs();
  const CtasAtATime held = [&](const KernelLaunch& launch) {
    return in_part ? ctas_at_a_time(launch, params.front_end, params.sm, params.sms, gpcs) : 0;
  };
  const auto* trace = dynamic_cast<const traces::TraceStimulus*>(stimulus.get());
  if (trace != nullptr) return {launches_of_trace(*trace, held), spec.sample, spec.seed, WarmedBy::launch_before};
  std::optional<std::vector<LaunchFacts>> launches;
  if (auto* recording = dynamic_cast<cuda::RecordedStimulus*>(stimulus.get()))
    launches = launches_of_recording(*recording, held);
  else if (stimulus->leave_out_ctas())
    launches = launches_of_some_ctas(*stimulus, on_launch, held);
  else
    launches = launches_of_functional_run(*stimulus, on_launch, held);
  if (!launches) {
    stimulus.reset();  // a recording's memory has one place
    launches = launches_of_functional_run(*open_stimulus(spec, configuration), on_launch, held);
  }
  return {std::move(*launches), spec.sample, spec.seed, warms ? WarmedBy::skipped_launches : WarmedBy::launch_before};
}

double parse_sample_error(const char* name, const std::string& text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && end[-1] == '%') --end;
  double per_cent = 0.0;
  const auto [at, error] = std::from_chars(begin, end, per_cent);
  if (error != std::errc() || at != end || !(per_cent > 0.0 && per_cent <= 100.0))
    throw InputError(name + (": " + quote(text)) + " is not above 0 % and at most 100 %; give such as 2%");
  return per_cent / 100.0;
}

double sample_error_of(const CommandLine& arguments) {
  if (!arguments.has("sample-error")) return 0.0;
  if (!arguments.has("sample")) throw InputError("--sample-error needs --sample, the number to begin with; add such as --sample 5");
  return parse_sample_error("--sample-error", arguments.text("sample-error"));
}

std::uint64_t next_per_group(const Json& result, double error) {
  const Json& sampled = result["sampled"];
  const bool is_complete = sampled["measured_launches"] == sampled["launches"] && sampled["launches_in_part"] == 0;
  if (result["partial"].get<bool>() || is_complete) return 0;
  const Json& cycles = sampled["metrics"]["cycles"];
  const auto estimate = cycles["estimate"].get<double>();
  const double excess = (cycles["high"].get<double>() - estimate) / (error * estimate);
  if (!(excess > 1.0)) return 0;
  // The width shrinks with the square root of the number.
  const double factor = std::min(excess * excess, 4.0);
  const auto drawn = result["inputs"]["sample"].get<std::uint64_t>();
  return std::max(drawn + 1, static_cast<std::uint64_t>(std::ceil(factor * static_cast<double>(drawn))));
}

RunBatch run_sampled_batch(std::vector<RunSpec>& specs, const RunnerOptions& options, double error, std::ostream& err) {
  while (true) {
    RunBatch batch = run_batch(specs, options, err);
    if (error == 0.0 || options.dry || batch.interrupted) return batch;
    std::map<std::string, std::uint64_t> wanted;  // by stimulus
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (batch.records[i].status == RunStatus::done) {
        std::uint64_t& most = wanted[specs[i].stimulus];
        most = std::max(most, next_per_group(batch.records[i].result, error));
      }
    bool again = false;
    for (RunSpec& spec : specs) {
      if (wanted[spec.stimulus] == 0) continue;
      spec.sample = wanted[spec.stimulus];
      again = true;
    }
    if (!again) return batch;
  }
}

std::unique_ptr<Stimulus> open_detailed_part(const PreparedRun& run) {
  return std::make_unique<traces::TraceStimulus>(detailed_part(traces::kernels_of(run.spec.stimulus), run.plan.value()),
                                                 stimulus_options_of(run.spec, run.configuration).traces);
}

const char* size_unit_of(const RunSpec& spec) { return traces::is_trace(spec.stimulus) ? "bytes of kernel files" : "warp instructions"; }

}  // namespace wharf::cli
