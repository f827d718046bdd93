// Local memory that the machine lays out (CM-43): the contents of a kernel's stacks, and the checks of the run.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "policies/cta_scheduler/cta_scheduler.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

constexpr Address kStacks = 0x1'0000'0000;
constexpr std::uint32_t kElements = 3;

WarpInstruction local(WarpInstruction instruction) {
  instruction.space = Space::local;
  return instruction;
}
/// Element `i` of the threads of warp `of_grid` of the grid, in the array of all threads.
Address element(unsigned of_grid, unsigned i) { return kStacks + (of_grid * kElements + i) * kLineBytes; }
WarpInstruction store_element(unsigned of_grid, unsigned i) { return local(store(element(of_grid, i), kNoRegister, kAllLanes)); }
WarpInstruction load_element(unsigned of_grid, unsigned i) { return local(load(element(of_grid, i), 1, kNoRegister, kAllLanes)); }

/// CTAs of one warp, each with an array of 3 words per thread.
ScriptedKernel ctas_with_arrays(const std::vector<Instructions>& warps) {
  ScriptedKernel kernel;
  for (const Instructions& warp : warps) kernel.ctas.push_back({warp});
  kernel.frame.add(kStacks, warps.size() * kElements * kLineBytes, 4, kElements);
  return kernel;
}

Outcome run(const char* name, const std::vector<std::string>& settings, const ScriptedKernel& kernel,
            const RunOptions& options = checked()) {
  const Outcome outcome = run_apart(machine(name, settings), {kernel}, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

const std::vector<std::string> kOneSlot = {"sms=1", "sm.ctas=1"};

/// Dispatches all CTAs to the first SM, as many at once as fit. `promises`: it declares that it keeps to shares.
template <bool promises>
class FirstSm final : public CtaScheduler {
 public:
  void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) override { left_ = ctas, next_ = 0, sm_ = eligible.front(); }
  std::optional<Dispatch> next(const Room& room) override {
    if (left_ == 0 || room[sm_] == 0) return std::nullopt;
    --left_;
    return Dispatch{sm_, next_++};
  }
  bool keeps_to_shares() const override { return promises; }

 private:
  std::uint64_t left_ = 0, next_ = 0;
  std::uint32_t sm_ = 0;
};

template <bool promises>
std::unique_ptr<CtaScheduler> first_sm(const Arguments&) {
  return std::make_unique<FirstSm<promises>>();
}

void add_schedulers() {
  static const bool added = [] {
    add_cta_scheduler({"first_sm", "all CTAs to the first SM", first_sm<false>});
    add_cta_scheduler({"first_sm_promises", "all CTAs to the first SM, against its word", first_sm<true>});
    return true;
  }();
  static_cast<void>(added);
}

}  // namespace

TEST_CASE("local memory: a later CTA of a slot finds the lines of the earlier one in the L1, where the machine lays it out") {
  const ScriptedKernel kernel = ctas_with_arrays({{store_element(0, 0), store_element(0, 1)}, {load_element(1, 0), load_element(1, 1)}});
  const Outcome shared = run("gpus/volta_qv100", kOneSlot, kernel);
  CHECK(shared.run("l1.load.hits") == 2 * kSectorsPerLine);
  CHECK(shared.run("l1.load.misses") == 0);
  CHECK(shared.run("dram.reads") == 0);
  const Outcome apart = run("gpus/volta_qv100", {"sms=1", "sm.ctas=1", "sm.local_memory=as_given"}, kernel);
  CHECK(apart.run("l1.load.hits") == 0);
  CHECK(apart.run("l1.load.misses") == 2);  // lines, and their other sectors
  CHECK(apart.run("l1.load.sector_misses") == 2 * (kSectorsPerLine - 1));
}

// Four CTAs on two SMs, each with room for four: an SM's share is two.
TEST_CASE("local memory: CTAs that a CTA scheduler puts on one SM beyond its share have places of their own") {
  add_schedulers();
  // Each CTA stores to three words, one line each. With a place per CTA, all twelve lines are distinct.
  std::vector<Instructions> warps;
  for (unsigned w = 0; w < 4; ++w) warps.push_back({store_element(w, 0), store_element(w, 1), store_element(w, 2)});
  for (const char* scheduler : {"first_sm", "round_robin", "distributed", "rotating"}) {
    const Outcome outcome =
        run("gpus/volta_qv100", {"sms=2", "sm.ctas=4", "front_end.cta_scheduler=" + std::string(scheduler)}, ctas_with_arrays(warps));
    INFO(scheduler);
    CHECK(outcome.run("sm.ctas") == 4);
    CHECK(outcome.run("l1.store.misses") == 4 * kElements * kSectorsPerLine);
    CHECK(outcome.run("l1.store.hits") == 0);
  }
}

TEST_CASE("local memory: a CTA scheduler that exceeds the share it promised to keep to is refused with its name") {
  add_schedulers();
  const std::vector<Instructions> warps(3, {store_element(0, 0)});
  const Outcome outcome = run_apart(machine("gpus/volta_qv100", {"sms=2", "sm.ctas=4", "front_end.cta_scheduler=first_sm_promises"}),
                                    {ctas_with_arrays(warps)});
  CHECK(outcome.end == End::simulation_failed);
  CHECK_THAT(outcome.failure,
             Catch::Matchers::Contains("front_end.cta_scheduler first_sm_promises gives SM 0 CTA 2 of kernel 'kernel_1' beside 2 "
                                       "others, which is more than its share; let keeps_to_shares() return false"));
}

TEST_CASE("local memory: where addresses are taken as given, the frame of a kernel changes nothing") {
  const ScriptedKernel kernel = ctas_with_arrays({{store_element(0, 0), load_element(0, 0)}, {store_element(1, 2), load_element(1, 2)}});
  ScriptedKernel without = kernel;
  without.frame = {};
  for (const char* name : {"private", "gpus/fermi_15sm"}) CHECK(run(name, {}, kernel).csv == run(name, {}, without).csv);
}

TEST_CASE("local memory: an access that the kernel's frame does not have is refused with the kernel's name") {
  const auto failure_of = [](const ScriptedKernel& kernel) {
    const Outcome outcome = run_apart(machine("gpus/volta_qv100", kOneSlot), {kernel});
    CHECK(outcome.end == End::simulation_failed);
    return outcome.failure;
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(
      failure_of(ctas_with_arrays({{load_element(0, 3)}})),
      Contains("kernel 'kernel_1' accesses 4 bytes of local memory at 0x100000180, in no element of the local arrays that it declares"));
  ScriptedKernel undeclared = ctas_with_arrays({{load_element(0, 0)}});
  undeclared.frame = {};
  CHECK_THAT(
      failure_of(undeclared),
      Contains("kernel 'kernel_1' accesses 4 bytes of local memory at 0x100000000, and declares no local arrays; the frame of its launch"));
}

TEST_CASE("local memory: CTAs that follow one another in a slot see no stale word, in any order of the blocks") {
  // Eight CTAs in four slots, two kernels with frames of their own; L1s that write through, write back, or share lines.
  for (const char* name : {"gpus/volta_qv100", "gpus/fermi_15sm", "dc_l1", "shared_l1"}) {
    const auto outcome = [&](bool scramble, const std::vector<std::string>& more) {
      std::vector<std::string> settings = {"sm.local_memory=interleaved", "front_end.eligible_sms=2", "sm.ctas=2"};
      settings.insert(settings.end(), more.begin(), more.end());
      RunOptions options = checked();
      options.scramble = scramble;
      const Outcome outcome = run_apart(
          machine(name, settings), [] { return cli::open_named_stimulus("lib:paths=512,steps=1", 1); }, options);
      INFO(name << " " << outcome.failure);
      REQUIRE(outcome.end == End::done);
      return outcome;
    };
    const Outcome plain = outcome(false, {});
    CHECK(plain.run("golden.checked_sectors") > 0);
    CHECK(outcome(true, {}).bytes() == plain.bytes());
    CHECK(outcome(false, {"data=bytes"}).csv == plain.csv);
  }
}

}  // namespace wharf::test
