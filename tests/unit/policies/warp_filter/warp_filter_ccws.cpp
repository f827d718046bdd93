// CCWS (ciao section 3.3): scores, cutoff, decay.

#include "policies/warp_filter/ccws.h"

#include <array>
#include <catch2/catch.hpp>

#include "model/base/rng.h"

using namespace wharf;
using Kind = WarpEvent::Kind;

namespace {

Ccws with_warps(unsigned warps, unsigned issued_each) {
  Ccws filter{CcwsParams{}};
  for (unsigned w = 0; w < warps; ++w) filter.observe({Kind::launched, w, w});
  for (unsigned w = 0; w < warps; ++w)
    for (unsigned i = 0; i < issued_each; ++i) filter.issued(w, 0);
  return filter;
}

void lose(Ccws& filter, unsigned warp, unsigned times, Cycle now) {
  for (unsigned i = 0; i < times; ++i) filter.lost({warp, LostLine::kNobody}, now);
}

}  // namespace

TEST_CASE("ccws: with all scores at the base every warp may load") {
  Ccws filter = with_warps(48, 10);
  CHECK(filter.due() == 0);
  filter.advance(1);
  CHECK(filter.masks().may_issue_load == (WarpMask{1} << 48) - 1);
  CHECK(filter.masks().may_issue == ~WarpMask{0});
  CHECK(filter.due() == kNever);
}

// ciao section 3.3: K is 8 and the base 100
// CIAO-O6: base 100, K 8, decay 1.
TEST_CASE("ccws: the score is lost lines times K times cutoff over instructions, and never below the base") {
  Ccws filter = with_warps(3, 100);  // cutoff 300, 300 instructions
  CHECK(filter.cutoff() == 300);
  lose(filter, 1, 12, 1000);
  CHECK(filter.score(1, 1000) == 100);  // 12 * 8 * 300 / 300 = 96
  lose(filter, 1, 1, 1000);
  CHECK(filter.score(1, 1000) == 104);  // 13 * 8
  CHECK(filter.score(1, 1003) == 101);
  CHECK(filter.score(1, 1004) == 100);
  CHECK(filter.score(1, 9999) == 100);
  CHECK(filter.score(0, 1000) == 100);
}

TEST_CASE(
    "ccws: the warp that crosses the cutoff is the last that may load, ties go to the lower slot, and decay lets the others in again") {
  Ccws filter = with_warps(3, 100);
  lose(filter, 1, 30, 1000);  // 240
  filter.advance(1000);
  CHECK(filter.masks().may_issue_load == 0b011);  // 240 + 100 >= 300
  CHECK(filter.masks().may_issue == ~WarpMask{0});
  CHECK(filter.due() == 1041);  // 340 - 41 < 300
  filter.advance(1040);
  CHECK(filter.masks().may_issue_load == 0b011);
  filter.advance(1041);
  CHECK(filter.masks().may_issue_load == 0b111);
  CHECK(filter.due() == kNever);
  lose(filter, 2, 20, 2000);  // 50 hits in all: 400 for this warp alone
  filter.advance(2000);
  CHECK(filter.masks().may_issue_load == 0b100);
}

TEST_CASE("ccws: a warp that ends takes its lost lines and instructions with it, and a new one starts at the base") {
  Ccws filter = with_warps(3, 100);
  lose(filter, 1, 30, 1000);
  filter.observe({Kind::finished, 1, 0});
  CHECK(filter.cutoff() == 200);
  filter.advance(1001);
  CHECK(filter.masks().may_issue_load == 0b101);
  filter.observe({Kind::launched, 1, 9});
  CHECK(filter.score(1, 1001) == 100);
  lose(filter, 0, 5, 1002);  // 5 * 8 * 300 / 200 = 60
  CHECK(filter.score(0, 1002) == 100);
  lose(filter, 0, 5, 1002);
  CHECK(filter.score(0, 1002) == 120);
}

TEST_CASE("ccws: a single unfinished warp may always load") {
  Ccws filter = with_warps(2, 100);
  lose(filter, 0, 500, 10);
  filter.advance(10);
  CHECK(filter.masks().may_issue_load == 0b01);
  filter.observe({Kind::finished, 0, 0});
  filter.advance(11);
  CHECK(filter.masks().may_issue_load == 0b10);
  lose(filter, 1, 500, 12);
  filter.advance(12);
  CHECK(filter.masks().may_issue_load == 0b10);
}

TEST_CASE("ccws: waking only when it asks for it gives the masks of counting down every score every cycle") {
  constexpr unsigned kWarps = 12;
  for (const std::uint32_t decay : {1u, 3u}) {
    CcwsParams params;
    params.decay = decay;
    Ccws filter{params};
    Rng rng(decay);
    struct Plain {
      bool here = false;
      std::uint64_t score = 0, hits = 0, issued = 0;
    };
    std::array<Plain, kWarps> plain;
    const auto total = [&](auto field) {
      std::uint64_t sum = 0;
      for (const Plain& p : plain)
        if (p.here) sum += field(p);
      return sum;
    };
    unsigned wrong = 0, throttled = 0, advanced = 0;
    for (Cycle now = 1; now < 20000; ++now) {
      for (Plain& p : plain) p.score = std::max<std::uint64_t>(params.base, p.score - std::min<std::uint64_t>(p.score, decay));
      const auto warp = static_cast<unsigned>(rng.below(kWarps));
      Plain& p = plain[warp];
      if (!p.here) {
        p = {true, params.base, 0, 0};
        filter.observe({Kind::launched, warp, now});
      } else if (rng.chance(0.001)) {
        p.here = false;
        filter.observe({Kind::finished, warp, 0});
      } else {
        filter.issued(warp, now);
        ++p.issued;
        if (rng.chance(0.05)) {
          filter.lost({warp, 0}, now);
          ++p.hits;
          const std::uint64_t cutoff = params.base * total([](const Plain&) { return 1; });
          const std::uint64_t score =
              total([](const Plain& q) { return q.hits; }) * params.k * cutoff / total([](const Plain& q) { return q.issued; });
          p.score = std::max<std::uint64_t>(params.base, score);
        }
      }
      if (filter.due() <= now) {
        filter.advance(now);
        ++advanced;
      }
      const std::uint64_t cutoff = params.base * total([](const Plain&) { return 1; });
      WarpMask can_load = 0, left = 0;
      for (unsigned w = 0; w < kWarps; ++w)
        if (plain[w].here) left |= warp_bit(w);
      for (std::uint64_t sum = 0; left != 0 && sum < cutoff;) {
        unsigned best = lowest_warp(left);
        for (WarpMask rest = left; rest != 0; rest &= rest - 1)
          if (plain[lowest_warp(rest)].score > plain[best].score) best = lowest_warp(rest);
        sum += plain[best].score;
        can_load |= warp_bit(best);
        left &= ~warp_bit(best);
      }
      wrong += filter.masks().may_issue_load != can_load;
      throttled += left != 0;
    }
    CHECK(wrong == 0);
    CHECK(throttled > 1000);
    CHECK(advanced < 10000);
  }
}
