// Barriers, mbarriers and replay regions in instruction lines of tracer version 6 (MG-18).

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/stimuli/traces/trace_samples_6.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Contains;

TEST_CASE("BAR names its barrier and how many threads meet there, in two immediates or in a register and one") {
  const struct {
    const char* line;
    BarrierUse use;
  } kForms[] = {{"0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal", {0, 0, false, false}},
                {"0 BAR.SYNC.DEFER_BLOCKING 0 0 3 256 NoVal", {3, 8, false, false}},
                {"0 BAR.ARV 0 0 15 1024 NoVal", {15, 32, true, false}},
                {"0 BAR.RED.POPC.DEFER_BLOCKING 1 P0 0 2 0 Val 1 1", {2, 0, false, false}},
                {"1 R4 BAR.SYNC.DEFER_BLOCKING 0 0 128 0 Val 1 5", {5, 4, false, false}},
                {"1 UR4 BAR.ARV 0 0 64 0 Val 1 0x1", {1, 2, true, false}},
                {"0 BAR.SYNC 0 0", {0, 0, false, false}}};
  for (const auto& form : kForms) {
    CAPTURE(form.line);
    const WarpInstruction read = instruction_of(std::string("0010 ffffffff ") + form.line);
    CHECK(read.unit == Unit::barrier);
    CHECK(read.destination == kNoRegister);
    CHECK(read.barrier.number == form.use.number);
    CHECK(read.barrier.warps == form.use.warps);
    CHECK(read.barrier.arrives_only == form.use.arrives_only);
    CHECK_FALSE(read.barrier.of_cluster);
  }
  // Each execution has its own number, and the instruction reads the register that holds it.
  const std::vector<WarpInstruction> two =
      read_warp(kernel_of({"0010 ffffffff 1 R4 BAR.SYNC 0 0 64 0 Val 1 5", "0010 ffffffff 1 R4 BAR.SYNC 0 0 64 0 Val 1 6"})).instructions;
  CHECK(two[0].barrier.number == 5);
  CHECK(two[1].barrier.number == 6);
  CHECK(two[0].sources[0] == 4);
}

TEST_CASE("Waits whose object a trace does not say are counted warnings") {
  const struct {
    const char *version, *line, *warning;
  } kWaits[] = {{"5", "1 R2 SYNCS.PHASECHK.TRANS64.TRYWAIT 1 R4 0 0", "'SYNCS.PHASECHK.TRANS64.TRYWAIT' does not wait"},
                {"5", "0 UCGABAR_WAIT 0 0 0", "'UCGABAR_WAIT' does not wait, because traces before tracer version 6 do not say for what"},
                {"5", "0 ARRIVES.LDGSTSBAR.64.ARVCNT 1 R2 0 0", "'ARRIVES.LDGSTSBAR.64.ARVCNT' does not wait"},
                {"4", "0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x1000 16",
                 "asynchronous copy 'LDGSTS.E.BYPASS.128', for whose data nothing waits in traces before tracer version 5"}};
  for (const auto& wait : kWaits) {
    const std::string line = std::string("0010 ffffffff ") + wait.line;
    const ReadWarp read = read_warp(replaced(one_warp({line, line}, wait.version), "version = 70", "version = 90"));
    CAPTURE(line);
    REQUIRE(read.warnings.size() == 1);
    CHECK_THAT(read.warnings[0].first, Contains(wait.warning));
    CHECK(read.warnings[0].second == 2);
  }
}

TEST_CASE("Asynchronous loads are in groups, which LDGDEPBAR ends and DEPBAR.LE waits for, from tracer version 5 and sm_80 on") {
  const std::vector<std::string> lines = {"0000 ffffffff 0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x1000 16 0", "0010 ffffffff 0 LDGDEPBAR 0 0 0",
                                          "0020 ffffffff 0 DEPBAR.LE 0 0 2", "0030 ffffffff 0 DEPBAR 0 0 0"};
  const ReadWarp ampere = read_warp(replaced(one_warp(lines), "version = 70", "version = 86"));
  CHECK(ampere.warnings.empty());
  CHECK(ampere.instructions.at(0).unit == Unit::load);
  CHECK(ampere.instructions[0].destination == kNoRegister);
  CHECK(mbarrier_of(ampere.instructions.at(1)).op == MbarrierOp::commit_loads);
  CHECK(mbarrier_of(ampere.instructions.at(2)).op == MbarrierOp::wait_loads);
  CHECK(mbarrier_of(ampere.instructions[2]).value == 2);
  CHECK_FALSE(ampere.instructions[2].barrier.arrives_only);
  CHECK(ampere.instructions.at(3).unit == Unit::alu);
  CHECK(read_warp(one_warp({lines[2]})).instructions.at(0).unit == Unit::alu);
}

TEST_CASE("UTMACMDFLUSH ends a group of bulk copies, and DEPBAR.LE waits for the groups of the kinds that the warp has") {
  const std::string flush = "0010 00000001 0 UTMACMDFLUSH 0 0 0 0 NoVal", wait = "0020 ffffffff 0 DEPBAR.LE 0 0 2 0 NoVal",
                    loads = "0030 ffffffff 0 LDGDEPBAR 0 0 0 0 NoVal";
  const auto ops_of = [](const std::vector<std::string>& lines) {
    std::vector<MbarrierOp> ops;
    const ReadWarp read = read_warp(kernel_of(lines));
    CHECK(read.warnings.empty());
    for (const WarpInstruction& instruction : read.instructions) {
      ops.push_back(mbarrier_of(instruction).op);
      if (ops.back() == MbarrierOp::wait_copies) CHECK(mbarrier_of(instruction).value == 2);
    }
    return ops;
  };
  using Ops = std::vector<MbarrierOp>;
  CHECK(ops_of({wait, flush, wait}) == Ops{MbarrierOp::wait_loads, MbarrierOp::commit_copies, MbarrierOp::wait_copies});
  CHECK(ops_of({flush, loads, wait}) ==
        Ops{MbarrierOp::commit_copies, MbarrierOp::commit_loads, MbarrierOp::wait_loads, MbarrierOp::wait_copies});
  CHECK(ops_of({loads, wait}) == Ops{MbarrierOp::commit_loads, MbarrierOp::wait_loads});
}

TEST_CASE("ARRIVES.LDGSTSBAR arrives when the asynchronous loads have finished, at a phase that expects it or not") {
  const std::string at = "0010 00000003 0 ARRIVES.LDGSTSBAR.64.", address = " 1 R2 8 1 0x400 0 0 0 NoVal";
  const std::vector<WarpInstruction> counted = read_warp(kernel_of({at + "ARVCNT" + address})).instructions;
  REQUIRE(counted.size() == 1);
  CHECK(mbarrier_of(counted[0]).op == MbarrierOp::arrive_later);
  CHECK(mbarrier_of(counted[0]).at == 0x400);
  CHECK(mbarrier_of(counted[0]).value == 2);
  const std::vector<WarpInstruction> added = read_warp(kernel_of({at + "TRANSCNT" + address})).instructions;
  REQUIRE(added.size() == 2);
  CHECK(mbarrier_of(added[0]).op == MbarrierOp::expect_arrivals);
  CHECK(mbarrier_of(added[0]).value == 2);
  CHECK(mbarrier_of(added[1]).op == MbarrierOp::arrive_later);
}

TEST_CASE("Instructions on mbarriers say what they do in their opcode and in the value of their second source") {
  const struct {
    const char* line;
    MbarrierUse use;
    bool arrives_only;
  } kForms[] = {
      {"0 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x400 0 0 0 Val 1 400 1 1ffffe", {MbarrierOp::init, 0x400, 1, 0}, true},
      {"0 SYNCS.EXCH.64 2 R4 R6 8 1 0x408 0 0 0 Val 1 408 1 7f001fff00", {MbarrierOp::init, 0x408, 128, 0}, true},
      {"0 SYNCS.CCTL.IV 1 R4 8 1 0x400 0 0 0 Val 1 400", {MbarrierOp::invalidate, 0x400, 0, 0}, true},
      {"0 SYNCS.ARRIVE.TRANS64 2 R4 R6 8 1 0x400 0 0 0 Val 1 400 1 1000", {MbarrierOp::arrive, 0x400, 1, 0x1000}, true},
      {"0 SYNCS.ARRIVE.TRANS64.ART0 2 R4 R6 8 1 0x400 0 0 0 Val 1 400 1 3", {MbarrierOp::arrive, 0x400, 3, 0}, true},
      {"0 SYNCS.ARRIVE.TRANS64.A1T0 1 R4 8 1 0x400 0 0 0 NoVal", {MbarrierOp::arrive, 0x400, 1, 0}, true},
      {"0 SYNCS.ARRIVE.TRANS64.A0TR 2 R4 R6 8 1 0x400 0 0 0 Val 1 400 1 40", {MbarrierOp::arrive, 0x400, 0, 64}, true},
      {"0 SYNCS.ARRIVE.TRANS64.A0TX 2 R4 R6 8 1 0x400 0 0 0 Val 1 400 1 40", {MbarrierOp::arrive, 0x400, 0, -64}, true},
      {"0 SYNCS.ARRIVE.TRANS64.A0T1 1 R4 8 1 0x400 0 0 0 NoVal", {MbarrierOp::arrive, 0x400, 0, 1}, true},
      {"1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R4 R6 8 1 0x400 0 0 0 Val 1 1 1 400 1 0", {MbarrierOp::wait, 0x400, 0, 0}, false},
      {"1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R4 R6 8 1 0x400 0 0 0 Val 1 1 1 400 1 80000000", {MbarrierOp::wait, 0x400, 1, 0}, false}};
  for (const auto& form : kForms) {
    CAPTURE(form.line);
    const ReadWarp read = read_warp(kernel_of({std::string("0010 00000001 ") + form.line}));
    REQUIRE(read.instructions.size() == 1);
    const MbarrierUse use = mbarrier_of(read.instructions[0]);
    CHECK(use.op == form.use.op);
    CHECK(use.at == form.use.at);
    CHECK(use.value == form.use.value);
    CHECK(use.bytes == form.use.bytes);
    CHECK(read.instructions[0].barrier.arrives_only == form.arrives_only);
    CHECK(read.warnings.empty());
  }
  CHECK(instruction_of("0010 00000000 0 SYNCS.ARRIVE.TRANS64.A1T0 1 R4 8 0 0 0 NoVal").unit == Unit::alu);
  CHECK(instruction_of("0010 ffffffff 0 SYNCS 0 0 0 0 NoVal").unit == Unit::alu);
}

TEST_CASE("Each active lane arrives at its mbarrier, and those at the same one arrive together") {
  const std::string values = [] {
    std::string all = " 32";
    for (unsigned lane = 0; lane < 32; ++lane) all += lane % 2 == 0 ? " 10" : " 20";
    return all;
  }();
  const std::vector<WarpInstruction> read =
      read_warp(kernel_of({"0010 0000000f 0 SYNCS.ARRIVE.TRANS64 2 R4 R6 8 0 0x400 0x408 0x400 0x408 0 0 Val 1 400" + values}))
          .instructions;
  REQUIRE(read.size() == 2);
  for (unsigned i = 0; i < 2; ++i) {
    const MbarrierUse use = mbarrier_of(read[i]);
    CHECK(use.at == 0x400 + 8 * i);
    CHECK(use.value == 2);
    CHECK(use.bytes == (i == 0 ? 0x20 : 0x40));
    CHECK(read[i].active == (i == 0 ? 0b0101u : 0b1010u));
  }
  // All lanes of a warp wait for one phase.
  CHECK(read_warp(kernel_of({"0010 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R4 R6 8 1 0x400 0 0 0 Val 1 1 1 400 1 0"}))
            .instructions.size() == 1);
}

TEST_CASE("A test of a phase waits in a replay region alone") {
  const std::string test = "0010 00000001 1 P0 SYNCS.PHASECHK.TRANS64 2 R4 R6 8 1 0x400 0 0 0 Val 1 1 1 400 1 0";
  CHECK(instruction_of(test).unit == Unit::alu);
  const std::vector<WarpInstruction> read =
      read_warp(kernel_of({"0000 ffffffff 0 REPLAY_START 0 0 0 0 NoVal", test, "0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal", test}))
          .instructions;
  CHECK(mbarrier_of(read.at(0)).op == MbarrierOp::wait);
  CHECK(read.at(1).unit == Unit::alu);
}

TEST_CASE("An instruction on an mbarrier without its address or value is refused") {
  CHECK(mistake_in(kernel_of({"0010 00000001 0 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x400 0 0 0 NoVal"})).text() ==
        "an instruction for an mbarrier has no value of its second source register");
  CHECK(mistake_in(kernel_of({"0010 00000001 0 SYNCS.ARRIVE.TRANS64.A1T0 1 R4 0 0 0 NoVal"})).text() ==
        "an instruction for an mbarrier has no address");
}

TEST_CASE("UCGABAR arrives and waits at the barrier of the cluster") {
  for (const bool arrives : {true, false}) {
    const WarpInstruction read = instruction_of(std::string("0010 ffffffff 0 UCGABAR_") + (arrives ? "ARV" : "WAIT") + " 0 0 0 0 NoVal");
    CHECK(read.unit == Unit::barrier);
    CHECK(read.barrier.of_cluster);
    CHECK(read.barrier.number == 0);
    CHECK(read.barrier.arrives_only == arrives);
  }
  CHECK(instruction_of("0010 00000000 0 UCGABAR_WAIT 0 0 0 0 NoVal").unit == Unit::alu);
}

TEST_CASE("A warp whose predicate does not hold takes no part in a barrier") {
  CHECK(instruction_of("0010 00000000 0 BAR.SYNC 0 0 1 64 NoVal").unit == Unit::alu);
}

TEST_CASE("A barrier that no GPU has is refused") {
  const auto mistake = [](const std::string& line) { return mistake_in(kernel_of({"0010 ffffffff " + line})).text(); };
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 16 0 NoVal"), Contains("the number of the barrier is missing or malformed, expected 0 to 15"));
  CHECK_THAT(mistake("1 R4 BAR.SYNC 0 0 64 0 Val 1 10"), Contains("the number of the barrier"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 1 100 NoVal"),
             Contains("the count of threads of the barrier is missing or malformed, expected a multiple of 32 up to 1024"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 1 1056 NoVal"), Contains("the count of threads of the barrier"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 -1 0 NoVal"), Contains("the number of the barrier"));
}

TEST_CASE("A replay region is executed once, its marks are not instructions, and it is counted") {
  const ReadWarp read = read_warp(kernel_of({"0000 ffffffff 0 REPLAY_START 0 0 0 0 NoVal", "0010 ffffffff 0 NOP 0 0 0 0 NoVal",
                                             "0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal", "0030 ffffffff 0 EXIT 0 0 0 0 NoVal"}));
  REQUIRE(read.instructions.size() == 2);
  CHECK(read.instructions[0].pc == 0x10);
  CHECK(read.instructions[1].pc == 0x30);
  REQUIRE(read.warnings.size() == 1);
  CHECK_THAT(read.warnings[0].first, Contains("region between REPLAY_START and REPLAY_END, executed once as recorded"));
}

TEST_CASE("An arrival may name an mbarrier of another CTA of the cluster") {
  const auto at = [](const std::string& opcode, const std::string& address) {
    const OfRank1 read = of_rank_1("0010 00000001 0 SYNCS.ARRIVE.TRANS64." + opcode + " 1 R4 8 1 " + address + " 0 0 0 NoVal");
    CHECK(read.needs_cluster == (rank_of(mbarrier_of(read.instructions.at(0)).at) != 1));
    return mbarrier_of(read.instructions[0]).at;
  };
  CHECK(at("RED.A1T0", "0x400") == cluster_address(0, 0x400));
  CHECK(at("RED.A1T0", "0x1000400") == cluster_address(1, 0x400));
  CHECK(at("A1T0", "0x400") == cluster_address(1, 0x400));
  CHECK(at("A1T0", "0x1000400") == cluster_address(1, 0x400));
  CHECK(mistake_in(cluster_with("0010 00000001 0 SYNCS.ARRIVE.TRANS64.RED.A1T0 1 R4 8 1 0x2000400 0 0 0 NoVal")).text() ==
        "rank 2 in a cluster of 2 CTAs");
}
