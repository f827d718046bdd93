// The contract of every home map in the catalogue (CM-21).

#include <catch2/catch.hpp>
#include <set>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "policies/home_map/home_map.h"

using namespace wharf;

TEST_CASE("home map contract: a line always has the same home, it exists, and every home has lines") {
  for (const config::PolicyName& policy : home_map_catalogue_names()) {
    for (const std::uint32_t homes : {1u, 2u, 3u, 28u, 80u}) {
      for (const HomeFold fold : {HomeFold::spread, HomeFold::mod}) {
        CAPTURE(policy.name, homes);
        const auto addresses = make_address_map("interleave", homes, 2);
        const auto map = make_home_map(policy.name, {homes, 32, fold, addresses.get(), homes * 2});
        std::vector<unsigned> lines(homes);
        for (std::uint64_t line = 0; line < 32 * 128 * 80; line += 17) {
          const HomeMap::Home home = map->locate({line});
          REQUIRE(home.core < homes);
          REQUIRE(map->locate({line}).core == home.core);
          ++lines[home.core];
        }
        for (const unsigned count : lines) CHECK(count > 0);
      }
    }
  }
}

TEST_CASE("home map contract: lines of one home have different numbers inside it, and a single home keeps the line number") {
  for (const config::PolicyName& policy : home_map_catalogue_names()) {
    for (const std::uint32_t homes : {1u, 2u, 4u, 10u, 40u}) {
      CAPTURE(policy.name, homes);
      const auto addresses = make_address_map("interleave", homes, 2);
      const auto map = make_home_map(policy.name, {homes, 32, HomeFold::spread, addresses.get(), homes * 2});
      std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
      for (std::uint64_t line = 0; line < 20'000; ++line) {
        const HomeMap::Home home = map->locate({line});
        REQUIRE(seen.insert({home.core, home.line}).second);
        if (homes == 1) REQUIRE(home.line == line);
      }
    }
  }
}

TEST_CASE("home map contract: an unknown name and a map without homes are refused") {
  CHECK_THROWS_AS(make_home_map("nearest", {28, 32, HomeFold::spread}), InputError);
  CHECK_THROWS_AS(make_home_map("tag_low_bits", {0, 32, HomeFold::spread}), InputError);
  CHECK_THROWS_AS(make_home_map("tag_low_bits", {28, 0, HomeFold::spread}), InputError);
}
