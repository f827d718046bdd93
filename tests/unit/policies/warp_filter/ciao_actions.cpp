// The actions of CIAO against interferers, and when it undoes them (ciao section 5.3 and the corner cases of ciao section 7.2).

#include <catch2/catch.hpp>

#include "tests/unit/policies/warp_filter/ciao_script.h"

using namespace wharf;
using namespace wharf::test;
using Kind = WarpEvent::Kind;

namespace {

constexpr unsigned kNone = PairList::kNone, kDone = PairList::kDone;

/// W1 is isolated on behalf of W0 and stalled on behalf of W3, which W2 had isolated, in three high epochs.
CiaoScript example() {
  CiaoScript script(CiaoMode::both);
  script.hurt(0, 1);
  script.issue(2, 20);
  script.hurt(0, 1);
  script.hurt(2, 3);
  script.issue(2, 20);
  script.hurt(0, 1);
  script.hurt(2, 3);
  script.hurt(3, 1);
  script.issue(2, 20);
  return script;
}

}  // namespace

// CIAO-O10: an epoch of 20 ends with the twentieth warp instruction.
TEST_CASE("ciao: an interferer is isolated first, and stalled when it hurts an isolated warp as well") {
  CiaoScript script(CiaoMode::both);
  script.hurt(0, 1);
  script.issue(2, 19);
  CHECK(script.filter.isolated() == 0);
  script.issue(2, 1);
  CHECK(script.filter.isolated() == 0b0010);
  CHECK(script.victim(1, PairList::kIsolation) == 0);
  script = example();
  CHECK(script.filter.isolated() == 0b1010);
  CHECK(script.filter.stalled() == 0b0010);
  CHECK(script.victim(1, PairList::kIsolation) == 0);
  CHECK(script.victim(3, PairList::kIsolation) == 2);
  CHECK(script.victim(1, PairList::kStall) == 3);
  CHECK(script.filter.actions().isolations == 2);
  CHECK(script.filter.actions().stalls == 1);
}

TEST_CASE("ciao: when nobody is hurt any more, actions are undone one a low epoch, the last first") {
  CiaoScript script = example();
  script.issue(2, 20);  // lost lines of the last high epoch still count in the low test
  CHECK(script.filter.stalled() == 0b0010);
  script.issue(2, 10);
  CHECK(script.filter.stalled() == 0);
  CHECK(script.filter.isolated() == 0b1010);  // a warp that runs again is still isolated
  CHECK(script.victim(1, PairList::kStall) == kNone);
  CHECK(script.victim(1, PairList::kIsolation) == 0);
  script.issue(2, 10);
  CHECK(script.filter.isolated() == 0b0010);
  script.issue(2, 10);
  CHECK(script.filter.isolated() == 0);
  CHECK(script.filter.pairs().actions().empty());
  CHECK(script.filter.actions().undos == 3);
}

TEST_CASE("ciao: isolation of a stalled warp is not reconsidered while it is stalled") {
  CiaoScript script = example();
  for (int i = 0; i < 4; ++i) {
    script.hurt(3, LostLine::kNobody);  // the victim of its stall still suffers, the victim of its isolation does not
    script.issue(2, 10);
  }
  CHECK(script.filter.stalled() == 0b0010);
  CHECK((script.filter.isolated() & 0b0010) != 0);
  CHECK(script.victim(1, PairList::kIsolation) == 0);
}

// CIAO-O18; CIAO-O16: an isolated warp may issue everything.
TEST_CASE("ciao: masks follow eight cycles after the epoch's end and one for each warp examined") {
  CiaoScript script(CiaoMode::isolate);
  script.hurt(1, 3);
  script.issue(2, 20);  // examines 2, 0 and 1
  CHECK(script.filter.isolated() == 0b1000);
  const Cycle end = script.now;
  CHECK(script.filter.due() == end + 8 + 3);
  script.step(10);
  CHECK(script.filter.masks().isolated == 0);
  script.step();
  CHECK(script.filter.masks().isolated == 0b1000);
  CHECK(script.filter.due() == kNever);
  CHECK(script.filter.masks().may_issue == ~WarpMask{0});
}

// CIAO-O14: order, and one or two actions.
TEST_CASE("ciao: the warp that issued last is examined first, then the others by age, and one is acted upon") {
  CiaoScript script(CiaoMode::isolate);
  for (const unsigned victim : {0u, 1u, 2u}) script.hurt(victim, 3);
  script.hurt(2, 1, 5);
  script.issue(2, 20);
  CHECK(script.filter.isolated() == 0b0010);
  CiaoParams params = short_epochs();
  params.max_act = 2;
  CiaoScript two(CiaoMode::isolate, params);
  two.hurt(1, 3);
  two.hurt(2, 0);
  two.issue(3, 20);
  CHECK(two.filter.isolated() == 0b1001);
}

// CIAO-O11, CIAO-O14, CIAO-O32: the defaults
// CIAO-O14: every victim; CIAO-O11: all of the kernel; CIAO-O12: isolated warps count as active, stalled ones do not; CIAO-O32: as listed.
TEST_CASE("ciao: unless told otherwise an epoch acts for every warp that qualifies, on all that the kernel has lost, whomever it hurts") {
  CiaoParams params;
  params.low_epoch = 10, params.high_epoch = 20, params.high = 0.1, params.low = 0.05;
  CiaoScript script(CiaoMode::both, params);
  script.hurt(0, 1, 2);
  script.hurt(2, 3, 2);
  script.issue(2, 20);  // two lost lines of four warps in 20 instructions: 0.4
  CHECK(script.filter.isolated() == 0b1010);
  CHECK(script.filter.stalled() == 0);
  script.issue(2, 20);  // 0.2: no new line is lost, and neither 0 nor 2 is isolated
  CHECK(script.filter.stalled() == 0b1010);
  script.issue(2, 30);  // two lost lines of two warps in 70: 0.057
  CHECK(script.filter.stalled() == 0b1010);
  script.issue(2, 10);  // 0.05; one per low epoch, the last action first: the action for 2, which issued last, came earlier
  CHECK(script.filter.stalled() == 0b1000);
}

TEST_CASE("ciao: one epoch may isolate and stall a warp, as listed, but not where it is to act once") {
  for (const bool once : {false, true}) {
    CiaoParams params = short_epochs();
    params.max_act = 64;
    params.same_domain = params.empty_on_action = false;
    params.act_once = once;
    CiaoScript script(CiaoMode::both, params);
    script.hurt(0, 1);
    script.hurt(2, 1);
    script.issue(2, 20);
    CHECK(script.filter.isolated() == 0b0010);
    CHECK(script.filter.stalled() == (once ? 0u : 0b0010u));
    script.hurt(0, 1);
    script.issue(2, 20);  // the next epoch may act
    CHECK(script.filter.stalled() == 0b0010);
  }
}

TEST_CASE("ciao: CIAO-P never stalls, CIAO-T never isolates") {
  CiaoScript p(CiaoMode::isolate), t(CiaoMode::stall);
  for (CiaoScript* script : {&p, &t})
    for (int i = 0; i < 3; ++i) {
      script->hurt(0, 1, 3);
      script->hurt(2, 3, 3);
      script->hurt(3, 1, 3);
      script->issue(2, 20);
    }
  CHECK(p.filter.stalled() == 0);
  CHECK(p.filter.isolated() == 0b1010);
  CHECK(t.filter.isolated() == 0);
  CHECK(t.filter.stalled() == 0b1010);
  t.step(20);
  CHECK((t.filter.masks().may_issue & 0b1111) == 0b0101);
  CHECK(t.filter.masks().may_issue_load == t.filter.masks().may_issue);
}

TEST_CASE("ciao: without a region CIAO-P does nothing and CIAO-C stalls") {
  for (const CiaoMode mode : {CiaoMode::isolate, CiaoMode::both}) {
    CiaoScript script(mode);
    script.filter.kernel_started(false);
    script.hurt(0, 1);
    script.issue(2, 20);
    CHECK(script.filter.isolated() == 0);
    CHECK(script.filter.stalled() == (mode == CiaoMode::both ? 0b0010u : 0u));
  }
}

// CIAO-O15: a stalled interferer keeps its victim.
TEST_CASE("ciao: a warp that hurts itself, one that is finished and one that is stalled are left alone") {
  CiaoScript script(CiaoMode::stall);
  script.hurt(0, 0, 5);
  script.issue(2, 20);
  CHECK(script.filter.stalled() == 0);
  script.hurt(0, 1, 5);
  script.observe(Kind::finished, 1);
  script.issue(2, 20);
  CHECK(script.filter.stalled() == 0);
  script.hurt(2, 3);
  script.issue(2, 20);
  CHECK(script.filter.stalled() == 0b1000);
  script.hurt(2, 3);
  script.hurt(0, 3, 5);
  script.issue(0, 20);
  CHECK(script.victim(3, PairList::kStall) == 2);
  CHECK(script.filter.actions().stalls == 1);
}

// CIAO-O13: the count of a slot stays with it.
TEST_CASE("ciao: an action ends at the next low epoch when its victim has finished, whatever its slot's count says") {
  CiaoScript script(CiaoMode::isolate);
  script.hurt(0, 1, 100);
  script.issue(2, 20);
  CHECK(script.filter.isolated() == 0b0010);
  script.observe(Kind::finished, 0);
  CHECK(script.victim(1, PairList::kIsolation) == kDone);
  script.launch(0, 9, 0);
  script.hurt(0, LostLine::kNobody, 100);
  script.issue(2, 10);
  CHECK(script.filter.isolated() == 0);
}

// CIAO-O13: the cleared state.
TEST_CASE("ciao: an isolated warp that finishes leaves the stack, and the next in its slot is active and blamed for nothing") {
  CiaoScript script(CiaoMode::isolate);
  script.hurt(0, 1);
  script.hurt(2, 1);
  script.issue(2, 20);
  script.hurt(3, 1, 3);
  script.step(20);
  CHECK(script.filter.masks().isolated == 0b0010);
  script.observe(Kind::finished, 1);
  CHECK(script.filter.masks().isolated == 0);
  CHECK(script.filter.pairs().actions().empty());
  script.launch(1, 9, 0);
  CHECK(script.filter.interferers().empty(3));
  script.hurt(3, LostLine::kNobody, 9);
  script.issue(2, 20);
  CHECK(script.filter.isolated() == 0);
}

TEST_CASE("ciao: what has not reached the masks yet is forgotten with the warp") {
  CiaoScript script(CiaoMode::stall);
  script.hurt(0, 1);
  script.issue(2, 20);
  script.observe(Kind::finished, 1);
  script.launch(1, 9, 0);
  script.step(30);
  CHECK(script.filter.masks().may_issue == ~WarpMask{0});
}

// CIAO-O32, in this case and the next.
TEST_CASE("ciao: an action empties what names the interferer, or an isolated warp would be stalled for old evidence") {
  for (const bool literal : {false, true}) {
    CiaoParams params = short_epochs();
    params.empty_on_action = params.same_domain = !literal;
    CiaoScript script(CiaoMode::both, params);
    script.hurt(0, 1, 3);
    script.issue(2, 20);
    CHECK(script.filter.interferers().empty(0) == !literal);
    script.hurt(0, LostLine::kNobody);
    script.issue(2, 20);
    CHECK(script.filter.stalled() == (literal ? 0b0010u : 0u));
  }
}

TEST_CASE("ciao: an isolated warp is stalled on behalf of one that is not only where the domains are not kept apart") {
  for (const bool same_domain : {true, false}) {
    CiaoParams params = short_epochs();
    params.same_domain = same_domain;
    CiaoScript script(CiaoMode::both, params);
    for (int i = 0; i < 2; ++i) {
      script.hurt(0, 1, 3);
      script.issue(2, 20);
    }
    CHECK(script.filter.stalled() == (same_domain ? 0u : 0b0010u));
  }
}

TEST_CASE("ciao: counts of lost lines and epochs begin anew with a kernel") {
  CiaoScript script(CiaoMode::isolate);
  script.hurt(0, 1, 50);
  script.issue(2, 15);
  script.filter.kernel_started(true);
  script.issue(2, 19);
  CHECK(script.filter.isolated() == 0);
  script.issue(2, 1);
  CHECK(script.filter.isolated() == 0);
  CHECK(script.filter.interferers().interferer(0) == 1);
}

// CIAO-O14: front_only, in this case and the next.
TEST_CASE("ciao: the literal listing examines the warp in front, behind which a suffering one is hidden") {
  CiaoParams params = short_epochs();
  params.exam = CiaoExam::front_only;
  CiaoScript script(CiaoMode::isolate, params);
  script.hurt(0, 1);
  script.issue(2, 20);
  CHECK(script.filter.isolated() == 0);
  script.hurt(0, 1);
  script.issue(0, 20);
  CHECK(script.filter.isolated() == 0b0010);
  script.step(20);
  script.issue(2, 60);
  CHECK(script.filter.isolated() == 0b0010);  // it has not been examined
  script.issue(1, 10);
  CHECK(script.filter.isolated() == 0);
}

TEST_CASE("ciao: the literal listing goes on to the next warp from one whose victim is still hurt") {
  CiaoParams params = short_epochs();
  params.exam = CiaoExam::front_only;
  params.irs_window = ScoreWindow::kernel;
  CiaoScript script(CiaoMode::isolate, params);
  script.hurt(2, 1, 9);
  script.issue(2, 20);
  REQUIRE(script.filter.isolated() == 0b0010);
  script.hurt(0, 3, 9);
  script.issue(1, 20);  // 1 stays isolated; 0, the oldest, is next
  CHECK(script.filter.isolated() == 0b1010);
}
