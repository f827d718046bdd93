// Groups of SMs, which need not be equal.

#include <catch2/catch.hpp>

#include "model/network/sm_groups.h"

using namespace wharf;

namespace {

const SmGroups kGpcs({18, 16, 16, 16, 18, 16, 16, 16});

}  // namespace

TEST_CASE("unequal groups: each SM is in the group that has its number, whose SMs are neighbours") {
  REQUIRE(kGpcs.count() == 8);
  REQUIRE(kGpcs.sms() == 132);
  unsigned next = 0;
  for (unsigned number = 0; number < kGpcs.count(); ++number) {
    CHECK(kGpcs[number].first == next);
    for (unsigned i = 0; i < kGpcs[number].size; ++i, ++next) CHECK(kGpcs.number_of(next) == number);
  }
  CHECK(next == 132);
  CHECK(kGpcs.around(17).first == 0);
  CHECK(kGpcs.around(18).first == 18);
  CHECK(kGpcs.around(131).size == 16);
  CHECK(kGpcs.largest() == 18);
  CHECK(kGpcs.smallest() == 16);
  CHECK_FALSE(kGpcs.are_equal());
}

TEST_CASE("groups of a number divide the SMs in order, the last has the rest, and 0 stands for one group of all") {
  const SmGroups equal = SmGroups::of(30, 10), rest = SmGroups::of(32, 10), all = SmGroups::of(30, 0);
  CHECK(equal.count() == 3);
  CHECK(equal.are_equal());
  for (unsigned sm = 0; sm < 30; ++sm) {
    CHECK(equal.number_of(sm) == sm / 10);
    CHECK(equal.around(sm).first == sm / 10 * 10);
  }
  CHECK(rest.count() == 4);
  CHECK(rest[3].size == 2);
  CHECK_FALSE(rest.are_equal());
  CHECK(all.count() == 1);
  CHECK(all.largest() == 30);
  CHECK(SmGroups().empty());
}

TEST_CASE("groups lie within others if none of them crosses one, and never within fewer SMs") {
  CHECK(kGpcs.lie_within(kGpcs));
  CHECK(SmGroups::of(132, 2).lie_within(kGpcs));
  CHECK_FALSE(SmGroups::of(132, 4).lie_within(kGpcs));  // 16 and 17, 18 and 19
  CHECK(kGpcs.lie_within(SmGroups::of(132, 66)));
  CHECK_FALSE(kGpcs.lie_within(SmGroups::of(132, 44)));
  CHECK_FALSE(kGpcs.lie_within(SmGroups::of(131, 0)));
  CHECK(SmGroups().lie_within(kGpcs));
}
