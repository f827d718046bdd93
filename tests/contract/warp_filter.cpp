// What holds for every warp filter of the catalogue.
#include "policies/warp_filter/warp_filter.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "model/base/rng.h"

using namespace wharf;
using Kind = WarpEvent::Kind;

TEST_CASE("every warp filter lets some warp issue whenever one is resident and not waiting") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    for (std::uint32_t limit = 1; limit <= 6; ++limit) {
      for (std::uint32_t schedulers = 1; schedulers <= 4; ++schedulers) {
        INFO(policy.name << " " << limit << " " << schedulers);
        const auto filter = make_warp_filter(policy.name, {limit, schedulers});
        Rng rng(limit * 8 + schedulers);
        WarpMask resident = 0, waiting = 0;
        std::uint64_t age = 0;
        unsigned stuck = 0, loads_only = 0;
        for (int i = 0; i < 3000; ++i) {
          const auto warp = static_cast<std::uint32_t>(rng.below(48));
          const WarpMask bit = warp_bit(warp);
          if ((resident & bit) == 0) {
            filter->observe({Kind::launched, warp, age++});
            resident |= bit;
          } else if ((waiting & bit) != 0) {
            filter->observe({Kind::resumed, warp, 0});
            waiting &= ~bit;
          } else if (rng.chance(0.4)) {
            filter->observe({Kind::finished, warp, 0});
            resident &= ~bit;
          } else {
            filter->observe({Kind::waiting, warp, 0});
            waiting |= bit;
          }
          const WarpMask runnable = resident & ~waiting;
          stuck += runnable != 0 && (runnable & filter->masks().may_issue) == 0;
          loads_only += (filter->masks().may_issue_load & ~filter->masks().may_issue) != 0;
        }
        CHECK(stuck == 0);
        CHECK(loads_only == 0);
      }
    }
  }
}

TEST_CASE("a warp filter that does not restrict lets every warp issue everything, whoever predicts") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    CHECK_FALSE(policy.help.empty());
    const auto filter = make_warp_filter(policy.name, {1, 1});
    for (unsigned warp = 0; warp < 8; ++warp) filter->observe({Kind::launched, warp, warp});
    filter->observe({Kind::predictor, 3, 0});
    if (!filter->restricts()) CHECK((filter->masks().may_issue & filter->masks().may_issue_load) == ~WarpMask{0});
  }
}

TEST_CASE("predictor_cta prefers the warps of the predictor until they end or it predicts no more, and restricts no warp") {
  const auto filter = make_warp_filter("predictor_cta", {});
  for (unsigned warp = 0; warp < 8; ++warp) filter->observe({Kind::launched, warp, warp});
  CHECK(filter->masks().prefer == 0);
  for (const unsigned warp : {4u, 5u, 6u}) filter->observe({Kind::predictor, warp, 0});
  CHECK(filter->masks().prefer == 0x70);
  filter->observe({Kind::waiting, 4, 0});
  CHECK(filter->masks().prefer == 0x70);
  filter->observe({Kind::finished, 5, 0});
  CHECK(filter->masks().prefer == 0x50);
  filter->observe({Kind::predicted, 0, 0});
  CHECK(filter->masks().prefer == 0);
  CHECK(filter->masks().may_issue == ~WarpMask{0});
}

TEST_CASE("an unknown warp filter is refused with the names on offer") {
  CHECK_THROWS_WITH(make_warp_filter("swll", {}), Catch::Contains("unknown warp filter 'swll'") && Catch::Contains("none, swl"));
}
