// Victim tags, interference list and pair list (ciao sections 3.3 and 4), following the examples of the source.

#include "policies/warp_filter/victim_tags.h"

#include <catch2/catch.hpp>

#include "policies/warp_filter/interference_list.h"
#include "policies/warp_filter/pair_list.h"
#include "policies/warp_filter/re_reference_score.h"

using namespace wharf;

namespace {

bool has(const VictimTags& tags, unsigned warp, std::uint64_t line) { return tags.probe(warp, {line}) != nullptr; }

std::vector<std::pair<unsigned, unsigned>> actions_of(const PairList& pairs) {
  std::vector<std::pair<unsigned, unsigned>> actions;
  for (const auto& [warp, field] : pairs.actions()) actions.emplace_back(warp, field);
  return actions;
}

}  // namespace

// CIAO-O8: hit entries stay, a present line keeps its age, stores remove it from all; CIAO-O6: two sets of eight in CCWS.
TEST_CASE("victim tags: a set keeps the last eight lines, first in first out, and a hit leaves its tag and its age") {
  VictimTags tags(1, 8);
  for (std::uint64_t line = 0; line < 8; ++line) tags.insert(34, {line}, 32, false);
  for (std::uint64_t line = 0; line < 8; ++line) CHECK(has(tags, 34, line));
  CHECK(has(tags, 34, 0));
  tags.insert(34, {8}, 32, false);
  CHECK_FALSE(has(tags, 34, 0));
  for (std::uint64_t line = 1; line <= 8; ++line) CHECK(has(tags, 34, line));
  CHECK_FALSE(has(tags, 35, 1));
}

TEST_CASE("victim tags: a line that is here already gets the new evictor and keeps its age") {
  VictimTags tags(1, 2);
  tags.insert(0, {1}, 5, false);
  tags.insert(0, {2}, 6, false);
  tags.insert(0, {1}, 7, true);
  REQUIRE(has(tags, 0, 1));
  CHECK(tags.probe(0, {1})->evictor == 7);
  CHECK(tags.probe(0, {1})->from_shared);
  tags.insert(0, {3}, 6, false);
  CHECK_FALSE(has(tags, 0, 1));
  CHECK(has(tags, 0, 2));
}

TEST_CASE("victim tags: CCWS keeps sixteen lines a warp in two sets, chosen by the line") {
  VictimTags tags(2, 8);
  for (std::uint64_t line = 0; line < 16; ++line) tags.insert(3, {line}, 1, false);
  for (std::uint64_t line = 0; line < 16; ++line) CHECK(has(tags, 3, line));
  tags.insert(3, {16}, 1, false);
  CHECK_FALSE(has(tags, 3, 0));
  CHECK(has(tags, 3, 1));
}

TEST_CASE("victim tags: a store takes its line from all warps, another line of the same bucket stays") {
  VictimTags tags(1, 8);
  for (const unsigned warp : {0u, 7u, 47u}) tags.insert(warp, {5}, 1, false);
  tags.insert(7, {5 + 1024}, 1, false);
  tags.invalidate({6});
  CHECK(has(tags, 0, 5));
  tags.invalidate({5});
  for (const unsigned warp : {0u, 7u, 47u}) CHECK_FALSE(has(tags, warp, 5));
  CHECK(has(tags, 7, 5 + 1024));
  tags.invalidate({5 + 1024});
  CHECK_FALSE(has(tags, 7, 5 + 1024));
}

TEST_CASE("victim tags: a new warp in the slot has lost nothing") {
  VictimTags tags(2, 8);
  tags.insert(4, {1}, 1, false);
  tags.insert(4, {2}, 1, false);
  tags.insert(5, {1}, 1, false);
  tags.clear(4);
  CHECK_FALSE(has(tags, 4, 1));
  CHECK_FALSE(has(tags, 4, 2));
  CHECK(has(tags, 5, 1));
}

// CIAO-O9: when a name is replaced.
TEST_CASE("interference list: W34 keeps the name of W32 when W42 interferes once") {
  InterferenceList list(false);
  CHECK(list.interferer(34) == 34);
  for (int i = 0; i < 6; ++i) list.hit(34, 32);
  CHECK(list.count(34) == 3);
  list.hit(34, 42);
  CHECK(list.interferer(34) == 32);
  CHECK(list.count(34) == 2);
  list.hit(34, 32);
  CHECK(list.count(34) == 3);
}

TEST_CASE("interference list: the first interferer starts at 0 and the next other one replaces it there") {
  InterferenceList list(false);
  list.hit(1, 2);
  CHECK(list.interferer(1) == 2);
  CHECK(list.count(1) == 0);
  list.hit(1, 2);
  CHECK(list.count(1) == 1);
  list.hit(1, 3);
  CHECK(list.interferer(1) == 2);
  CHECK(list.count(1) == 0);
  list.hit(1, 3);
  CHECK(list.interferer(1) == 3);
  CHECK(list.count(1) == 0);
}

TEST_CASE("interference list: in the other reading the event that brings the counter to 0 leaves its own name") {
  InterferenceList list(true);
  list.hit(1, 2);
  list.hit(1, 2);
  list.hit(1, 3);
  CHECK(list.interferer(1) == 3);
  CHECK(list.count(1) == 0);
  list.hit(1, 4);
  CHECK(list.interferer(1) == 4);
}

TEST_CASE("interference list: an entry is emptied for its victim, and all that name an interferer for that one") {
  InterferenceList list(false);
  list.hit(1, 7);
  list.hit(2, 7);
  list.hit(3, 8);
  list.clear(1);
  CHECK(list.empty(1));
  CHECK_FALSE(list.empty(2));
  list.forget(7);
  CHECK(list.empty(2));
  CHECK(list.interferer(2) == 2);
  CHECK(list.interferer(3) == 8);
}

TEST_CASE("pair list: W1 is isolated on behalf of W0 and stalled on behalf of W3, and both are undone in reverse") {
  PairList pairs;
  pairs.act(1, PairList::kIsolation, 0);
  pairs.act(1, PairList::kStall, 3);
  CHECK(pairs.victim(1, PairList::kIsolation) == 0);
  CHECK(pairs.victim(1, PairList::kStall) == 3);
  CHECK(actions_of(pairs) == std::vector<std::pair<unsigned, unsigned>>{{1, PairList::kIsolation}, {1, PairList::kStall}});
  pairs.undo(1, PairList::kStall);
  CHECK(pairs.victim(1, PairList::kStall) == PairList::kNone);
  CHECK(pairs.victim(1, PairList::kIsolation) == 0);
  pairs.undo(1, PairList::kIsolation);
  CHECK(pairs.actions().empty());
}

TEST_CASE("pair list: a victim that has finished leaves DONE, one acted upon leaves nothing") {
  PairList pairs;
  pairs.act(1, PairList::kIsolation, 0);
  pairs.act(2, PairList::kIsolation, 1);
  pairs.act(1, PairList::kStall, 5);
  pairs.finished(0);
  CHECK(pairs.victim(1, PairList::kIsolation) == PairList::kDone);
  pairs.finished(1);
  CHECK(pairs.victim(1, PairList::kStall) == PairList::kNone);
  CHECK(pairs.victim(2, PairList::kIsolation) == PairList::kDone);
  CHECK(actions_of(pairs) == std::vector<std::pair<unsigned, unsigned>>{{2, PairList::kIsolation}});
}

// CIAO-O11: the window of a score.
TEST_CASE("individual re-reference score: of 5,000 instructions 2 hits exceed 0.01 with 48 active warps, and 26 with 2") {
  ReReferenceScore score(ScoreWindow::epoch);
  for (int i = 0; i < 5000; ++i) score.instruction();
  score.hit(0);
  CHECK_FALSE(score.above_high(0, 48, 0.01));
  score.hit(0);
  CHECK(score.above_high(0, 48, 0.01));
  for (int i = 0; i < 25; ++i) score.hit(1);
  CHECK_FALSE(score.above_high(1, 2, 0.01));
  score.hit(1);
  CHECK(score.above_high(1, 2, 0.01));
}

TEST_CASE(
    "individual re-reference score: the high test sees one high epoch, the low test one to two, the literal window all of the kernel") {
  for (const ScoreWindow window : {ScoreWindow::epoch, ScoreWindow::kernel}) {
    const bool all = window == ScoreWindow::kernel;
    ReReferenceScore score(window);
    const auto epoch = [&score] {
      for (int i = 0; i < 100; ++i) score.instruction();
    };
    score.hit(3);
    epoch();
    CHECK(score.above_high(3, 1, 0.009));
    score.end_high_epoch();
    epoch();
    CHECK(score.above_high(3, 1, 0.004) == all);
    CHECK(score.above_low(3, 1, 0.004));
    CHECK_FALSE(score.above_low(3, 1, 0.006));
    score.end_high_epoch();
    epoch();
    CHECK(score.above_low(3, 1, 0.003) == all);
    score.kernel_started();
    epoch();
    CHECK_FALSE(score.above_low(3, 1, 0.0));
  }
}
