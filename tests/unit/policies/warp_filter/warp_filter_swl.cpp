#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "model/base/error.h"
#include "policies/warp_filter/warp_filter.h"

using namespace wharf;
using Kind = WarpEvent::Kind;

namespace {

constexpr WarpMask warps(std::initializer_list<unsigned> slots) {
  WarpMask mask = 0;
  for (const unsigned slot : slots) mask |= warp_bit(slot);
  return mask;
}

std::unique_ptr<WarpFilter> swl(std::uint32_t limit, std::uint32_t schedulers, unsigned warps_in_slot_order) {
  auto filter = make_warp_filter("swl", {limit, schedulers});
  for (unsigned warp = 0; warp < warps_in_slot_order; ++warp) filter->observe({Kind::launched, warp, warp});
  return filter;
}

}  // namespace

TEST_CASE("the filter none leaves every warp free and restricts nothing") {
  const auto none = make_warp_filter("none", {});
  none->observe({Kind::launched, 0, 0});
  none->observe({Kind::waiting, 0, 0});
  CHECK(none->masks().may_issue == ~WarpMask{0});
  CHECK(none->masks().may_issue_load == ~WarpMask{0});
  CHECK(none->masks().prefer == 0);
  CHECK_FALSE(none->restricts());
}

TEST_CASE("swl lets the N oldest warps issue and prefers none of them") {
  const auto filter = make_warp_filter("swl", {2, 1});
  filter->observe({Kind::launched, 0, 30});
  filter->observe({Kind::launched, 1, 10});
  filter->observe({Kind::launched, 2, 20});
  CHECK(filter->restricts());
  CHECK(filter->masks().may_issue == warps({1, 2}));
  CHECK(filter->masks().may_issue_load == warps({1, 2}));
  CHECK(filter->masks().prefer == 0);
}

TEST_CASE("when a warp of the swl pool finishes the next oldest enters") {
  const auto filter = swl(2, 1, 4);
  CHECK(filter->masks().may_issue == warps({0, 1}));
  filter->observe({Kind::finished, 0, 0});
  CHECK(filter->masks().may_issue == warps({1, 2}));
  filter->observe({Kind::launched, 0, 4});
  filter->observe({Kind::finished, 1, 0});
  CHECK(filter->masks().may_issue == warps({2, 3}));
}

TEST_CASE("a warp that waits at a barrier leaves its swl place until it is released") {
  const auto filter = swl(2, 1, 4);
  filter->observe({Kind::waiting, 0, 0});
  CHECK(filter->masks().may_issue == warps({1, 2}));
  filter->observe({Kind::waiting, 1, 0});
  filter->observe({Kind::waiting, 2, 0});
  CHECK(filter->masks().may_issue == warps({3}));
  for (unsigned warp = 0; warp < 3; ++warp) filter->observe({Kind::resumed, warp, 0});
  CHECK(filter->masks().may_issue == warps({0, 1}));
}

TEST_CASE("a warp launched in the slot of one that finished while waiting is not waiting") {
  const auto filter = swl(1, 1, 1);
  filter->observe({Kind::waiting, 0, 0});
  filter->observe({Kind::finished, 0, 0});
  filter->observe({Kind::launched, 0, 1});
  CHECK(filter->masks().may_issue == warps({0}));
}

// CIAO-O5: the scope of the limit, in this case and the next two.
TEST_CASE("swl gives the first of two schedulers the larger half of an odd limit") {
  const auto filter = swl(5, 2, 12);
  CHECK(filter->masks().may_issue == (warps({0, 2, 4}) | warps({1, 3})));
}

TEST_CASE("the single place of swl goes to the scheduler that owns the oldest eligible warp") {
  const auto filter = swl(1, 2, 4);
  CHECK(filter->masks().may_issue == warps({0}));
  filter->observe({Kind::finished, 0, 0});
  CHECK(filter->masks().may_issue == warps({1}));
  filter->observe({Kind::waiting, 1, 0});
  CHECK(filter->masks().may_issue == warps({2}));
}

TEST_CASE("fewer swl places than schedulers go to different schedulers") {
  // Of four schedulers, 0 and 2 own the oldest warps once 1 has finished.
  const auto filter = swl(2, 4, 8);
  CHECK(filter->masks().may_issue == warps({0, 1}));
  filter->observe({Kind::finished, 1, 0});
  CHECK(filter->masks().may_issue == warps({0, 2}));
}

TEST_CASE("a swl limit of all warps lets all resident warps issue") {
  const auto filter = swl(kMaxWarps, 4, kMaxWarps);
  CHECK(filter->masks().may_issue == ~WarpMask{0});
}

TEST_CASE("swl refuses a limit of no warps and one beyond the largest SM") {
  CHECK_THROWS_WITH(make_warp_filter("swl", {0, 1}), Catch::Contains("limit of 0 warps; choose 1 to 64"));
  CHECK_THROWS_WITH(make_warp_filter("swl", {65, 1}), Catch::Contains("limit of 65 warps; choose 1 to 64"));
  CHECK_THROWS_AS(make_warp_filter("swl", {1, 0}), InputError);
}
