// The load/store unit with a queue for each scheduler (MG-6).

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

SmParams subcores(std::uint32_t schedulers) {
  SmParams p = plain_sm();
  p.schedulers = schedulers;
  p.lsu.model = LsuModel::subcore;
  return p;
}

/// Loads of a line each, into registers of their own.
Program loads(unsigned count) {
  Program program;
  for (unsigned i = 0; i < count; ++i) program.push_back(load(i, static_cast<RegisterId>(i), i * 128));
  return program;
}

std::vector<Cycle> issues_of(const SmRig& rig, unsigned warp) {
  std::vector<Cycle> cycles;
  for (const Issue& issue : rig.issues)
    if (issue.warp == warp) cycles.push_back(issue.cycle);
  return cycles;
}

/// The cycle in which the consumer of a load of `bytes` per lane issues, counted from the issue of the load.
Cycle latency_of(std::uint8_t bytes, LaneMask active) {
  SmRig rig(subcores(1));
  WarpInstruction wide = load(0, 7, 0, bytes);
  wide.access_bytes = bytes;
  wide.active = active;
  rig.latency = 20;
  rig.launch({{wide, alu(1, 8, {7})}});
  rig.run(100);
  return rig.cycle_of(1) - rig.cycle_of(0);
}

}  // namespace

TEST_CASE("sm subcore lsu: loads of 1 to 4 active schedulers issue in the cycles measured on an A6000 (Huerta et al., table 1)") {
  // [active schedulers][scheduler]: the fifth to the eighth load; the first five issue in cycles 2 to 6.
  const std::vector<std::vector<std::vector<Cycle>>> measured = {
      {{6, 13, 17, 21}},
      {{6, 13, 17, 21}, {6, 15, 19, 23}},
      {{6, 13, 19, 25}, {6, 15, 21, 27}, {6, 17, 23, 29}},
      {{6, 13, 21, 29}, {6, 15, 23, 31}, {6, 17, 25, 33}, {6, 19, 27, 35}},
  };
  for (const bool ticking : {true, false})
    for (const auto& schedulers : measured) {
      SmRig rig(subcores(4));
      rig.latency = 20;
      rig.launch(std::vector<Program>(schedulers.size(), loads(8)), 2);
      rig.run(200, ticking);
      for (unsigned s = 0; s < schedulers.size(); ++s) {
        std::vector<Cycle> expected = {2, 3, 4, 5};
        expected.insert(expected.end(), schedulers[s].begin(), schedulers[s].end());
        CHECK(issues_of(rig, s) == expected);
      }
    }
}

TEST_CASE("sm subcore lsu: instructions reach the L1 every address_interval of a scheduler and every shared_interval of the SM") {
  SmParams p = subcores(2);
  p.lsu.address_interval = 5;
  p.lsu.shared_interval = 3;
  SmRig rig(p);
  rig.launch({loads(3), loads(2)});
  rig.run(60);
  // Issued in cycle 1, taken then, and at the L1 in the next cycle. Schedulers 0 and 1 take turns.
  CHECK(rig.arrivals() == std::vector<Cycle>{2, 2 + 3, 2 + 6, 2 + 9, 2 + 12});
  SmRig alone(p);
  alone.launch({loads(3)});
  alone.run(60);
  CHECK(alone.arrivals() == std::vector<Cycle>{2, 2 + 5, 2 + 10});
}

TEST_CASE("sm subcore lsu: an instruction of several lines keeps the shared part until its last line has left") {
  SmRig rig(subcores(2));
  rig.launch({{load(0, 1, 0, 64)}, {load(1, 2, 0x10000)}});  // 16 lines of the first
  rig.run(60);
  REQUIRE(rig.sent.size() == 17);
  CHECK(rig.sent[15].arrival == 2 + 15);
  CHECK(rig.sent[16].arrival == 2 + 16);
}

TEST_CASE("sm subcore lsu: a full queue of one scheduler stops only its own memory instructions") {
  SmParams p = subcores(2);
  p.lsu.subcore_queue = 1;
  SmRig rig(p);
  rig.open = [](std::size_t) { return false; };  // the L1 accepts nothing after the first access
  rig.launch({{load(0, 1), load(1, 2), alu(2, 3)}, {load(10, 1), alu(11, 2)}});
  rig.run(60);
  CHECK(rig.cycle_of(0) == 1);
  CHECK(rig.cycle_of(1) == 1 + p.lsu.address_cycles);
  CHECK(rig.cycle_of(2) == 2 + p.lsu.address_cycles);
  CHECK(rig.cycle_of(10, 1) == 1);
  CHECK(rig.cycle_of(11, 1) == 2);
}

TEST_CASE("sm subcore lsu: 8 and 16 bytes per lane return 2 and 6 cycles later than 4 (Huerta et al., table 2)") {
  const Cycle of_words = latency_of(4, kAllLanes);
  CHECK(of_words == 1 + 20);
  CHECK(latency_of(8, kAllLanes) == of_words + 2 * 128 / 64 - 128 / 64);
  CHECK(latency_of(16, kAllLanes) == of_words + 4 * 128 / 64 - 128 / 64);
  CHECK(latency_of(4, 1) == of_words);
  CHECK(latency_of(16, 0xFF) == of_words);  // 128 bytes
}

TEST_CASE("sm subcore lsu: data that come together return one after the other, whatever the order of their answers") {
  for (const bool reversed : {false, true}) {
    SmRig rig(subcores(1));
    rig.launch({{load(0, 1), alu(1, 2, {1})}, {load(10, 1, 128), alu(11, 2, {1})}});
    rig.run(20);
    REQUIRE(rig.sent.size() == 2);
    for (const std::size_t n : {0, 1}) rig.answer(reversed ? 1 - n : n, 40);
    rig.run(60);
    CHECK(rig.cycle_of(1) == 40);
    CHECK(rig.cycle_of(11, 1) == 40 + 128 / 64);
  }
}

TEST_CASE("sm subcore lsu: data of a load that come apart use the path as they come") {
  SmRig rig(subcores(1));
  WarpInstruction wide = load(0, 1, 0, 16);
  wide.access_bytes = 16;
  rig.launch({{wide, alu(1, 2, {1})}, {load(10, 1, 0x1000), alu(11, 2, {1})}});
  rig.run(20);
  REQUIRE(rig.sent.size() == 5);
  for (std::size_t line = 0; line < 4; ++line) rig.answer(line, 40 + 10 * line);
  rig.answer(4, 71);
  rig.run(90);
  CHECK(rig.cycle_of(1) == 70);      // only the last line's data are left
  CHECK(rig.cycle_of(11, 1) == 71);  // the path has been free since
}

TEST_CASE("sm subcore lsu: shared memory has a path to the registers of its own") {
  SmParams p = subcores(1);
  SmRig rig(p);
  WarpInstruction wide = memory(Unit::shared, 0, 0, 16, 7);
  wide.access_bytes = 16;
  rig.launch({{wide, alu(1, 8, {7})}});
  rig.run(100);
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 1 + p.shared_cycles + shared_memory_cycles(wide, p.shared_banks) - 1 + p.writeback_cycles);
}

TEST_CASE("sm subcore lsu: behind collector units a queue takes the next instruction of its execute register") {
  SmParams p = subcores(2);
  p.collector_units = 2;
  p.lsu.shared_interval = 1;
  for (const bool ticking : {true, false}) {
    SmRig rig(p);
    rig.latency = 20;
    rig.launch({loads(12), loads(12)});
    rig.run(300, ticking);
    REQUIRE(rig.sent.size() == 24);
    // Issue register, collector unit and execute register take a cycle each; then a scheduler's turn comes every address_interval.
    for (unsigned n = 0; n < 12; ++n) {
      CHECK(rig.sent[2 * n].arrival == 4 + n * p.lsu.address_interval);
      CHECK(rig.sent[2 * n + 1].arrival == 5 + n * p.lsu.address_interval);
    }
  }
}
