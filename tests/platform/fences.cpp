// Fences that invalidate L1s (sm.fence_invalidates, CM-30).

#include <catch2/catch.hpp>

#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

const std::vector<std::string> kOn = {"sm.fence_waits=results", "sm.fence_invalidates=true"};
const std::vector<std::string> kOff = {"sm.fence_waits=results"};

WarpInstruction fence() { return compute(Unit::fence); }

Outcome done(const std::string& configuration, const std::vector<std::string>& settings, const std::vector<ScriptedKernel>& kernels,
             const RunOptions& options = checked()) {
  const Outcome outcome = run_apart(machine(configuration, settings), kernels, options);
  INFO(configuration << ": " << outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// A warp reads a line, whose data it awaits, passes `between`, and reads the line again.
ScriptedKernel twice(const Instructions& between) {
  Instructions all = {load(kLine, 1), compute(Unit::alu, 2, 1)};
  all.insert(all.end(), between.begin(), between.end());
  all.push_back(load(kLine, 3));
  return one_warp(all);
}

}  // namespace

TEST_CASE("behind a fence an SM's loads find none of their lines in its L1, where fences invalidate it") {
  for (const char* name : {"private", "remote_sharing", "ata", "cluster/private", "gpus/volta_qv100", "gpus/80sm_kept_l1"}) {
    INFO(name);
    const std::vector<ScriptedKernel> kernels = {twice({fence()})};
    CHECK(done(name, {"sm.fence_waits=results", "sm.fence_invalidates=false"}, kernels).run("l1.load.hits") == 1);
    const Outcome invalidated = done(name, kOn, kernels);
    CHECK(invalidated.run("l1.load.hits") == 0);
    CHECK(invalidated.run("l1.load.misses") == 2);
    CHECK(done(name, kOn, {twice({})}).run("l1.load.hits") == 1);
  }
}

TEST_CASE("a line that a fence invalidates is fetched again in the time of the first access to L2") {
  const auto cycles = [](const std::vector<std::string>& settings, const Instructions& between) {
    // The first kernel brings the line into L2.
    return done("private", settings, {one_warp({load(kLine, 1)}), twice(between)}).kernel(1, "sm.round_trip_sum");
  };
  const auto once = done("private", kOn, {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1)})}).kernel(1, "sm.round_trip_sum");
  CHECK(cycles(kOn, {fence()}) == 2 * once);
  CHECK(cycles(kOff, {fence()}) < 2 * once);
}

TEST_CASE("a fence invalidates the L1 of its own SM only, and no cache of several SMs") {
  const auto hits = [](const char* name, const Warps& reader, const Warps& fences) {
    ScriptedKernel kernel;
    kernel.ctas = {reader, fences};
    return done(name, kOn, {kernel}).run("l1.load.hits");
  };
  Instructions slow = {load(kLine, 1), compute(Unit::alu, 2, 1)};
  for (int i = 0; i < 60; ++i) slow.push_back(compute(Unit::alu, 2, 2));
  slow.push_back(load(kLine, 3));
  CHECK(hits("private", {slow}, {{fence(), compute(Unit::alu)}}) == 1);
  for (const char* name : {"shared_l1", "dc_l1"}) {
    INFO(name);
    CHECK(done(name, kOn, {twice({fence()})}).run("l1.load.hits") == 1);
  }
}

TEST_CASE("dirty lines of local memory outlive a fence, because no other memory has their stores") {
  WarpInstruction spill = store(kLine, kNoRegister, kAllLanes), fill = load(kLine, 3);
  spill.space = fill.space = Space::local;
  // The fence waits for a load from L2; the store before it has then reached the L1.
  const Outcome outcome = done("gpus/fermi_15sm", kOn, {one_warp({spill, load(kLine + 64 * kLineBytes, 1), fence(), fill})});
  CHECK(outcome.run("l1.load.hits") == 1);
}

TEST_CASE("data that are on their way at another warp's fence serve their warp and leave no copy") {
  // The first warp's load is on its way when the second passes its fence at once; much later the first reads the line again.
  ScriptedKernel kernel;
  kernel.warps_per_cta = 2;
  kernel.ctas = {{{load(kLine, 1), compute(Unit::alu, 2, 1), load(kLine, 3)},
                  {compute(Unit::alu, 1), compute(Unit::alu, 2, 1), fence(), compute(Unit::alu)}}};
  CHECK(done("private", kOn, {kernel}).run("l1.load.hits") == 0);
  CHECK(done("private", kOff, {kernel}).run("l1.load.hits") == 1);
}

TEST_CASE("fences that invalidate give the same bytes in another order of blocks, without sleep, and after every refused access") {
  constexpr Address kFar = 1024 * kLineBytes;  // one set of an L1
  std::vector<Warps> ctas;
  for (unsigned c = 0; c < 16; ++c) {
    Warps warps(4);
    for (unsigned w = 0; w < 4; ++w)
      for (unsigned i = 0; i < 12; ++i) {
        warps[w].push_back(load(kLine + (c % 3 * 5 + w + i % 4) * kFar, static_cast<RegisterId>(1 + i % 3), kNoRegister, kAllLanes));
        if (i % 4 == w) warps[w].push_back(fence());
        if (i % 5 == 0) warps[w].push_back(store(kLine + (c * 4 + w) * kLineBytes, 1, kAllLanes));
      }
    ctas.push_back(warps);
  }
  ScriptedKernel kernel;
  kernel.ctas = ctas;
  kernel.warps_per_cta = 4;
  for (const char* name : {"private", "remote_sharing", "ata", "cluster/private", "gpus/ampere_a100", "shared_l1", "dc_l1"}) {
    INFO(name);
    for (const char* narrow : {"l1.mshr_entries=2", "l1.ways=1"}) {
      INFO(narrow);
      const std::vector<std::string> settings = {"sm.fence_waits=results", "sm.fence_invalidates=true", narrow};
      const std::string bytes = done(name, settings, {kernel}).bytes();
      RunOptions scrambled = checked(), ticking = checked();
      scrambled.scramble = true;
      ticking.ticking = true;
      CHECK(done(name, settings, {kernel}, scrambled).bytes() == bytes);
      CHECK(done(name, settings, {kernel}, ticking).bytes() == bytes);
    }
  }
}

}  // namespace wharf::test
