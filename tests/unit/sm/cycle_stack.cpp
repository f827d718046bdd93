// The use of an SM's issue slots: exact stacks of a few warps (docs/howto-explain.md).

#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/sm/stack_rig.h"

using namespace wharf;
using namespace wharf::test;

namespace {

using Slots = std::map<std::string, std::uint64_t>;

}  // namespace

TEST_CASE("cycle stack: one warp's slots are its instructions, the wait for a result, the launch and the tail") {
  StackRig rig(stack_sm());
  rig.launch({{alu(0, 7), alu(1, 8, {7})}}, kLaunch);
  const Slots slots = rig.stack(30);
  const Cycle wait = 8, ends = kLaunch + 1 + wait + 1 + wait - 1;  // the warp ends when its last result has arrived
  CHECK(slots == Slots{{"all", 30 * kOne},
                       {"launch", kLaunch * kOne},
                       {"issued", 2 * kOne},
                       {"result_alu", (2 * wait) * kOne},
                       {"tail", (30 - ends - 1) * kOne}});
}

TEST_CASE("cycle stack: the wait is for the result that arrives last") {
  StackRig rig(stack_sm());
  rig.launch({{alu(0, 7), instruction(Unit::sfu, 1, 8), alu(2, kNoRegister, {7, 8})}}, kLaunch);
  const Slots slots = rig.stack(60);
  CHECK(slots.at("result_sfu") == 40 * kOne);
  CHECK(slots.count("result_alu") == 0);
}

TEST_CASE("cycle stack: a slot is divided among the warps that wait, each for its own cause") {
  // Three warps: one waits for the sfu, one for the alu and then again, and one waits at the barrier for both.
  const WarpInstruction stop = instruction(Unit::barrier, 9);
  StackRig rig(stack_sm());
  rig.launch(
      {{instruction(Unit::sfu, 0, 8), alu(1, kNoRegister, {8}), stop}, {alu(2, 7), alu(3, 7, {7}), alu(4, kNoRegister, {7}), stop}, {stop}},
      kLaunch);
  const Slots slots = rig.stack(100);
  const Cycle first = kLaunch + 1;  // warp 1 issues second, warp 2 third
  const Cycle sfu_until = rig.cycle_of(1, 0);
  CHECK(rig.cycle_of(0, 0) == kLaunch);
  CHECK(rig.cycle_of(2, 1) == first);
  CHECK(rig.cycle_of(9, 2) == first + 1);
  CHECK(rig.cycle_of(3, 1) == first + 9);
  CHECK(rig.cycle_of(4, 1) == first + 18);
  CHECK(rig.cycle_of(9, 1) == first + 19);
  // From the cycle after the first barrier to the sfu's result, all slots but three are divided by three.
  const std::uint64_t shared = sfu_until - (first + 2) - 3;
  CHECK(slots.at("result_sfu") == shared * (kOne / 3));
  CHECK(slots.at("result_alu") == (7 + 8) * (kOne / 3));  // warp 2 has issued in the first of eight slots
  CHECK(slots.at("barrier") + slots.at("result_sfu") + slots.at("result_alu") == shared * kOne);
}

TEST_CASE("cycle stack: a warp with all operands waits for its unit") {
  SmParams p = stack_sm();
  p.units.sfu = {40, 8};
  p.unit_queue = 0;
  StackRig rig(p);
  rig.launch({{instruction(Unit::sfu, 0), instruction(Unit::sfu, 1), instruction(Unit::sfu, 2)}}, kLaunch);
  const Slots slots = rig.stack(60);
  CHECK(slots.at("unit_sfu") == 2 * 7 * kOne);
}

TEST_CASE("cycle stack: the slots between two issues of a slow scheduler are its own") {
  SmParams p = stack_sm();
  p.issue_interval = 4;
  StackRig rig(p);
  rig.launch({{alu(0), alu(1), alu(2)}}, kLaunch);
  const Slots slots = rig.stack(60);
  CHECK(slots == Slots{{"all", 60 * kOne},
                       {"launch", kLaunch * kOne},
                       {"issued", 3 * kOne},
                       {"issuing", 9 * kOne},
                       {"tail", (60 - kLaunch - 12) * kOne}});
}

TEST_CASE("cycle stack: the issue interval of the last instruction ends with the kernel") {
  SmParams p = stack_sm();
  p.issue_interval = 8;
  StackRig rig(p);
  rig.launch({{alu(0)}}, kLaunch);
  CHECK(rig.stack(kLaunch + 3) ==
        Slots{{"all", (kLaunch + 3) * kOne}, {"launch", kLaunch * kOne}, {"issued", kOne}, {"issuing", 2 * kOne}});
}

TEST_CASE("cycle stack: an SM without a CTA is idle for the whole kernel, a scheduler without a warp lacks one") {
  StackRig idle(stack_sm());
  CHECK(idle.stack(40) == Slots{{"all", 40 * kOne}, {"idle_sm", 40 * kOne}});
  StackRig rig(stack_sm(2));
  rig.launch({{alu(0), alu(1)}}, kLaunch);
  const Slots slots = rig.stack(40);
  // The warp ends in the first scheduler's turn, before the second scheduler's turn.
  CHECK(slots.at("no_warp") == kOne);
  CHECK(slots.at("launch") == 2 * kLaunch * kOne);
  CHECK(slots.at("tail") == (2 * (40 - kLaunch - 2) + 1) * kOne);
}

TEST_CASE("cycle stack: a CTA that arrives after the schedulers had their turns in a cycle has the slot of its scheduler in that cycle") {
  constexpr Cycle kArrives = 10;
  const auto slots = [](Cycle acted) {
    StackRig rig(stack_sm(2));
    rig.launch({{alu(0, 7), alu(1, 8, {7}), alu(2, 9, {8})}}, kLaunch, 0);
    rig.run(acted);
    rig.launch({{alu(0, 7), alu(1, 8, {7})}}, kArrives, 1);  // the SM acts in this cycle, and again although it has already acted
    return rig.stack(60);
  };
  CHECK(slots(kArrives) == slots(kArrives - 1));
  CHECK(slots(kArrives).at("no_warp") >= (kArrives - kLaunch) * kOne);
}

TEST_CASE("cycle stack: the slots before and between kernels belong to none") {
  StackRig rig(stack_sm());
  rig.launch({{alu(0)}}, kLaunch);
  rig.run(19);
  rig.logic.kernel_ended(20);
  rig.logic.cycle_stack()->kernel_started(50);
  const Slots slots = rig.stack(60);
  CHECK(slots.at("no_kernel") == 30 * kOne);
  CHECK(slots.at("idle_sm") == 10 * kOne);
  CHECK(slots.at("tail") == (20 - kLaunch - 1) * kOne);
}

TEST_CASE("cycle stack: the slots after a kernel count when the next one starts, and those after the last one never do") {
  StackRig rig(stack_sm());
  rig.launch({{alu(0)}}, kLaunch);
  rig.stack(20);
  const CycleStack& stack = *rig.logic.cycle_stack();
  rig.logic.catch_up(27);
  CHECK(stack.all_slots() == 20 * kOne);
  CHECK(stack.open_slots() == 0);

  rig.logic.cycle_stack()->kernel_started(30);
  rig.logic.kernel_ended(32);
  rig.logic.catch_up(32);
  CHECK(stack.all_slots() == 32 * kOne);
  CHECK(stack.slots(SlotCause::no_kernel) == 10 * kOne);
  CHECK(stack.open_slots() == 0);
}

TEST_CASE("cycle stack: the wait for a load is divided by the stages of its round trip, the time before the load/store unit included") {
  StackRig rig(stack_sm());
  rig.launch({{load(0, 7), alu(1, kNoRegister, {7})}}, kLaunch);
  rig.run(kLaunch);
  REQUIRE(rig.sent.size() == 1);
  ReplyHint reply;
  reply.served_by = ServedBy::dram;
  StageTimes stages;
  stages.begin(rig.sent[0].arrival, 1000);
  stages.claim(Stage::l1, rig.sent[0].arrival + 10);
  stages.claim(Stage::dram_queue, rig.sent[0].arrival + 70);
  stages.claim(Stage::dram, rig.sent[0].arrival + 99);
  rig.answer(0, rig.sent[0].arrival + 99, reply, stages);
  const Slots slots = rig.stack(200);
  // Issued in cycle 5, accepted in 6: 1 + 10 + 60 + 29 cycles. The warp waits for all of them except the issue cycle.
  CHECK(rig.cycle_of(1) == kLaunch + 100);
  CHECK(slots.at("load.in_lsu") + slots.at("load.in_l1") + slots.at("load.in_dram_queue") + slots.at("load.in_dram") == 99 * kOne);
  CHECK(slots.at("load.in_dram_queue") == 99 * kOne * 71 / 100 - 99 * kOne * 11 / 100);
  CHECK(rig.logic.cycle_stack()->loads(ServedBy::dram)[static_cast<unsigned>(Stage::dram_queue)] == slots.at("load.in_dram_queue"));
}

TEST_CASE("cycle stack: warps that the filter or the limit on loads holds up wait for that") {
  SmParams p = stack_sm();
  p.warp_filter = "swl";
  p.swl_limit = 1;
  StackRig throttled(p);
  throttled.launch({{alu(0, 7), alu(1, kNoRegister, {7})}, {alu(2)}}, kLaunch);
  CHECK(throttled.stack(60).at("filter") == 8 * kOne / 2);

  SmParams q = stack_sm();
  q.loads_in_flight = 1;
  StackRig limited(q);
  limited.latency = 50;
  limited.launch({{load(0, 7), load(1, 8, 4096)}}, kLaunch);
  CHECK(limited.stack(200).at("loads_limit") == 50 * kOne);
}

TEST_CASE("cycle stack: a full queue before the load/store unit is its own cause") {
  SmParams p = stack_sm();
  p.lsu_queue = 1;
  StackRig rig(p);
  rig.latency = 1;
  // Each takes 32 cycles to send: one is sent, one waits, the third finds no room.
  rig.launch({{load(0, 7, 0, 128), load(1, 8, 0, 128), load(2, 9, 0, 128)}}, kLaunch);
  const Slots slots = rig.stack(300);
  CHECK(slots.at("lsu_queue") == (rig.cycle_of(2) - rig.cycle_of(1) - 1) * kOne);
}

TEST_CASE("cycle stack: an instruction that waits in the operand collector behind memory instructions waits for the load/store unit") {
  const auto slots = [](unsigned loads) {
    SmParams p = stack_sm();
    p.collector_units = 2;
    StackRig rig(p);
    rig.latency = 1;
    // Each load takes 32 cycles to send. One is in the load/store unit, one before it, two in the collector units, one in the issue register.
    Program program;
    for (unsigned l = 0; l < loads; ++l) program.push_back(load(l, 7 + l, 0, 128));
    program.push_back(alu(10, 20));
    program.push_back(alu(11, kNoRegister, {20}));
    rig.launch({program}, kLaunch);
    Slots slots = rig.stack(400);
    slots["waited"] = (rig.cycle_of(11) - rig.cycle_of(10) - 1) * kOne;
    return slots;
  };
  const Slots alone = slots(0);
  CHECK(alone.at("result_alu") == alone.at("waited"));
  CHECK(alone.count("lsu_queue") == 0);
  CHECK(slots(3).count("lsu_queue") == 0);
  const Slots behind = slots(5);
  CHECK(behind.at("result_alu") == alone.at("result_alu"));
  CHECK(behind.at("lsu_queue") == behind.at("waited") - alone.at("waited"));
  CHECK(behind.at("lsu_queue") > 20 * kOne);
}

TEST_CASE("cycle stack: a warp whose instruction finds the operand collector full of memory instructions waits for the load/store unit") {
  SmParams p = stack_sm();
  p.collector_units = 2;
  StackRig rig(p);
  rig.latency = 1;
  Program program;
  for (unsigned l = 0; l < 5; ++l) program.push_back(load(l, 7 + l, 0, 128));
  program.push_back(alu(10));
  program.push_back(alu(11));
  rig.launch({program}, kLaunch);
  const Slots slots = rig.stack(400);
  CHECK(rig.cycle_of(11) > rig.cycle_of(10) + 20);
  CHECK(slots.at("lsu_queue") == (rig.cycle_of(11) - rig.cycle_of(10) - 1) * kOne);
  CHECK(slots.count("unit_alu") == 0);
}

TEST_CASE("cycle stack: it is the same whether the SM acts in every cycle or sleeps") {
  const auto stack_of = [](bool ticking) {
    SmParams p = stack_sm(2);
    p.issue_interval = 2;
    p.units.sfu = {40, 8};
    StackRig rig(p);
    rig.ticking = ticking;
    rig.latency = 37;
    const WarpInstruction stop = instruction(Unit::barrier, 9);
    const Program program{load(0, 7, 0, 128), instruction(Unit::sfu, 1, 8, {7}), stop, alu(2, 9, {8}), instruction(Unit::exit, 3)};
    rig.launch({program, program, program, {stop, load(4, 5), alu(6, kNoRegister, {5})}, program}, kLaunch);
    return rig.stack(700);
  };
  const Slots slots = stack_of(true);
  CHECK(slots == stack_of(false));
  CHECK(slots.size() > 6);
}

TEST_CASE("cycle stack: shares that do not divide evenly add up to whole slots") {
  StackRig rig(stack_sm());
  std::vector<Program> programs;
  for (std::uint32_t w = 0; w < 7; ++w) programs.push_back({instruction(Unit::sfu, w, 8), alu(10 + w, kNoRegister, {8})});
  rig.launch(programs, kLaunch);
  const Slots slots = rig.stack(100);
  std::uint64_t sum = 0;
  for (const auto& [cause, parts] : slots)
    if (cause != "all") sum += parts;
  CHECK(sum == slots.at("all"));
}
