#include "stimuli/sampling/sampled_stimulus.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "stimuli/catalogue.h"
#include "stimuli/functional_run.h"
#include "stimuli/sampling/launch_census.h"
#include "stimuli/self_checking.h"
#include "stimuli/traces/trace_list.h"
#include "test_paths.h"

using namespace wharf;

namespace {

constexpr const char* kProgram = "gaussian@tiny";  // 31 columns with two launches each

std::vector<LaunchFacts> launches_of(const char* name) {
  return launches_of_functional_run(
      *make_stimulus(name, 1), [](std::size_t) {}, [](const KernelLaunch&) { return 0; });
}

bool always() { return true; }

}  // namespace

TEST_CASE("the launches of a functional run have names, geometry and warp instructions") {
  const std::vector<LaunchFacts> launches = launches_of(kProgram);
  REQUIRE(launches.size() == 62);
  CHECK(launches[0].kernel == "gaussian_fan1");
  CHECK(launches[1].kernel == "gaussian_fan2");
  CHECK(launches[0].size == 172);
  CHECK(launches[1].size > launches[61].size);
}

TEST_CASE("the machine gets the detailed launches alone, and the memory is that of a whole run") {
  const SamplingPlan plan(launches_of(kProgram), 3, 1);
  const auto inner = make_stimulus(kProgram, 1);
  SampledStimulus sampled(*inner, plan, always);
  std::vector<std::uint64_t> sizes;
  const OpenCta open_cta = [&](std::uint64_t cta) { return sampled.open_cta(cta); };
  while (const KernelLaunch* launch = sampled.next_kernel()) run_kernel_functionally(*launch, open_cta, sizes.emplace_back(0), always);
  std::vector<std::uint64_t> expected;
  for (const std::size_t number : plan.detailed()) expected.push_back(plan.launches()[number].size);
  CHECK(sizes == expected);
  CHECK(sizes.size() < plan.launches().size() / 2);
  std::string why;
  CHECK(dynamic_cast<const SelfChecking&>(*inner).check_results(why));
  CHECK(why.empty());
  CHECK_FALSE(sampled.waiting());
}

TEST_CASE("the warmed caches get the start, the memory accesses and the end of each skipped launch") {
  struct Caches final : WarmedCaches {
    void begin() override { launches.emplace_back(); }
    void launch_starts(const KernelLaunch& launch) override { launches.back() = launch.name + ":"; }
    void access(std::uint64_t, const WarpInstruction& instruction) override {
      launches.back() += is_global_memory(instruction.unit) ? "m" : "?";
    }
    L2Traffic end() override {
      launches.back() += ".";
      return {launches.size()};
    }
    std::vector<std::string> launches;
  } caches;
  const SamplingPlan plan(launches_of(kProgram), 2, 1);
  const auto inner = make_stimulus(kProgram, 1);
  SampledStimulus sampled(*inner, plan, always);
  sampled.warm(caches);
  const OpenCta open_cta = [&](std::uint64_t cta) { return sampled.open_cta(cta); };
  std::uint64_t instructions = 0;
  while (const KernelLaunch* launch = sampled.next_kernel()) run_kernel_functionally(*launch, open_cta, instructions, always);
  REQUIRE(caches.launches.size() == plan.launches().size() - plan.detailed().size());
  std::size_t i = 0;
  for (std::size_t number = 0; number < plan.launches().size(); ++number) {
    if (plan.is_detailed(number)) continue;
    const std::string& heard = caches.launches[i++];
    CHECK_THAT(heard, Catch::StartsWith(plan.launches()[number].kernel + ":m") && Catch::EndsWith("m."));
    CHECK(heard.find('?') == std::string::npos);
    REQUIRE(sampled.skipped()[number].size() == 1);
    CHECK(sampled.skipped()[number].front().warp_instructions == plan.launches()[number].size);
    CHECK(sampled.skipped()[number].front().traffic[0] == i);
  }
}

TEST_CASE("a stop during skipped launches ends them, and the program is not done") {
  const SamplingPlan plan(launches_of(kProgram), 2, 1);
  const auto inner = make_stimulus(kProgram, 1);
  SampledStimulus sampled(*inner, plan, [] { return false; });
  const OpenCta open_cta = [&](std::uint64_t cta) { return sampled.open_cta(cta); };
  std::uint64_t instructions = 0;
  while (const KernelLaunch* launch = sampled.next_kernel()) run_kernel_functionally(*launch, open_cta, instructions, always);
  CHECK(sampled.waiting());
}

TEST_CASE("of a launch in part the machine gets some CTAs, or clusters, and the memory is that of a whole run") {
  // Those of the second are in clusters of two that are above one another in the grid.
  const std::string program = GENERATE("vectoradd:n=65536", "cluster_stencil:size=1024,cluster=2,steps=1");
  const auto at_a_time = [](const KernelLaunch&) { return 4; };
  const auto facts = launches_of_functional_run(
      *make_stimulus(program, 1), [](std::size_t) {}, at_a_time);
  const SamplingPlan plan(facts, 2, 1);
  REQUIRE(plan.spans(0) != nullptr);
  const auto inner = make_stimulus(program, 1);
  SampledStimulus sampled(*inner, plan, always);
  const KernelLaunch* launch = sampled.next_kernel();
  REQUIRE(launch != nullptr);
  CHECK(launch->grid.count() == plan.spans(0)->detailed_ctas());
  CHECK(launch->cluster == Dim3{program == "vectoradd:n=65536" ? 1u : 2u, 1, 1});  // in a row, as its grid is
  CHECK(launch->grid.count() < facts[0].grid.count() / 2);
  sampled.open_kernel(*launch);
  const std::vector<std::uint64_t> starts = plan.span_starts()[0];
  const OpenCta open_cta = [&](std::uint64_t cta) {
    if (std::binary_search(starts.begin(), starts.end(), cta)) sampled.skip_to_next_span();
    return sampled.open_cta(cta);
  };
  std::uint64_t instructions = 0;
  run_kernel_functionally(*launch, open_cta, instructions, always);
  CHECK(instructions == facts[0].size * launch->grid.count() / facts[0].grid.count());
  CHECK(sampled.next_kernel() == nullptr);
  CHECK_FALSE(sampled.waiting());
  std::string why;
  CHECK(dynamic_cast<const SelfChecking&>(*inner).check_results(why));
  CHECK(why.empty());
}

TEST_CASE("skipped CTAs that wait for those of the machine are refused, and a stop among skipped CTAs ends the program") {
  /// A kernel whose CTAs never end.
  struct Spinning final : Stimulus {
    struct Stream final : WarpStream {
      const WarpInstruction* peek() override { return &instruction; }
      void advance() override {}
      WarpInstruction instruction;
    };
    const KernelLaunch* next_kernel() override { return std::exchange(started, true) ? nullptr : &launch; }
    std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t) override {
      std::vector<std::unique_ptr<WarpStream>> warps;
      warps.push_back(std::make_unique<Stream>());
      return warps;
    }
    bool started = false;
    KernelLaunch launch{"spins", {100, 1, 1}, {32, 1, 1}};
  };
  const SamplingPlan plan({{"spins", {100, 1, 1}, {32, 1, 1}, 1000, 1}}, 2, 1);
  REQUIRE(plan.spans(0) != nullptr);
  const auto open_all = [&](const std::function<bool()>& go_on) {
    Spinning inner;
    SampledStimulus sampled(inner, plan, go_on);
    const KernelLaunch* launch = sampled.next_kernel();
    sampled.open_cta(0);
    for (std::size_t span = 1; span < plan.spans(0)->detailed().size(); ++span) sampled.skip_to_next_span();
    CHECK(sampled.open_cta(1).empty());
    CHECK_THROWS_WITH(sampled.open_cta(3), Catch::Contains("front_end.cta_scheduler does not start its CTAs in order"));
    CHECK(launch->grid.count() == plan.spans(0)->detailed_ctas());
    CHECK(sampled.next_kernel() == nullptr);
    return sampled.waiting();
  };
  CHECK_THROWS_WITH(open_all(always), Catch::StartsWith("launch 1 'spins': CTAs ") &&
                                          Catch::EndsWith(" wait for earlier ones, so none can be skipped; run it without --sample"));
  CHECK(open_all([] { return false; }));
}

TEST_CASE("a program whose launches differ from the planned ones is refused") {
  const auto refusal = [](std::vector<LaunchFacts> launches) {
    const SamplingPlan plan(std::move(launches), 2, 1);
    const auto inner = make_stimulus("bfs@tiny", 1);
    SampledStimulus sampled(*inner, plan, always);
    const OpenCta open_cta = [&](std::uint64_t cta) { return sampled.open_cta(cta); };
    std::uint64_t instructions = 0;
    while (const KernelLaunch* launch = sampled.next_kernel()) run_kernel_functionally(*launch, open_cta, instructions, always);
  };
  const std::vector<LaunchFacts> launches = launches_of("bfs@tiny");
  CHECK_NOTHROW(refusal(launches));
  std::vector<LaunchFacts> other = launches;
  other[1].grid.x += 1;
  const char* remedy = "so the launches of this program depend on timing; run it without --sample";
  CHECK_THROWS_WITH(refusal(other), Catch::StartsWith("launch 2 is '") && Catch::EndsWith(remedy));
  other = launches;
  other.pop_back();
  CHECK_THROWS_WITH(refusal(other), Catch::Contains("' in this run, but missing") && Catch::EndsWith(remedy));
  other = launches;
  other.push_back(launches.back());
  CHECK_THROWS_WITH(refusal(other), Catch::Contains(" is missing in this run, but '") && Catch::EndsWith(remedy));
}

TEST_CASE("the launches of a trace have the bytes of their files, and the detailed part lists its kernels in order") {
  const traces::TraceStimulus trace(WHARF_SOURCE_DIR "/tests/data/accelsim/traces/bfs");
  std::vector<LaunchFacts> launches = launches_of_trace(trace, [](const KernelLaunch&) { return 0; });
  REQUIRE(launches.size() == trace.list().kernels.size());
  for (const LaunchFacts& launch : launches) CHECK(launch.size > 0);
  for (LaunchFacts& launch : launches) launch.size = 1;
  const SamplingPlan plan(launches, 2, 1);
  const traces::TraceList part = detailed_part(trace.list(), plan);
  const std::vector<std::size_t> detailed = plan.detailed();
  REQUIRE(part.kernels.size() == detailed.size());
  for (std::size_t i = 0; i < detailed.size(); ++i) CHECK(part.kernels[i].path == trace.list().kernels[detailed[i]].path);
}

TEST_CASE("clocks that kernels read advance during skipped launches") {
  struct Gpu final : RunningGpu {
    Cycle core_cycle() const override { return 10; }
    Picoseconds time() const override { return 20; }
    std::uint32_t sms() const override { return 3; }
    std::uint32_t sm_of_cta() const override { return 1; }
  } gpu;
  /// Six launches of one warp instruction.
  class Clocked final : public Stimulus {
   public:
    void run_on(const RunningGpu& running) override { gpu = &running; }
    const KernelLaunch* next_kernel() override { return launched_++ < 6 ? &launch_ : nullptr; }
    std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t) override {
      std::vector<std::unique_ptr<WarpStream>> warps;
      warps.push_back(std::make_unique<Warp>());
      return warps;
    }
    const RunningGpu* gpu = nullptr;

   private:
    struct Warp final : WarpStream {
      const WarpInstruction* peek() override { return done ? nullptr : &instruction; }
      void advance() override { done = true; }
      WarpInstruction instruction;
      bool done = false;
    };
    KernelLaunch launch_;
    int launched_ = 0;
  } inner;
  std::vector<LaunchFacts> launches(6);
  const SamplingPlan plan(launches, 2, 1);
  std::size_t skipped = 6 - plan.detailed().size();
  REQUIRE(skipped > 0);
  SampledStimulus sampled(inner, plan, always);
  sampled.run_on(gpu);
  CHECK(inner.gpu->core_cycle() == 10);
  while (sampled.next_kernel() != nullptr) {
  }
  CHECK(inner.gpu->core_cycle() == 10 + skipped);
  CHECK(inner.gpu->time() == 20 + 1000 * skipped);
  CHECK(inner.gpu->sms() == 3);
  CHECK(inner.gpu->sm_of_cta() == 1);
}
