// All-bank refresh of a DRAM channel.

#include <catch2/catch.hpp>

#include <random>

#include "tests/unit/dram/dram_objections.h"
#include "tests/unit/dram/dram_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

DramParams refreshed() {
  DramParams p;
  p.accepts_per_clock = 8;
  p.refresh.enabled = true;
  p.refresh.tREFI = 1000;
  p.refresh.tRFC = 100;
  return p;
}

}  // namespace

TEST_CASE("dram: a refresh of closed banks keeps them from opening for tRFC", "[dram]") {
  const DramParams p = refreshed();
  const DramTiming& t = p.timing;
  const Cycle unloaded = Cycle{t.tRCD} + t.tCL + 2;
  CHECK(ScriptedDram(p).cycles({{999 - t.tRCD, dram_place(p, 0, 5)}})[0] == 999 - t.tRCD + unloaded);
  CHECK(ScriptedDram(p).cycles({{1000, dram_place(p, 0, 5)}})[0] == 1000 + 100 + unloaded);
  CHECK(ScriptedDram(p).cycles({{1099, dram_place(p, 0, 5)}})[0] == 1000 + 100 + unloaded);
  CHECK(ScriptedDram(p).cycles({{1100, dram_place(p, 0, 5)}})[0] == 1000 + 100 + unloaded);
  CHECK(ScriptedDram(p).cycles({{1101, dram_place(p, 0, 5)}})[0] == 1101 + unloaded);
}

TEST_CASE("dram: staggered channels are refreshed one after another, each every tREFI", "[dram]") {
  DramParams all = refreshed();
  const Cycle unloaded = Cycle{all.timing.tRCD} + all.timing.tCL + 2;
  const auto waits = [&](unsigned channel, Cycle at) {
    const DramParams p = all.of_channel(channel, 4);
    return ScriptedDram(p).cycles({{at, dram_place(p, 0, 5)}})[0] - at - unloaded;
  };
  all.refresh.staggered = true;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const Cycle first = 250 * (channel + 1);
    CHECK(waits(channel, first) == 100);
    CHECK(waits(channel, first + 100) == 0);
    CHECK(waits(channel, first + 1000) == 100);
    CHECK(waits(channel, first + 250) == 0);  // the next channel's turn
  }
  all.refresh.staggered = false;
  for (unsigned channel = 0; channel < 4; ++channel) CHECK(waits(channel, 1000) == 100);
  for (unsigned channel = 0; channel < 4; ++channel) CHECK(waits(channel, 250) == 0);
}

TEST_CASE("dram: a refresh closes open rows first", "[dram]") {
  const DramParams p = refreshed();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{500, dram_place(p, 0, 5, 0)}, {1000, dram_place(p, 0, 5, 1)}});
  CHECK(done[1] == 1000 + t.tRP + 100 + t.tRCD + t.tCL + 2);
  CHECK(channel.count("refreshes") == 1);
  CHECK(channel.count("precharges_for_refresh") == 1);
  CHECK(channel.count("row_misses") == 2);
}

TEST_CASE("dram: a row opened just before a refresh stays open for tRAS and is opened again after it", "[dram]") {
  const DramParams p = refreshed();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{999, dram_place(p, 0, 5)}});
  CHECK(done[0] == 999 + t.tRAS + t.tRP + 100 + t.tRCD + t.tCL + 2);
  CHECK(channel.count("activates") == 2);
  CHECK(channel.count("activates_undone") == 1);
  CHECK(channel.count("row_misses") == 1);
  CHECK(channel.registry.broken_laws().empty());
}

TEST_CASE("dram: after a refresh rows open while a column command still waits for the last one", "[dram]") {
  DramParams p = refreshed();
  p.timing.tCCD = 500;
  const DramTiming& t = p.timing;
  const Cycle second_column = 800 + t.tRCD + t.tCCD;
  REQUIRE(second_column > Cycle{1000} + t.tRP + 100 + t.tRCD);  // the refresh has ended, and the row is open again
  for (const Done done : {Done::every_clock, Done::when_due, Done::afterwards})
    CHECK(ScriptedDram(p).cycles({{800, dram_place(p, 0, 5, 0)}, {800, dram_place(p, 0, 5, 1)}}, done)[1] == second_column + t.tCL + 2);
}

TEST_CASE("dram: a refresh waits for the write recovery of an open row", "[dram]") {
  const DramParams p = refreshed();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{500, dram_place(p, 0, 5, 0)}, {999, dram_place(p, 0, 5, 1), true}, {1000, dram_place(p, 3, 5)}});
  CHECK(done[1] == 999 + t.tWL + 2);
  CHECK(done[2] == 999 + (t.tWL + 2 + t.tWR) + t.tRP + 100 + t.tRCD + t.tCL + 2);
}

TEST_CASE("dram: a refresh waits for a precharge that is under way", "[dram]") {
  const DramParams p = refreshed();
  const DramTiming& t = p.timing;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{500, dram_place(p, 0, 5)}, {995, dram_place(p, 0, 6)}});
  CHECK(done[1] == 995 + t.tRP + 100 + t.tRCD + t.tCL + 2);
  CHECK(channel.count("precharges_for_refresh") == 0);
  CHECK(channel.count("row_conflicts") == 1);
}

TEST_CASE("dram: a conflict that a refresh resolves counts as a miss", "[dram]") {
  DramParams p = refreshed();
  p.timing.tRAS = 400, p.timing.tRC = 412;
  ScriptedDram channel(p);
  const auto done = channel.cycles({{900, dram_place(p, 0, 5)}, {950, dram_place(p, 0, 6)}});
  CHECK(done[1] == 900 + 400 + p.timing.tRP + 100 + p.timing.tRCD + p.timing.tCL + 2);
  CHECK(channel.count("row_conflicts") == 0);
  CHECK(channel.count("row_misses") == 2);
  CHECK(channel.registry.broken_laws().empty());
}

TEST_CASE("dram: refreshes come every tREFI, also while the channel sleeps", "[dram]") {
  const DramParams p = refreshed();
  for (const Done done : {Done::every_clock, Done::when_due, Done::afterwards}) {
    ScriptedDram channel(p);
    channel.cycles({{0, dram_place(p, 0, 5)}, {5500, dram_place(p, 0, 5)}}, done);
    CHECK(channel.count("refreshes") == 5);
    CHECK(channel.count("precharges_for_refresh") == 1);
    channel.logic.refresh_until(6999);
    CHECK(channel.count("refreshes") == 6);
    channel.logic.refresh_until(7000);
    CHECK(channel.count("refreshes") == 7);
  }
}

TEST_CASE("dram: a sleeping channel asks for nothing, refresh or not", "[dram]") {
  ScriptedDram channel(refreshed());
  CHECK(channel.logic.next_event() == kNever);
  channel.cycles({{0, 0}});
  CHECK(channel.logic.next_event() == kNever);
}

TEST_CASE("dram: the refreshes of a long sleep are counted at once, and the last one holds", "[dram]") {
  const DramParams p = refreshed();
  for (const Cycle sleep : {Cycle{5}, Cycle{3'000'000'000'000}}) {
    ScriptedDram channel(p);
    const Cycle due = 1000 * sleep;
    const auto done = channel.cycles({{0, dram_place(p, 0, 5)}, {due + 1, dram_place(p, 0, 5)}}, Done::when_due);
    CHECK(done[1] == due + 100 + p.timing.tRCD + p.timing.tCL + 2);
    CHECK(channel.count("refreshes") == sleep);
  }
}

TEST_CASE("dram params: refreshes leave time to close, refresh, open and read a row", "[dram]") {
  DramParams p;
  p.refresh.enabled = true, p.refresh.tRFC = 385;
  const DramTiming& t = p.timing;
  const std::uint32_t last_precharge = t.tRAS - 1, refreshed = last_precharge + t.tRP + p.refresh.tRFC;
  const auto refused_at = [&p](std::uint32_t tREFI) {
    return objections(p, [=](DramParams& q) { q.refresh.tREFI = tREFI; }) == Keys{"refresh"};
  };
  CHECK(p.clocks_to_column() == refreshed + t.tRCD);
  CHECK(refused_at(400));
  CHECK(refused_at(refreshed + t.tRCD));
  CHECK_FALSE(refused_at(refreshed + t.tRCD + 1));
  p.timing.tRRD = 10000;  // longer than the refresh: one activate per interval, at the same offset in each
  CHECK(refused_at(9999 + t.tRCD));
  CHECK_FALSE(refused_at(9999 + t.tRCD + 1));
  p.refresh.enabled = false;
  CHECK_FALSE(refused_at(400));
}

/// Random timing, in which a refresh is often too long; some of these parameters are refused.
DramParams random_timing(std::mt19937_64& random) {
  DramParams p = random() % 2 == 0 ? DramParams{} : qv100_dram();
  DramTiming& t = p.timing;
  const auto up_to = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
  for (std::uint32_t* clocks : {&t.tCL, &t.tWL, &t.tRCD, &t.tRP, &t.tRAS, &t.tCCD, &t.tCCDL, &t.tRRD, &t.tCDLR, &t.tWR, &t.tRTP, &t.tRTPL})
    if (random() % 3 == 0) *clocks = 1 + up_to(random() % 4 == 0 ? 600 : 60);
  t.tRC = t.tRAS + up_to(40);
  p.refresh.enabled = true;
  p.refresh.tREFI = 100 + up_to(700);
  p.refresh.tRFC = 1 + up_to(p.refresh.tREFI - 2);
  return p;
}

TEST_CASE("dram: every timing with refresh that the checks accept serves all requests, one burst an interval at least", "[dram]") {
  std::mt19937_64 random(1);
  unsigned accepted = 0, refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    const DramParams p = random_timing(random);
    if (const Keys keys = objections(p, [](DramParams&) {}); !keys.empty()) {
      CHECK(keys == Keys{"refresh"});
      ++refused;
      continue;
    }
    ++accepted;
    std::vector<DramOffer> script;
    Cycle at = 0;
    for (unsigned i = 0; i < 40; ++i) script.push_back({at += random() % 100, random() % (1u << 16) * kLineBytes, random() % 2 == 0, 15});
    const DramTiming& t = p.timing;
    const Cycle bursts = 40 * kLineBytes / p.burst_bytes, between_columns = 2000;  // the longest timing rule between two column commands
    ScriptedDram channel(p);
    const Cycle last = at + bursts * (2 * p.refresh.tREFI + between_columns);
    INFO("round " << round << ": tREFI " << p.refresh.tREFI << ", tRFC " << p.refresh.tRFC << ", tRCD " << t.tRCD << ", tRRD " << t.tRRD);
    REQUIRE(channel.serve(script, Done::when_due, last).size() == script.size());
    CHECK(channel.registry.broken_laws().empty());
  }
  CHECK(accepted > 500);
  CHECK(refused > 300);
}

TEST_CASE("dram: without refresh no bank is closed for one", "[dram]") {
  DramParams p = refreshed();
  p.refresh.enabled = false;
  ScriptedDram channel(p);
  channel.cycles({{0, dram_place(p, 0, 5)}, {5500, dram_place(p, 0, 5)}});
  channel.logic.refresh_until(100000);
  CHECK(channel.count("refreshes") == 0);
  CHECK(channel.count("row_hits") == 1);
}
