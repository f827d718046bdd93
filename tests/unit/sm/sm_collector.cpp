// Operand collection and the order of the schedulers (CM-40, CM-41).

#include <catch2/catch.hpp>
#include <set>

#include "model/sm/collector/operand_collector.h"
#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

/// Two collector units per scheduler, four banks, two steps per cycle; units take two cycles and start every second cycle.
SmParams collecting_sm(std::uint32_t schedulers = 1) {
  SmParams p = plain_sm();
  p.schedulers = schedulers;
  p.collector_units = 2;
  p.units.alu = p.units.fp32 = {2, 2};
  p.writeback_cycles = 1;
  p.shared_cycles = 20;
  return p;
}

WarpInstruction fp32(std::uint32_t pc, RegisterId destination, std::vector<RegisterId> sources) {
  return instruction(Unit::fp32, pc, destination, std::move(sources));
}
/// A shared-memory store of 32 lanes whose words are in `ways` rows of one bank.
WarpInstruction shared_store(std::uint32_t pc, unsigned ways) {
  WarpInstruction i = memory(Unit::shared, pc, 0, 0);
  for (unsigned lane = 0; lane < kLanes; ++lane) i.addresses[lane] = lane % ways * 128;
  return i;
}

OperandCollector::Instruction of_warp(std::uint16_t warp, std::uint64_t order) {
  OperandCollector::Instruction i;
  i.warp = warp;
  i.order = order;
  return i;
}

}  // namespace

TEST_CASE("sm collector: a dependent instruction follows after issue register, bank reads, execute register, unit and writeback") {
  const SmParams p = collecting_sm();
  SmRig rig(p);
  // R1 and R2 are in two banks, so both are read in one step.
  rig.launch({{fp32(0, 7, {1, 2}), fp32(1, 8, {7, 2})}});
  rig.run(60);
  // Issue register 1 cycle, collector unit and reads 1, execute register 1, the unit's own register 1.
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 4 + p.units.fp32.latency + p.writeback_cycles);
}

TEST_CASE("sm collector: an instruction without sources needs no step for reads") {
  const SmParams p = collecting_sm();
  SmRig rig(p);
  rig.launch({{fp32(0, 7, {}), fp32(1, 8, {7})}});
  rig.run(60);
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 3 + p.units.fp32.latency + p.writeback_cycles);
}

TEST_CASE("sm collector: sources in one bank take a step each, and a register named twice is read once") {
  const SmParams p = collecting_sm();
  for (const auto& [sources, steps] : {std::pair{std::vector<RegisterId>{1, 5, 9}, 2u}, std::pair{std::vector<RegisterId>{1, 1, 1}, 0u}}) {
    SmRig rig(p);
    rig.launch({{fp32(0, 7, sources), fp32(1, 8, {7})}});
    rig.run(60);
    // Two more steps are one more cycle.
    CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 4 + steps / p.collector_steps + p.units.fp32.latency + p.writeback_cycles);
  }
}

TEST_CASE("operand collector: an instruction moves from issue register to collector unit to execute register, one move a step") {
  SmParams p = collecting_sm();
  p.collector_steps = 1;
  OperandCollector collector(p);
  CHECK(collector.idle());
  collector.issue(0, 0, of_warp(0, 1), {1, 2, kNoRegister, kNoRegister});
  CHECK_FALSE(collector.accepts(0, 0));
  CHECK(collector.accepts(0, 1));
  CHECK(collector.step());  // into a collector unit
  CHECK(collector.accepts(0, 0));
  CHECK(collector.waiting() == 0);
  CHECK(collector.step());  // both banks are read
  CHECK(collector.waiting() == 0);
  CHECK(collector.step());  // into the execute register
  CHECK(collector.waiting() == 1);
  CHECK_FALSE(collector.step());
  collector.dispatch(0, 0);
  CHECK(collector.idle());
}

TEST_CASE("operand collector: the older instruction reads a bank first, and a result that is written takes the bank for the first step") {
  SmParams p = collecting_sm();
  p.collector_steps = 1;
  OperandCollector collector(p);
  const std::array<RegisterId, 4> source = {4, kNoRegister, kNoRegister, kNoRegister};
  collector.issue(0, 0, of_warp(0, 1), source);
  collector.issue(0, 1, of_warp(4, 2), source);  // warp slots 0 and 4: one bank
  CHECK(collector.step());
  collector.written(8, 0);  // the same bank again
  CHECK(collector.step());
  CHECK(collector.step());  // the first reads
  CHECK(collector.step());  // the second reads; the first moves on
  CHECK(collector.waiting() == 0b01);
  CHECK(collector.step());
  CHECK(collector.waiting() == 0b11);
}

TEST_CASE("operand collector: of two instructions of one kind the second keeps its collector unit until the execute register is free") {
  SmParams p = collecting_sm();
  p.collector_steps = 1;
  OperandCollector collector(p);
  for (std::uint64_t order = 1; order <= 3; ++order) {
    REQUIRE(collector.accepts(0, 6));
    collector.issue(0, 6, of_warp(0, order), {kNoRegister, kNoRegister, kNoRegister, kNoRegister});
    collector.step();
  }
  collector.issue(0, 6, of_warp(0, 4), {kNoRegister, kNoRegister, kNoRegister, kNoRegister});
  for (int i = 0; i < 5; ++i) collector.step();
  // One in the execute register, two in the collector units, one in the issue register: a blocked load/store unit holds four.
  CHECK_FALSE(collector.accepts(0, 6));
  CHECK(collector.front(0, 6).order == 1);
  collector.issue(0, 0, of_warp(1, 5), {kNoRegister, kNoRegister, kNoRegister, kNoRegister});
  CHECK_FALSE(collector.step());  // this scheduler's arithmetic is blocked too
  CHECK_FALSE(collector.accepts(0, 0));
  CHECK_FALSE(collector.may_move());
  collector.dispatch(0, 6);
  CHECK(collector.may_move());
  CHECK(collector.step());
  CHECK(collector.front(0, 6).order == 2);
}

TEST_CASE("sm collector: shared-memory stores that conflict stop the arithmetic of their scheduler, and no other's") {
  for (const std::uint32_t schedulers : {1u, 2u}) {
    SmRig rig(collecting_sm(schedulers));
    Program stores, arithmetic;
    for (unsigned i = 0; i < 6; ++i) stores.push_back(shared_store(i, 32));
    for (unsigned i = 0; i < 6; ++i) arithmetic.push_back(fp32(10 + i, kNoRegister, {1}));
    rig.launch({stores, arithmetic});
    rig.run(400);
    // Each store occupies shared memory for 32 cycles. Arithmetic with its own scheduler is issued every second cycle.
    const Cycle last = rig.cycle_of(15, 1);
    if (schedulers == 2)
      CHECK(last <= rig.cycle_of(10, 1) + 2 * 5);
    else
      CHECK(last > rig.cycle_of(10, 1) + 32);
  }
}

TEST_CASE("sm collector: 64 collector units for each of four schedulers hold as many memory instructions, and lose none") {
  SmParams p = collecting_sm(4);
  p.collector_units = 64;
  p.warps = 64;
  std::vector<Program> programs(64);
  for (unsigned w = 0; w < 64; ++w)
    for (unsigned i = 0; i < 8; ++i) programs[w].push_back(load(i, static_cast<RegisterId>(i), (w * 8 + i) * 128));
  SmRig rig(p);
  rig.open = [](std::size_t n) { return n != 0; };  // the L1 accepts one access and no more
  rig.launch(programs);
  rig.run(300);
  CHECK(rig.issues.size() == 2 + 4 * (64 + 2));  // one has left, one is in the unit; collector units, issue and execute registers
  rig.resume_at = 301;
  rig.run(1'000);
  std::set<std::uint64_t> lines;
  for (const Sent& sent : rig.sent) lines.insert(sent.access.line.number);
  CHECK(lines.size() == 64 * 8);
}

TEST_CASE("sm collector: acts that are asked for are enough") {
  const auto issues_of = [](bool ticking) {
    SmRig rig(collecting_sm(2));
    rig.latency = 30;
    Program program;
    for (unsigned i = 0; i < 40; ++i) {
      if (i % 5 == 0)
        program.push_back(load(i, static_cast<RegisterId>(i), 128 * i, i % 3 == 0 ? 128 : 4));
      else if (i % 7 == 0)
        program.push_back(shared_store(i, 1 + i % 9));
      else
        program.push_back(fp32(i, static_cast<RegisterId>(i), {static_cast<RegisterId>(i - 1), 3, 7}));
    }
    rig.launch({program, program, program});
    rig.run(20000, ticking);
    CHECK(rig.issues.size() == 120);
    return rig.issues;
  };
  CHECK(issues_of(true) == issues_of(false));
}

TEST_CASE("sm order: rotating schedulers put the memory instructions of cycle t in order from scheduler t mod schedulers on") {
  for (const SchedulerOrder order : {SchedulerOrder::fixed, SchedulerOrder::rotating}) {
    for (const Cycle start : {4, 5, 6, 7}) {
      SmParams p = plain_sm();
      p.schedulers = 4;
      p.scheduler_order = order;
      SmRig rig(p);
      rig.latency = 10;
      rig.launch({{load(0, 1, 0)}, {load(0, 1, 128)}, {load(0, 1, 256)}, {load(0, 1, 384)}}, start);
      rig.run(60);
      REQUIRE(rig.sent.size() == 4);
      for (unsigned i = 0; i < 4; ++i) CHECK(rig.sent[i].access.warp == (order == SchedulerOrder::fixed ? i : (start + i) % 4));
    }
  }
}
