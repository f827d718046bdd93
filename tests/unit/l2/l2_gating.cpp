// Gated lines of an L2 slice, and data that are never stored (loscache section 6).

#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"
#include "tests/unit/l2/l2_gated.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L2Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

TEST_CASE("l2 gating: a line is switched off by the access that reaches its prediction, keeps its count, and is asked for in vain") {
  Gated l2;
  l2.bring(4, 3);
  CHECK(l2.load(4, 3).outcome == Outcome::reply);
  CHECK(l2.counted("gates.clean") == 0);
  const auto last = l2.load(4, 3);
  CHECK(last.outcome == Outcome::reply);
  CHECK_FALSE(last.writeback);
  CHECK(l2.counted("gates.clean") == 1);
  CHECK(l2.count(4) == 3);
  CHECK_FALSE(l2.mispredicted());
  const auto again = l2.load(4, 3);
  CHECK(again.request == kAllSectors);
  CHECK(l2.mispredicted());
  l2.fill(4);
  CHECK(l2.count(4) == 1);
  CHECK(l2.load(4, 3).outcome == Outcome::reply);
  CHECK_FALSE(l2.mispredicted());
  CHECK(l2.counted("misses") == 2);
  CHECK(l2.counted("hits") == 3);
  CHECK(l2.counted("accesses.no_tag") == 1);
  CHECK(l2.counted("accesses.off_tag") == 1);
  CHECK(l2.counted("accesses.on") == 3);
  CHECK(l2.counted("wakes") == 2);
}

TEST_CASE("l2 gating: with gate_compare pre the line lasts one access longer") {
  Gated l2(GateCompare::pre);
  l2.bring(4, 2);
  l2.load(4, 2);
  CHECK(l2.counted("gates.clean") == 0);
  l2.load(4, 2);
  CHECK(l2.counted("gates.clean") == 1);
}

TEST_CASE("l2 gating: an access without a prediction never switches off, and each compares with its own") {
  Gated l2;
  l2.bring(4, 2);
  for (int i = 0; i < 5; ++i) l2.load(4);
  CHECK(l2.counted("gates.clean") == 0);
  l2.load(4, 40);
  CHECK(l2.counted("gates.clean") == 0);
  l2.load(4, 2);
  CHECK(l2.counted("gates.clean") == 1);
}

TEST_CASE("l2 gating: a dirty line is written back before it is switched off, and waits for room to do so") {
  Gated l2;
  l2.store(4, 2, 0b0011);
  const auto refused = l2.access(AccessKind::load, 4, 2, 0b0001, 0);
  CHECK(refused.outcome == Outcome::refused);
  CHECK(l2.counted("refused.queue_full") == 1);
  CHECK(l2.counted("gates.dirty") == 0);
  const auto last = l2.access(AccessKind::load, 4, 2, 0b0001, 1);
  CHECK(last.outcome == Outcome::reply);
  CHECK(last.writeback);
  CHECK(l2.rig.logic.victim().line.number == 4 + L2Rig::kAddressOf);
  CHECK(l2.rig.logic.victim().sectors == 0b0011);
  CHECK(l2.rig.logic.victim().versions[1] == 1);
  CHECK(l2.counted("gates.dirty") == 1);
  CHECK(l2.rig.dirty(4) == 0);
}

TEST_CASE("l2 gating: the last access while the data are pending decides whether they stay") {
  for (const bool last_wants : {false, true}) {
    Gated l2;
    l2.load(4, 2);
    l2.load(4, 2);
    if (last_wants) l2.load(4);
    CHECK_FALSE(l2.fill(4));
    CHECK(l2.served.size() == (last_wants ? 3 : 2));
    CHECK(l2.counted("gates.clean") == (last_wants ? 0 : 1));
    CHECK(l2.counted("accesses.pending") == (last_wants ? 2 : 1));
  }
}

TEST_CASE("l2 gating: a line written while on its way and not wanted after its fill is written back by that fill") {
  Gated l2;
  l2.load(4, 2);
  l2.access(AccessKind::store, 4, 2, 0b1000);
  REQUIRE(l2.fill(4, {7, 7, 7, 7}));
  CHECK(l2.served == Ids{1});
  CHECK(l2.rig.made(1).versions[0] == 7);
  CHECK(l2.rig.logic.victim().sectors == 0b1000);
  CHECK(l2.rig.logic.victim().versions[3] == 2);
  CHECK(l2.counted("gates.dirty") == 1);
}

TEST_CASE("l2 gating: a line predicted one access is fetched but not stored, and its tag is kept in a way without data") {
  Gated l2;
  const auto first = l2.load(4, 1);
  CHECK(first.outcome == Outcome::waits);
  CHECK(first.request == kAllSectors);
  CHECK_FALSE(l2.mispredicted());
  CHECK_FALSE(l2.fill(4, {5, 6, 7, 8}));
  CHECK(l2.served == Ids{1});
  CHECK(l2.rig.made(1).versions[3] == 8);
  CHECK(l2.count(4) == 1);
  CHECK(l2.counted("tag_only_records") == 1);
  CHECK(l2.counted("wakes") == 0);

  CHECK(l2.load(4, 1).request == kAllSectors);
  CHECK(l2.mispredicted());
  l2.fill(4);
  CHECK(l2.count(4) == 1);
  CHECK(l2.counted("bypasses") == 2);
  CHECK(l2.counted("tag_only_records") == 1);

  l2.load(4, 2);
  CHECK(l2.mispredicted());
  l2.fill(4);
  CHECK(l2.counted("wakes") == 1);
  CHECK(l2.load(4, 5).outcome == Outcome::reply);
}

TEST_CASE("l2 gating: a store predicted one access goes to DRAM with its mask and is acknowledged") {
  Gated l2;
  const auto verdict = l2.store(4, 1, 0b0110);
  CHECK(verdict.outcome == Outcome::reply);
  CHECK(verdict.passes);
  CHECK_FALSE(verdict.writeback);
  CHECK(verdict.request == 0);
  CHECK(l2.rig.logic.passed().sectors == 0b0110);
  CHECK(l2.rig.logic.passed().versions[2] == 1);
  CHECK(l2.counted("bypassed_writes") == 1);
  CHECK(l2.rig.dirty(4) == 0);
  CHECK(l2.access(AccessKind::store, 8, 1, 0b0110, 0).outcome == Outcome::refused);
}

TEST_CASE("l2 gating: an atomic predicted one access is performed when its data are here, and those that merged later see it") {
  Gated l2;
  l2.load(4, 1);
  l2.access(AccessKind::atomic, 4, 1, 0b0001);
  CHECK(l2.mispredicted());
  l2.load(4, 5);
  CHECK(l2.mispredicted());
  REQUIRE(l2.fill(4, {9, 9, 9, 9}));
  CHECK(l2.served == Ids{1, 2, 3});
  CHECK(l2.rig.made(1).versions[0] == 9);
  CHECK(l2.rig.made(3).versions[0] == 2);
  CHECK(l2.rig.made(3).versions[1] == 9);
  CHECK(l2.rig.logic.victim().sectors == 0b0001);
  CHECK(l2.rig.logic.victim().versions[0] == 2);
  CHECK(l2.counted("wakes") == 0);
  CHECK(l2.rig.logic.mshrs().empty());
}

TEST_CASE("l2 gating: a bypassing atomic changes each sector once, though others fetch the sector again before its last one comes") {
  Gated l2(GateCompare::post, true);
  constexpr SectorMask kShared = 0b0100, kOther = 0b0001;
  l2.access(AccessKind::load, 4, 1, kShared);
  CHECK(l2.access(AccessKind::atomic, 4, 1, kShared | kOther).request == kOther);
  CHECK(l2.rig.fill(4, kShared, {0, 0, 9, 0}) == Ids{1});
  CHECK(l2.rig.logic.victim().versions[2] == 2);
  CHECK(l2.access(AccessKind::atomic, 4, 1, kShared).request == kShared);
  CHECK(l2.rig.fill(4, kShared, {0, 0, 2, 0}) == Ids{3});
  CHECK(l2.rig.logic.victim().versions[2] == 3);
  l2.access(AccessKind::load, 4, 1, kShared);
  CHECK(l2.rig.fill(4, kShared, {0, 0, 3, 0}) == Ids{4});
  CHECK(l2.rig.last().versions[2] == 3);
  CHECK(l2.rig.logic.victim().sectors == 0);
  CHECK(l2.rig.fill(4, kOther) == Ids{2});
  CHECK(l2.rig.logic.victim().sectors == kOther);
  CHECK(l2.rig.logic.mshrs().empty());
}

TEST_CASE("l2 gating: a bypassing load is answered when its sectors have come once, though one of them is on its way again") {
  Gated l2(GateCompare::post, true);
  l2.access(AccessKind::load, 4, 1, 0b0001);
  l2.access(AccessKind::load, 4, 1, 0b0011);
  CHECK(l2.rig.fill(4, 0b0001) == Ids{1});
  l2.access(AccessKind::load, 4, 1, 0b0001);
  CHECK(l2.rig.fill(4, 0b0010) == Ids{2});
  CHECK(l2.rig.fill(4, 0b0001) == Ids{3});
  CHECK(l2.rig.logic.mshrs().empty());
}

TEST_CASE("l2 gating: a load waits behind a write that went past the fetch it would join, and a write behind an atomic on its way") {
  Gated l2;
  l2.load(4, 1);
  CHECK(l2.store(4, 0, 0b0001).passes);
  CHECK(l2.mispredicted());
  CHECK(l2.access(AccessKind::load, 4, 0, 0b0001).outcome == Outcome::refused);
  CHECK(l2.counted("refused.pending_store") == 1);
  CHECK(l2.access(AccessKind::load, 4, 0, 0b0010).outcome == Outcome::waits);
  CHECK(l2.access(AccessKind::atomic, 4, 0, 0b0100).outcome == Outcome::waits);
  CHECK(l2.store(4, 0, 0b0100).outcome == Outcome::refused);
  l2.fill(4);
  CHECK(l2.access(AccessKind::load, 4, 0, 0b0001).request == kAllSectors);
}

TEST_CASE("l2 gating: a count probe uses, counts and wakes nothing") {
  Gated l2;
  l2.bring(8);
  l2.bring(4);
  const std::uint64_t accesses = l2.counted("accesses"), updates = l2.counted("count_updates");
  CHECK(l2.count(8) == 1);
  CHECK(l2.count(8) == 1);
  CHECK(l2.count(12) == 0);
  CHECK(l2.counted("accesses") == accesses);
  CHECK(l2.counted("count_updates") == updates);
  CHECK(l2.counted("probes") == 3);
  CHECK(l2.counted("probes.present") == 2);
  l2.bring(12);
  CHECK(l2.count(8) == 0);
  CHECK(l2.count(4) == 1);
}

TEST_CASE("l2 gating: lines are on from the access that wakes them and live from fill to last access, and tags on from first use") {
  Gated l2;
  l2.now = 10;
  l2.load(4, 3);  // ungates the line
  l2.now = 40;
  l2.fill(4);  // the line is live
  l2.now = 60;
  l2.load(4, 3);
  l2.now = 90;
  l2.load(4, 3);  // the last access: gated
  l2.now = 100;
  l2.load(8, 1);  // a tag-only record
  l2.now = 130;
  l2.fill(8);
  l2.now = 150;
  l2.bring(4);  // ungated again, and not used any more
  l2.rig.logic.catch_up(200);
  CHECK(l2.counted("line_cycles") == 8 * 200);
  CHECK(l2.counted("live_line_cycles") == 90 - 40);
  CHECK(l2.counted("data_on_cycles") == (90 - 10) + (200 - 150));
  CHECK(l2.counted("tag_on_cycles") == (200 - 10) + (200 - 100));
  CHECK(l2.counted("used_line_cycles") == l2.counted("tag_on_cycles"));
  CHECK(l2.rig.registry.broken_laws().empty());
}

TEST_CASE("l2 line times: for a slice with ungated lines, Ideal-Gating's power covers their live time") {
  L2Params params = small_l2(false);
  params.line_times = LineTimesKept::ideal;
  L2Rig rig(params);
  const auto at = [&](Cycle now, std::uint64_t line) { rig.ask(rig.make(AccessKind::load, line, kAllSectors), line, 8, now); };
  const auto filled = [&](Cycle now, std::uint64_t line) {
    Transaction reply;
    reply.access.line = {line + L2Rig::kAddressOf};
    rig.logic.fill(
        reply, rig.slot_of(line), [](Transaction&) {}, now);
  };
  at(10, 4);
  at(20, 4);
  filled(50, 4);  // both loads waited: the line is live from this cycle on
  at(70, 4);
  at(75, 4);
  at(80, 8);  // used once: dead from its fill on
  filled(120, 8);
  at(130, 12);  // evicts line 4
  filled(160, 12);
  at(190, 12);
  rig.logic.catch_up(200);
  CHECK(rig.count("live_line_cycles") == (75 - 50) + 0 + (190 - 160));
  CHECK(rig.count("data_on_cycles") == rig.count("live_line_cycles"));
  CHECK(rig.count("tag_on_cycles") == (200 - 10) + (200 - 80));
  CHECK(rig.registry.broken_laws().empty());
}

TEST_CASE("l2 gating: of random accesses with random predictions every one is answered, with the newest data or newer") {
  for (const auto& [sectored, order] :
       {std::pair{false, VictimOrder::lru}, {true, VictimOrder::lru}, {false, VictimOrder::off_first}, {true, VictimOrder::off_first}}) {
    INFO("sectored " << sectored << ", order " << static_cast<int>(order));
    Gated l2(GateCompare::post, sectored, order);
    Rng rng(sectored ? 5 : 6);
    std::vector<SectorVersions> memory(64), newest(64);
    struct Sent {
      std::uint64_t line;
      SectorMask sectors;
      TagArray::Slot slot;
      SectorVersions data;  // the DRAM contents when it was requested; later writes are ordered after it
    };
    std::vector<Sent> reads;
    std::vector<SectorVersions> at_least(1);  // by access id
    std::uint64_t answered = 0, accepted = 0, stale = 0;
    const auto answer = [&](const Transaction& t, std::uint64_t line) {
      ++answered;
      if (t.access.kind != AccessKind::load) return;
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (t.access.sectors >> s & 1) stale += t.versions[s] < at_least[t.access.id][s] || t.versions[s] > newest[line][s];
    };
    const auto write = [&](const L2Logic::Victim& victim) {
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (victim.sectors >> s & 1) memory[victim.line.number - L2Rig::kAddressOf][s] = victim.versions[s];
    };
    for (int i = 0; i < 20000; ++i) {
      if (!reads.empty() && rng.chance(0.4)) {
        const Sent read = reads.front();
        reads.erase(reads.begin());
        Transaction reply;
        reply.access.line = {read.line + L2Rig::kAddressOf};
        reply.access.sectors = read.sectors;
        reply.versions = read.data;
        if (l2.rig.logic.fill(reply, read.slot, [&](Transaction& waiter) { answer(waiter, read.line); })) write(l2.rig.logic.victim());
        continue;
      }
      const std::uint64_t line = rng.below(16);
      const AccessKind kind = rng.chance(0.3) ? AccessKind::store : rng.chance(0.1) ? AccessKind::atomic : AccessKind::load;
      const auto sectors = static_cast<SectorMask>(rng.between(1, kAllSectors));
      const auto verdict = l2.access(kind, line, static_cast<unsigned>(rng.below(4)), sectors, 2);
      const Transaction& t = l2.rig.last();
      at_least.resize(t.access.id + 1);
      at_least[t.access.id] = newest[line];
      if (verdict.outcome == Outcome::refused) continue;
      ++accepted;
      if (kind != AccessKind::load)
        for (unsigned s = 0; s < kSectorsPerLine; ++s)
          if (sectors >> s & 1) newest[line][s] = static_cast<StoreId>(t.access.id);
      if (verdict.writeback) write(l2.rig.logic.victim());
      if (verdict.passes) write(l2.rig.logic.passed());
      if (verdict.request != 0) reads.push_back({line, verdict.request, verdict.slot, memory[line]});
      if (verdict.outcome == Outcome::reply) answer(t, line);
    }
    CHECK(stale == 0);
    CHECK(accepted - answered <= 6);  // the loads that wait in two entries of three targets
    CHECK(l2.counted("gates.dirty") > 100);
    CHECK(l2.counted("bypasses") > 100);
  }
}
