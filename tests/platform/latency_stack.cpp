// The stages of a load's time: exact stacks of loads without contention, and of a few with contention.

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/platform/machines/run_checked.h"

namespace wharf::test {
namespace {

constexpr Cycle kTag = 4, kData = 24, kL2 = 120, kFill = 1;

/// Core cycles of a packet over a network of half the clock.
constexpr Cycle crossbar(Cycle flits) { return 2 * (2 + flits - 1); }
constexpr Cycle mesh(Cycle hops, Cycle flits) { return 2 * (1 + 2 * hops + flits - 1); }

/// Cycles by stage, summed over the loads of a row of the table. Stages without cycles are left out.
struct Stack : std::map<std::string, double> {
  using std::map<std::string, double>::map;
  friend std::ostream& operator<<(std::ostream& out, const Stack& stack) {
    for (const auto& [stage, cycles] : stack) out << stage << ' ' << cycles << "; ";
    return out;
  }
};

Stack stack_of(const Outcome& outcome, const std::string& served_by, std::uint64_t loads = 1) {
  const cli::Json& table = outcome.result.at("tables").at("latency_stack");
  Stack stack;
  for (const cli::Json& row : table.at("rows")) {
    if (row[0] != served_by) continue;
    REQUIRE(row[1] == loads);
    for (std::size_t i = 2; i < row.size(); ++i)
      if (row[i] != 0.0) stack[table.at("columns")[i]] = row[i].get<double>() * static_cast<double>(loads);
  }
  return stack;
}

double sum(const Stack& stack) {
  double sum = 0;
  for (const auto& [stage, cycles] : stack) sum += cycles;
  return sum;
}

Outcome run(const std::string& configuration, const std::vector<ScriptedKernel>& kernels, const std::vector<std::string>& settings = {}) {
  return run_checked(machine(configuration, settings), kernels);
}

/// The second kernel hits in L2 the lines that the first one loaded.
std::vector<ScriptedKernel> warmed(const Instructions& instructions) { return {one_warp(instructions), one_warp(instructions)}; }

/// The launch time at which the miss of a kernel's first load meets an edge of the network, which has half the clock: no wait.
Outcome aligned(const std::string& configuration, const std::vector<ScriptedKernel>& kernels, const std::string& served_by,
                std::uint64_t loads = 1, std::vector<std::string> settings = {}) {
  settings.push_back("front_end.kernel_launch_cycles=1");
  const Outcome one = run(configuration, kernels, settings);
  settings.back() = "front_end.kernel_launch_cycles=2";
  const Outcome two = run(configuration, kernels, settings);
  return sum(stack_of(one, served_by, loads)) < sum(stack_of(two, served_by, loads)) ? one : two;
}

TEST_CASE("latency stack: a load that hits in the L1 has spent all its time there") {
  const Outcome outcome = run("gpus/80sm_xbar", {one_warp({load(kLine, 1), load(kLine, 2, 1)})});
  CHECK(stack_of(outcome, "l1") == Stack{{"l1", kTag + kData}});
}

TEST_CASE("latency stack: the 141 cycles of a load served by L2 are tags and fill, two networks and the slice") {
  const Outcome outcome = aligned("gpus/80sm_xbar", warmed({load(kLine, 1)}), "l2");
  const Stack expected{{"l1", kTag + kFill}, {"network", crossbar(1) + crossbar(5)}, {"l2", kL2}};
  CHECK(stack_of(outcome, "l2") == expected);
  CHECK(sum(expected) == 141);
}

TEST_CASE("latency stack: a request that waits for an edge of the network has queued for a cycle") {
  std::set<Stack> stacks;
  for (const char* launch : {"1", "2"})
    stacks.insert(
        stack_of(run("gpus/80sm_xbar", warmed({load(kLine, 1)}), {std::string("front_end.kernel_launch_cycles=") + launch}), "l2"));
  const Stack at_once{{"l1", kTag + kFill}, {"network", crossbar(1) + crossbar(5)}, {"l2", kL2}};
  Stack waits = at_once;
  waits["queueing"] = 1;
  CHECK(stacks == std::set<Stack>{at_once, waits});
}

TEST_CASE("latency stack: of a load served by DRAM all that the slice waits for is DRAM, but for its fill") {
  const Outcome outcome = run("gpus/turing_30sm", {one_warp({load(kLine, 1)})});  // one clock for everything except DRAM
  const double total = static_cast<double>(outcome.run("sm.served_by_cycles.dram"));
  const Stack stack = stack_of(outcome, "dram");
  CHECK(stack == Stack{{"l1", 4 + 28}, {"network", 8 + 8}, {"l2", 172 + 1}, {"dram", total - 4 - 28 - 8 - 8 - 173}});
  CHECK(stack.at("dram") > 100);  // the fixed part
}

TEST_CASE("latency stack: clocks of other frequencies share a round trip without loss") {
  for (const char* name : {"gpus/80sm_xbar", "gpus/28sm_mesh", "gpus/fermi_15sm_losc", "gpus/volta_qv100"}) {
    INFO(name);
    const Outcome outcome = run(name, {one_warp(load_chase(kLine, 7, 3 * kLineBytes))});
    CHECK(sum(stack_of(outcome, "all", 7)) == Approx(outcome.run("sm.round_trip_sum")).epsilon(1e-12));
  }
}

TEST_CASE("latency stack: a load that merges waits for the line that another has asked for") {
  // Two loads of a line. A scheduler issues every second cycle.
  const Outcome outcome = aligned("gpus/80sm_xbar", warmed({load(kLine, 1), load(kLine, 2)}), "l2", 2);
  const Cycle later = 2, fill = kTag + crossbar(1) + kL2 + crossbar(5);
  CHECK(stack_of(outcome, "l2", 2) ==
        Stack{{"l1", 2 * (kTag + kFill)}, {"network", crossbar(1) + crossbar(5)}, {"l2", kL2}, {"merged", fill - (later + kTag)}});
}

TEST_CASE("latency stack: a load that finds the only MSHR taken queues until the fill that frees it") {
  // Two lines, one per cycle. The second is retried in the cycle after the fill, which ends 1 + 1 cycles after it begins.
  const Instructions both{load(kLine, 1, kNoRegister, 3, kLineBytes)};
  const Outcome outcome = run("gpus/80sm_xbar", warmed(both), {"l1.mshr_entries=1"});
  const Cycle fill = kTag + crossbar(1) + kL2 + crossbar(5), looked_up = fill + 1 + 1, pipeline_end = 1 + kTag;
  Stack stack = stack_of(outcome, "l2", 2);
  // One of the two requests meets an edge of the network; the other comes an odd number of cycles later.
  CHECK((looked_up - kTag) % 2 == 0);
  const double waits = stack["queueing"] - static_cast<double>(looked_up - pipeline_end);
  CHECK((waits == 0 || waits == 1 || waits == 2));
  stack.erase("queueing");
  CHECK(stack == Stack{{"l1", 2 * (kTag + kFill)}, {"network", 2 * (crossbar(1) + crossbar(5))}, {"l2", 2 * kL2}});
}

TEST_CASE("latency stack: a load that the L1 does not take yet waits in the load/store unit") {
  // Seven lines, one per cycle. The first takes the only MSHR, and the next five fill the pipeline and the queue. The seventh finds room in
  // the cycle after the lookup of the second, which is retried in the cycle after the fill.
  const Instructions seven{load(kLine, 1, kNoRegister, 0x7F, kLineBytes)};
  std::set<double> waits;
  for (const char* launch : {"1", "2"}) {
    const Outcome outcome = run("gpus/80sm_xbar", warmed(seven),
                                {"l1.mshr_entries=1", "l1.input_queue=1", std::string("front_end.kernel_launch_cycles=") + launch});
    waits.insert(stack_of(outcome, "l2", 7)["lsu"]);
  }
  const double fill = kTag + crossbar(1) + kL2 + crossbar(5), waited = fill + 1 + 1 - 6;
  CHECK(waits == std::set<double>{waited, waited + 1});  // the first one's request may wait for an edge of the network
}

/// SM `holder` reads the line early. SM 0 reads it late; this read is measured. The slice has the line in any case.
std::vector<ScriptedKernel> early_and_late(unsigned holder) {
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  ScriptedKernel kernel;
  kernel.ctas.resize(4, Warps{Instructions{exit_warp()}});
  kernel.ctas[0] = {late};
  kernel.ctas[holder] = {{load(kLine, 1)}};
  return {one_warp({load(kLine, 1)}), kernel};
}

TEST_CASE("latency stack: a line from another core has spent its time in the networks and in that core's L1") {
  for (const unsigned hops : {1u, 2u}) {
    const Outcome outcome = aligned("remote_sharing/dp", early_and_late(hops), "peer");
    CHECK(stack_of(outcome, "peer") == Stack{{"l1", kTag + kFill}, {"network", mesh(hops, 1) + mesh(hops, 5)}, {"peer", kTag + kData}});
  }
}

TEST_CASE("latency stack: at a home the lookup and the data are a peer's time, and routing and hand-over the own L1's") {
  const Address of_sm_1 = kLine + 4096;  // node 1, one hop from SM 0
  const Outcome outcome =
      aligned("shared_l1/shared", {one_warp({load(of_sm_1, 1), compute(Unit::alu, 2, 1), load(of_sm_1, 3, 2)})}, "home");
  CHECK(stack_of(outcome, "home") == Stack{{"l1", 1 + 1}, {"network", mesh(1, 1) + mesh(1, 5)}, {"peer", kTag + kData}});
}

TEST_CASE("latency stack: a load past all L1s has only been routed and handed over in its own") {
  const Address near_slice = kLine + 27 * 4096 + 256;  // home in the opposite corner, slice 1 at node 7
  const Outcome outcome = aligned("shared_l1/shared_plus_plus", warmed({load(near_slice, 1)}), "l2");
  CHECK(stack_of(outcome, "l2") == Stack{{"l1", 1 + 1}, {"network", mesh(2, 1) + mesh(2, 2)}, {"l2", kL2}});
}

TEST_CASE("latency stack: a DC-L1 is nobody's own L1, and both NoCs are networks") {
  // NoC#1 runs with the core, NoC#2 at half its clock; one sector and its header take two flits.
  const Cycle noc1 = 2 + (2 + 1), noc2 = crossbar(1) + crossbar(5);
  const Outcome missed = aligned("dc_l1/sh40_c10_boost", warmed({load(kLine, 1)}), "l2", 1, {"l1.kernel_boundary=flush"});
  CHECK(stack_of(missed, "l2") == Stack{{"network", noc1 + noc2}, {"peer", kTag + kFill}, {"l2", kL2}});
  const Outcome hit = run("dc_l1/sh40_c10_boost", {one_warp({load(kLine, 1), load(kLine, 2, 1)})});
  CHECK(stack_of(hit, "home") == Stack{{"network", noc1}, {"peer", 30}});
}

TEST_CASE("latency stack: a search that fails adds its ways and the tags it has looked up to those of L2") {
  const std::vector<std::string> hinted = {"remote_sharing.hint_pcs=[0]", "remote_sharing.selector=index", "remote_sharing.coverage=1",
                                           "remote_sharing.probes=1", "remote_sharing.probability=1"};
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  const Outcome outcome = aligned("remote_sharing/rp_5_2_05_hints", {one_warp({load(kLine, 1)}), one_warp(late)}, "l2", 1, hinted);
  CHECK(stack_of(outcome, "l2") ==
        Stack{{"l1", kTag + kFill}, {"network", mesh(1, 1) + mesh(1, 1) + mesh(3, 1) + mesh(3, 5)}, {"peer", kTag}, {"l2", kL2}});
}

}  // namespace
}  // namespace wharf::test
