// l1.kernel_boundary: keep_clean, and CTAs that continue from SM to SM across kernels: the lines that a kernel finds in the L1s from the
// previous kernel (DC-16, CM-27).

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

constexpr Address kX = 0x10'0000, kY = 0x20'0000;
const Settings kSameSm = {"front_end.cta_scheduler=round_robin"};  // CTA n of every kernel is on SM n

/// One warp per CTA.
ScriptedKernel ctas(const std::vector<Instructions>& warps) {
  ScriptedKernel kernel;
  for (const Instructions& warp : warps) kernel.ctas.push_back({warp});
  return kernel;
}

struct Loads {
  std::uint64_t hits, misses;
  bool operator==(const Loads& other) const { return hits == other.hits && misses == other.misses; }
};

/// The hits and misses of the second of two kernels' loads.
Loads loads_of_second(const char* name, const Settings& settings, const ScriptedKernel& first, const ScriptedKernel& second) {
  const Outcome outcome = run_apart(machine(name, settings), {first, second}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return {outcome.kernel(1, "l1.load.hits"), outcome.kernel(1, "l1.load.misses")};
}

TEST_CASE("kept L1: the next kernel hits what the one before has loaded, and with flush it does not") {
  const ScriptedKernel kernel = one_warp(load_chase(kX, 4));
  for (const char* name : {"dc_l1/private", "dc_l1/single_l1", "dc_l1/cdxbar", "dc_l1/pr40", "dc_l1/sh40", "dc_l1/sh40_c10"}) {
    CAPTURE(name);
    CHECK(loads_of_second(name, kSameSm, kernel, kernel) == Loads{4, 0});
    CHECK(loads_of_second(name, kSameSm + Settings{"l1.kernel_boundary=flush"}, kernel, kernel) == Loads{0, 4});
  }
}

TEST_CASE("kept L1: a line that another cache has stored to or changed by an atomic is gone, others stay") {
  const Instructions both = {load(kX, 1), load(kY, 2)};
  for (const WarpInstruction& write : {store(kX, kNoRegister, kAllLanes), store(kX), atomic(kX, 3)}) {
    const ScriptedKernel writes = ctas({both, {write}});
    CHECK(loads_of_second("dc_l1/private", kSameSm, writes, ctas({both})) == Loads{1, 1});
    // SMs 0 and 1 share a node: the store evicts its copy, and so does the atomic. SM 2 has another node.
    CHECK(loads_of_second("dc_l1/pr40", kSameSm, ctas({both, {}, {write}}), ctas({both})) == Loads{1, 1});
    // SM 8 is in the next cluster.
    CHECK(loads_of_second("dc_l1/sh40_c10", kSameSm, ctas({both, {}, {}, {}, {}, {}, {}, {}, {write}}), ctas({both})) == Loads{1, 1});
  }
}

TEST_CASE("kept L1: a copy that its own SM has brought up to date stays, unless another SM has stored to the line too") {
  const Settings update = kSameSm + Settings{"l1.store_hit=update"};
  const Instructions own = {load(kX, 1), store(kX, 1)};
  CHECK(loads_of_second("dc_l1/private", update, ctas({own}), ctas({{load(kX, 1)}})) == Loads{1, 0});
  CHECK(loads_of_second("dc_l1/private", update, ctas({own, {store(kX + 64)}}), ctas({{load(kX, 1)}})) == Loads{0, 1});
  CHECK(loads_of_second("dc_l1/private", kSameSm, ctas({own}), ctas({{load(kX, 1)}})) == Loads{0, 1});  // evicted by the store
}

TEST_CASE("kept L1: the first CTA of a kernel goes to the SM after the one that had the last before") {
  const ScriptedKernel kernel = one_warp(load_chase(kX, 4));
  const Outcome outcome = run_apart(machine("dc_l1/private", {"sms=2"}), {kernel, kernel, kernel}, checked());
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(1, "l1.load.hits") == 0);  // on SM 1, whose L1 is empty
  CHECK(outcome.kernel(2, "l1.load.hits") == 4);  // on SM 0 again
}

TEST_CASE("kept L1: random kernels one after another never read what is old, in any order of the blocks") {
  constexpr TrafficShape kManyKernels = {5, 16, 2, 40, 6, 60, 3, true};
  const Settings small = {
      "sms=8", "channels=2", "sm.warps=8", "sm.ctas=2", "l1.mshr_entries=4", "l2.slice_kib=2", "watchdog.interval_cycles=20000"};
  const Settings nodes = small + Settings{"dc_l1.nodes=4"};
  soak("dc_l1/private", small, 1, kManyKernels);
  soak("dc_l1/private", small + Settings{"l1.store_hit=update", "l1.store_miss=allocate"}, 2, kManyKernels);
  soak("dc_l1/private", small + Settings{"l1.store_hit=update", "l1.sectored=true", "l2.sectored=true"}, 3, kManyKernels);
  soak("dc_l1/single_l1", small, 4, kManyKernels);
  soak("dc_l1/cdxbar_rr", nodes + Settings{"dc_l1.clusters=2"}, 5, kManyKernels);
  soak("dc_l1/pr40", nodes + Settings{"dc_l1.clusters=4"}, 6, kManyKernels);
  soak("dc_l1/sh40", nodes, 7, kManyKernels);
  soak("dc_l1/sh40_c10_boost", nodes + Settings{"dc_l1.clusters=2"}, 8, kManyKernels);
}

TEST_CASE("kept L1: what cannot keep lines is refused with the remedy") {
  using Catch::Contains;
  CHECK_THROWS_WITH(machine("shared_l1", {"l1.kernel_boundary=keep_clean"}), Contains("passes through a cache of the L1 class"));
  CHECK_THROWS_WITH(machine("remote_sharing", {"l1.kernel_boundary=keep_clean"}), Contains("set l1.kernel_boundary: flush"));
  CHECK_THROWS_WITH(machine("gpus/volta_qv100", {"l1.kernel_boundary=keep_clean"}), Contains("size does not change with the kernel"));
  CHECK_THROWS_WITH(machine("dc_l1/private", {"front_end.kernel_end=ctas_done", "sm.cta_waits_for_stores=true"}),
                    Contains("lets stores of a kernel arrive in the next"));
}

}  // namespace
}  // namespace wharf::test
