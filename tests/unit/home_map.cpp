// The home of a line: bits of the tag, and what becomes of values that name no home (shared_l1 section 2, SL-2 to SL-4).

#include <catch2/catch.hpp>
#include <vector>

#include "model/base/error.h"
#include "policies/home_map/home_map.h"
#include "policies/home_map/tag_low_bits.h"

using namespace wharf;

namespace {

std::uint32_t home_of(const HomeMapOptions& options, Address address) {
  return make_home_map("tag_low_bits", options)->locate(LineAddress::of(address)).core;
}

}  // namespace

TEST_CASE("home map: 28 homes of 32 sets take address bits 12 to 16") {
  const HomeMapOptions options{28, 32, HomeFold::spread};
  for (std::uint32_t home = 0; home < 28; ++home) {
    CHECK(home_of(options, Address{home} << 12) == home);
    CHECK(home_of(options, (Address{home} << 12) + 4095) == home);           // a block of 4 KB has one home
    CHECK(home_of(options, (Address{7} << 17) + (Address{home} << 12)) == home);
  }
}

TEST_CASE("home map: twice the sets move the home bits up by one") {
  const HomeMapOptions options{28, 64, HomeFold::spread};
  CHECK(home_of(options, Address{1} << 12) == 0);
  CHECK(home_of(options, Address{1} << 13) == 1);
}

TEST_CASE("home map: the number of home bits follows the cores") {
  for (const auto& [cores, bits] : std::vector<std::pair<std::uint32_t, unsigned>>{{28, 5}, {48, 6}, {56, 6}, {68, 7}, {76, 7}, {84, 7}})
    CHECK(TagLowBits({cores, 32, HomeFold::spread}).bits() == bits);
}

TEST_CASE("home map: with spread every home gets the same share of a large space, with mod the lowest get two") {
  // Tags of 5 home bits and a multiple of 28 values above them.
  constexpr std::uint64_t kTags = 32 * 28 * 4;
  for (const HomeFold fold : {HomeFold::spread, HomeFold::mod}) {
    const auto map = make_home_map("tag_low_bits", {28, 32, fold});
    std::vector<unsigned> tags(28);
    for (std::uint64_t tag = 0; tag < kTags; ++tag) ++tags[map->locate(LineAddress{tag * 32}).core];
    for (unsigned home = 0; home < 28; ++home) {
      CAPTURE(home);
      if (fold == HomeFold::spread)
        CHECK(tags[home] == kTags / 28);
      else
        CHECK(tags[home] == kTags / 32 * (home < 4 ? 2 : 1));
    }
  }
}

TEST_CASE("home map: a power of two needs no fold, and the line number stays") {
  const auto spread = make_home_map("tag_low_bits", {16, 32, HomeFold::spread});
  const auto mod = make_home_map("tag_low_bits", {16, 32, HomeFold::mod});
  for (std::uint64_t line = 0; line < 100'000; line += 37) {
    CHECK(spread->locate(LineAddress{line}).core == mod->locate(LineAddress{line}).core);
    CHECK(spread->locate(LineAddress{line}).line == line);
  }
}

TEST_CASE("home map: addresses beyond 32 bits keep the bit positions") {
  const HomeMapOptions options{28, 32, HomeFold::spread};
  CHECK(home_of(options, (Address{0x123} << 40) + (Address{5} << 12)) == 5);
}
