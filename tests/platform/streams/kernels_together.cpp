// Concurrent kernels of different streams, on whole machines (docs/streams.md).

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "model/front_end/front_end.h"
#include "model/sm/local_layout.h"
#include "platforms/cli/stimuli.h"
#include "platforms/frame/gpu_frame.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;
using Settings = std::vector<std::string>;

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

Outcome run_streams(const std::string& configuration, const Settings& settings, const std::string& stimulus = "streams@tiny",
                    const RunOptions& options = checked()) {
  const Outcome outcome = run_apart(
      machine(configuration, settings), [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
  INFO(configuration << ": " << outcome.failure);
  CHECK(outcome.end == End::done);
  return outcome;
}

/// True if there are cycles in which both kernels ran.
bool overlap(const Outcome& outcome, std::size_t a, std::size_t b) {
  return outcome.kernel(a, "begin_cycle") < outcome.kernel(b, "end_cycle") &&
         outcome.kernel(b, "begin_cycle") < outcome.kernel(a, "end_cycle");
}

/// The column of the table `streams`, by stream.
std::vector<std::uint64_t> column(const Outcome& outcome, const std::string& name) {
  const cli::Json& table = outcome.result.at("tables").at("streams");
  const auto& columns = table.at("columns");
  const auto at = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  std::vector<std::uint64_t> values;
  for (const auto& row : table.at("rows")) values.push_back(row.at(at).get<std::uint64_t>());
  return values;
}

}  // namespace

TEST_CASE("two streams overlap, keep the order of their own kernels, and end earlier than one after the other", "[streams]") {
  const Outcome alone = run_streams("private", {"sms=4"});
  const Outcome both = run_streams("private", {"sms=4", "front_end.concurrent_kernels=2"});
  REQUIRE(both.result.at("kernels").size() == 8);
  CHECK(both.run("cycles") < alone.run("cycles"));
  std::vector<std::uint64_t> last_end(2, 0);
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint64_t stream = both.kernel(i, "stream");
    CHECK(both.kernel(i, "begin_cycle") >= last_end.at(stream));
    last_end.at(stream) = both.kernel(i, "end_cycle");
  }
  CHECK(overlap(both, 0, 1));
  CHECK_FALSE(overlap(alone, 0, 1));
  CHECK_FALSE(alone.result.at("tables").contains("streams"));
}

TEST_CASE("what streams and kernels did adds up to what the SMs did, whatever runs together", "[streams]") {
  const Outcome alone = run_streams("private", {"sms=4"});
  const Outcome both = run_streams("private", {"sms=4", "front_end.concurrent_kernels=2"});
  // 4096 elements: 16 CTAs of 256, or 22 of 192, in each of four rounds.
  CHECK(column(both, "stream") == std::vector<std::uint64_t>{0, 1});
  CHECK(column(both, "kernels") == std::vector<std::uint64_t>{4, 4});
  CHECK(column(both, "ctas") == std::vector<std::uint64_t>{4 * 16, 4 * 22});
  CHECK(column(both, "shared.accesses") == std::vector<std::uint64_t>{0, 4 * 2 * 4096 / 32});
  CHECK(column(both, "loads") == std::vector<std::uint64_t>{4 * 2 * 4096 / 32, 4 * 2 * 4096 / 32});
  CHECK(column(both, "stores") == std::vector<std::uint64_t>{4 * 4096 / 32, 4 * 4096 / 32});
  for (const char* metric : {"warp_instructions", "thread_instructions", "loads", "stores", "barriers", "warp_cycles", "round_trip_sum",
                             "sectors.own_l1", "served_by.l1", "served_by.l2", "served_by.dram"}) {
    CAPTURE(metric);
    std::uint64_t of_streams = 0, of_kernels = 0;
    for (const std::uint64_t value : column(both, metric)) of_streams += value;
    for (std::size_t i = 0; i < 8; ++i) of_kernels += both.kernel(i, std::string("sm.") + metric);
    CHECK(of_streams == both.run(std::string("sm.") + metric));
    CHECK(of_kernels == of_streams);
  }
  CHECK(alone.run("sm.warp_instructions") == both.run("sm.warp_instructions"));
}

TEST_CASE("where a limit cuts CTAs short, the warp cycles of the kernels add up to those of the run", "[streams]") {
  RunOptions options = checked();
  options.limit_warp_instructions = 3000;
  const Outcome cut = run_apart(
      machine("private", {"sms=4", "front_end.concurrent_kernels=2"}), [] { return cli::open_named_stimulus("streams@tiny", 1); }, options);
  std::uint64_t of_kernels = 0;
  for (std::size_t i = 0; i < cut.result.at("kernels").size(); ++i) of_kernels += cut.kernel(i, "sm.warp_cycles");
  CHECK(of_kernels > 0);
  CHECK(of_kernels == cut.run("sm.warp_cycles"));
}

TEST_CASE("a count of a kernel that the SMs do not know breaks the law of sums", "[streams]") {
  const auto stimulus = cli::open_named_stimulus("streams:n=4096,rounds=64", 1);
  FrontEnd* front_end = nullptr;
  RunOptions options;
  options.on_progress = [&](const Progress&) {
    front_end->ledger().add(0, KernelCount::loads);
    front_end->ledger().add(1, KernelCount::loads);
    return true;
  };
  Simulation simulation(machine("private", {"sms=1", "front_end.concurrent_kernels=2"}), *stimulus, options);
  front_end = &simulation.frame().front_end();
  CHECK_THROWS_WITH(simulation.run(), Contains("sum over all kernels of loads == sm.loads"));
}

TEST_CASE("results with several kernels do not depend on the order of blocks, nor on which blocks sleep", "[streams]") {
  const Settings settings{"sms=4", "front_end.concurrent_kernels=3"};
  const std::string stimulus = "streams:n=3000,rounds=3,streams=4";
  const Outcome plain = run_streams("private", settings, stimulus);
  RunOptions options = checked();
  options.scramble = true;
  CHECK(run_streams("private", settings, stimulus, options).bytes() == plain.bytes());
  options.scramble = false;
  options.ticking = true;
  CHECK(run_streams("private", settings, stimulus, options).bytes() == plain.bytes());
}

TEST_CASE("kernels run together on every design, with the same results in any order of blocks", "[streams]") {
  for (const char* configuration :
       {"private", "shared_l1/baseline", "shared_l1/dyn_eb", "remote_sharing/rp_5_2_05", "remote_sharing/ccn_ring", "dc_l1/sh40_c10_boost",
        "dc_l1/pr40", "ata/ata", "ciao/ciao_c", "ciao/ccws", "morpheus/all", "gpus/volta_qv100", "gpus/fermi_15sm", "gpus/80sm_kept_l1"}) {
    CAPTURE(configuration);
    const Settings settings{"front_end.concurrent_kernels=4"};
    const std::string stimulus = "streams:n=20000,rounds=3,streams=4";
    const Outcome plain = run_streams(configuration, settings, stimulus);
    RunOptions options = checked();
    options.scramble = true;
    CHECK(run_streams(configuration, settings, stimulus, options).bytes() == plain.bytes());
    CHECK(overlap(plain, 0, 1));
    CHECK(column(plain, "stream").size() == 4);
  }
}

TEST_CASE("issue slots are counted by their cause while kernels run together, and each instruction by its kernel", "[streams]") {
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome outcome = run_streams("private", {"sms=2", "front_end.concurrent_kernels=2"}, "streams@tiny", options);
  // Each kernel counts its own loads: in four rounds, 128 warps load twice, one line each time.
  std::map<std::string, std::uint64_t> loads;
  for (const auto& row : outcome.result.at("tables").at("instructions").at("rows"))
    if (row.at(4) == "load") loads[row.at(0).get<std::string>()] += row.at(7).get<std::uint64_t>();
  CHECK(loads == std::map<std::string, std::uint64_t>{
                     {"direct_0", 2 * 128 * 2}, {"direct_0_back", 2 * 128 * 2}, {"tiled_1", 2 * 128 * 2}, {"tiled_1_back", 2 * 128 * 2}});
}

TEST_CASE("an L1 that is invalidated with an empty SM alone may return old values, which are counted", "[streams]") {
  const Settings settings{"sms=4", "front_end.concurrent_kernels=2"};
  const std::string stimulus = "streams:n=4096,rounds=12";
  const Outcome every = run_streams("private", settings, stimulus);
  CHECK_FALSE(every.result.at("run").contains("stale.boundary"));
  const Outcome empty = run_streams("private", with(settings, {"front_end.l1_invalidation=empty_sm"}), stimulus);
  CHECK(empty.run("stale.boundary") > 0);
  CHECK(empty.run("l1.load.hits") > every.run("l1.load.hits"));
}

TEST_CASE("threads of kernels that run together have places of their own in interleaved local memory", "[streams]") {
  KernelLaunch launch;
  launch.name = "k";
  launch.block = {96, 1, 1};
  const LocalLayout three(launch, 1, 48, 2, 1);
  launch.block = {32, 1, 1};
  const LocalLayout one(launch, 1, 48, 2, 1);
  for (unsigned warp = 0; warp < 48; ++warp) CHECK(three.address(warp, 5, 8) == one.address(warp, 5, 8));
  CHECK(one.address(1, 0, 0) == LocalLayout::kBase + 4 * 32 * (1 + 2 * 1));
}

TEST_CASE("what cannot run together is refused with what to do", "[streams]") {
  const auto refused = [](const std::string& configuration, const Settings& settings, const std::string& why, const std::string& remedy) {
    CAPTURE(configuration);
    CHECK_THROWS_WITH(machine(configuration, with(settings, {"front_end.concurrent_kernels=2"})), Contains(why) && Contains(remedy));
  };
  refused("loscache/adaptive", {}, "keeps one table for one kernel", "set front_end.concurrent_kernels: 1");
  refused("dc_l1/pr40", {"front_end.l1_invalidation=empty_sm"}, "needs a private L1 per SM", "every_start");
  refused("gpus/fermi_15sm", {"front_end.l1_invalidation=empty_sm"}, "dirty lines", "l1.local_stores: as_global");
  CHECK_THROWS_WITH(machine("private", {"front_end.concurrent_kernels=129"}), Contains("129"));
  CHECK_THROWS_WITH(machine("private", {"front_end.sm_sharing=one_kernel"}), Contains("front_end.concurrent_kernels is 1"));
}

}  // namespace wharf::test
