// Unloaded latencies of every machine, in cycles as its parameters define them (common sections 3, 5, 6, 7 and 11).

#include <catch2/catch.hpp>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

/// A time that advances by cycles of one clock after another, in each from the first edge that it reaches (CM-1).
class Path {
 public:
  Path(Cycle cycle, std::uint32_t mhz) : ps_(edge(cycle, mhz)) {}
  Path& then(std::initializer_list<Cycle> cycles, std::uint32_t mhz) {
    Cycle cycle = reached(mhz);
    for (const Cycle part : cycles) cycle += part;
    ps_ = edge(cycle, mhz);
    return *this;
  }
  Cycle reached(std::uint32_t mhz) const { return (ps_ * mhz + 999'999) / 1'000'000; }

 private:
  static Picoseconds edge(Cycle cycle, std::uint32_t mhz) { return cycle * 1'000'000 / mhz; }
  Picoseconds ps_;
};

/// The cycle in which a kernel's only instruction issues: launch, and one cycle until the SM learns of it.
Cycle issue_of(const Outcome& outcome, std::size_t kernel, const GpuParams& params) {
  return outcome.kernel(kernel, "begin_cycle") + params.front_end.kernel_launch_cycles + 1;
}

/// The line's home slice has it; the L1 does not.
const std::vector<ScriptedKernel> kFromL2 = {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1)})};

Cycle round_trip_from_l2(const GpuParams& params) {
  const Outcome outcome = run_apart(params, kFromL2, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  REQUIRE(outcome.kernel(1, "sm.served_by.l2") == 1);
  return outcome.kernel(1, "sm.served_by_cycles.l2");
}

/// Cycles from the issue of one instruction of a chain to the next: the cycles by which one more instruction lengthens the kernel.
Cycle issue_to_issue(const GpuParams& params, const Instructions& shorter, const Instructions& longer,
                     const std::vector<ScriptedKernel>& before = {}) {
  std::vector<ScriptedKernel> kernels = before;
  kernels.push_back(one_warp(shorter));
  kernels.push_back(one_warp(longer));
  const Outcome outcome = run_apart(params, kernels, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome.kernel(before.size() + 1, "cycles") - outcome.kernel(before.size(), "cycles");
}

/// Cycles that an independent pair of instructions adds to two such pairs.
Cycle pair_to_pair(const GpuParams& params, Unit first, Unit second) {
  const auto chain = [&](unsigned pairs) {
    Instructions instructions;
    for (unsigned i = 0; i < pairs; ++i) {
      instructions.push_back(compute(first, static_cast<RegisterId>(2 * i + 1), kNoRegister));
      instructions.push_back(compute(second, static_cast<RegisterId>(2 * i + 2), kNoRegister));
    }
    return instructions;
  };
  return issue_to_issue(params, chain(2), chain(3));
}

TEST_CASE("on 80sm_xbar a load served by L2 takes 141 cycles, and one more where its request waits for a network edge") {
  const Cycle l1 = 4, request = 2 * 2, l2 = 120, reply = 2 * (2 + (5 - 1)), fill = 1;
  CHECK(l1 + request + l2 + reply + fill == 141);
  std::set<Cycle> waits;
  for (const std::string launch : {"1", "2"}) {
    const GpuParams params = machine("gpus/80sm_xbar", {"front_end.kernel_launch_cycles=" + launch});
    const Outcome outcome = run_apart(params, kFromL2, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    // Issue, one cycle to the L1, four for its tags; the network's edges are the even core cycles.
    const Cycle wait = (issue_of(outcome, 1, params) + 1 + 4) % 2;
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == wait + 141);
    waits.insert(wait);
  }
  CHECK(waits == std::set<Cycle>{0, 1});
}

TEST_CASE("on 28sm_mesh a load served by L2 takes 137 + 8 cycles a hop, and one more where its request waits for a network edge") {
  const unsigned slices[] = {3, 7, 10, 12, 23, 25, 28, 32};  // RS-1; SM 0 is at node 0
  for (unsigned slice = 0; slice < 8; ++slice) {
    CAPTURE(slice);
    const Cycle h = slices[slice] % 6 + slices[slice] / 6;
    const Cycle l1 = 4, request = 2 * (1 + 2 * h), l2 = 120, reply = 2 * (1 + 2 * h + (5 - 1)), fill = 1;
    CHECK(l1 + request + l2 + reply + fill == 137 + 8 * h);
    const Address address = kLine + slice * 256;
    const GpuParams params = machine("gpus/28sm_mesh", {"front_end.kernel_launch_cycles=" + std::to_string(1 + slice % 2)});
    const Outcome outcome = run_apart(params, {one_warp({load(address, 1)}), one_warp({load(address, 1)})}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    const Cycle wait = (issue_of(outcome, 1, params) + 1 + 4) % 2;
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == wait + 137 + 8 * h);
  }
}

TEST_CASE("on the larger meshes too a load served by L2 takes 137 + 8 cycles a hop") {
  // Slice 0 is in the first row, and its column is its distance in hops from SM 0 at node 0 (RS-1, SL-35).
  const std::pair<const char*, Cycle> machines[] = {
      {"gpus/56sm_8x8", 3}, {"gpus/48sm_8x8", 2}, {"gpus/84sm_10x10", 2}, {"gpus/68sm_10x10", 1}, {"gpus/76sm_10x10", 1}};
  constexpr Address of_slice_0 = 0x18'0000;  // 256 B chunk 6144, a multiple of 8, 16, 24 and 32
  for (const auto& [name, hops] : machines) {
    INFO(name);
    const GpuParams params = machine(name);
    const Outcome outcome = run_apart(params, {one_warp({load(of_slice_0, 1)}), one_warp({load(of_slice_0, 1)})}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    const Cycle wait = (issue_of(outcome, 1, params) + 1 + 4) % 2;
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == wait + 137 + 8 * hops);
  }
}

TEST_CASE("on 28sm_xbar a load served by L2 takes 141 cycles, and one more where its request waits for a network edge") {
  const GpuParams params = machine("gpus/28sm_xbar");
  const Outcome outcome = run_apart(params, kFromL2, checked());
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == (issue_of(outcome, 1, params) + 1 + 4) % 2 + 141);
}

TEST_CASE("on fermi_15sm_losc a load served by L2 takes 266 core cycles, and one more where its request waits for a network edge") {
  // One cycle of the L1's tags at 1400 MHz, then 700 MHz: the request, 120 in the slice, five flits of reply; one to fill the L1.
  const Cycle aligned = 1 + 2 * 4 + 2 * 120 + 2 * (4 + (5 - 1)) + 1;
  CHECK(aligned == 266);
  const Cycle one = round_trip_from_l2(machine("gpus/fermi_15sm_losc", {"front_end.kernel_launch_cycles=1"}));
  const Cycle two = round_trip_from_l2(machine("gpus/fermi_15sm_losc", {"front_end.kernel_launch_cycles=2"}));
  CHECK(std::min(one, two) == aligned);
  CHECK(std::max(one, two) == aligned + 1);
}

TEST_CASE("with one clock a load served by L2 takes 220 cycles on turing_30sm, 134 on fermi_15sm and 189 on volta_qv100") {
  // L1 tags, request, slice, reply (a sector is one flit of 40 B, a line five of 32 B), fill.
  CHECK(round_trip_from_l2(machine("gpus/turing_30sm")) == 4 + 8 + 172 + 8 + 28);
  CHECK(round_trip_from_l2(machine("gpus/fermi_15sm")) == 1 + 4 + 120 + (4 + (5 - 1)) + 1);
  CHECK(round_trip_from_l2(machine("gpus/volta_qv100")) == 20 + 3 + 160 + 3 + 3);
}

TEST_CASE("on ampere_68sm a load served by L2 takes 160 ns between the network interfaces and five cycles beside") {
  const Cycle tags = 4, request = 77, l2 = 120, reply = 77, fill = 1;
  CHECK(request + l2 + reply == (160 * 1710 + 999) / 1000);
  CHECK(round_trip_from_l2(machine("gpus/ampere_68sm")) == tags + request + l2 + reply + fill);
  // That was a sector. A line arrives at the same time.
  const WarpInstruction line = load(kLine, 1, kNoRegister, kAllLanes);
  const Outcome outcome = run_apart(machine("gpus/ampere_68sm"), {one_warp({line}), one_warp({line})}, checked());
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == 279);
}

TEST_CASE("on ampere_68sm a load served by DRAM takes 608 ns between the network interfaces, to the nanosecond") {
  for (const std::string launch : {"1", "2", "3", "4", "5"}) {
    const GpuParams params = machine("gpus/ampere_68sm", {"front_end.kernel_launch_cycles=" + launch});
    const Outcome outcome = run_apart(params, {one_warp({load(kLine, 1)})}, checked());
    REQUIRE(outcome.end == End::done);
    const double ns = static_cast<double>(outcome.run("sm.served_by_cycles.dram") - 4 - 1) * 1000 / 1710;
    CHECK(std::abs(ns - 608) <= 1);
  }
}

TEST_CASE("where 188 cycles are load-to-use, the slice of turing_30sm is shortened by the L1's 32") {
  CHECK(round_trip_from_l2(machine("ata/private")) == 220);
  CHECK(round_trip_from_l2(machine("ata/private", {"l2.latency_semantics=load_to_use"})) == 188);
}

TEST_CASE("on volta_qv100 dependent loads served by L2 issue 193 cycles apart") {
  const std::vector<ScriptedKernel> warm = {one_warp(load_chase(kLine, 3))};
  CHECK(issue_to_issue(machine("gpus/volta_qv100"), load_chase(kLine, 2), load_chase(kLine, 3), warm) == 4 + (20 + 3 + 160 + 3 + 3));
}

constexpr Address kNearLine = kLine + 0x2000;  // near SM 0 in an L2 with two partitions, whereas kLine is far

/// From the issue of a load that L2 serves to the issue of the next one, whose address it loads.
Cycle l2_hop(const GpuParams& params, Address line) {
  return issue_to_issue(params, load_chase(line, 2), load_chase(line, 3), {one_warp(load_chase(line, 3))});
}

TEST_CASE("on the A100 dependent loads from the far half of L2 issue 356 cycles apart, two links more than from the near half (MG-11)") {
  CHECK(l2_hop(machine("gpus/ampere_a100"), kLine) == 208 + 74 + 74);
}

// MG-8
TEST_CASE("on the A100, the Hopper machines and the B200 dependent loads served by L2 issue as far apart as published") {
  // Issue; L1 tags, links of requests, slice, links of replies, fill.
  const std::pair<const char*, Cycle> machines[] = {{"gpus/ampere_a100", 4 + (12 + (2 + 3 + 5 + 8) + 153 + (8 + 5 + 3 + 2) + 3)},
                                                    {"gpus/hopper_h100", 4 + (12 + (2 + 2 + 3 + 5 + 8) + 199 + (8 + 5 + 3 + 2 + 2) + 3)},
                                                    {"gpus/hopper_pcie", 4 + (12 + (2 + 2 + 3 + 5 + 8) + 199 + (8 + 5 + 3 + 2 + 2) + 3)},
                                                    {"gpus/hopper_h200", 4 + (12 + (2 + 2 + 3 + 5 + 8) + 227 + (8 + 5 + 3 + 2 + 2) + 3)},
                                                    {"gpus/blackwell_b200", 4 + (12 + (2 + 5 + 5 + 10) + 242 + (10 + 5 + 5 + 2) + 3)}};
  std::vector<Cycle> published;
  for (const auto& [name, hop] : machines) {
    INFO(name);
    CHECK(l2_hop(machine(name), kNearLine) == hop);
    published.push_back(hop);
  }
  CHECK(published == std::vector<Cycle>{208, 258, 258, 286, 305});
}

TEST_CASE("a load that hits in the L1 takes tag_cycles + data_cycles from its acceptance") {
  const std::pair<const char*, Cycle> machines[] = {
      {"gpus/80sm_xbar", 4 + 24},    {"gpus/28sm_mesh", 4 + 24},      {"gpus/turing_30sm", 4 + 28},  {"ata/private", 4 + 28},
      {"gpus/fermi_15sm", 1 + 0},    {"gpus/fermi_15sm_losc", 1 + 0}, {"gpus/ampere_68sm", 4 + 54},  {"gpus/volta_qv100", 20 + 0},
      {"gpus/ampere_a100", 12 + 17}, {"gpus/hopper_h100", 12 + 16},   {"gpus/hopper_h200", 12 + 23}, {"gpus/blackwell_b200", 12 + 24}};
  for (const auto& [name, hit] : machines) {
    INFO(name);
    const Outcome outcome = run_apart(machine(name), {one_warp({load(kLine, 1), load(kLine, 2, 1)})}, checked());
    REQUIRE(outcome.end == End::done);
    REQUIRE(outcome.run("sm.served_by.l1") == 1);
    CHECK(outcome.run("sm.served_by_cycles.l1") == hit);
  }
}

TEST_CASE("a shared-memory load takes shared_cycles beside issue and write-back, and a cycle more for each further word of a bank") {
  const auto chain = [](unsigned length, LaneMask active, unsigned stride) {
    Instructions instructions;
    for (unsigned i = 0; i < length; ++i) instructions.push_back(shared(0, 1, 1, active, stride));
    return instructions;
  };
  const auto apart = [&](const char* name, LaneMask active, unsigned stride) {
    return issue_to_issue(machine(name), chain(2, active, stride), chain(3, active, stride));
  };
  // Issue to acceptance, shared memory, write-back.
  CHECK(apart("gpus/80sm_xbar", kAllLanes, 4) == 1 + 26 + 0);
  CHECK(apart("gpus/turing_30sm", kAllLanes, 4) == 1 + 30 + 0);
  CHECK(apart("gpus/fermi_15sm", kAllLanes, 4) == 4 + 1 + 2);
  CHECK(apart("gpus/fermi_15sm_losc", kAllLanes, 4) == 1 + 26 + 0);
  CHECK(apart("gpus/ampere_68sm", kAllLanes, 4) == 1 + 43 + 0);
  CHECK(apart("gpus/volta_qv100", kAllLanes, 4) == 4 + 20 + 1);
  for (const char* name : {"gpus/ampere_a100", "gpus/hopper_h100", "gpus/hopper_pcie", "gpus/blackwell_b200"})
    CHECK(apart(name, kAllLanes, 4) == 4 + 24 + 1);
  CHECK(apart("gpus/hopper_h200", kAllLanes, 4) == 4 + 25 + 1);
  // Two and 32 words of one bank of 32 banks of 4 B.
  CHECK(apart("gpus/80sm_xbar", kAllLanes, 8) == 1 + 26 + (2 - 1));
  CHECK(apart("gpus/volta_qv100", kAllLanes, 128) == 4 + 20 + (32 - 1) + 1);
}

TEST_CASE("dependent instructions of a unit issue latency cycles apart, beside issue and write-back") {
  const auto apart = [](const char* name, Unit unit) {
    const WarpInstruction step = compute(unit, 1, 1);
    return issue_to_issue(machine(name), Instructions(2, step), Instructions(3, step));
  };
  CHECK(apart("gpus/80sm_xbar", Unit::alu) == 1 + 8);
  CHECK(apart("gpus/80sm_xbar", Unit::sfu) == 1 + 40);
  CHECK(apart("gpus/turing_30sm", Unit::fp64) == 1 + 64);
  CHECK(apart("gpus/fermi_15sm", Unit::sfu) == 4 + 20 + 2);
  CHECK(apart("gpus/fermi_15sm_losc", Unit::sfu) == 1 + 40);
  CHECK(apart("gpus/ampere_68sm", Unit::sfu) == 1 + 21);
  CHECK(apart("gpus/volta_qv100", Unit::fp32) == 4 + 2 + 1);
  CHECK(apart("gpus/volta_qv100", Unit::fp64) == 4 + 8 + 1);
  for (const Unit unit : {Unit::shuffle, Unit::imad, Unit::conversion})
    CHECK(apart("gpus/volta_qv100", unit) == 4 + 2 + 1);  // as any instruction of the alu
  // No operand collectors (modern_gpus section 1).
  for (const char* name : {"gpus/ampere_a100", "gpus/hopper_h100", "gpus/hopper_pcie", "gpus/hopper_h200", "gpus/blackwell_b200"}) {
    INFO(name);
    CHECK(apart(name, Unit::alu) == 1 + 2 + 1);
    CHECK(apart(name, Unit::fp32) == 1 + 2 + 1);
    CHECK(apart(name, Unit::fp64) == 1 + 6 + 1);
    CHECK(apart(name, Unit::sfu) == 1 + 22 + 1);
    CHECK(apart(name, Unit::shuffle) == 1 + 22 + 1);
    CHECK(apart(name, Unit::imad) == 1 + 2 + 1);
    CHECK(apart(name, Unit::conversion) == 1 + 22 + 1);
  }
  CHECK(apart("gpus/hopper_h100", Unit::tensor) == 1 + 30 + 1);
  CHECK(apart("gpus/blackwell_b200", Unit::tensor) == 1 + 18 + 1);
}

TEST_CASE("a scheduler starts independent instructions of a unit an interval apart, and shuffles hold the alu for one of their own") {
  const auto apart = [](const char* name, Unit first, Unit second) { return pair_to_pair(machine(name), first, second); };
  for (const char* name : {"gpus/ampere_a100", "gpus/hopper_h100"}) {
    INFO(name);
    CHECK(apart(name, Unit::alu, Unit::alu) == 2 + 2);
    CHECK(apart(name, Unit::shuffle, Unit::alu) == 4 + 2);
    CHECK(apart(name, Unit::shuffle, Unit::shuffle) == 4 + 4);
  }
  CHECK(apart("gpus/ampere_a100", Unit::fp32, Unit::fp32) == 2 + 2);
  CHECK(apart("gpus/hopper_h100", Unit::fp32, Unit::fp32) == 1 + 1);
  CHECK(apart("gpus/ampere_a100", Unit::fp64, Unit::fp64) == 4 + 4);
  CHECK(apart("gpus/hopper_h100", Unit::fp64, Unit::fp64) == 2 + 2);
  CHECK(apart("gpus/volta_qv100", Unit::shuffle, Unit::alu) == 2 + 2);
}

TEST_CASE("multiplications of integers start an interval of their own apart, and each takes a place of the fp32 pipeline") {
  const auto apart = [](const char* name, Unit first, Unit second, const std::vector<std::string>& changes = {}) {
    return pair_to_pair(machine(name, changes), first, second);
  };
  for (const char* name : {"gpus/ampere_a100", "gpus/hopper_h100"}) {
    INFO(name);
    CHECK(apart(name, Unit::imad, Unit::imad) == 2 + 2);
    CHECK(apart(name, Unit::imad, Unit::alu) == 2);  // each in a unit of its own
    CHECK(apart(name, Unit::conversion, Unit::sfu) == 8 + 8);
    CHECK(apart(name, Unit::conversion, Unit::alu) == 8);
  }
  CHECK(apart("gpus/ampere_a100", Unit::imad, Unit::fp32) == 2 + 2);  // 64 lanes for both
  CHECK(apart("gpus/hopper_h100", Unit::imad, Unit::fp32) == 1 + 1);  // 128 lanes, of which 64 multiply integers
  CHECK(apart("gpus/hopper_h100", Unit::imad, Unit::fp32, {"sm.units.imad_interval=5"}) == 5);
  CHECK(apart("gpus/hopper_h100", Unit::imad, Unit::fp32, {"sm.units.fp32.interval=3"}) == 3 + 3);
  CHECK(apart("gpus/volta_qv100", Unit::imad, Unit::alu) == 2 + 2);
  // Operand collectors know no multiplier.
  CHECK(apart("gpus/hopper_h100", Unit::imad, Unit::fp32, {"sm.collector_units=2"}) == 2 + 1);
}

TEST_CASE("the parts of a product of the tensor unit start an interval apart, and the instruction that needs it waits for the last") {
  const auto apart = [](const char* name, Unit unit, RegisterId source, std::uint16_t parts) {
    WarpInstruction step = compute(unit, 1, source);
    step.repeat = parts;
    return issue_to_issue(machine(name), Instructions(2, step), Instructions(3, step));
  };
  CHECK(apart("gpus/hopper_h100", Unit::tensor, 1, 3) == 2 * 4 + (1 + 30 + 1));
  CHECK(apart("gpus/ampere_a100", Unit::tensor, 1, 2) == 8 + (1 + 30 + 1));
  CHECK(apart("gpus/volta_qv100", Unit::tensor, 1, 3) == 2 * 2 + (4 + 2 + 1));
  CHECK(apart("gpus/hopper_h100", Unit::fp32, 1, 3) == 3 * (1 + 2 + 1));  // instructions that need each other
}

TEST_CASE("an instruction with cycles of its own has them as latency and as interval") {
  const auto apart = [](const char* name, RegisterId source) {
    WarpInstruction step = compute(Unit::tensor, 1, source);
    step.unit_cycles = 128;
    Instructions shorter(2, step), longer(3, step);
    for (Instructions* chain : {&shorter, &longer})
      for (std::size_t i = 0; source != 1 && i < chain->size(); ++i) (*chain)[i].destination = static_cast<RegisterId>(2 + i);
    return issue_to_issue(machine(name), shorter, longer);
  };
  for (const char* name : {"gpus/hopper_h100", "gpus/volta_qv100"}) CHECK(apart(name, kNoRegister) == 128);
  CHECK(apart("gpus/hopper_h100", 1) == 1 + 128 + 1);
  CHECK(apart("gpus/volta_qv100", 1) == 4 + 128 + 1);
  CHECK(apart("gpus/80sm_xbar", 1) == 1 + 128);
}

TEST_CASE("an unloaded read of a closed bank takes the way to L2, the fixed time, activate, reads and bursts, and the way back") {
  struct Machine {
    const char* name;
    Cycle tag, network, l2_access, reply_flits, fill;
    std::initializer_list<Cycle> bank;  // of the DRAM: activate to read, reads of the other bursts, read to data, burst, to the slice
  };
  // A line is two bursts of 64 B on a bus of 32 B per clock, tCCDL apart. A sector is one burst: four clocks of 8 B, or one of 32 B.
  const Machine machines[] = {{"gpus/80sm_xbar", 4, 2, 120, 5, 1, {12, 3, 12, 2, 1}},
                              {"gpus/fermi_15sm", 1, 4, 120, 5, 1, {12, 3, 12, 2, 1}},
                              {"gpus/fermi_15sm_losc", 1, 4, 120, 5, 1, {12, 3, 12, 2, 1}},
                              {"gpus/turing_30sm", 4, 8, 172, 1, 28, {20, 0, 20, 4, 1}},
                              // A line is four bursts of two clocks, tCCD apart. Its size adds nothing to the network's latency.
                              {"gpus/ampere_68sm", 4, 77, 120, 1, 1, {34, 3 * 2, 34, 2, 1}},
                              {"gpus/volta_qv100", 20, 3, 160, 1, 3, {12, 0, 12, 1, 1}}};
  for (const Machine& m : machines) {
    INFO(m.name);
    const GpuParams params = machine(m.name);
    const Outcome outcome = run_apart(params, {one_warp({load(kLine, 1)})}, checked());
    REQUIRE(outcome.end == End::done);
    REQUIRE(outcome.run("dram.row_hits") + outcome.run("dram.row_misses") == outcome.run("dram.reads"));
    const ClocksParams& mhz = params.clock_mhz;
    const Cycle accepted = issue_of(outcome, 0, params) + params.sm.issue_to_execute_cycles;
    Path path(accepted, mhz.core);
    path.then({m.tag}, mhz.core).then({m.network}, mhz.network);
    path.then({m.l2_access - 1, params.l2.dram_extra_cycles}, mhz.l2);  // the lookup is in the last but one of access_cycles
    path.then(m.bank, mhz.dram);
    path.then({1}, mhz.l2).then({m.network + m.reply_flits - 1}, mhz.network).then({m.fill}, mhz.core);
    CHECK(outcome.run("sm.served_by_cycles.dram") == path.reached(mhz.core) - accepted);
  }
}

TEST_CASE("a queue beside a fixed delay may be as small as one place, whatever the delay") {
  CHECK_NOTHROW(machine("private", {"l1.tag_cycles=1000", "l1.input_queue=1"}));
  CHECK_NOTHROW(machine("private", {"l2.access_cycles=10000", "l2.input_queue=1"}));
  CHECK_NOTHROW(machine("private", {"l2.fill_cycles=10000", "l2.reply_queue=1"}));
  CHECK_NOTHROW(machine("ata/ata", {"ata.extra_tag_cycles=1000", "l1.input_queue=1"}));
}

}  // namespace
}  // namespace wharf::test
