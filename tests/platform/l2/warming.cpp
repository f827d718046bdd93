// Functional warming of L2 by the launches that a sampled run skips (docs/howto-sample.md).

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "stimuli/sampling/sampled_stimulus.h"
#include "tests/platform/l2/table_and_stream.h"
#include "tests/platform/machines/run_checked.h"

namespace wharf::test {
namespace {

/// Kernels of one name, which may be drawn for each other.
class Alike final : public Stimulus {
 public:
  explicit Alike(const std::vector<ScriptedKernel>& kernels) : kernels_(kernels) {}
  const KernelLaunch* next_kernel() override {
    const KernelLaunch* next = kernels_.next_kernel();
    if (next == nullptr) return nullptr;
    launch_ = *next;
    launch_.name = "kernel";
    return &launch_;
  }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override { return kernels_.open_cta(cta); }

 private:
  Scripted kernels_;
  KernelLaunch launch_;
};

/// Four launches of one warp, of which the plan skips `skipped`.
SamplingPlan plan_without(std::size_t skipped) {
  for (std::uint64_t seed = 1;; ++seed) {
    SamplingPlan plan(std::vector<LaunchFacts>(4, {"kernel", {1, 1, 1}, {kLanes, 1, 1}, 1}), 2, seed, WarmedBy::skipped_launches);
    if (plan.role(skipped) == LaunchRole::skipped) return plan;
  }
}

/// Runs all but one of four launches.
Outcome run_without(std::size_t skipped, const Settings& settings, const std::vector<ScriptedKernel>& kernels) {
  // In the run's own process, which ends with it.
  const auto open = [&] {
    static Alike inner(kernels);
    static const SamplingPlan plan = plan_without(skipped);
    return std::make_unique<SampledStimulus>(inner, plan, [] { return true; });
  };
  const Outcome outcome = run_apart(machine("private", settings), open, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  REQUIRE(outcome.result.at("kernels").size() == 3);
  return outcome;
}

const ScriptedKernel kStreams = one_warp(load_chase(kStream, kStreamLines));

}  // namespace

TEST_CASE("a skipped launch evicts and brings lines, and keeps those that persist until its reset") {
  const ScriptedKernel table = protected_table();
  ScriptedKernel resets = kStreams;
  resets.resets_persisting = true;
  const auto after_stream = [&](const Settings& settings, const ScriptedKernel& stream) {
    return run_without(1, settings, {table, stream, table, table});
  };
  CHECK(after_stream(kSmall, kStreams).kernel(1, "sm.served_by.dram") == kTableLines);
  CHECK(after_stream(kSmall, kStreams).kernel(2, "sm.served_by.l2") == kTableLines);
  CHECK(after_stream(kAside, kStreams).kernel(1, "sm.served_by.l2") == kTableLines);
  CHECK(after_stream(kAside, resets).kernel(1, "sm.served_by.dram") == kTableLines);
}

TEST_CASE("the lines of a skipped launch persist by its own window and limit") {
  ScriptedKernel limited = protected_table();
  limited.persisting_limit = 0;
  const auto last_of = [](const Settings& settings, const ScriptedKernel& skipped) {
    return run_without(1, settings, {kStreams, skipped, kStreams, protected_table()});
  };
  CHECK(last_of(kSmall, protected_table()).kernel(2, "sm.served_by.dram") == kTableLines);
  CHECK(last_of(kAside, protected_table()).kernel(2, "sm.served_by.l2") == kTableLines);
  CHECK(last_of(kAside, limited).kernel(2, "sm.served_by.dram") == kTableLines);
}

TEST_CASE("the counters of the machine do not contain those of a skipped launch") {
  const Outcome outcome = run_without(1, kSmall, {protected_table(), kStreams, protected_table(), protected_table()});
  CHECK(outcome.run("l2.accesses") == 3 * kTableLines);
  CHECK(outcome.run("dram.reads") == outcome.kernel(0, "dram.reads") + outcome.kernel(1, "dram.reads"));
}

TEST_CASE("a skipped store that covers its sector fetches nothing, and one that does not fetches its line") {
  const auto other_sector_is_served_by = [](LaneMask stored, const char* metric) {
    Instructions stores;
    for (unsigned line = 0; line < kTableLines; ++line) stores.push_back(store(kTable + line * kLineBytes, kNoRegister, stored));
    const ScriptedKernel reads = one_warp(load_chase(kTable + 2 * kSectorBytes, kTableLines));
    return run_without(1, {}, {kStreams, one_warp(stores), reads, reads}).kernel(1, metric);
  };
  CHECK(other_sector_is_served_by(0xFF, "sm.served_by.dram") == kTableLines);
  CHECK(other_sector_is_served_by(0x7F, "sm.served_by.l2") == kTableLines);
}

TEST_CASE("a line that a skipped launch evicts is in DRAM as its last store left it") {
  Instructions stores;
  for (unsigned line = 0; line < kTableLines; ++line) stores.push_back(store(kTable + line * kLineBytes));
  const ScriptedKernel writes = one_warp(stores), reads = one_warp(load_chase(kTable, kTableLines));
  const Outcome outcome = run_without(1, kSmall, {writes, kStreams, reads, reads});
  CHECK(outcome.kernel(1, "sm.served_by.dram") == kTableLines);
  CHECK(outcome.run("golden.checked_sectors") > 0);
}

}  // namespace wharf::test
