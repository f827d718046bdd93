// The cycle in which a run ends, or a sample is taken: counts do not depend on which block acts first in it.

#include <catch2/catch.hpp>

#include "platforms/simulation.h"
#include "stimuli/synthetic/synthetic.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

Outcome run_ordered(const GpuParams& params, const OpenStimulus& open, std::uint64_t scramble_seed) {
  RunOptions options;
  options.scramble = scramble_seed != 0;
  options.seed = scramble_seed;
  const Outcome outcome = run_apart(params, open, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

std::string launched_after(std::uint64_t cycles) { return "front_end.kernel_launch_cycles=" + std::to_string(cycles); }

std::uint64_t copies_sampled(const Outcome& outcome) {
  return outcome.result.at("tables").at("histograms").at("directory.copies").at("count").get<std::uint64_t>();
}

}  // namespace

TEST_CASE("a closed loop asks for the same reads whether the front end or the last result comes first in the cycle of the end") {
  const auto open = [] { return make_synthetic(parse_synthetic("loads=0,ctas=1,warps=1,instructions=2000,run=1000"), 1); };
  // The 48 warps have a result every six cycles on average, so some of these runs end with a result.
  for (unsigned launch = 136; launch < 150; ++launch) {
    INFO(launch);
    const GpuParams params = machine("morpheus/characterise", {"sms=8", "front_end.eligible_sms=7", launched_after(launch)});
    const std::string plain = run_ordered(params, open, 0).bytes();
    for (const std::uint64_t seed : {1, 2}) CHECK(run_ordered(params, open, seed).bytes() == plain);
  }
}

TEST_CASE("a run looks for a stop in each core cycle with an event, where another clock has 100,000 edges in it") {
  const GpuParams params = machine("private", {"sms=1", "channels=1", "clock_mhz.core=1", "clock_mhz.l2=100000", launched_after(1)});
  unsigned asked = 0;
  RunOptions options;
  options.on_progress = [&](const Progress&) { return ++asked < 50; };
  const auto stimulus = make_synthetic(parse_synthetic("loads=0,ctas=1,warps=32,instructions=100000"), 1);
  Simulation simulation(params, *stimulus, options);
  simulation.run();
  CHECK(simulation.partial());
  CHECK(simulation.whole_run().end_cycle == 50);
}

// SL-37
TEST_CASE("a sample of replicas that is due in the cycle of the end is not taken, whoever acts first") {
  Instructions instructions{load(0x10000, 1)};
  for (int i = 0; i < 500; ++i) instructions.push_back(compute(Unit::fp32));
  const ScriptedKernel two_sms{{{instructions}, {instructions}}};
  const auto params = [](Cycle launch) { return machine("private", {"sms=2", launched_after(launch)}); };
  const auto open = [&] { return std::make_unique<Scripted>(std::vector{two_sms}); };
  const Cycle ended = run_ordered(params(1000), open, 0).run("cycles");
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    const Outcome outcome = run_ordered(params(1000 + 10'000 - 1 - ended), open, seed);
    CHECK(outcome.run("cycles") == 9'999);  // from cycle 1
    CHECK(copies_sampled(outcome) == 0);
  }
  CHECK(copies_sampled(run_ordered(params(1000 + 10'000 - ended), open, 0)) == 1);  // one cycle later: the line that both SMs have
}

TEST_CASE("bandwidth over time is the same in every order of blocks where a network delivers in the cycle of the sample") {
  const auto open = [] { return make_synthetic(parse_synthetic("loads=50,ctas=56,warps=8,instructions=300"), 1); };
  const GpuParams params = machine("shared_l1/hypothetical");
  const std::string plain = run_ordered(params, open, 0).bytes();
  for (const std::uint64_t seed : {1, 2}) CHECK(run_ordered(params, open, seed).bytes() == plain);
}

}  // namespace wharf::test
