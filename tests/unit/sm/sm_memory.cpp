// The load/store unit of an SM and its shared memory (CM-25, CM-38, CM-48).

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

ReplyHint hint(ServedBy served_by, Cycle l1_done) {
  ReplyHint reply;
  reply.served_by = served_by;
  reply.l1_done = l1_done;
  return reply;
}

std::vector<std::uint64_t> lines_of(const SmRig& rig) {
  std::vector<std::uint64_t> lines;
  for (const Sent& sent : rig.sent) lines.push_back(sent.access.line.number);
  return lines;
}
std::vector<unsigned> sectors_of(const SmRig& rig) {
  std::vector<unsigned> sectors;
  for (const Sent& sent : rig.sent) sectors.push_back(sent.access.sectors);
  return sectors;
}

}  // namespace

TEST_CASE("sm memory: an access is at the L1 issue_to_execute after its issue, and its consumer issues when the data are here") {
  for (const unsigned to_execute : {1u, 2u, 4u}) {
    SmParams p = plain_sm();
    p.issue_to_execute_cycles = to_execute;
    p.writeback_cycles = 3;  // part of an ALU result's latency, but not of a load's: the L1's hit latency ends at the register
    SmRig rig(p);
    rig.latency = 50;
    rig.launch({{alu(9), load(0, 1, 256), alu(1, 2, {1})}});
    rig.run(100);
    CHECK(rig.cycle_of(0) == 2);
    CHECK(rig.arrivals() == std::vector<Cycle>{2 + to_execute});
    CHECK(rig.cycle_of(1) == 2 + to_execute + 50);
  }
}

TEST_CASE("sm memory: an access says what, where, and who asks") {
  SmParams p = plain_sm();
  SmRig rig(p);
  WarpInstruction store = memory(Unit::store, 33, 512, 4);
  store.space = Space::local;
  WarpInstruction bypass = memory(Unit::load, 34, 1024 + 32, 0, 5);
  bypass.cache_op = CacheOp::bypass_l1;
  rig.launch({{}, {store, bypass, memory(Unit::atomic, 35, 0, 0, 6), memory(Unit::texture, 36, 0, 0, 7)}}, 7, 3);
  rig.run(40);
  REQUIRE(rig.sent.size() == 4);
  const Access& first = rig.sent[0].access;
  CHECK(first.kind == AccessKind::store);
  CHECK(first.space == Space::local);
  CHECK(first.cache_op == CacheOp::all);
  CHECK(first.line == LineAddress{4});
  CHECK(first.sectors == kAllSectors);
  CHECK(first.covered == kAllSectors);
  CHECK(first.pc == 33);
  CHECK(first.sm == 0);
  CHECK(first.warp == 3 * 2 + 1);
  CHECK(first.cta == 3 + 100);
  CHECK(first.issue_cycle == rig.sent[0].arrival);
  CHECK(rig.sent[1].access.kind == AccessKind::load);
  CHECK(rig.sent[1].access.space == Space::global);
  CHECK(rig.sent[1].access.cache_op == CacheOp::bypass_l1);
  CHECK(rig.sent[1].access.sectors == 0b0010);
  CHECK(rig.sent[1].access.covered == 0);
  CHECK(rig.sent[2].access.kind == AccessKind::atomic);
  CHECK(rig.sent[3].access.kind == AccessKind::texture);
  for (unsigned i = 1; i < 4; ++i) CHECK(rig.sent[i - 1].access.id < rig.sent[i].access.id);
}

TEST_CASE("sm memory: the lines of an instruction leave one a cycle, and those of the next follow without a gap") {
  SmRig rig(plain_sm());
  rig.latency = 10;
  rig.launch({{load(0, 1, 0, 128), load(1, 2, 128 * 100, 4), load(2, 3, 128 * 200, 8)}});
  rig.run(80);
  REQUIRE(rig.sent.size() == 32 + 1 + 2);
  for (unsigned i = 0; i < rig.sent.size(); ++i) CHECK(rig.sent[i].arrival == rig.sent[0].arrival + i);
  CHECK(rig.sent[31].access.line.number == 31);
  CHECK(rig.sent[32].access.line.number == 100);
  CHECK(rig.sent[34].access.line.number == 201);
}

TEST_CASE("sm memory: lsu_lines_per_cycle lines of one instruction leave in a cycle, never of two instructions") {
  SmParams p = plain_sm();
  p.lsu_lines_per_cycle = 4;
  SmRig rig(p);
  WarpInstruction six = load(0, 1, 0, 128);
  six.active = 0x3F;
  rig.launch({{six, load(1, 2, 128 * 100)}});
  rig.run(40);
  const Cycle first = rig.sent[0].arrival;
  CHECK(rig.arrivals() == std::vector<Cycle>{first, first, first, first, first + 1, first + 1, first + 2});
}

// CM-45
TEST_CASE("sm memory: with byte masks the sectors that a store covers share a transaction, and each other one has its own") {
  WarpInstruction some = memory(Unit::store, 0, 0, 4);  // bytes 0 to 31 and 64 to 71 of line 0
  some.active = 0b11'1111'1111;
  for (unsigned lane = 8; lane < 10; ++lane) some.addresses[lane] = 64 + 4 * (lane - 8);
  WarpInstruction last = memory(Unit::store, 1, 128 * 10 + 96, 2);  // bytes 96 to 99 of line 10
  last.active = 1;
  for (const bool masks : {false, true}) {
    SmParams p = plain_sm();
    p.byte_masks = masks;
    SmRig rig(p);
    rig.launch({{some, last, memory(Unit::store, 2, 128 * 20, 4), load(3, 1, 128 * 30, 1)}});
    rig.run(40);
    CHECK(lines_of(rig) == (masks ? std::vector<std::uint64_t>{0, 0, 10, 20, 30} : std::vector<std::uint64_t>{0, 10, 20, 30}));
    CHECK(sectors_of(rig) ==
          (masks ? std::vector<unsigned>{0b0001, 0b0100, 0b1000, 0b1111, 0b0011} : std::vector<unsigned>{0b0101, 0b1000, 0b1111, 0b0011}));
    if (!masks) continue;
    const std::uint32_t all = ~std::uint32_t{0};
    const std::vector<std::uint32_t> bytes = {all, 0xFF, 0xF, all, 0};
    for (unsigned i = 0; i < bytes.size(); ++i) CHECK(rig.sent[i].access.written_bytes == bytes[i]);
    for (unsigned i = 1; i < bytes.size(); ++i) CHECK(rig.sent[i].arrival == rig.sent[0].arrival + i);
  }
}

TEST_CASE("sm memory: sectors leave together as long as each has another bank of the L1") {
  SmRig rig(plain_sm(), TransactionUnit::sector, 4);
  WarpInstruction two_lines = load(0, 1, 0, 128 + 32);  // line 0 sector 0, line 1 sector 1, line 2 sector 2
  two_lines.active = 0b111;
  WarpInstruction same_bank = load(1, 2, 128 * 10, 128);  // sector 0 of three lines
  same_bank.active = 0b111;
  rig.launch({{load(2, 3, 128 * 20, 4), two_lines, same_bank}});
  rig.run(40);
  const Cycle first = rig.sent[0].arrival;
  CHECK(rig.arrivals() == std::vector<Cycle>{first, first, first, first, first + 1, first + 1, first + 1, first + 2, first + 3, first + 4});
  CHECK(sectors_of(rig) == std::vector<unsigned>{1, 2, 4, 8, 1, 2, 4, 1, 1, 1});
  CHECK(lines_of(rig) == std::vector<std::uint64_t>{20, 20, 20, 20, 0, 1, 2, 10, 11, 12});
}

TEST_CASE("sm memory: transaction_order descending sends an instruction's sectors highest address first, four banks a cycle") {
  // Lanes access line 12 sectors 1 and 3, then line 10 sector 2, then line 11 sectors 0 and 1.
  WarpInstruction scattered = load(0, 1);
  scattered.active = 0b11111;
  const unsigned sectors[] = {12 * 4 + 1, 12 * 4 + 3, 10 * 4 + 2, 11 * 4 + 0, 11 * 4 + 1};
  for (unsigned lane = 0; lane < 5; ++lane) scattered.addresses[lane] = sectors[lane] * kSectorBytes;
  const auto rig_with = [&](TransactionOrder order) {
    SmParams p = plain_sm();
    p.transaction_order = order;
    auto rig = std::make_unique<SmRig>(p, TransactionUnit::sector, 4);
    rig->launch({{scattered, load(1, 2, 128 * 20, 8)}});  // after it, all eight sectors of lines 20 and 21
    rig->run(40);
    return rig;
  };
  const auto lane = rig_with(TransactionOrder::lane), descending = rig_with(TransactionOrder::descending);
  const Cycle first = lane->sent.at(0).arrival;
  CHECK(lines_of(*lane) == std::vector<std::uint64_t>{12, 12, 10, 11, 11, 20, 20, 20, 20, 21, 21, 21, 21});
  CHECK(sectors_of(*lane) == std::vector<unsigned>{2, 8, 4, 1, 2, 1, 2, 4, 8, 1, 2, 4, 8});
  // Banks 1, 3, 2, 0 are sent together, then bank 1; the next instruction takes two cycles of four.
  const auto at = [&](std::vector<Cycle> after) {
    for (Cycle& cycle : after) cycle += first;
    return after;
  };
  CHECK(lane->arrivals() == at({0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
  CHECK(lines_of(*descending) == std::vector<std::uint64_t>{12, 12, 11, 11, 10, 21, 21, 21, 21, 20, 20, 20, 20});
  CHECK(sectors_of(*descending) == std::vector<unsigned>{8, 2, 2, 1, 4, 8, 4, 2, 1, 8, 4, 2, 1});
  // Banks 3 and 1, then bank 1 is busy: banks 1, 0 and 2 are sent a cycle later.
  CHECK(descending->arrivals() == at({0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
}

TEST_CASE("sm memory: transaction_order descending sends whole lines, and local memory, highest address first too") {
  SmParams p = plain_sm();
  p.transaction_order = TransactionOrder::descending;
  SmRig lines(p);
  WarpInstruction three = load(0, 1, 128 * 7, 128);
  three.active = 0b111;
  std::swap(three.addresses[0], three.addresses[1]);  // lanes access lines 8, 7, 9
  lines.launch({{three}});
  lines.run(40);
  const Cycle first = lines.sent.at(0).arrival;
  CHECK(lines_of(lines) == std::vector<std::uint64_t>{9, 8, 7});
  CHECK(lines.arrivals() == std::vector<Cycle>{first, first + 1, first + 2});

  // One SM, one slot of one warp: words 0 and 1 of all lanes are in two consecutive lines.
  KernelLaunch kernel;
  kernel.block = {32, 1, 1};
  kernel.local_offsets = true;
  SmRig stack(p, TransactionUnit::sector, 4);
  stack.logic.set_local_layout(LocalLayout(kernel, 1, 1, 0));
  WarpInstruction words = load(0, 1, 0, 0);
  words.space = Space::local;
  words.access_bytes = 8;
  stack.launch({{words}});
  stack.run(40);
  const std::uint64_t base = LocalLayout::kBase / kLineBytes;
  CHECK(lines_of(stack) == std::vector<std::uint64_t>{base + 1, base + 1, base + 1, base + 1, base, base, base, base});
  CHECK(sectors_of(stack) == std::vector<unsigned>{8, 4, 2, 1, 8, 4, 2, 1});
}

TEST_CASE("sm memory: at most lsu_sectors_per_cycle sectors leave in a cycle") {
  SmParams p = plain_sm();
  p.lsu_sectors_per_cycle = 3;
  SmRig rig(p, TransactionUnit::sector, 8);
  rig.launch({{load(0, 1, 0, 8)}});  // eight sectors of two lines
  rig.run(40);
  const Cycle first = rig.sent[0].arrival;
  CHECK(rig.arrivals() == std::vector<Cycle>{first, first, first, first + 1, first + 1, first + 1, first + 2, first + 2});
}

TEST_CASE("sm memory: after a refusal nothing leaves before the L1 takes accesses again") {
  for (const TransactionUnit unit : {TransactionUnit::line, TransactionUnit::sector}) {
    SmRig rig(plain_sm(), unit, 4);
    rig.latency = 5;
    rig.open = [&](std::size_t n) {
      if (n == 1) rig.resume_at = rig.sent.back().arrival + 20;
      return n != 1;
    };
    rig.launch({{load(0, 1, 0, 128)}});
    rig.run(90);
    REQUIRE(rig.sent.size() == 32);
    const Cycle second = rig.sent[1].arrival;
    // A line is sent in the cycle in which the L1 accepts accesses again, and arrives one cycle later.
    for (unsigned i = 2; i < 32; ++i) CHECK(rig.sent[i].arrival == second + 20 + 1 + (i - 2));
  }
}

TEST_CASE("sm memory: lsu_queue instructions wait beside the one in the load/store unit, shared equally by the schedulers") {
  for (const unsigned schedulers : {1u, 2u}) {
    SmParams p = plain_sm();
    p.schedulers = schedulers;
    p.lsu_queue = 4;
    SmRig rig(p);
    Program stores;
    for (unsigned i = 0; i < 8; ++i) stores.push_back(memory(Unit::store, i, 0, 128));  // 32 cycles each
    rig.launch({stores, stores});
    rig.run(30);
    CHECK(rig.issues.size() == 1 + 4);  // none has left the unit within 30 cycles
    for (unsigned warp = 0; warp < schedulers; ++warp) {
      const auto of_warp =
          std::count_if(rig.issues.begin(), rig.issues.end(), [&](const Issue& issue) { return issue.warp % schedulers == warp; });
      CHECK(of_warp == (schedulers == 1 ? 5 : warp == 0 ? 3 : 2));
    }
    rig.run(40);
    CHECK(rig.issues.size() == 1 + 4 + 1);  // the first has left the unit
  }
}

TEST_CASE("sm memory: a full load/store queue holds up no other unit") {
  SmParams p = plain_sm();
  p.lsu_queue = 1;
  SmRig rig(p);
  Program loads;
  for (unsigned i = 0; i < 4; ++i) loads.push_back(load(i, static_cast<RegisterId>(i), 0, 128));
  rig.launch({loads, {alu(10), alu(11), alu(12)}});
  rig.run(300);
  CHECK(rig.cycle_of(12, 1) < 10);
  CHECK(rig.cycle_of(2, 0) > 30);
}

TEST_CASE("sm memory: at most loads_in_flight load instructions wait for data, stores and atomics not counted") {
  SmParams p = plain_sm();
  p.loads_in_flight = 2;
  SmRig rig(p);
  rig.latency = 100;
  rig.launch({{load(0, 1), load(1, 2), alu(3), load(2, 3)}, {memory(Unit::store, 10, 0, 4), memory(Unit::atomic, 11, 0, 4, 5)}});
  rig.run(300);
  const Cycle data = rig.cycle_of(0) + p.issue_to_execute_cycles + 100;
  CHECK(rig.cycle_of(1) < 10);
  CHECK(rig.cycle_of(2) == data);
  CHECK(rig.cycle_of(3) < 10);
  CHECK(rig.cycle_of(11, 1) < 10);
}

TEST_CASE("sm memory: a load is complete with the last of its lines, in whatever order they come") {
  SmRig rig(plain_sm());
  rig.launch({{load(0, 1, 0, 64), alu(1, 2, {1})}});  // 16 lines
  rig.run(40);
  REQUIRE(rig.sent.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) rig.logic.answered({rig.sent[i].access}, 200 - i);  // known now, available then
  rig.run(300);
  CHECK(rig.cycle_of(1) == 200);
}

TEST_CASE("sm memory: only the answer that completes an instruction asks for an act, in the cycle of the latest data") {
  SmRig rig(plain_sm());
  rig.launch({{load(0, 1, 0, 64), memory(Unit::store, 1, 1 << 20, 4)}});  // 16 lines, and one
  rig.run(40);
  REQUIRE(rig.sent.size() == 16 + 1);
  for (std::size_t i = 0; i < 15; ++i) CHECK(rig.logic.answered({rig.sent[i].access}, 200 - i) == kNever);
  CHECK(rig.logic.answered({rig.sent[15].access}, 190) == 200);
  CHECK(rig.logic.answered({rig.sent[16].access}, 210) == kNever);  // nothing waits for a store
}

TEST_CASE("sm memory: a load without an active lane asks nothing of the L1 and is over in a cycle of the load/store unit") {
  for (const Unit unit : {Unit::load, Unit::store, Unit::atomic, Unit::texture}) {
    SmParams p = plain_sm();
    p.loads_in_flight = 1;
    SmRig rig(p);
    WarpInstruction nothing = memory(unit, 0, 0, 4, unit == Unit::store ? kNoRegister : RegisterId{1});
    nothing.active = 0;
    WarpInstruction unneeded = nothing;
    unneeded.destination = kNoRegister;
    rig.launch({{nothing, unneeded, nothing, unneeded, alu(1, 2, {1})}});
    rig.run(60);
    CHECK(rig.sent.empty());
    CHECK(rig.cycle_of(1) < 14);
    CHECK(rig.finished.size() == 1);
    CHECK_FALSE(rig.logic.busy());
  }
}

TEST_CASE("sm memory: shared memory answers shared_cycles after acceptance, later by each conflict, and holds the unit that long") {
  SmParams p = plain_sm();
  p.issue_to_execute_cycles = 4;
  p.writeback_cycles = 1;
  p.shared_cycles = 20;
  SmRig rig(p);
  rig.latency = 10;
  const unsigned conflict = 8;
  rig.launch({{memory(Unit::shared, 0, 0, 4 * conflict, 1), load(2, 5), alu(1, 2, {1})}});
  rig.run(100);
  const Cycle accepted = rig.cycle_of(0) + 4;
  CHECK(rig.cycle_of(1) == accepted + (conflict - 1) + 20 + 1);
  CHECK(rig.arrivals() == std::vector<Cycle>{accepted + conflict});
  CHECK(rig.count("shared.accesses") == 1);
  CHECK(rig.count("shared.conflict_cycles") == conflict - 1);
}

TEST_CASE("sm memory: a store keeps its warp from nothing") {
  SmRig rig(plain_sm());
  rig.launch({{memory(Unit::store, 0, 0, 4), alu(1), alu(2)}});
  rig.run(20);
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 1);
  CHECK(rig.finished.size() == 1);
  CHECK(rig.logic.busy());  // the acknowledgement has not arrived yet
  rig.answer(0, 50);
  rig.run(60);
  CHECK_FALSE(rig.logic.busy());
}

TEST_CASE("sm memory: an atomic with a destination keeps its consumer waiting") {
  SmRig rig(plain_sm());
  rig.latency = 70;
  rig.launch({{memory(Unit::atomic, 0, 0, 0, 1), alu(1, 2, {1})}});
  rig.run(100);
  CHECK(rig.cycle_of(1) == rig.sent[0].arrival + 70);
}

TEST_CASE("sm memory: round trips are counted from arrival at the L1, by who answered, and once a transaction") {
  SmRig rig(plain_sm());
  rig.launch({{load(0, 1, 0, 8), memory(Unit::store, 1, 0, 4)}});  // two lines, and a store that is not counted
  rig.run(10);
  REQUIRE(rig.sent.size() == 3);
  const Cycle first = rig.sent[0].arrival, second = rig.sent[1].arrival;
  rig.answer(0, first + 30, hint(ServedBy::l1, first + 28));
  rig.answer(1, second + 200, hint(ServedBy::dram, second + 20));
  rig.answer(2, 300, hint(ServedBy::l2, 290));
  rig.run(310);
  CHECK(rig.count("round_trips") == 2);
  CHECK(rig.count("round_trip_sum") == 30 + 200);
  CHECK(rig.count("served_by.l1") == 1);
  CHECK(rig.count("served_by_cycles.l1") == 30);
  CHECK(rig.count("served_by.dram") == 1);
  CHECK(rig.count("served_by_cycles.dram") == 200);
  CHECK(rig.count("served_by.l2") == 0);
  CHECK(rig.count("loads") == 1);
  CHECK(rig.count("stores") == 1);
  // ATA-O31: from the first acceptance to the L1's last completion.
  CHECK(rig.count("l1_latency_loads") == 1);
  CHECK(rig.count("l1_latency_sum") == (first + 28) - first);
}
