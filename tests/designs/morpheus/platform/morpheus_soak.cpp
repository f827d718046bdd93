// Random traffic through the conventional and the extended LLC with sets of a few lines: dirty victims, atomics, swaps of the predictor,
// compression. No stale read, nothing lost, no deadlock, and the same result in any order of the blocks.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// Four compute SMs and four in cache mode, two partitions of four banks, sets of three and eight lines.
const Settings kFew = {"sms=8",
                       "front_end.eligible_sms=4",
                       "channels=4",
                       "watchdog.interval_cycles=60000",
                       "sm.warps=8",
                       "sm.ctas=2",
                       "sm.unified_kib=0",
                       "l1.capacity_kib=1",
                       "l1.ways=4",
                       "l2.slice_kib=1",
                       "l2.ways=2",
                       "l2.access_cycles=10",
                       "l2.input_queue=10",
                       "l2.dram_extra_cycles=20",
                       "morpheus.kernel.rf_warps=2",
                       "morpheus.kernel.l1_warps=1",
                       "morpheus.kernel.register_file_kib=4",
                       "morpheus.kernel.l1_kib=1"};
/// One place in every queue and buffer.
const Settings kSmallest = {"morpheus.request_queue=2", "morpheus.payload_slots=1", "morpheus.write_buffer=1", "morpheus.read_buffer=1",
                            "morpheus.mshr_entries=1",  "morpheus.mshr_merges=1",   "l2.miss_queue=2",         "l2.reply_queue=1",
                            "l2.mshr_entries=1",        "l2.mshr_targets=1",        "network.rate.queue=1",    "dram_link_queue=1"};

constexpr TrafficShape kManyLines = {2, 16, 2, 40, 6, 300, 3, true};

Outcome soak(const Settings& settings, std::uint64_t seed, const char* configuration = "morpheus/small_queues") {
  return test::soak(configuration, kFew + settings, seed, kManyLines, [](const Outcome& outcome) {
    const auto sum = [&](const char* metric) { return outcome.run(metric); };
    CHECK(sum("morpheus.conventional") == sum("l2.accesses"));
    CHECK(sum("morpheus.conventional") + sum("morpheus.requests") == sum("nic.sm.requests"));
    CHECK(sum("morpheus.writebacks") >= sum("ellc.dirty_victims"));  // also an L1's write-throughs
    CHECK(sum("morpheus.late_rereads") == 0);
  });
}

TEST_CASE("random traffic passes through both parts of the LLC under each predictor and rule for misses") {
  std::uint64_t victims = 0, swaps = 0, false_positives = 0, atomics = 0;
  for (const Settings& rule :
       {Settings{}, Settings{"morpheus.hit_predictor=none"}, Settings{"morpheus.hit_predictor=perfect"},
        Settings{"morpheus.miss_fetch=warp"}, Settings{"morpheus.combine=false"}, Settings{"morpheus.kernel.l1_ext_write=through"},
        Settings{"morpheus.bloom.bytes=2"}, Settings{"morpheus.kernel.delivery=spin"},
        Settings{"morpheus.kernel.delivery=spin", "morpheus.kernel.poll_ns=20", "morpheus.miss_fetch=warp"}}) {
    CAPTURE(rule);
    const Outcome outcome = soak(rule, 1);
    victims += outcome.run("morpheus.writebacks");
    swaps += outcome.run("hit_predictor.swaps");
    atomics += outcome.run("ellc.atomics");
    false_positives += outcome.run("morpheus.false_positives");
    if (rule == Settings{"morpheus.hit_predictor=perfect"}) CHECK(outcome.run("morpheus.false_positives") == 0);
    if (rule == Settings{"morpheus.hit_predictor=none"}) CHECK(outcome.run("morpheus.predicted_misses") == 0);
  }
  CHECK(victims > 0);
  CHECK(swaps > 0);
  CHECK(atomics > 0);
  CHECK(false_positives > 0);
}

TEST_CASE("random traffic passes through both parts of the LLC where the kernel is a server of a rate") {
  std::uint64_t victims = 0, swaps = 0, false_positives = 0, atomics = 0, combined = 0;
  for (const Settings& rule :
       {Settings{}, Settings{"morpheus.hit_predictor=none"}, Settings{"morpheus.hit_predictor=perfect"}, Settings{"morpheus.combine=false"},
        Settings{"morpheus.bloom.bytes=2"}, Settings{"morpheus.holds_up=partition"}, Settings{"l2.write_miss=fetch_partial"},
        Settings{"l2.write_miss=fetch_always", "l2.sectored=false"}, Settings{"morpheus.kernel.rate.in_flight=1"} + kSmallest}) {
    CAPTURE(rule);
    const Outcome outcome = soak(rule, 1, "morpheus/basic");
    victims += outcome.run("morpheus.writebacks");
    swaps += outcome.run("hit_predictor.swaps");
    atomics += outcome.run("ellc.atomics");
    combined += outcome.run("morpheus.combined");
    false_positives += outcome.run("morpheus.false_positives");
    CHECK(outcome.run("morpheus.writebacks") == outcome.run("ellc.dirty_victims"));
    if (rule == Settings{"morpheus.hit_predictor=perfect"}) CHECK(outcome.run("morpheus.false_positives") == 0);
    if (rule == Settings{"morpheus.hit_predictor=none"}) CHECK(outcome.run("morpheus.predicted_misses") == 0);
  }
  for (const std::uint64_t count : {victims, swaps, false_positives, atomics, combined}) CHECK(count > 0);
}

TEST_CASE("with the smallest queues and buffers nothing is lost or stuck between controllers and cache-mode SMs") {
  for (const std::uint64_t seed : {2, 3}) soak(kSmallest, seed);
  soak(kSmallest + Settings{"morpheus.hit_predictor=none", "morpheus.combine=false"}, 4);
  soak(kSmallest + Settings{"morpheus.kernel.delivery=spin"}, 2);
  soak(kSmallest + Settings{"morpheus.kernel.delivery=spin", "morpheus.kernel.poll_ns=0", "morpheus.hit_predictor=none"}, 4);
}

TEST_CASE("blocks that change their level, and registers that change theirs, lose nothing") {
  const Outcome outcome = soak({"morpheus.kernel.register_file_kib=8", "morpheus.kernel.compression.tag_blocks=32",
                                "morpheus.kernel.compression.epoch_cycles=500", "morpheus.kernel.compression.epoch_events=4"},
                               5, "morpheus/all");
  CHECK(outcome.run("ellc.layout_changes") > 0);
  CHECK(outcome.run("hit_predictor.swaps") > 0);
}

TEST_CASE("a block's level follows from its line's contents: sums of random numbers are not compressed, drawn levels are kept") {
  const auto run = [](const Settings& settings) {
    const Outcome outcome = run_apart(machine("morpheus/all", settings), [] { return cli::open_named_stimulus("vectoradd@tiny", 1); });
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  const Outcome held = run({}), drawn = run({"morpheus.kernel.compression.source=drawn"});
  CHECK(held.run("ellc.kept_uncompressed") > 1000);
  CHECK(held.run("ellc.kept_high") + held.run("ellc.kept_low") == 0);
  const double all = drawn.ratio("ellc.kept_high") + drawn.ratio("ellc.kept_low") + drawn.ratio("ellc.kept_uncompressed");
  CHECK(drawn.ratio("ellc.kept_high") / all == Approx(0.25).margin(0.05));
  CHECK(drawn.ratio("ellc.kept_low") / all == Approx(0.30).margin(0.05));
}

TEST_CASE("without cache-mode SMs the controllers change no cycle and no count of the machine without them") {
  const std::vector<ScriptedKernel> traffic = random_traffic(7, kManyLines);
  const Settings all = {"sms=8", "channels=4", "sm.warps=8", "sm.ctas=2", "sm.unified_kib=0", "l1.capacity_kib=1", "l1.ways=4"};
  const Outcome bare = run_apart(machine("gpus/ampere_68sm", all + Settings{"l2.sectored=true", "l2.write_miss=lazy"}), traffic, checked());
  const Outcome with = run_apart(machine("morpheus/basic", all + Settings{"front_end.eligible_sms=8"}), traffic, checked());
  REQUIRE(bare.end == End::done);
  INFO(with.failure);
  REQUIRE(with.end == End::done);
  for (const auto& [metric, value] : bare.result.at("run").items()) {
    INFO(metric);
    const bool has_extras = metric == "energy.extras" || metric == "energy.total" || metric == "power.extras" || metric == "power.total";
    if (!has_extras) CHECK(with.result.at("run").at(metric) == value);
  }
  CHECK(with.ratio("energy.total") == Approx(1.0093 * bare.ratio("energy.total")));  // the controllers (morpheus section 10)
  CHECK(with.run("morpheus.conventional") == with.run("l2.accesses"));
}

TEST_CASE("a machine that Morpheus cannot stand on is refused with the remedy") {
  CHECK_THROWS_WITH(machine("morpheus/basic", {"front_end.eligible_sms=16"}), Catch::Contains("more than 75 % of the SMs"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"morpheus.banks_per_partition=3"}), Catch::Contains("partitions of whole channels"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"l2.line_policy=loscache", "sm.prediction.scheme=adaptive"}),
                    Catch::Contains("learns from accesses that lines of L2 count") && Catch::Contains("set l2.line_policy: none"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"morpheus.banks_per_partition=20"}), Catch::Contains("rows for 256"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"network.topology=mesh"}), Catch::Contains("network.topology: rate or crossbar"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"network.topology=crossbar", "network.crossbar.virtual_channels=1"}),
                    Catch::Contains("does not keep two classes apart"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"network.topology=hierarchical_crossbar"}),
                    Catch::Contains("set network.topology: rate, or crossbar with"));
  CHECK_THROWS_WITH(machine("morpheus/basic", {"morpheus.kernel.poll_ns=100"}), Catch::Contains("no effect because delivery is parked"));
  for (const char* unmodelled : {"morpheus.kernel.delivery=spin", "morpheus.kernel.l1_ext_write=through"})
    CHECK_THROWS_WITH(machine("morpheus/basic", {"morpheus.kernel.service=rate", unmodelled}),
                      Catch::Contains("rate models neither loads of rows nor a write-through L1") && Catch::Contains("or service: warps"));
  CHECK_THROWS_WITH(machine("morpheus/characterise", {"morpheus.kernel.delivery=spin"}),
                    Catch::Contains("no controller to poll") && Catch::Contains("set morpheus.kernel.delivery: parked"));
}

}  // namespace
}  // namespace wharf::test
