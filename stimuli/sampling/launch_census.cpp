#include "stimuli/sampling/launch_census.h"

#include <filesystem>

#include "stimuli/functional_run.h"

namespace wharf {

std::vector<LaunchFacts> launches_of_functional_run(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                    const CtasAtATime& ctas_at_a_time) {
  std::vector<LaunchFacts> launches;
  const OpenCta open_cta = [&](std::uint64_t cta) { return stimulus.open_cta(cta); };
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    on_launch(launches.size());
    LaunchFacts& facts = launches.emplace_back(LaunchFacts{launch->name, launch->grid, launch->block, 0, ctas_at_a_time(*launch)});
    run_kernel_functionally(*launch, open_cta, facts.size, [] { return true; });
  }
  return launches;
}

std::vector<LaunchFacts> launches_of_trace(const traces::TraceStimulus& trace, const CtasAtATime& ctas_at_a_time) {
  std::vector<LaunchFacts> launches;
  const std::vector<KernelLaunch> known = trace.known_launches();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::uint64_t bytes = std::filesystem::file_size(trace.list().kernels[i].path);
    launches.push_back({known[i].name, known[i].grid, known[i].block, bytes, ctas_at_a_time(known[i])});
  }
  return launches;
}

traces::TraceList detailed_part(const traces::TraceList& trace, const SamplingPlan& plan) {
  traces::TraceList part = trace;
  part.kernels.clear();
  for (const std::size_t launch : plan.detailed()) part.kernels.push_back(trace.kernels[launch]);
  return part;
}

}  // namespace wharf
