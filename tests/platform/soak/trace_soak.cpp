#include "tests/platform/soak/trace_soak.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "model/base/rng.h"
#include "stimuli/traces/recording/recording_stimulus.h"
#include "stimuli/traces/trace_reader.h"
#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPatience{10};
/// One in this many seeds calls every block in every cycle, which takes several times as long.
constexpr std::uint64_t kTickingEvery = 4;

TrafficShape shape_of(const TraceSoak& soak) {
  Rng random(soak.seed, 0x50AC);
  TrafficShape shape;
  shape.warps_per_cta = 1 + static_cast<unsigned>(random.below(6));
  shape.instructions = 24 + static_cast<unsigned>(random.below(48));
  shape.hot_lines = 2 + static_cast<unsigned>(random.below(40));
  shape.cold_lines = 50u << random.below(9);
  shape.local_lines = 1 + static_cast<unsigned>(random.below(6));
  constexpr std::uint64_t kLinesAnInstruction = 2;
  const std::uint64_t of_a_cta = std::uint64_t{shape.kernels} * shape.warps_per_cta * shape.instructions * kLinesAnInstruction;
  shape.ctas = static_cast<unsigned>(std::max<std::uint64_t>(1, soak.accesses / of_a_cta));
  return shape;
}

void write_trace(const std::vector<ScriptedKernel>& kernels, const fs::path& folder) {
  traces::RecordingStimulus recording(std::make_unique<Scripted>(kernels), folder.string(), traces::TraceForm::plain);
  for (const KernelLaunch* launch = recording.next_kernel(); launch != nullptr; launch = recording.next_kernel()) {
    const std::uint64_t ctas = launch->grid.count();
    for (std::uint64_t cta = 0; cta < ctas; ++cta)
      for (const auto& stream : recording.open_cta(cta))
        while (stream->peek() != nullptr) stream->advance();
  }
}

std::uint64_t accesses_of(const Outcome& outcome) {
  std::uint64_t sum = 0;
  for (const char* metric : {"l1.load.accesses", "l1.store.accesses", "l1.texture.accesses", "l1.atomics"})
    if (outcome.result.at("run").contains(metric)) sum += outcome.run(metric);
  return sum;
}

}  // namespace

TraceSoakResult run_trace_soak(const TraceSoak& soak, const fs::path& folder) {
  const GpuParams params = machine(soak.configuration, soak_settings(soak.configuration, soak.keys, soak.seed));
  write_trace(random_traffic(soak.seed, shape_of(soak)), folder);
  RunOptions options = checked();
  options.seed = soak.seed;
  const auto end = std::chrono::steady_clock::now() + 2 * kPatience;
  options.on_progress = [&](const Progress&) { return std::chrono::steady_clock::now() < end; };
  const auto open = [&] { return std::make_unique<traces::TraceStimulus>(folder.string()); };
  TraceSoakResult result;
  options.scramble = true;
  options.ticking = soak.seed % kTickingEvery == 0;
  const Outcome scrambled = run_apart(params, open, options);
  // No machine of a configuration may refuse the trace, except one whose SMs were made smaller at random.
  if (scrambled.end == End::bad_input && soak.keys == SoakKeys::random) return {};
  if (scrambled.end != End::done) return {0, scrambled.failure};
  if (scrambled.result.at("partial") == true) return {0, "the run has not ended after ten minutes"};
  options.scramble = options.ticking = false;
  const std::string differs = differing_metrics(scrambled, run_apart(params, open, options));
  return {2 * accesses_of(scrambled), differs.empty() ? "" : "in the usual order of blocks:\n" + differs};
}

}  // namespace wharf::test
