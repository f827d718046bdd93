// LoSCache against its baseline (loscache section 13): degenerate configurations, synthetic kernels whose counts are known, bounds.

#include <catch2/catch.hpp>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

using Json = cli::Json;

const Settings kFew = {"sms=4", "l2.slice_kib=4", "l2.ways=4", "l2.input_queue=120", "sm.ctas=2", "sm.warps=8"};

Settings fixed(unsigned count) { return {"sm.prediction.source=fixed", "sm.prediction.fixed_count=" + std::to_string(count)}; }

Outcome run(const std::string& configuration, const Settings& settings, const std::vector<ScriptedKernel>& kernels,
            std::uint64_t seed = 1) {
  RunOptions options = checked();
  options.seed = seed;
  Outcome outcome = run_apart(machine(configuration, settings), kernels, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// Names of the metrics of `one` with another value in `other`, except energy and powered times of lines.
std::vector<std::string> differences(const Json& one, const Json& other) {
  std::vector<std::string> names;
  for (const auto& [name, value] : one.items()) {
    const bool power = (name.find("on_time") != std::string::npos && name.rfind("l2.", 0) == 0) || name.rfind("energy.", 0) == 0 ||
                       name.rfind("power.", 0) == 0;
    if (!power && (!other.contains(name) || other.at(name) != value)) names.push_back(name);
  }
  return names;
}

WarpInstruction at(std::uint32_t pc, WarpInstruction instruction) {
  instruction.pc = pc;
  return instruction;
}

/// A load that bypasses the L1.
WarpInstruction past_l1(std::uint32_t pc, Address address, RegisterId destination, RegisterId source = kNoRegister) {
  WarpInstruction instruction = at(pc, load(address, destination, source));
  instruction.cache_op = CacheOp::bypass_l1;
  return instruction;
}

/// One warp reads each of `blocks` blocks `times` times, one read after the other, all with one pc.
std::vector<ScriptedKernel> same_reads(unsigned blocks, unsigned times) {
  Instructions instructions;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned i = 0; i < times; ++i) instructions.push_back(past_l1(0x40, Address{block} * kLineBytes, 1, 1));
  return {one_warp(instructions)};
}

const Settings kOneSm = {"sms=1"};

}  // namespace

TEST_CASE("loscache without predictions, probes and priority is its baseline, cycle for cycle and count for count") {
  for (const std::uint64_t seed : {1, 2}) {
    const auto kernels = random_traffic(seed, {3, 8, 2, 60, 6, 200, 3, true});
    const Outcome baseline = run("loscache/baseline", kFew, kernels, seed);
    for (const Settings& off : {Settings{"sm.prediction.priority=false", "sm.prediction.source=nowhere"}, fixed(0)}) {
      const Outcome loscache = run("loscache", kFew + off, kernels, seed);
      CHECK(differences(baseline.result.at("run"), loscache.result.at("run")) == std::vector<std::string>{});
      REQUIRE(baseline.result.at("kernels").size() == 3);
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(differences(baseline.result.at("kernels")[k], loscache.result.at("kernels")[k]) == std::vector<std::string>{});
      CHECK(loscache.ratio("gates") == 0);
    }
  }
}

TEST_CASE("Ideal-Gating has the baseline's run, and power only for the live time of lines") {
  const auto kernels = random_traffic(3, {2, 8, 2, 60, 6, 200, 3, true});
  const Outcome baseline = run("loscache/baseline", kFew, kernels), ideal = run("loscache/ideal", kFew, kernels);
  CHECK(differences(baseline.result.at("run"), ideal.result.at("run")) == std::vector<std::string>{});
  CHECK(ideal.run("l2.data_on_cycles") == baseline.run("l2.live_line_cycles"));
  CHECK(ideal.ratio("l2.line_on_time") == baseline.ratio("ideal_gating.line_on_time"));
  CHECK(ideal.ratio("energy.l2_dyn") < baseline.ratio("energy.l2_dyn"));  // nothing is spent on data accessed once
  CHECK(ideal.run("l2.reused.fills") < baseline.run("l2.fills"));
  CHECK(ideal.run("l2.reused.writes") <= baseline.run("l2.stores") + baseline.run("l2.atomics"));
  CHECK(ideal.ratio("energy.l2_leak") < baseline.ratio("energy.l2_leak"));
  CHECK(baseline.ratio("l2.dead_time") == Approx(1 - baseline.ratio("ideal_gating.line_on_time")));
}

TEST_CASE("with every access predicted one no line is ever on, and every read that merges with none reads DRAM") {
  const auto kernels = random_traffic(4, {2, 8, 2, 60, 6, 200, 3, false});
  const Outcome outcome = run("loscache", kFew + fixed(1), kernels);
  CHECK(outcome.run("l2.wakes") == 0);
  CHECK(outcome.run("l2.data_on_cycles") == 0);
  CHECK(outcome.run("l2.hits") == 0);
  const std::uint64_t reads = outcome.run("l2.loads") + outcome.run("l2.atomics") - outcome.run("l2.merged");
  const std::uint64_t merged_stores = outcome.run("l2.bypassed_writes") - outcome.run("l2.atomics");
  CHECK(merged_stores == outcome.run("l2.stores"));
  CHECK(outcome.run("l2.fills") >= reads);  // a store that merges reads nothing
  CHECK(outcome.run("l2.fills") - reads <= outcome.run("l2.stores"));
  CHECK(outcome.run("l2.tag_only_records") > 0);
  CHECK(outcome.run("l2.bypassed_fills") == outcome.run("l2.fills"));
  CHECK(outcome.run("l2.bypassed_reads") == outcome.run("l2.loads") + outcome.run("l2.atomics"));
}

TEST_CASE("data accessed once cost Ideal-Gating and LoSCache the same accesses to L2: none but of tags") {
  std::vector<ScriptedKernel> kernels = same_reads(60, 1);
  const Outcome ideal = run("loscache/ideal", kOneSm, kernels), loscache = run("loscache", kOneSm + fixed(1), kernels);
  for (const Outcome* outcome : {&ideal, &loscache}) {
    double nj = 0.0;
    for (const Json& row : outcome->result.at("tables").at("energy_causes").at("rows"))
      if (row[0] == "l2_dyn" && row[1].get<std::string>().rfind("lines ", 0) == 0) nj += row[4].get<double>();
    CHECK(nj == 0.0);
    CHECK(outcome->run("l2.data_on_cycles") == 0);
  }
}

TEST_CASE("reads predicted one, without stores between them, read DRAM once for each that merges with none") {
  Instructions instructions;
  for (unsigned i = 0; i < 120; ++i) instructions.push_back(past_l1(i, (i * 7 % 10) * kLineBytes, static_cast<RegisterId>(1 + i % 30)));
  const Outcome outcome = run("loscache", kOneSm + fixed(1), {one_warp(instructions)});
  CHECK(outcome.run("l2.loads") == 120);
  CHECK(outcome.run("l2.merged") > 0);
  CHECK(outcome.run("l2.fills") == 120 - outcome.run("l2.merged"));
}

TEST_CASE("predicted 63, a line is switched off by its 63rd access and not before") {
  const Outcome before = run("loscache", kOneSm + fixed(63), same_reads(3, 62));
  CHECK(before.ratio("gates") == 0);
  CHECK(before.run("l2.data_on_cycles") == before.run("l2.used_line_cycles"));
  CHECK(before.ratio("cycles") == run("loscache/baseline", kOneSm, same_reads(3, 62)).ratio("cycles"));
  CHECK(run("loscache", kOneSm + fixed(63), same_reads(3, 63)).ratio("gates") == 3);
}

TEST_CASE("where every block is read k times and the example has been, all predictions are right") {
  for (const unsigned k : {1u, 2u, 5u, 33u, 63u}) {
    INFO(k);
    const Outcome outcome = run("loscache", kOneSm + Settings{"sm.prediction.period_accesses=100"}, same_reads(120 / k + 4, k));
    CHECK(outcome.ratio("prediction_accuracy") == 1.0);
    CHECK(outcome.ratio("prediction_not_early") == 1.0);
    CHECK(outcome.ratio("prediction_open") == 0.0);
    CHECK(outcome.run("l2.mispredicts") == 0);
    CHECK(outcome.run("sm.phase.predict.accesses") == 100);
    CHECK(outcome.run("l2.predictions.correct") > 0);
  }
}

TEST_CASE("an example seen up to three reads too early is made up for by the threshold, a read for each line switched off too early") {
  // The phase ends with the example's j-th read. Its probe follows that read, and the next read is sent before the count returns, so it has
  // no prediction. The read after that finds the count exceeded and gates the example.
  constexpr unsigned kBlocks = 20, k = 6;
  // Correct, out of 20: all but the example and those that raised the threshold. If one read is missing, the example has no prediction. If
  // two are, its last read finds more than was predicted. If three are, it raises the threshold itself.
  // last read finds more than was predicted, of three it raises the threshold itself.
  constexpr std::uint64_t kRight[] = {0, kBlocks - 1 - 1, kBlocks - 1 - 2, kBlocks - 3}, kLow[] = {0, 0, 1, 0};
  for (const unsigned missing : {1u, 2u, 3u}) {
    INFO(missing);
    const Settings period = {"sm.prediction.period_accesses=" + std::to_string(k - missing)};
    const Outcome adaptive = run("loscache", kOneSm + period, same_reads(kBlocks, k));
    CHECK(adaptive.run("sm.prediction.raises") == missing);
    CHECK(adaptive.run("l2.mispredicts") == missing);
    CHECK(adaptive.run("sm.prediction.threshold." + std::to_string(missing)) == 1);
    CHECK(adaptive.run("l2.predictions.wrong_early") == missing);
    CHECK(adaptive.run("l2.predictions.open") == missing);  // lines that the remaining reads fetched again
    CHECK(adaptive.run("l2.predictions.wrong_low") == kLow[missing]);
    CHECK(adaptive.run("l2.predictions.wrong_late") == 0);
    CHECK(adaptive.run("l2.predictions.correct") == kRight[missing]);
    CHECK(run("loscache/naive", kOneSm + period, same_reads(kBlocks, k)).run("sm.prediction.raises") == 0);
  }
}

TEST_CASE("an example seen more than three reads too early is never made up for, and naive prediction makes up for none") {
  constexpr unsigned kBlocks = 20;
  const Settings period = {"sm.prediction.period_accesses=3"};
  const Outcome adaptive = run("loscache", kOneSm + period, same_reads(kBlocks, 9));
  CHECK(adaptive.run("sm.prediction.threshold.3") == 1);
  CHECK(adaptive.run("l2.predictions.wrong_early") == kBlocks);
  // Two of the refetched lines have as many reads left, 4 and 5, as is predicted by then: 3 + 1 and 3 + 2.
  CHECK(adaptive.run("l2.predictions.correct") == 2);
  CHECK(adaptive.run("l2.predictions.open") == kBlocks - 2);
  const Outcome naive = run("loscache/naive", kOneSm + period, same_reads(kBlocks, 5));
  CHECK(naive.run("l2.predictions.correct") == 0);
  CHECK(naive.run("l2.predictions.wrong_low") == 1);  // the example, whose last read finds its count exceeded
  CHECK(naive.run("l2.predictions.wrong_early") == kBlocks - 1);
  CHECK(naive.run("l2.predictions.open") == kBlocks - 1);
}

TEST_CASE("tables hold at most 21 pcs, thresholds end at 3, and counts at 63") {
  Instructions instructions;
  for (unsigned i = 0; i < 90; ++i) instructions.push_back(past_l1(i % 30, 0, 1, 1));
  for (unsigned i = 0; i < 90; ++i) instructions.push_back(past_l1(i % 30, (i % 5) * kLineBytes, 1, 1));
  const Outcome outcome = run("loscache", kOneSm + Settings{"sm.prediction.period_accesses=90"}, {one_warp(instructions)});
  CHECK(outcome.run("sm.prediction_table.pcs") == 21);
  CHECK(outcome.run("sm.prediction_table.left_out") == 3 * 9);
  CHECK(outcome.run("l2.probes") == 21);
  CHECK(outcome.run("l2.probes.present") == 21);
  const Json& thresholds = outcome.result.at("tables").at("prediction_thresholds");
  CHECK(thresholds.at("rows").size() == 4);
}

TEST_CASE("of runs with the same timing none leaves fewer lines on than Ideal-Gating") {
  const auto kernels = random_traffic(5, {2, 8, 2, 60, 6, 200, 3, true});
  const Outcome ideal = run("loscache/ideal", kFew, kernels);
  for (const Settings& same : {fixed(0), Settings{"sm.prediction.priority=false", "sm.prediction.source=nowhere"}}) {
    const Outcome loscache = run("loscache", kFew + same, kernels);
    REQUIRE(loscache.ratio("cycles") == ideal.ratio("cycles"));
    CHECK(ideal.run("l2.data_on_cycles") <= loscache.run("l2.data_on_cycles"));
    CHECK(ideal.run("l2.tag_on_cycles") == loscache.run("l2.tag_on_cycles"));
  }
}

TEST_CASE("a run without a prediction has no accuracy, and both readings of an order and of an absent example are settings") {
  const auto kernels = same_reads(3, 4);
  const Outcome outcome = run("loscache", kOneSm + Settings{"sm.prediction.priority=false", "sm.prediction.source=nowhere"}, kernels);
  CHECK_FALSE(outcome.result.at("run").contains("prediction_accuracy"));
  CHECK_FALSE(outcome.result.at("run").contains("prediction_not_early"));
  // All lines map to one set of one way: the next line evicts the example before it is probed.
  const Settings tiny = kOneSm + Settings{"l2.slice_kib=1", "l2.ways=1", "l2.set_index=linear", "sm.prediction.period_accesses=2"};
  Instructions instructions;
  for (unsigned i = 0; i < 20; ++i) instructions.push_back(past_l1(0x40, Address{i} * 6 * 1024, 1, 1));
  const std::vector<ScriptedKernel> streaming = {one_warp(instructions)};
  const Outcome one = run("loscache", tiny, streaming);
  REQUIRE(one.run("sm.prediction.probes.absent") == 1);
  CHECK(one.run("l2.bypasses") > 0);
  CHECK(run("loscache", tiny + Settings{"sm.prediction.absent_example=none"}, streaming).run("l2.bypasses") == 0);
}

TEST_CASE("the same seed gives the same LoSCache run, in whatever order blocks act, and another seed other predictors") {
  const auto kernels = random_traffic(6, {3, 16, 2, 60, 6, 200, 3, true});
  const GpuParams params = machine("loscache", kFew + Settings{"sm.ctas=4"});
  RunOptions options = checked();
  const std::string bytes = run_apart(params, kernels, options).bytes();
  CHECK(run_apart(params, kernels, options).bytes() == bytes);
  options.scramble = true;
  CHECK(run_apart(params, kernels, options).bytes() == bytes);
  options.ticking = true;
  CHECK(run_apart(params, kernels, options).bytes() == bytes);
  options = checked();
  options.seed = 2;
  CHECK(run_apart(params, kernels, options).bytes() != bytes);
}

TEST_CASE("a GPU's prediction period ends for all SMs with the accesses of all predictors together, in whatever order blocks act") {
  const auto kernels = random_traffic(7, {2, 16, 2, 60, 6, 200, 3, false});
  const GpuParams params = machine("loscache", kFew + Settings{"sm.prediction.period_scope=gpu", "sm.prediction.period_accesses=40"});
  const Outcome outcome = run_apart(params, kernels, checked());
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("sm.phase.predict.accesses") >= 2 * 40);
  CHECK(outcome.run("sm.phase.predict.accesses") < 2 * 40 + 8 * 4);  // accesses in flight when the last one is counted
  CHECK(outcome.run("sm.phase.predict.ended_by_accesses") == 2 * 4);
  RunOptions scrambled = checked();
  scrambled.scramble = true;
  CHECK(run_apart(params, kernels, scrambled).bytes() == outcome.bytes());
}

TEST_CASE("a count probe and its answer are one flit each on the networks, and end nothing but the transfer") {
  const auto kernels = same_reads(3, 4);
  const Outcome with = run("loscache", kOneSm + Settings{"sm.prediction.period_accesses=12"}, kernels);
  const Outcome without = run("loscache", kOneSm + Settings{"sm.prediction.priority=false", "sm.prediction.source=nowhere"}, kernels);
  CHECK(with.run("sm.prediction.probes") == 1);
  CHECK(with.run("net.request.flits") == without.run("net.request.flits") + 1);
  CHECK(with.run("net.reply.flits") == without.run("net.reply.flits") + 1);
  CHECK(with.run("l2.accesses") == without.run("l2.accesses"));
  CHECK(with.run("l1.load.accesses") == without.run("l1.load.accesses"));
}

TEST_CASE("predictions without an L2 that gates, a filter without phases, and kernels that end early are refused with the remedy") {
  const auto refusal = [](const Settings& settings) -> std::string {
    try {
      machine("loscache", settings);
    } catch (const std::exception& mistake) {
      return mistake.what();
    }
    return "";
  };
  CHECK_THAT(refusal({"l2.line_policy=none"}), Catch::Contains("l2.line_policy: loscache"));
  CHECK_THAT(refusal({"sm.warp_filter=predictor_cta", "sm.prediction.source=fixed"}),
             Catch::Contains("predictor_cta prefers the CTA of a prediction phase"));
  CHECK_THAT(refusal({"sm.prediction.source=nowhere", "sm.prediction.absent_example=none"}), Catch::Contains("asks for no counts"));
  CHECK_THAT(refusal({"l2.line_policy=none", "sm.prediction.scheme=none", "l2.victim_order=off_first"}),
             Catch::Contains("switches no line off"));
  CHECK_THAT(refusal({"l2.wake_cycles=100"}), Catch::Contains("make it smaller than dram_extra_cycles"));
  CHECK_THAT(refusal({"front_end.kernel_end=ctas_done", "sm.cta_waits_for_stores=true"}),
             Catch::Contains("set front_end.kernel_end: drained"));
}

}  // namespace wharf::test
