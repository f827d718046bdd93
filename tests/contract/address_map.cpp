// Properties of every address map in the catalogue.
#include "policies/address_map/address_map.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"

using namespace wharf;

namespace {

struct Counts {
  std::uint32_t channels, slices;
};
constexpr Counts kPowersOfTwo[] = {{1, 1}, {1, 2}, {8, 1}, {16, 2}, {32, 2}, {64, 4}};
constexpr Counts kOthers[] = {{6, 1}, {6, 2}, {12, 2}, {10, 4}, {24, 2}, {7, 3}};

constexpr std::uint32_t kChunkBytes = 1024;  // of the maps in two partitions

// Makes the map for each pair of counts that it supports, and the map in two partitions.
template <class Use>
void for_each_map(Use use) {
  for (const auto& policy : address_map_catalogue_names()) {
    INFO(policy.name);
    for (const Counts c : kPowersOfTwo) {
      use(*make_address_map(policy.name, c.channels, c.slices), c);
      if (c.channels > 1) use(*make_partitioned_address_map(policy.name, c.channels, c.slices, 1, kChunkBytes), c);
    }
    for (const Counts c : kOthers) {
      std::unique_ptr<AddressMap> map;
      try {
        map = make_address_map(policy.name, c.channels, c.slices);
      } catch (const InputError&) {
        continue;
      }
      use(*map, c);
    }
  }
}

}  // namespace

TEST_CASE("every address map makes the first lines of each slice out of the first lines of memory and none twice") {
  for_each_map([](const AddressMap& map, Counts c) {
    const std::uint32_t slices = c.channels * c.slices;
    constexpr std::uint64_t kLinesPerSlice = 256;
    std::vector<bool> seen(slices * kLinesPerSlice, false);
    for (std::uint64_t line = 0; line < slices * kLinesPerSlice; ++line) {
      const auto target = map.locate(line * kLineBytes);
      REQUIRE(target.slice < slices);
      REQUIRE(target.local_line < kLinesPerSlice);
      const std::size_t place = target.slice * kLinesPerSlice + target.local_line;
      REQUIRE_FALSE(seen[place]);
      seen[place] = true;
    }
  });
}

TEST_CASE("every address map gives different lines anywhere in memory different places") {
  for_each_map([](const AddressMap& map, Counts) {
    Rng rng(11);
    std::set<std::uint64_t> lines;
    std::set<std::pair<std::uint32_t, std::uint64_t>> places;
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t line = rng.next() >> 7 >> (i % 40);
      lines.insert(line);
      const auto target = map.locate(line * kLineBytes);
      places.insert({target.slice, target.local_line});
    }
    CHECK(places.size() == lines.size());
  });
}

TEST_CASE("every address map keeps a line together and derives its channel from its slice") {
  for_each_map([](const AddressMap& map, Counts c) {
    Rng rng(13);
    for (int i = 0; i < 200; ++i) {
      const Address line = rng.next() / kLineBytes * kLineBytes;
      const auto target = map.locate(line);
      CHECK(target.channel == target.slice / c.slices);
      CHECK(target.channel < c.channels);
      CHECK(map.locate(line + rng.below(kLineBytes)) == target);
    }
  });
}

TEST_CASE("every address map spreads consecutive chunks evenly over the channels") {
  for_each_map([](const AddressMap& map, Counts c) {
    std::vector<unsigned> visits(c.channels, 0);
    for (Address chunk = 0; chunk < 16 * c.channels * c.slices; ++chunk) ++visits[map.locate(chunk * 256).channel];
    CHECK(visits == std::vector<unsigned>(c.channels, 16 * c.slices));
  });
}

TEST_CASE("every address map refuses zero channels and zero slices") {
  for (const auto& policy : address_map_catalogue_names()) {
    CHECK_FALSE(policy.help.empty());
    CHECK_THROWS_AS(make_address_map(policy.name, 0, 1), InputError);
    CHECK_THROWS_AS(make_address_map(policy.name, 1, 0), InputError);
  }
}

TEST_CASE("an unknown address map is refused with the names on offer") {
  CHECK_THROWS_WITH(make_address_map("interleaf", 8, 1),
                    Catch::Contains("unknown address map 'interleaf'") && Catch::Contains("interleave, ipoly, ipoly_modulo, rotating"));
}
