#include "tests/platform/soak/trace_soak.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "model/base/rng.h"
#include "platforms/frame/threads.h"
#include "stimuli/traces/recording/recording_stimulus.h"
#include "stimuli/traces/trace_reader.h"
#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPatience{10};  // for each run
/// One in this many seeds counts issue slots by cause.
constexpr std::uint64_t kCountsSlotsEvery = 3;
/// Short enough for several windows in a run.
constexpr std::uint64_t kWindow = 5'000;
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
  shape.hints = random.below(4) == 0;
  shape.streams = 1 + static_cast<unsigned>(random.below(2));
  shape.kernels *= shape.streams;
  constexpr std::uint64_t kLinesAnInstruction = 2;
  const std::uint64_t of_a_cta = std::uint64_t{shape.kernels} * shape.warps_per_cta * shape.instructions * kLinesAnInstruction;
  shape.ctas = static_cast<unsigned>(std::max<std::uint64_t>(1, soak.accesses / of_a_cta));
  return shape;
}

/// Drops what no trace holds: windows, resets, and all hints but two.
void make_writable(ScriptedKernel& kernel) {
  kernel.l2_window = {};
  kernel.resets_persisting = false;
  for (auto& cta : kernel.ctas)
    for (Instructions& warp : cta)
      for (WarpInstruction& instruction : warp)
        if (instruction.eviction == Eviction::normal || instruction.eviction == Eviction::none) instruction.eviction = Eviction::unhinted;
}

void write_trace(std::vector<ScriptedKernel> kernels, const fs::path& folder) {
  for (ScriptedKernel& kernel : kernels) make_writable(kernel);
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

/// The runs of a trace on a machine, each in a process.
class Runs {
 public:
  Runs(const TraceSoak& soak, const fs::path& folder)
      : params_(machine(soak.configuration, layered(soak_settings(soak.configuration, soak.keys, soak.seed), soak.settings))),
        folder_(folder) {
    options_.seed = soak.seed;
    options_.verify = true;
    options_.cycle_stack = soak.seed % kCountsSlotsEvery == 0 ? 1 : 0;
    options_.window_thread_instructions = kWindow;
  }

  Outcome usual() const { return run(checked_too(options_)); }

  Outcome scrambled(bool ticking) const {
    RunOptions options = checked_too(options_);
    options.scramble = true;
    options.ticking = ticking;
    return run(options);
  }

  /// Without protocol checkers, which only one thread may call. None if the machine needs one thread.
  std::optional<Outcome> in_two_threads() const {
    RunOptions options = options_;
    options.threads = 2;
    if (!why_one_thread(params_, options, *open()).empty()) return std::nullopt;
    return run(options);
  }

  /// A run that saves its state after the first kernel, and one that goes on from there. None if the machine cannot.
  std::optional<std::pair<Outcome, Outcome>> saved_and_restored() const {
    const std::string file = folder_ / "state";
    Outcome saved = run(checked_too(options_), Checkpoint{file, false});
    if (saved.end == End::bad_input) return std::nullopt;
    return std::pair{std::move(saved), run(checked_too(options_), Checkpoint{file, true})};
  }

 private:
  static RunOptions checked_too(RunOptions options) {
    options.check_protocol = true;
    return options;
  }
  std::unique_ptr<Stimulus> open() const { return std::make_unique<traces::TraceStimulus>(folder_.string()); }
  Outcome run(RunOptions options, const std::optional<Checkpoint>& checkpoint = {}) const {
    options.on_progress = [end = std::chrono::steady_clock::now() + kPatience](const Progress&) {
      return std::chrono::steady_clock::now() < end;
    };
    return run_apart(
        params_, [this] { return open(); }, options, checkpoint);
  }

  GpuParams params_;
  fs::path folder_;
  RunOptions options_;
};

std::string difference_in_threads(const Runs& runs, const Outcome& usual) {
  const std::optional<Outcome> in_threads = runs.in_two_threads();
  return in_threads ? differing_metrics(usual, *in_threads) : "";
}

std::string difference_after_checkpoint(const Runs& runs) {
  const auto both = runs.saved_and_restored();
  if (!both) return "";
  return both->first.end == End::done ? differing_metrics(both->first, both->second) : both->first.failure;
}

/// A machine whose SMs were made smaller may refuse the trace.
bool may_refuse(SoakKeys keys) { return keys == SoakKeys::random || keys == SoakKeys::small_machine; }

}  // namespace

TraceSoakResult run_trace_soak(const TraceSoak& soak, const fs::path& folder) {
  write_trace(random_traffic(soak.seed, shape_of(soak)), folder);
  const Runs runs(soak, folder);
  const Outcome scrambled = runs.scrambled(soak.seed % kTickingEvery == 0);
  if (scrambled.end == End::bad_input && may_refuse(soak.keys)) return {};
  if (scrambled.end != End::done) return {0, scrambled.failure};
  if (scrambled.result.at("partial") == true) return {0, "the run has not ended after ten minutes"};
  TraceSoakResult result{2 * accesses_of(scrambled), {}};
  const Outcome usual = runs.usual();
  if (const std::string differs = differing_metrics(scrambled, usual); !differs.empty())
    return {result.accesses, "in the usual order of blocks:\n" + differs};
  const bool in_threads = soak.seed % 2 != 0;
  if (const std::string differs = in_threads ? difference_in_threads(runs, usual) : difference_after_checkpoint(runs); !differs.empty())
    result.finding = (in_threads ? "in two threads:\n" : "behind a checkpoint:\n") + differs;
  return result;
}

}  // namespace wharf::test
