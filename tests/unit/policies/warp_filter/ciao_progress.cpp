// CIAO with barriers: a stalled warp must not hold up the others for ever (CIAO-O17).

#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "tests/unit/policies/warp_filter/ciao_script.h"

using namespace wharf;
using namespace wharf::test;
using Kind = WarpEvent::Kind;

namespace {

/// Two CTAs of two warps; W1 and W3 are stalled, W3 last.
CiaoScript two_stalled() {
  CiaoScript script(CiaoMode::stall);
  script.hurt(0, 1, 20);
  script.issue(2, 20);
  script.hurt(2, 3, 20);
  script.hurt(0, LostLine::kNobody, 20);
  script.issue(2, 20);
  script.step(20);
  return script;
}

}  // namespace

TEST_CASE("ciao: when all that a CTA has running waits at its barrier, its stalled warps run again in the next cycle") {
  CiaoScript script = two_stalled();
  REQUIRE(script.filter.stalled() == 0b1010);
  REQUIRE((script.filter.masks().may_issue & 0b1111) == 0b0101);
  script.observe(Kind::waiting, 0);
  CHECK(script.filter.due() <= script.now);
  script.step();
  CHECK((script.filter.masks().may_issue & 0b1111) == 0b0111);
  CHECK(script.filter.stalled() == 0b1000);
  CHECK(script.filter.actions().forced == 1);
  CHECK(script.filter.pairs().actions().size() == 1);
}

TEST_CASE("ciao: a warp that runs on keeps its CTA's stalled warps stalled while another waits") {
  CiaoScript script(CiaoMode::stall, short_epochs(), 4, 4);
  script.hurt(0, 1, 20);
  script.issue(2, 20);
  script.observe(Kind::waiting, 0);
  script.observe(Kind::waiting, 3);
  script.step();
  CHECK(script.filter.stalled() == 0b0010);
  script.observe(Kind::waiting, 2);
  script.step();
  CHECK(script.filter.stalled() == 0);
  CHECK(script.filter.actions().forced == 1);
}

TEST_CASE("ciao: when nobody who may can issue, the newest stalled warp runs again") {
  CiaoScript script = two_stalled();
  script.observe(Kind::finished, 0);
  script.step();
  CHECK(script.filter.stalled() == 0b1010);
  script.observe(Kind::finished, 2);
  script.step();
  CHECK(script.filter.stalled() == 0b0010);
  CHECK((script.filter.masks().may_issue & 0b1010) == 0b1000);
  CHECK(script.filter.actions().forced == 1);
}

TEST_CASE("ciao: what is passed in the same cycle, such as a barrier that the last warp reaches, forces nothing") {
  CiaoScript script = two_stalled();
  script.observe(Kind::waiting, 0);
  script.observe(Kind::resumed, 0);
  script.step();
  CHECK(script.filter.stalled() == 0b1010);
  CHECK(script.filter.actions().forced == 0);
}

TEST_CASE("ciao: a warp reactivated before its stall has reached the masks is not stalled later") {
  CiaoScript script(CiaoMode::stall);
  script.hurt(0, 1, 20);
  script.issue(2, 20);
  REQUIRE(script.filter.stalled() == 0b0010);
  script.observe(Kind::waiting, 0);
  script.step(40);
  CHECK(script.filter.masks().may_issue == ~WarpMask{0});
}

TEST_CASE("ciao: random interference and random barriers never leave an SM without a warp that can issue") {
  for (const CiaoMode mode : {CiaoMode::isolate, CiaoMode::stall, CiaoMode::both}) {
    for (const CiaoExam exam : {CiaoExam::scan, CiaoExam::front_only}) {
      constexpr unsigned kWarps = 12, kPerCta = 3;
      CiaoParams params = short_epochs();
      params.high = params.low = 0.0;
      params.exam = exam;
      params.same_domain = false;
      CiaoScript script(mode, params, kWarps, kPerCta);
      Rng rng(7);
      WarpMask here = (WarpMask{1} << kWarps) - 1, waiting = 0;
      std::uint64_t age = kWarps;
      unsigned stuck = 0, idle = 0, stalled = 0;
      for (int i = 0; i < 30000; ++i) {
        script.step();
        const WarpMask can = here & ~waiting & script.filter.masks().may_issue;
        stalled += (here & ~script.filter.masks().may_issue) != 0;
        idle = can == 0 ? idle + 1 : 0;
        stuck += idle > 100;
        const auto victim = static_cast<unsigned>(rng.below(kWarps)), interferer = static_cast<unsigned>(rng.below(kWarps));
        if (rng.chance(0.5)) script.hurt(victim, interferer);
        const auto warp = static_cast<unsigned>(rng.below(kWarps));
        if ((can & warp_bit(warp)) == 0) continue;
        script.filter.issued(warp, script.now);
        const WarpMask cta = WarpMask{7} << (warp / kPerCta * kPerCta);
        if (rng.chance(0.1)) {
          waiting |= warp_bit(warp);
          script.observe(Kind::waiting, warp);
        } else if (rng.chance(0.01)) {
          here &= ~warp_bit(warp);
          script.observe(Kind::finished, warp);
        }
        if ((here & cta & ~waiting) == 0) {
          for (WarpMask rest = waiting & cta; rest != 0; rest &= rest - 1) script.observe(Kind::resumed, lowest_warp(rest));
          waiting &= ~cta;
        }
        if ((here & cta) == 0) {
          for (WarpMask rest = cta; rest != 0; rest &= rest - 1) script.launch(lowest_warp(rest), age, warp / kPerCta);
          ++age;
          here |= cta;
        }
      }
      CHECK(stuck == 0);
      CHECK((stalled > 1000) == (mode != CiaoMode::isolate));
      if (mode != CiaoMode::isolate) CHECK(script.filter.actions().forced > 0);
    }
  }
}
