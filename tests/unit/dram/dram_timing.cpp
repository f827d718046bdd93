// Exact cycles of a DRAM channel, as sums of their causes.

#include <catch2/catch.hpp>

#include "tests/unit/dram/dram_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

/// Two requests may enter per clock, so only the timing delays the second.
DramParams gddr5() {
  DramParams p;
  p.accepts_per_clock = 8;
  return p;
}

constexpr Cycle kSettled = 1000;  // long after the rows were opened, so only the new commands constrain each other

}  // namespace

TEST_CASE("dram: a read of a closed bank takes tRCD + tCL + burst", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  CHECK(p.burst_clocks() == 2);
  CHECK(channel.cycles({{0, dram_place(p, 0, 5)}}) == std::vector<Cycle>{Cycle{t.tRCD} + t.tCL + 2});
  CHECK(channel.count("row_misses") == 1);
}

TEST_CASE("dram: an unloaded read wakes the channel for its activate, its column command and its completion", "[dram]") {
  const DramParams p = gddr5();
  ScriptedDram channel(p);
  channel.cycles({{0, dram_place(p, 0, 5)}});
  CHECK(channel.visits == 3);
  CHECK(channel.logic.next_event() == kNever);
}

TEST_CASE("dram: a read of the open row takes tCL + burst", "[dram]") {
  const DramParams p = gddr5();
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5, 0)}, {kSettled, dram_place(p, 0, 5, 1)}});
  CHECK(done[1] == kSettled + p.timing.tCL + 2);
  CHECK(channel.count("row_hits") == 1);
}

TEST_CASE("dram: the minimum time of a request is a read's, or a write's if it may be a write and takes less", "[dram]") {
  for (const unsigned tWL : {4u, 20u}) {
    DramParams p = gddr5();
    p.timing.tWL = tWL;
    const ScriptedDram channel(p);
    CHECK(channel.logic.least_clocks(false) == Cycle{p.timing.tCL} + 2);
    CHECK(channel.logic.least_clocks(true) == std::min<Cycle>(p.timing.tCL, tWL) + 2);
  }
}

TEST_CASE("dram: a read of another row than the open one takes tRP + tRCD + tCL + burst", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {kSettled, dram_place(p, 0, 6)}});
  CHECK(done[1] == kSettled + t.tRP + t.tRCD + t.tCL + 2);
  CHECK(channel.count("row_conflicts") == 1);
  CHECK(channel.count("precharges") == 1);
}

TEST_CASE("dram: a row stays open for tRAS before another can be opened", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {1, dram_place(p, 0, 6)}});
  CHECK(done[1] == Cycle{t.tRAS} + t.tRP + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: a bank opens rows at least tRC apart", "[dram]") {
  DramParams p = gddr5();
  p.timing.tRC = 57;  // longer than tRAS + tRP
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {1, dram_place(p, 0, 6)}});
  CHECK(done[1] == Cycle{57} + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: activates of different banks are tRRD apart", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {0, dram_place(p, 1, 5)}});
  CHECK(done[1] == Cycle{t.tRRD} + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: column commands are tCCD apart, within a bank group tCCDL", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  const unsigned other_group = 1, same_group = p.bank_groups;
  for (const auto& [bank, apart] : {std::pair{other_group, t.tCCD}, std::pair{same_group, t.tCCDL}}) {
    ScriptedDram channel(p);
    const auto done = channel.cycles(
        {{0, dram_place(p, 0, 5)}, {0, dram_place(p, bank, 5)}, {kSettled, dram_place(p, 0, 5, 1)}, {kSettled, dram_place(p, bank, 5, 1)}});
    CHECK(done[2] == kSettled + t.tCL + 2);
    CHECK(done[3] == kSettled + apart + t.tCL + 2);
  }
}

TEST_CASE("dram: column commands are no closer than a burst occupies the bus", "[dram]") {
  DramParams p = gddr5();
  p.bytes_per_clock = 8, p.burst_bytes = 64;
  CHECK(p.burst_clocks() == 8);
  ScriptedDram channel(p);
  const auto done = channel.cycles(
      {{0, dram_place(p, 0, 5)}, {0, dram_place(p, 1, 5)}, {kSettled, dram_place(p, 0, 5, 1)}, {kSettled, dram_place(p, 1, 5, 1)}});
  CHECK(done[3] == kSettled + 8 + p.timing.tCL + 8);
}

TEST_CASE("dram: a read waits until write data have been in for tCDLR", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)},
                                    {0, dram_place(p, 1, 5)},
                                    {kSettled, dram_place(p, 0, 5, 1), true},
                                    {kSettled + 1, dram_place(p, 1, 5, 1)}});
  CHECK(done[2] == kSettled + t.tWL + 2);
  CHECK(done[3] == kSettled + (t.tWL + 2 + t.tCDLR) + t.tCL + 2);
}

TEST_CASE("dram: write data follow read data after the bus turnaround", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5)},
                                    {0, dram_place(p, 1, 5)},
                                    {kSettled, dram_place(p, 0, 5, 1)},
                                    {kSettled + 1, dram_place(p, 1, 5, 1), true}});
  const Cycle read_done = kSettled + t.tCL + 2;
  CHECK(done[2] == read_done);
  CHECK(done[3] == read_done + t.bus_turnaround + 2);
}

TEST_CASE("dram: a write may follow its activate tWL + 1 sooner than a read", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  CHECK(channel.cycles({{0, dram_place(p, 0, 5), true}})[0] == (t.tRCD - (t.tWL + 1)) + t.tWL + 2);
  DramParams slow_write = p;
  slow_write.timing.tWL = 20;
  ScriptedDram late(slow_write);
  CHECK(late.cycles({{0, dram_place(p, 0, 5), true}})[0] == 1 + 20 + 2);  // not before the activate: in the next command clock
}

TEST_CASE("dram: a written row closes tWR after its data", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done =
      channel.cycles({{0, dram_place(p, 0, 5)}, {kSettled, dram_place(p, 0, 5, 1), true}, {kSettled + 1, dram_place(p, 0, 6)}});
  CHECK(done[2] == kSettled + (t.tWL + 2 + t.tWR) + t.tRP + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: a row closes tRTP after a read, and tRTPL after a read in its bank group", "[dram]") {
  DramParams p = gddr5();
  p.timing.tRTP = 9;
  p.timing.tRTPL = 15;
  const DramTiming& t = p.timing;
  const std::vector<DramOffer> opened = {{0, dram_place(p, 0, 5)}, {0, dram_place(p, 4, 5)}, {0, dram_place(p, 1, 5)}};
  for (const auto& [bank, apart] : {std::pair{4u, Cycle{15}}, std::pair{1u, Cycle{1}}}) {  // 1: the next command clock
    ScriptedDram channel(p);
    auto script = opened;
    script.push_back({kSettled, dram_place(p, 0, 5, 1)});
    script.push_back({kSettled, dram_place(p, bank, 6)});
    CHECK(channel.cycles(script)[4] == kSettled + apart + t.tRP + t.tRCD + t.tCL + 2);
  }
  p.timing.tRTPL = 0;
  ScriptedDram channel(p);
  const auto done = channel.cycles({opened[0], {kSettled, dram_place(p, 0, 5, 1)}, {kSettled, dram_place(p, 0, 6)}});
  CHECK(done[2] == kSettled + 9 + t.tRP + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: a request of several bursts needs one column command each", "[dram]") {
  const DramParams p = gddr5();
  const DramTiming& t = p.timing;
  const Cycle one = Cycle{t.tRCD} + t.tCL + 2;
  for (const auto& [sectors, bursts] : {std::pair{0x1, 1u}, {0x3, 1u}, {0x9, 2u}, {0xF, 2u}}) {  // 64 B bursts: sectors 01, 23
    ScriptedDram channel(p);
    const auto done = channel.cycles({{0, dram_place(p, 0, 5), false, static_cast<SectorMask>(sectors)}});
    CHECK(done[0] == one + (bursts - 1) * t.tCCDL);
    CHECK(channel.count("reads") == bursts);
    CHECK(channel.count("row_hits") == bursts - 1);
    CHECK(channel.count("bus_busy_cycles") == bursts * 2);
  }
}

TEST_CASE("dram: two command interfaces activate in the clock of a column command, one a clock later", "[dram]") {
  DramParams p = gddr5();
  const DramTiming& t = p.timing;
  for (const bool dual : {false, true}) {
    p.dual_command = dual;
    ScriptedDram channel(p);
    const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {kSettled, dram_place(p, 0, 5, 1)}, {kSettled, dram_place(p, 1, 5)}});
    CHECK(done[1] == kSettled + t.tCL + 2);
    CHECK(done[2] == kSettled + (dual ? 0 : 1) + t.tRCD + t.tCL + 2);
  }
}

TEST_CASE("dram: HBM serves an unloaded read in tRCD + tCL + one clock", "[dram]") {
  const DramParams p = qv100_dram();
  ScriptedDram channel(p);
  CHECK(channel.cycles({{0, 0x7f0000012300}})[0] == 12 + 12 + 1);
}

TEST_CASE("dram: a served request keeps a return entry until it is taken", "[dram]") {
  DramParams p = gddr5();
  p.return_entries = 1;
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{0, dram_place(p, 0, 5, 0)}, {0, dram_place(p, 0, 5, 1)}});
  const Cycle first = Cycle{t.tRCD} + t.tCL + 2;
  CHECK(done[0] == first);
  CHECK(done[1] == first + 1 + t.tCL + 2);  // accepted after this clock's command, so its column command is in the next clock
}

TEST_CASE("dram: each further burst of a long sequential stream adds one burst of clocks", "[dram]") {
  // The channel's share of a sequential stream: 256 B of every 8 KiB, by sector, one sector offered per clock.
  const auto last_cycle = [](unsigned requests) {
    const DramParams p = qv100_dram();
    ScriptedDram channel(p);
    std::vector<DramOffer> script;
    for (unsigned i = 0; i < requests; ++i) {
      script.push_back({0, Address{i / 8} * 8192 + i / 4 % 2 * kLineBytes, false, static_cast<SectorMask>(1u << i % 4)});
    }
    const Cycle last = channel.cycles(script).back();
    CHECK(channel.count("bus_busy_cycles") == requests);
    return last;
  };
  CHECK(last_cycle(8192) - last_cycle(2048) == 8192 - 2048);
}
