// Victims in an L2 slice with gated lines (loscache section 6), and the verdicts on predictions (loscache section 14).

#include <catch2/catch.hpp>

#include "tests/unit/l2/l2_gated.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L2Logic::Outcome;

TEST_CASE("l2 gating: a new line takes a way never used, then the longest unused, on or off") {
  Gated l2;
  l2.bring(8);
  l2.bring(4, 2);
  l2.load(4, 2);
  REQUIRE(l2.counted("gates.clean") == 1);
  l2.bring(12);  // evicts line 8, which is not gated and older
  CHECK(l2.count(8) == 0);
  CHECK(l2.count(4) == 2);
  l2.bring(8);  // then line 4, which is gated
  CHECK(l2.count(4) == 0);
  CHECK(l2.count(12) == 1);
  CHECK(l2.counted("evictions") == 2);
}

TEST_CASE("l2 gating: the tag of data that are not stored displaces the longest unused line, which is written back and off from then on") {
  for (const bool is_store : {false, true}) {
    INFO(is_store);
    Gated l2;
    l2.now = 10;
    l2.store(4, 0, 0b0101);
    l2.now = 20;
    l2.bring(8);
    l2.now = 100;
    const AccessKind kind = is_store ? AccessKind::store : AccessKind::load;
    CHECK(l2.access(kind, 12, 1, 0b0010, 1).outcome == Outcome::refused);
    CHECK(l2.counted("refused.queue_full") == 1);
    CHECK(l2.counted("tag_only_records") == 0);
    const auto verdict = l2.access(kind, 12, 1, 0b0010, 2);
    CHECK(verdict.outcome == (is_store ? Outcome::reply : Outcome::waits));
    CHECK(verdict.writeback);
    CHECK(verdict.passes == is_store);
    CHECK(l2.rig.logic.victim().line.number == 4 + L2Rig::kAddressOf);
    CHECK(l2.rig.logic.victim().sectors == 0b0101);
    CHECK(l2.rig.logic.victim().versions[2] == 1);
    if (is_store) CHECK(l2.rig.logic.passed().line.number == 12 + L2Rig::kAddressOf);
    if (is_store) CHECK(l2.rig.logic.passed().sectors == 0b0010);
    if (!is_store) CHECK_FALSE(l2.fill(12));
    CHECK(l2.counted("tag_only_records") == 1);
    CHECK(l2.counted("evictions") == 1);
    CHECK(l2.counted("writebacks") == 1);
    CHECK(l2.count(12) == 1);
    CHECK(l2.count(4) == 0);
    CHECK(l2.count(8) == 1);
    l2.rig.logic.catch_up(200);
    CHECK(l2.counted("data_on_cycles") == (100 - 10) + (200 - 20));
    CHECK(l2.load(12, 2).outcome == Outcome::waits);
    CHECK(l2.mispredicted());
    CHECK(l2.rig.registry.broken_laws().empty());
  }
}

TEST_CASE("l2 gating: a set whose lines are all on their way keeps no tag of data that are not stored") {
  Gated l2;
  l2.load(4);
  l2.load(8);
  CHECK(l2.store(12, 1).passes);
  CHECK(l2.counted("tag_only_records") == 0);
  CHECK(l2.count(12) == 0);
  l2.fill(4);
  l2.fill(8);
  CHECK(l2.load(4).outcome == Outcome::reply);
  CHECK(l2.load(8).outcome == Outcome::reply);
}

TEST_CASE(
    "l2 gating: with victim_order off_first a new line takes a way never used, then the longest unused without data, then the longest unused with data") {
  Gated l2(VictimOrder::off_first);
  l2.bring(8);
  l2.bring(4, 2);
  l2.load(4, 2);
  REQUIRE(l2.counted("gates.clean") == 1);
  l2.bring(12);
  CHECK(l2.load(8).outcome == Outcome::reply);
  CHECK(l2.count(4) == 0);
  l2.bring(4);
  CHECK(l2.count(12) == 0);
  CHECK(l2.load(8).outcome == Outcome::reply);
}

TEST_CASE("l2 gating: with victim_order off_first and no gated way, a bypassed line leaves no tag, and no line with data is evicted") {
  Gated l2(VictimOrder::off_first);
  l2.bring(4);
  l2.bring(8);
  l2.load(12, 1);
  l2.fill(12);
  CHECK(l2.count(12) == 0);
  CHECK(l2.counted("tag_only_records") == 0);
  CHECK(l2.load(4).outcome == Outcome::reply);
  CHECK(l2.load(8).outcome == Outcome::reply);
}

TEST_CASE("l2 gating: a generation is judged by its last prediction and what became of it before its kernel ended") {
  Gated l2(VictimOrder::off_first);
  l2.bring(4, 2);
  l2.load(4, 2);   // gated, and requested again: early
  l2.bring(4, 2);  // not gated at the end: open
  l2.bring(5, 2);
  l2.load(5, 2);  // gated, and not requested again: correct
  l2.bring(6);    // without a prediction
  l2.bring(7);
  l2.load(7);
  l2.load(7, 2);  // gated with three accesses, and not requested again: low
  l2.bring(1, 9);
  l2.bring(9);
  l2.bring(13);  // evicts line 1: late
  l2.load(13);
  l2.load(17, 1);  // not stored, and no way for its tag
  l2.fill(17);
  l2.load(17, 1);  // early, and then correct
  l2.fill(17);
  l2.rig.logic.kernel_ended();
  CHECK(l2.counted("predictions.correct") == 2);
  CHECK(l2.counted("predictions.wrong_early") == 2);
  CHECK(l2.counted("predictions.wrong_low") == 1);
  CHECK(l2.counted("predictions.wrong_late") == 1);
  CHECK(l2.counted("predictions.open") == 1);
  l2.load(5, 2);  // its verdict is given with its kernel
  l2.rig.logic.kernel_ended();
  CHECK(l2.counted("predictions.wrong_early") == 2);
}

TEST_CASE("l2 gating: a line that is replaced while on was predicted rightly where its accesses are as many, whoever made them") {
  for (const unsigned more : {0u, 1u, 2u}) {
    Gated l2;
    l2.bring(4, 2);
    for (unsigned i = 0; i < more; ++i) l2.load(4);  // without a prediction: nothing is gated
    l2.bring(8);
    l2.bring(12);
    REQUIRE(l2.count(4) == 0);
    CHECK(l2.counted("predictions.wrong_late") == (more == 0 ? 1 : 0));
    CHECK(l2.counted("predictions.correct") == (more == 1 ? 1 : 0));
    CHECK(l2.counted("predictions.wrong_low") == (more == 2 ? 1 : 0));
    CHECK(l2.counted("predictions.wrong_early") == 0);
  }
}

TEST_CASE("l2 gating: with gate_compare pre the last access is not counted, so that the count is the predicted one") {
  Gated l2(GateCompare::pre);
  l2.bring(4, 2);
  l2.load(4, 2);
  l2.load(4, 2);
  REQUIRE(l2.counted("gates.clean") == 1);
  CHECK(l2.count(4) == 2);
  l2.rig.logic.kernel_ended();
  CHECK(l2.counted("predictions.correct") == 1);
}

TEST_CASE("l2 gating: what passes the lines is counted, merges included, so that nobody pays for data that were never stored") {
  Gated l2;
  l2.load(4, 1);
  l2.load(4, 1);  // merges
  l2.access(AccessKind::atomic, 4, 1, 0b0001);
  CHECK(l2.fill(4, {9, 9, 9, 9}));
  l2.store(8, 1);
  l2.bring(5);
  CHECK(l2.counted("bypassed_reads") == 3);
  CHECK(l2.counted("bypassed_writes") == 2);
  CHECK(l2.counted("bypassed_fills") == 1);
  CHECK(l2.counted("fills") == 2);
  CHECK(l2.counted("bypasses") == 2);
}

TEST_CASE("l2 ideal: only data accessed more than once are read, written and filled") {
  L2Params params = small_l2(false);
  params.line_times = LineTimesKept::ideal;
  L2Rig rig(params);
  rig.bring(4);  // one access: nothing
  CHECK(rig.count("reused.reads") + rig.count("reused.fills") == 0);
  rig.load(4);  // two accesses: a fill and two reads
  CHECK(rig.count("reused.reads") == 2);
  CHECK(rig.count("reused.fills") == 1);
  rig.load(5);
  rig.load(5);  // merges with the fetch
  CHECK(rig.count("reused.reads") == 4);
  rig.fill(5);
  CHECK(rig.count("reused.fills") == 2);
  rig.store(6);  // two accesses, and a write-back
  rig.load(6);
  CHECK(rig.count("reused.writes") == 1);
  CHECK(rig.count("reused.reads") == 5);
  rig.bring(10);
  rig.bring(14);
  CHECK(rig.count("writebacks") == 1);
  CHECK(rig.count("reused.reads") == 6);
  rig.store(7);  // one access, and a write-back
  rig.bring(11);
  rig.bring(15);
  CHECK(rig.count("writebacks") == 2);
  CHECK(rig.count("reused.writes") == 1);
  CHECK(rig.count("reused.reads") == 6);
  CHECK(rig.count("reused.fills") == 2);
}
