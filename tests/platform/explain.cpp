// Planted causes: the explanation of a run names first the part that was made slow on purpose.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "platforms/cli/explain/diagnosis.h"
#include "platforms/cli/explain/remedies.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

using Catch::Contains;

constexpr Address kBase = 0x10'0000;
constexpr unsigned kCtas = 16, kWarps = 8;
const std::vector<std::string> kSmall = {"sms=4", "front_end.kernel_launch_cycles=1"};

/// The run of a kernel on a small GPU, with its cycle stack.
Outcome counted_run(const std::vector<ScriptedKernel>& kernels, std::vector<std::string> settings = {},
                    const char* configuration = "gpus/80sm_xbar") {
  settings.insert(settings.begin(), kSmall.begin(), kSmall.end());
  RunOptions options = checked();
  options.cycle_stack = 1;
  Outcome outcome = run_apart(machine(configuration, settings), kernels, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// Each warp issues the instructions that `instructions_of` returns for its number in the grid.
template <class Make>
ScriptedKernel grid(Make instructions_of) {
  ScriptedKernel kernel;
  kernel.warps_per_cta = kWarps;
  for (unsigned cta = 0; cta < kCtas; ++cta) {
    Warps& warps = kernel.ctas.emplace_back();
    for (unsigned w = 0; w < kWarps; ++w) warps.push_back(instructions_of(cta * kWarps + w));
  }
  return kernel;
}

/// Loads of 16 lines each, `pitch` bytes from line to line. Each load is waited for.
ScriptedKernel strided(Address pitch, unsigned loads) {
  return grid([&](unsigned warp) {
    Instructions instructions;
    for (unsigned i = 0; i < loads; ++i) {
      const Address first = kBase + (Address{warp} * loads + i) * 16 * pitch;
      instructions.push_back(load(first, 1, 1, 0xFFFF, static_cast<unsigned>(pitch)));
    }
    return instructions;
  });
}

struct Diagnosis {
  std::vector<std::string> findings;
  std::vector<cli::Turn> turns;
};

/// The diagnosis of the largest cause.
Diagnosis diagnosis_of(const Outcome& outcome, const cli::SlotStack& stack, const std::vector<std::string>& settings = {}) {
  cli::RunSpec spec;
  spec.config = "gpus/80sm_xbar";
  spec.overrides = kSmall;
  spec.overrides.insert(spec.overrides.end(), settings.begin(), settings.end());
  const cli::TurnableMachine machine(spec);
  const cli::Evidence evidence(outcome.result, machine.params());
  return {cli::findings_on(stack.causes.front(), evidence), cli::remedies_for(stack.causes.front(), evidence, machine).turns};
}

WarpInstruction at(std::uint32_t pc, WarpInstruction instruction) {
  instruction.pc = pc;
  return instruction;
}

/// The rows of the table `instructions`, by pc.
std::map<std::uint64_t, cli::Json> instructions_of(const Outcome& outcome) {
  const cli::Json& table = outcome.result.at("tables").at("instructions");
  std::map<std::uint64_t, cli::Json> by_pc;
  for (const cli::Json& row : table.at("rows"))
    for (std::size_t i = 0; i < row.size(); ++i) by_pc[row[3].get<std::uint64_t>()][table.at("columns")[i].get<std::string>()] = row[i];
  return by_pc;
}

TEST_CASE("instructions: their slots and those without a warp are all, and a load has the accesses and hits of its pc") {
  // Every warp loads a line of its own twice.
  constexpr std::uint32_t kOwn = 0x10, kAgain = 0x20, kUse = 0x30;
  const Outcome outcome = counted_run({grid([&](unsigned warp) {
    const Address own = kBase + Address{warp} * kLineBytes;
    return Instructions{at(kOwn, load(own, 1)), at(kAgain, load(own, 2, 1)), at(kUse, compute(Unit::alu, 3, 2))};
  })});
  std::map<std::uint64_t, cli::Json> by_pc = instructions_of(outcome);
  double slots = 0.0;
  for (const auto& [pc, one] : by_pc) slots += one["slots"].get<double>();
  double all = 0.0;
  for (const cli::Json& row : outcome.result.at("tables").at("cycle_stack").at("rows")) {
    all += row[3].get<double>();
    for (const char* other : {"issued", "issuing", "launch", "idle_sm", "no_warp", "tail", "no_kernel"})
      if (row[0] == other) slots += row[3].get<double>();
  }
  CHECK(slots == Approx(all).epsilon(1e-12));
  constexpr unsigned kAll = kCtas * kWarps;
  CHECK(by_pc[kOwn]["unit"] == "load");
  CHECK(by_pc[kOwn]["loads"] == kAll);
  CHECK(by_pc[kOwn]["hit_rate"] == 0.0);
  CHECK(by_pc[kOwn]["replication"] == 0.0);
  CHECK(by_pc[kOwn]["dram"] == kAll);
  CHECK(by_pc[kAgain]["loads"] == kAll);
  CHECK(by_pc[kAgain]["hit_rate"] == 1.0);
  CHECK(by_pc[kAgain]["l1"] == kAll);
  CHECK(by_pc[kAgain]["dram"] == 0);
  CHECK(by_pc[kUse]["unit"] == "alu");
  CHECK(by_pc[kUse]["loads"] == 0);
  CHECK(by_pc[kOwn]["slots"].get<double>() > by_pc[kAgain]["slots"].get<double>());
  CHECK(by_pc[kOwn]["file"] == "");  // its source file is unknown
  CHECK(by_pc[kOwn]["line"] == 0);
}

TEST_CASE("instructions: one that held nobody up and loads nothing has no row") {
  constexpr std::uint32_t kFirst = 0x10, kAtOnce = 0x20, kStore = 0x30, kWaits = 0x40;
  ScriptedKernel kernel;
  kernel.warps_per_cta = 1;
  kernel.ctas.push_back({Instructions{at(kFirst, compute(Unit::alu, 1)), at(kAtOnce, compute(Unit::alu, 2)), at(kStore, store(kBase)),
                                      at(kWaits, compute(Unit::alu, 3, 2))}});
  const std::map<std::uint64_t, cli::Json> by_pc = instructions_of(counted_run({kernel}));
  CHECK(by_pc.count(kAtOnce) == 0);
  CHECK(by_pc.count(kStore) == 0);
  CHECK(by_pc.count(kWaits) == 1);
}

TEST_CASE("instructions: a line that one L1 has and three then miss is replication of three misses in four") {
  // The first CTA loads the common line at once. Those on the three other SMs load it after two loads of their own, one after the other.
  constexpr std::uint32_t kOwn = 0x10, kCommon = 0x20;
  ScriptedKernel kernel;
  kernel.warps_per_cta = 1;
  for (unsigned cta = 0; cta < 4; ++cta) {
    Instructions instructions;
    if (cta != 0)
      for (unsigned i = 0; i < 2; ++i) instructions.push_back(at(kOwn, load(kBase + Address{2 * cta + i} * kLineBytes, 1, 1)));
    instructions.push_back(at(kCommon, load(kBase + 0x10'0000, 2, 1)));
    kernel.ctas.push_back({instructions});
  }
  const Outcome outcome = counted_run({kernel});
  std::map<std::uint64_t, cli::Json> by_pc = instructions_of(outcome);
  CHECK(by_pc[kOwn]["loads"] == 3 * 2);
  CHECK(by_pc[kOwn]["replication"] == 0.0);
  CHECK(by_pc[kCommon]["loads"] == 1 + 3);
  CHECK(by_pc[kCommon]["hit_rate"] == 0.0);
  CHECK(by_pc[kCommon]["dram"] == 1);
  CHECK(by_pc[kCommon]["l2"] == 3);
  CHECK(by_pc[kCommon]["replication"] == 0.75);
  // This needs the directory of all L1s.
  CHECK(instructions_of(counted_run({kernel}, {"oracle_directory=false"}))[kCommon]["replication"].is_null());
}

/// A line that four SMs load: one at once, the others after loads of their own. Returns a row: misses, those held elsewhere, those not
/// supplied.
cli::Json replication_of(const char* configuration, std::vector<std::string> settings) {
  ScriptedKernel kernel;
  kernel.warps_per_cta = 1;
  for (unsigned cta = 0; cta < 4; ++cta) {
    Instructions instructions;
    if (cta != 0)
      for (unsigned i = 0; i < 2; ++i) instructions.push_back(load(kBase + Address{2 * cta + i} * kLineBytes, 1, 1));
    instructions.push_back(load(kBase + 0x10'0000, 2, 1));
    kernel.ctas.push_back({instructions});
  }
  const Outcome outcome = counted_run({kernel}, std::move(settings), configuration);
  const cli::Json rows = outcome.result.at("tables").at("replication").at("rows");
  if (!rows.empty()) CHECK(rows.at(0).at(1) == outcome.run("l1.load.misses_held_elsewhere"));
  return rows.empty() ? rows : rows.at(0);
}

TEST_CASE("replication: a line that another L1 held is not supplied by private L1s, and is supplied by those that share") {
  // Six misses of the SMs' own lines, one of the first SM, and those of the other three SMs.
  CHECK(replication_of("gpus/80sm_xbar", {}) == cli::Json({6 + 4, 3, 3}));
  CHECK(replication_of("remote_sharing/baseline", {}) == cli::Json({6 + 4, 3, 3}));
  CHECK(replication_of("remote_sharing/pp", {}) == cli::Json({6 + 4, 3, 0}));
  CHECK(replication_of("ata/ata", {"ata.cluster_size=4"}) == cli::Json({6 + 4, 3, 0}));
  // The second L1 of the first cluster is supplied. The two of the other cluster ask L2.
  CHECK(replication_of("ata/ata", {"ata.cluster_size=2"}) == cli::Json({6 + 4, 3, 2}));
  // This needs the directory of all L1s.
  CHECK(replication_of("gpus/80sm_xbar", {"oracle_directory=false"}).empty());
}

TEST_CASE("instructions: where every second SM counts its slots, the loads are those of these SMs") {
  RunOptions options = checked();
  options.cycle_stack = 2;
  const Outcome outcome =
      run_apart(machine("gpus/80sm_xbar", kSmall),
                {grid([](unsigned warp) { return Instructions{at(0x10, load(kBase + Address{warp} * kLineBytes, 1))}; })}, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(instructions_of(outcome)[0x10]["loads"] == kCtas * kWarps / 2);
}

TEST_CASE("explain: a camped channel is found as the first cause") {
  // 16 channels of two slices are interleaved every 256 B. With a pitch of 512 KB, all lines are in one slice, and each in its own row of
  // one bank. Sets are hashed, because otherwise the lines would also conflict in one set of each L1.
  const std::vector<std::string> hashed{"l1.set_index=ipoly", "l2.set_index=ipoly"};
  constexpr Address kPitch = 512 * 1024;
  const Outcome camped = counted_run({strided(kPitch, 2)}, hashed);
  const cli::SlotStack stack = cli::slot_stack_of(camped.result);
  REQUIRE(stack.causes.front().name == "dram_queue");
  CHECK(stack.causes.front().share > 0.4);
  CHECK(stack.causes.front().served_by.at("dram") > 0.0);
  const Diagnosis diagnosis = diagnosis_of(camped, stack);
  CHECK_THAT(diagnosis.findings.front(), Contains("concentrate on channel 0: it has 100 %") && Contains("16.0 times the mean"));
  CHECK(diagnosis.turns.at(0).key == "address_map");
  CHECK(diagnosis.turns.at(0).then == "ipoly");
  // Changing the key removes the cause.
  const Outcome spread = counted_run({strided(kPitch, 2)}, {"address_map=ipoly", hashed[0], hashed[1]});
  CHECK(spread.run("cycles") * 2 < camped.run("cycles"));
  const cli::SlotStack cured = cli::slot_stack_of(spread.result);
  CHECK(cured.share("dram_queue") < 0.5 * stack.share("dram_queue"));
}

TEST_CASE("explain: replies that camp on the port of one slice are found, and so is the key that spreads them") {
  // Lines with a pitch of 8 KB share rows. So the channel is fast enough, but a reply of five flits every ten core cycles is not.
  const Outcome camped = counted_run({strided(8192, 4)}, {"l1.set_index=ipoly", "l2.set_index=ipoly"});
  const cli::SlotStack stack = cli::slot_stack_of(camped.result);
  REQUIRE(stack.causes.front().name == "network_down");
  const Diagnosis diagnosis = diagnosis_of(camped, stack);
  CHECK_THAT(diagnosis.findings.front(), Contains("concentrate on slice 0: it has 100 %"));
  CHECK(diagnosis.turns.at(0).key == "address_map");
}

TEST_CASE("explain: lines that camp on one set of the L1 are found as the first cause") {
  const Outcome camped = counted_run({strided(8192, 4)});
  const cli::SlotStack stack = cli::slot_stack_of(camped.result);
  REQUIRE(stack.causes.front().name == "l1_way");
  const Diagnosis diagnosis = diagnosis_of(camped, stack);
  CHECK_THAT(diagnosis.findings.front(), Contains("every way of the set waited for a fill"));
  CHECK(diagnosis.turns.at(0).key == "l1.set_index");
  CHECK(counted_run({strided(8192, 4)}, {"l1.set_index=" + diagnosis.turns.at(0).then}).run("cycles") < camped.run("cycles"));
}

TEST_CASE("explain: an MSHR of one entry is found as the first cause") {
  // The second kernel hits its lines in L2, spread over the slices, so nothing below the L1 queues.
  const std::vector<ScriptedKernel> kernels{strided(kLineBytes, 2), strided(kLineBytes, 2)};
  const Outcome narrow = counted_run(kernels, {"l1.mshr_entries=1"});
  const cli::SlotStack stack = cli::slot_stack_of(narrow.result);
  REQUIRE(stack.causes.front().name == "mshr");
  CHECK(stack.causes.front().share > 0.4);
  const Diagnosis diagnosis = diagnosis_of(narrow, stack, {"l1.mshr_entries=1"});
  CHECK_THAT(diagnosis.findings.front(), Contains("all 1 MSHR entries were in use"));
  CHECK(diagnosis.turns.at(0).key == "l1.mshr_entries");
  const Outcome wide = counted_run(kernels, {"l1.mshr_entries=" + diagnosis.turns.at(0).then});
  CHECK(wide.run("cycles") * 2 < narrow.run("cycles"));
}

TEST_CASE("explain: a barrier storm is found as the first cause") {
  // One warp of each CTA computes between the barriers, and the others wait for it.
  const auto storm = grid([](unsigned warp) {
    Instructions instructions;
    for (unsigned i = 0; i < 40; ++i) {
      if (warp % kWarps == 0)
        for (unsigned j = 0; j < 4; ++j) instructions.push_back(compute(Unit::sfu, 1, 1));
      instructions.push_back(barrier());
    }
    return instructions;
  });
  const Outcome outcome = counted_run({storm});
  const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
  REQUIRE(stack.causes.front().name == "barrier");
  CHECK(stack.causes.front().share > 0.4);
  CHECK(stack.share("result_sfu") > 0.02);
  CHECK_THAT(diagnosis_of(outcome, stack).findings.front(), Contains("barriers per 1000 warp instructions"));
}

TEST_CASE("explain: where barriers themselves cost most, it says so and halves their time") {
  const auto barriers = grid([](unsigned) { return Instructions(40, barrier()); });
  const std::vector<std::string> costly = {"sm.barrier_cycles=100"};
  const Outcome outcome = counted_run({barriers}, costly);
  const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
  REQUIRE(stack.causes.front().name == "barrier");
  const Diagnosis diagnosis = diagnosis_of(outcome, stack, costly);
  CHECK_THAT(diagnosis.findings.at(1), Contains("A barrier itself takes 100 cycles after its last arrival"));
  CHECK(diagnosis.turns.at(0).key == "sm.barrier_cycles");
  CHECK(diagnosis.turns.at(0).then == "50");
  const Outcome cheap = counted_run({barriers}, {"sm.barrier_cycles=50"});
  CHECK(outcome.run("cycles") - cheap.run("cycles") == 40 * 50);  // an SM has its CTAs at once
}

TEST_CASE("explain: waits for shuffles are told from those for the integer unit, and end sooner with the key that it offers") {
  const auto shuffles = grid([](unsigned) { return Instructions(40, compute(Unit::shuffle, 1, 1)); });
  const std::string interval = "sm.units.shuffle.interval=1";
  const std::vector<std::string> slow = {interval, "sm.units.shuffle.latency=100"};
  const Outcome outcome = counted_run({shuffles}, slow);
  const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
  REQUIRE(stack.causes.front().name == "result_shuffle");
  CHECK(stack.share("result_alu") == 0.0);
  const Diagnosis diagnosis = diagnosis_of(outcome, stack, slow);
  CHECK_THAT(diagnosis.findings.front(), Contains("Its latency is 100 cycles"));
  REQUIRE(diagnosis.turns.at(0).key == "sm.units.shuffle.latency");
  const Outcome fast = counted_run({shuffles}, {interval, "sm.units.shuffle.latency=" + diagnosis.turns.at(0).then});
  CHECK(outcome.run("cycles") - fast.run("cycles") == 40 * 50);
  CHECK(cli::slot_stack_of(counted_run({shuffles}).result).share("result_shuffle") == 0.0);  // instructions of the alu
}

TEST_CASE("explain: loads that join another one's request wait for what that request waits for, and not for the L1") {
  const auto pairs = grid([](unsigned warp) {
    Instructions instructions;
    for (unsigned i = 0; i < 20; ++i) {
      const Address line = kBase + (Address{warp} * 20 + i) * kLineBytes;
      for (const RegisterId destination : {1, 2}) instructions.push_back(load(line, destination));
      instructions.push_back(compute(Unit::alu, 3, 2));  // the second load has joined the first one's request
    }
    return instructions;
  });
  const Outcome outcome = counted_run({pairs}, {"l2.dram_extra_cycles=2000"});
  const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
  REQUIRE(outcome.run("l1.load.merged") == kCtas * kWarps * 20);
  CHECK(stack.causes.front().name == "dram");
  CHECK(stack.share("dram") > 0.8);
  CHECK(stack.share("l1") < 0.05);
}

TEST_CASE(
    "explain: waits for the multiplier of integers are told from those for the fp32 pipeline, and end sooner with the key that it offers") {
  const auto products = grid([](unsigned) { return Instructions(40, compute(Unit::imad, 1, kNoRegister)); });
  const std::vector<std::string> slow = {"sm.units.imad_interval=40"};
  const Outcome outcome = counted_run({products}, slow);
  const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
  REQUIRE(stack.causes.front().name == "unit_imad");
  CHECK(stack.share("unit_fp32") == 0.0);
  const Diagnosis diagnosis = diagnosis_of(outcome, stack, slow);
  CHECK_THAT(diagnosis.findings.front(), Contains("Its initiation interval is 40 cycles"));
  REQUIRE(diagnosis.turns.at(0).key == "sm.units.imad_interval");
  CHECK(diagnosis.turns.at(0).then == "20");
  CHECK(counted_run({products}, {"sm.units.imad_interval=20"}).run("cycles") < outcome.run("cycles") * 6 / 10);
  CHECK(cli::slot_stack_of(counted_run({products}).result).share("unit_imad") == 0.0);  // instructions of the alu
  // An interval that is not longer than that of the fp32 pipeline limits nothing.
  const cli::SlotStack shared = cli::slot_stack_of(counted_run({products}, {"sm.units.fp32.interval=40", slow.front()}).result);
  CHECK(shared.share("unit_imad") == 0.0);
  CHECK(shared.causes.front().name == "unit_fp32");
}

TEST_CASE("explain: the causes and the issued slots are all slots, and so are the rows of the table") {
  for (const char* configuration : {"gpus/80sm_xbar", "gpus/volta_qv100", "gpus/fermi_15sm", "remote_sharing", "dc_l1/sh40_c10_boost"}) {
    INFO(configuration);
    RunOptions options;
    options.cycle_stack = 1;
    const Outcome outcome = run_apart(machine(configuration), {strided(kLineBytes, 2), strided(8192, 1)}, options);
    REQUIRE(outcome.end == End::done);
    double rows = 0.0;
    for (const cli::Json& row : outcome.result["tables"]["cycle_stack"]["rows"]) rows += row[4].get<double>();
    CHECK(rows == Approx(1.0).epsilon(1e-12));
    const cli::SlotStack stack = cli::slot_stack_of(outcome.result);
    double sum = stack.issued;
    for (const cli::Cause& cause : stack.causes) {
      sum += cause.share;
      CHECK(cli::text_of_cause(cause.name) != cause.name);
    }
    CHECK(sum == Approx(1.0).epsilon(1e-9));
  }
}

TEST_CASE("explain: counting the slots changes no other figure") {
  const auto run = [](bool counts) {
    RunOptions options;
    options.cycle_stack = counts ? 1 : 0;
    return run_apart(machine("gpus/volta_qv100"), {strided(kLineBytes, 2), strided(8192, 1)}, options);
  };
  const Outcome plain = run(false), with_stack = run(true);
  REQUIRE(plain.end == End::done);
  for (const auto& [metric, value] : plain.result["run"].items()) CHECK(with_stack.result["run"][metric] == value);
  for (const auto& [table, rows] : plain.result["tables"].items()) CHECK(with_stack.result["tables"][table] == rows);
  CHECK(plain.result["run"].contains("sm.slots.all") == false);
}

TEST_CASE("explain: what every fourth SM counts is what it counts among all, and the shares are those of these SMs") {
  const auto run = [](unsigned every) {
    RunOptions options;
    options.cycle_stack = every;
    return run_apart(machine("gpus/volta_qv100"), {strided(kLineBytes, 2), strided(8192, 1)}, options);
  };
  const Outcome all = run(1), fourth = run(4);
  REQUIRE(fourth.end == End::done);
  const auto slot_rows = [](const std::string& csv) {
    std::set<std::string> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);)
      if (line.find("].slots.") != std::string::npos) rows.insert(line);
    return rows;
  };
  const std::set<std::string> rows_of_all = slot_rows(all.csv), rows_of_fourth = slot_rows(fourth.csv);
  CHECK(rows_of_fourth.size() * 4 == rows_of_all.size());
  CHECK(std::includes(rows_of_all.begin(), rows_of_all.end(), rows_of_fourth.begin(), rows_of_fourth.end()));
  const cli::SlotStack stack = cli::slot_stack_of(fourth.result);
  double sum = stack.issued;
  for (const cli::Cause& cause : stack.causes) sum += cause.share;
  CHECK(sum == Approx(1.0).epsilon(1e-9));
}

}  // namespace
}  // namespace wharf::test
