// The cost of each instruction: exact slots of a few warps, and where the loads of an instruction found their data.

#include "tests/unit/sm/stack_rig.h"

using namespace wharf;
using namespace wharf::test;

namespace {

using Entry = InstructionProfile::Entry;
using SlotsByPc = std::map<std::uint32_t, std::uint64_t>;

/// The slots of all instructions so far that have any, by pc.
SlotsByPc slots_of(StackRig& rig) {
  SlotsByPc slots;
  for (const InstructionProfile::Kernel& kernel : rig.logic.cycle_stack()->profile().kernels())
    for (const auto& [key, entry] : kernel.entries)
      if (entry.slots != 0) slots[entry.pc()] += entry.slots;
  return slots;
}

Entry entry_of(StackRig& rig, std::uint32_t pc, Unit unit) {
  WarpInstruction like;
  like.pc = pc;
  like.unit = unit;
  return rig.logic.cycle_stack()->profile().kernels().back().entries.at(InstructionProfile::key_of(like));
}

ReplyHint reply_of(ServedBy server, bool missed = false, bool held_elsewhere = false) {
  ReplyHint reply;
  reply.served_by = server;
  reply.missed = missed;
  reply.held_elsewhere = held_elsewhere;
  return reply;
}

}  // namespace

TEST_CASE("instruction profile: a load pays for the wait for its data, what waits for another result pays itself") {
  StackRig rig(stack_sm());
  rig.latency = 50;
  rig.launch({{load(0x10, 7), alu(0x20, 8, {7}), instruction(Unit::sfu, 0x30, 9, {8}), alu(0x40, kNoRegister, {9})}}, kLaunch);
  const auto causes = rig.stack(150);
  const Cycle data = kLaunch + 1 + 50;
  CHECK(rig.cycle_of(0x20) == data);
  CHECK(rig.cycle_of(0x30) == data + 9);
  CHECK(rig.cycle_of(0x40) == data + 9 + 41);
  // 0x20 waited only for the load, 0x30 for the alu's result, and 0x40 for the sfu's.
  CHECK(slots_of(rig) == SlotsByPc{{0x10, (data - kLaunch - 1) * kOne}, {0x30, 8 * kOne}, {0x40, 40 * kOne}});
  CHECK(causes.at("result_alu") == 8 * kOne);
  CHECK(causes.at("result_sfu") == 40 * kOne);
}

TEST_CASE("instruction profile: a busy unit is paid for by the instruction that wants it, and the last one by itself") {
  SmParams p = stack_sm();
  p.units.sfu = {40, 8};
  p.unit_queue = 0;
  StackRig rig(p);
  rig.launch({{instruction(Unit::sfu, 0x10), instruction(Unit::sfu, 0x20), alu(0x30, 7)}}, kLaunch);
  rig.stack(60);
  CHECK(slots_of(rig) == SlotsByPc{{0x20, 7 * kOne}, {0x30, 8 * kOne}});
}

TEST_CASE("instruction profile: the barrier pays for the warps that stand there, by their shares of the slots") {
  StackRig rig(stack_sm());
  rig.latency = 50;
  const WarpInstruction stop = instruction(Unit::barrier, 0x30);
  rig.launch({{load(0x10, 7), alu(0x20, kNoRegister, {7}), stop, alu(0x40, 8)}, {stop, alu(0x40, 8)}}, kLaunch);
  const auto causes = rig.stack(150);
  const Cycle data = kLaunch + 1 + 50, waited = data - (kLaunch + 2);  // from the cycle after the first barrier on
  CHECK(rig.cycle_of(0x30, 1) == kLaunch + 1);
  CHECK(rig.cycle_of(0x20, 0) == data);
  CHECK(rig.cycle_of(0x30, 0) == data + 1);
  CHECK(causes.at("barrier") == waited * kOne / 2);
  const SlotsByPc slots = slots_of(rig);
  CHECK(slots.at(0x10) == waited * kOne / 2);
  CHECK(slots.count(0x20) == 0);
  CHECK(slots.at(0x30) == waited * kOne / 2);
  // Both warps issue the last instruction, in two cycles, and end when its result arrives: all slots from the second issue to the first
  // result, and one more.
  CHECK(slots.at(0x40) == causes.at("result_alu"));
  CHECK(slots.at(0x40) == 8 * kOne);
}

TEST_CASE("instruction profile: the slots of all instructions are those in which warps waited") {
  SmParams p = stack_sm(2);
  p.units.sfu = {40, 8};
  StackRig rig(p);
  rig.latency = 37;
  const WarpInstruction stop = instruction(Unit::barrier, 9);
  const Program program{load(0, 7, 0, 128), instruction(Unit::sfu, 1, 8, {7}), stop, alu(2, 9, {8}), instruction(Unit::exit, 3)};
  rig.launch({program, program, program, {stop, load(4, 5), alu(6, kNoRegister, {5})}, program}, kLaunch);
  const auto causes = rig.stack(700);
  std::uint64_t lost = 0;
  for (const auto& [cause, parts] : causes)
    if (cause != "all" && cause != "issued" && cause != "launch" && cause != "no_warp" && cause != "tail") lost += parts;
  CHECK(rig.logic.cycle_stack()->profile().slots() == lost);
  CHECK(rig.logic.cycle_stack()->waited_slots() == lost);
  CHECK(lost > 100 * kOne);
}

TEST_CASE(
    "instruction profile: the accesses of a load are counted by who answered them, its primary misses by whether another L1 held the "
    "line") {
  StackRig rig(stack_sm());
  rig.launch({{load(0x10, 7, 0, 128), load(0x20, 8, 0x10000)}}, kLaunch);
  rig.run(kLaunch + 40);
  REQUIRE(rig.sent.size() == 33);
  const Cycle at = kLaunch + 60;
  for (unsigned line = 0; line < 20; ++line) rig.answer(line, at, reply_of(ServedBy::l1));
  for (unsigned line = 20; line < 24; ++line) rig.answer(line, at, reply_of(ServedBy::l2));  // merged with other misses
  for (unsigned line = 24; line < 29; ++line) rig.answer(line, at, reply_of(ServedBy::l2, true, true));
  for (unsigned line = 29; line < 32; ++line) rig.answer(line, at, reply_of(ServedBy::dram, true));
  rig.answer(32, at, reply_of(ServedBy::peer, true, true));
  rig.stack(100);
  const Entry many = entry_of(rig, 0x10, Unit::load), one = entry_of(rig, 0x20, Unit::load);
  CHECK(many.served == std::array<std::uint64_t, kServedBy>{0, 20, 0, 0, 4 + 5, 0, 3});
  CHECK(many.misses == 5 + 3);
  CHECK(many.held_elsewhere == 5);
  CHECK(one.served == std::array<std::uint64_t, kServedBy>{0, 0, 1, 0, 0, 0, 0});
  CHECK(one.misses == 1);
  CHECK(one.held_elsewhere == 1);
}

TEST_CASE("instruction profile: stores have no accesses that found data") {
  StackRig rig(stack_sm());
  rig.latency = 10;
  rig.launch({{memory(Unit::store, 0x10, 0, 4)}}, kLaunch);
  rig.stack(60);
  CHECK(entry_of(rig, 0x10, Unit::store).served == std::array<std::uint64_t, kServedBy>{});
}

TEST_CASE("instruction profile: launches of one name are one kernel, another name is another one, and two instructions may share a pc") {
  InstructionProfile profile;
  KernelLaunch first, second;
  first.name = "first";
  second.name = "second";
  WarpInstruction compare, branch;
  compare.pc = branch.pc = 0x10;
  branch.unit = Unit::branch;
  profile.start(first);
  profile.at(InstructionProfile::key_of(compare)).slots = 1;
  profile.at(InstructionProfile::key_of(branch)).slots = 20;
  profile.start(second);
  profile.at(InstructionProfile::key_of(compare)).slots = 300;
  profile.start(first);
  CHECK(profile.at(InstructionProfile::key_of(compare)).slots == 1);
  CHECK(profile.at(InstructionProfile::key_of(branch)).slots == 20);
  CHECK(profile.slots() == 321);
  REQUIRE(profile.kernels().size() == 3);
  CHECK(profile.kernels()[1].name == "first");
  CHECK(profile.kernels()[1].entries.size() == 2);
  CHECK(profile.kernels()[2].entries.size() == 1);
}
