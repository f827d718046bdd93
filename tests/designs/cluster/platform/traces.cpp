// Traces of tracer version 6 on an H100: the kernel that a trace holds takes the cycles of the same instructions from a stimulus (MG-18).

#include <catch2/catch.hpp>
#include <cstdio>

#include "stimuli/traces/trace_reader.h"
#include "tests/designs/cluster/platform/h100_clusters.h"
#include "tests/support/program_under_test.h"
#include "tests/support/trace_container.h"

namespace wharf::test {
namespace {

using Op = MbarrierOp;

/// An instruction, and the line of a trace that records it.
struct Recorded {
  WarpInstruction instruction;
  std::string line;
};
using RecordedWarp = std::vector<Recorded>;

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

Recorded init(unsigned arrivals) {
  return {mbarrier(Op::init, 0, arrivals), "0 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x0 0 0 0 Val 1 0 1 " + hex(((1u << 20) - arrivals) << 1)};
}
Recorded wait(unsigned parity) {
  return {mbarrier(Op::wait, 0, parity),
          "1 UP0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 UR4 UR6 8 1 0x0 0 0 0 Val 1 0 1 0 1 " + std::string(parity != 0 ? "80000000" : "0")};
}
Recorded arrive_at(unsigned rank) {
  return {arrive(0, rank), "0 SYNCS.ARRIVE.TRANS64.RED.A1T0 1 UR4 8 1 0x" + hex(rank << 24) + " 0 0 0 NoVal"};
}
Recorded arrive_and_expect(std::uint32_t bytes) {
  return {arrive(0, 0, 1, static_cast<std::int32_t>(bytes)), "0 SYNCS.ARRIVE.TRANS64 2 UR4 UR6 8 1 0x0 0 0 0 Val 1 0 1 " + hex(bytes)};
}
Recorded meet_arrive() { return {cluster_arrive(), "0 UCGABAR_ARV 0 0 0 0 NoVal"}; }
Recorded meet_wait() { return {cluster_wait(), "0 UCGABAR_WAIT 0 0 0 0 NoVal"}; }
Recorded end() { return {exit_warp(), "0 EXIT 0 0 0 0 NoVal"}; }

Recorded recorded_copy(const BulkCopy& copy, const std::string& line) {
  Recorded one{barrier(), "0 " + line + " 0 0 NoVal"};
  one.instruction.barrier = MbarrierUse::barrier_of(Op::copy);
  one.instruction.active = 1;
  copy.put_operands(one.instruction.addresses.data());
  return one;
}

/// CTAs of one warp each in one cluster. Each initialises an mbarrier, meets the others, and goes on. Returns the outcomes of both.
std::pair<Outcome, Outcome> run_both(const std::vector<RecordedWarp>& warps) {
  ScriptedKernel kernel;
  kernel.shared_bytes = 512;
  kernel.registers_per_thread = 24;
  kernel.cluster.x = static_cast<std::uint32_t>(warps.size());
  std::vector<traces::SampleCta> ctas;
  for (const RecordedWarp& own : warps) {
    RecordedWarp all = {init(1), meet_arrive(), meet_wait()};
    all.insert(all.end(), own.begin(), own.end());
    all.push_back(end());
    const auto rank = static_cast<std::uint32_t>(ctas.size());
    traces::SampleCta cta{{rank, 0, 0}, {0, 0, 0}, {rank, 0, 0}, rank, {{}}};
    Instructions instructions;
    for (const Recorded& one : all) {
      const auto pc = static_cast<std::uint32_t>(16 * instructions.size());
      instructions.push_back(one.instruction);
      instructions.back().pc = pc;
      if (MbarrierUse::is_by(one.instruction.barrier)) instructions.back().active = 1;
      cta.warps[0].push_back(hex(pc) + (instructions.back().active == 1 ? " 00000001 " : " ffffffff ") + one.line);
    }
    kernel.ctas.push_back({instructions});
    ctas.push_back(cta);
  }
  const cli::TemporaryFolder folder;
  std::string header = traces::header_6("(" + std::to_string(warps.size()) + ",1,1)", "(32,1,1)");
  header.replace(header.find("sample"), 6, "kernel_1");
  folder.file("kernel-1.traceg", traces::text_of(header, ctas));
  const std::string path = folder / "kernel-1.traceg";
  const Outcome traced = run_apart(
      h100(), [&] { return std::make_unique<traces::TraceStimulus>(path); }, checked());
  INFO(traced.failure);
  REQUIRE(traced.end == End::done);
  return {run_checked(h100(), {kernel}), traced};
}

void check_equal(const std::vector<RecordedWarp>& warps) {
  const auto [scripted, traced] = run_both(warps);
  CHECK(differing_metrics(scripted, traced) == "");
}

}  // namespace

// CL-5, CL-6
TEST_CASE("cluster traces: arrivals at mbarriers of each other take the cycles of the same instructions of a stimulus") {
  RecordedWarp first, second;
  for (unsigned i = 0; i < 4; ++i) {
    first.push_back(wait(i % 2));
    first.push_back(arrive_at(1));
    second.push_back(arrive_at(0));
    second.push_back(wait(i % 2));
  }
  check_equal({first, second});
}

// CL-8, CL-9
TEST_CASE("cluster traces: a copy of rows to both CTAs takes the cycles of the same instructions of a stimulus") {
  BulkCopy tile;
  tile.from = 0x1'0000'0000;
  tile.row_bytes = 128;
  tile.rows = 4;
  tile.row_stride = 4096;
  tile.ranks = 0b11;
  const Recorded copy = recorded_copy(tile, "UTMALDG.2D.MULTICAST 2 UR8 UR4 16 0x0 1 0x3 512 0 4 0x100000000 4 4096 4096 4096");
  // The second CTA's own mbarrier, of which its address as a peer's has the rank.
  Recorded expect = arrive_and_expect(512);
  Recorded expect_1 = expect;
  expect_1.instruction = arrive(0, 1, 1, 512);
  check_equal({{expect, copy, wait(0)}, {expect_1, wait(0)}});
}

// CL-8
TEST_CASE("cluster traces: stores and reductions of rows and the waits for them take the cycles of the same instructions of a stimulus") {
  const auto rows = [](const char* opcode, BulkCopy::Direction direction) {
    BulkCopy tile;
    tile.direction = direction;
    tile.to = 0x1'0000'0000;
    tile.row_bytes = 128;
    tile.rows = 4;
    tile.row_stride = 4096;
    return recorded_copy(tile, std::string(opcode) + " 2 UR8 UR4 16 0x0 0 512 0 4 0x100000000 4 4096 4096 4096");
  };
  const Recorded flush{mbarrier(Op::commit_copies, 0), "0 UTMACMDFLUSH 0 0 0 0 NoVal"};
  const auto wait_for = [](unsigned open) {
    return Recorded{mbarrier(Op::wait_copies, 0, open), "0 DEPBAR.LE 0 0 " + std::to_string(open) + " 0 NoVal"};
  };
  const Recorded store = rows("UTMASTG.2D", BulkCopy::Direction::to_global);
  const Recorded reduction = rows("UTMAREDG.2D.ADD", BulkCopy::Direction::reduce_in_global);
  check_equal({{store, flush, wait_for(0), store, flush, reduction, flush, wait_for(1), wait_for(0)}});
}

// CL-8, CL-9
TEST_CASE("cluster traces: a copy between shared memories takes the cycles of the same instruction of a stimulus") {
  BulkCopy move;
  move.direction = BulkCopy::Direction::between_shared;
  move.row_bytes = 256;
  move.ranks = 0b10;
  Recorded expect = arrive_and_expect(256);
  expect.instruction = arrive(0, 1, 1, 256);
  check_equal({{recorded_copy(move, "UBLKCP.S.S 2 UR8 UR4 16 0x1000000 0 256 0 3 0")}, {expect, wait(0)}});
}

// CL-6
TEST_CASE("cluster traces: asynchronous stores and reductions take the cycles of the same instructions of a stimulus") {
  for (const bool reduces : {false, true}) {
    RecordedWarp first, second;
    for (unsigned i = 0; i < 4; ++i) {
      Recorded store{shared_of(1, 64, kNoRegister, kNoRegister, kAllLanes, 4),
                     std::string(reduces ? "0 REDAS.ADD" : "0 STAS") + " 0 4 1 0x0100000001000040 4 0 0 NoVal"};
      store.instruction.mbarrier = 0;
      if (reduces) store.instruction.unit = Unit::shared_atomic;
      Recorded expect = arrive_and_expect(kLanes * 4);
      expect.instruction = arrive(0, 1, 1, kLanes * 4);
      first.push_back(store);
      second.push_back(expect);
      second.push_back(wait(i % 2));
    }
    check_equal({first, second});
  }
}

// CL-2
TEST_CASE("cluster traces: generic accesses to the other CTA take the cycles of the same instructions of a stimulus") {
  RecordedWarp first;
  for (unsigned i = 0; i < 4; ++i) {
    const std::string address = " 0x7f0001000" + std::to_string(100 + 4 * i) + " 0 0 0 NoVal";
    const Address offset = 0x100 + (i == 0 ? 0 : i == 1 ? 4 : i == 2 ? 8 : 0x12);
    first.push_back({shared_of(1, offset, static_cast<RegisterId>(8 + i)), "1 R" + std::to_string(8 + i) + " LD.E 0 4 1" + address});
    first.push_back(
        {shared_of(1, offset, kNoRegister, static_cast<RegisterId>(8 + i)), "0 ST.E 1 R" + std::to_string(8 + i) + " 4 1" + address});
  }
  check_equal({first, {}});
}

}  // namespace wharf::test
