#include "stimuli/sampling/launch_census.h"

#include <algorithm>
#include <filesystem>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/functional_run.h"

namespace wharf {
namespace {

/// One cluster of so many is executed, of a small launch one of fewer; an odd number, so that it is not always the same column of a grid.
constexpr std::uint64_t kMostApart = 17;
/// Of a launch, if it has so many.
constexpr std::uint64_t kFewestClusters = 16;
/// A cluster that executes more waits for CTAs that do not run.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 26;

/// The warp instructions of a launch, by those of some of its CTAs. The first cluster, which often does more, stands for itself. Throws
/// SimulationError where these do not end.
std::uint64_t expected_size(const KernelLaunch& launch, const OpenCta& open_cta) {
  const std::uint64_t per_cluster = launch.ctas_per_cluster(), clusters = launch.grid.count() / per_cluster;
  const std::uint64_t most = std::clamp<std::uint64_t>(clusters / kFewestClusters, 1, kMostApart), apart = most - 1 + most % 2;
  std::uint64_t instructions = 0, executed = 0, of_first = 0;
  for (std::uint64_t cluster = 0; cluster < clusters; cluster += apart, ++executed) {
    const std::uint64_t first = cluster * per_cluster, limit = instructions + kMostInstructions;
    const auto go_on = [&] { return instructions < limit; };
    if (!run_ctas_functionally(launch, first, first + per_cluster, open_cta, instructions, go_on))
      throw SimulationError("kernel " + readable_name(launch.name) + ": CTAs wait for others that do not run");
    if (cluster == 0) of_first = instructions;
  }
  return of_first + (instructions - of_first) * (clusters - 1) / std::max<std::uint64_t>(1, executed - 1);
}

/// size_of(launch, open_cta) executes what its size is known from.
template <class SizeOf>
std::vector<LaunchFacts> launches_of(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                     const CtasAtATime& ctas_at_a_time, bool are_expected, SizeOf size_of) {
  std::vector<LaunchFacts> launches;
  const OpenCta open_cta = [&](std::uint64_t cta) { return stimulus.open_cta(cta); };
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    on_launch(launches.size());
    const std::uint64_t size = size_of(*launch, open_cta);
    launches.push_back({launch->name, launch->grid, launch->block, size, ctas_at_a_time(*launch), are_expected});
  }
  return launches;
}

}  // namespace

std::optional<std::vector<LaunchFacts>> launches_of_some_ctas(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                              const CtasAtATime& ctas_at_a_time) {
  try {
    return launches_of(stimulus, on_launch, ctas_at_a_time, true, expected_size);
  } catch (const SimulationError&) {
    return std::nullopt;  // it needs what CTAs that were left out would have computed
  }
}

std::vector<LaunchFacts> launches_of_functional_run(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                    const CtasAtATime& ctas_at_a_time) {
  return launches_of(stimulus, on_launch, ctas_at_a_time, false, [](const KernelLaunch& launch, const OpenCta& open_cta) {
    std::uint64_t instructions = 0;
    run_kernel_functionally(launch, open_cta, instructions, [] { return true; });
    return instructions;
  });
}

std::optional<std::vector<LaunchFacts>> launches_of_recording(cuda::RecordedStimulus& recording, const CtasAtATime& ctas_at_a_time) {
  recording.list_launches();
  bool known = true;
  const auto size_of = [&](const KernelLaunch&, const OpenCta&) {
    known &= recording.launch_size() != 0;
    return recording.launch_size();
  };
  std::vector<LaunchFacts> launches = launches_of(
      recording, [](std::size_t) {}, ctas_at_a_time, false, size_of);
  if (!known) return std::nullopt;
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
