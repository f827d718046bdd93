// The home of a line: bits of the tag, and the treatment of values without a home (shared_l1 section 2, SL-2, SL-3, SL-4).

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "policies/home_map/home_map.h"
#include "policies/home_map/tag_low_bits.h"
#include "policies/set_index/set_index.h"

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
    CHECK(home_of(options, (Address{home} << 12) + 4095) == home);  // a block of 4 KB has one home
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

// SL-2: the fold of shared_l1
TEST_CASE("home map: a value that names no home goes to itself modulo the homes, in every part of the space alike") {
  // 76 homes: 7 bits, 128 blocks of 4 KB per round; 52 homes have two of them, 24 have one. 28 homes: 5 bits, 4 have two.
  for (const auto& [homes, values] : {std::pair{76u, 128u}, std::pair{28u, 32u}}) {
    CAPTURE(homes);
    const auto map = make_home_map("tag_low_bits", {homes, 32, HomeFold::mod});
    for (const std::uint64_t round : {0, 1, 17}) {
      std::vector<unsigned> blocks(homes);
      for (unsigned value = 0; value < values; ++value) {
        const std::uint32_t home = map->locate(LineAddress{(round * values + value) * 32 + 31}).core;
        CHECK(home == value % homes);
        ++blocks[home];
      }
      for (unsigned home = 0; home < homes; ++home) CHECK(blocks[home] == (home < values - homes ? 2 : 1));
    }
  }
}

TEST_CASE("home map: with spread one home gets whole folds, the next one in the next round") {
  // 208 of every 512 KB with 76 homes.
  const auto map = make_home_map("tag_low_bits", {76, 32, HomeFold::spread});
  for (const unsigned round : {0u, 1u, 76u, 77u})
    for (unsigned value = 76; value < 128; ++value) CHECK(map->locate(LineAddress{(round * 128 + value) * 32}).core == round % 76);
}

TEST_CASE("home map: two lines never have both home and line number in common") {
  for (const std::uint32_t homes : {28u, 76u}) {
    for (const HomeFold fold : {HomeFold::mod, HomeFold::spread}) {
      const auto map = make_home_map("tag_low_bits", {homes, 32, fold});
      std::set<std::pair<std::uint32_t, std::uint64_t>> places;
      for (std::uint64_t line = 0; line < 3 * 128 * 32; ++line) {
        const HomeMap::Home home = map->locate({line});
        CHECK(home.core < homes);
        places.insert({home.core, home.line});
      }
      CHECK(places.size() == 3 * 128 * 32);
    }
  }
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

namespace {

/// The address map of 80sm_xbar (DC-3).
const std::unique_ptr<AddressMap> kInterleave = make_address_map("interleave", 16, 2);

}  // namespace

// DC-4
TEST_CASE("home map: slice_range gives four homes of 32 slices the address bits 10 and 11") {
  const auto map = make_home_map("slice_range", {4, 64, HomeFold::spread, kInterleave.get(), 32});
  for (std::uint64_t line = 0; line < 10'000; ++line) {
    const HomeMap::Home home = map->locate({line});
    REQUIRE(home.core == (line >> 3 & 3));  // bit 10 of the address is bit 3 of the line number
    REQUIRE(home.core == kInterleave->locate(line * 128).slice / 8);
  }
}

// DC-6
TEST_CASE("home map: two lines of a slice_range home share a set where they do with the home bits deleted") {
  for (const std::uint32_t homes : {2u, 4u, 8u}) {
    CAPTURE(homes);
    const auto map = make_home_map("slice_range", {homes, 64, HomeFold::spread, kInterleave.get(), 32});
    const std::uint64_t run = 2 * 16 / homes;  // lines below the home bits
    std::map<std::uint64_t, std::uint64_t> sets;
    for (std::uint64_t line = 0; line < 1 << 14; ++line) {
      const HomeMap::Home home = map->locate({line});
      if (home.core != 1) continue;
      const std::uint64_t deleted = line / (run * homes) * run + line % run;
      const auto [place, fresh] = sets.insert({deleted % 64, home.line % 64});
      REQUIRE((fresh || place->second == home.line % 64));
    }
    CHECK(sets.size() == 64);
  }
}

TEST_CASE("home map: six homes of 48 slices on 24 channels own eight slices each") {
  const auto addresses = make_address_map("interleave", 24, 2);
  const auto map = make_home_map("slice_range", {6, 64, HomeFold::spread, addresses.get(), 48});
  std::vector<std::set<std::uint32_t>> slices(6);
  for (std::uint64_t line = 0; line < 10'000; ++line) slices[map->locate({line}).core].insert(addresses->locate(line * 128).slice);
  for (std::uint32_t home = 0; home < 6; ++home) {
    CHECK(slices[home].size() == 8);
    CHECK(*slices[home].begin() == home * 8);
  }
}

// DC-5
TEST_CASE("home map: under chunk_mod a power-of-two stride of 2 KB or more reaches only five of 40 homes") {
  const auto map = make_home_map("chunk_mod", {40, 64, HomeFold::spread});
  for (const Address stride : {256u, 1024u, 2048u, 4096u, 16384u}) {
    std::set<std::uint32_t> homes;
    for (Address i = 0; i < 1000; ++i) homes.insert(map->locate(LineAddress::of(i * stride)).core);
    CHECK(homes.size() == 40 / std::gcd(Address{40}, stride / 256));
  }
  // line' = floor(q / Y) * 2 + bit 7 (DC-6)
  const HomeMap::Home home = map->locate({(7 * 40 + 3) * 2 + 1});
  CHECK(home.core == 3);
  CHECK(home.line == 7 * 2 + 1);
}

// DC-5: the home bits of Sh Y
TEST_CASE("home map: chunk_bits takes the address bits from 8 up, and folds values beyond the homes to value mod homes") {
  const auto map = make_home_map("chunk_bits", {40, 64, HomeFold::spread});
  std::map<std::uint32_t, std::set<std::uint64_t>> numbers;  // of a home's lines in the first 64 KB: 4 rounds of 64 chunks
  for (Address chunk = 0; chunk < 4 * 64; ++chunk) {
    for (const Address line : {2 * chunk, 2 * chunk + 1}) {
      const HomeMap::Home home = map->locate({line});
      CHECK(home.core == chunk % 64 % 40);
      CHECK((home.line & 1) == (line & 1));
      numbers[home.core].insert(home.line);
    }
  }
  for (std::uint32_t home = 0; home < 40; ++home) {
    const std::size_t lines = (home < 24 ? 2 : 1) * 4 * 2;  // 24 homes own two values; the numbers have no gaps
    CAPTURE(home);
    CHECK(numbers[home].size() == lines);
    CHECK(*numbers[home].rbegin() == lines - 1);
  }
  CHECK(map->locate({(5 * 64 + 45) * 2 + 1}).core == 5);
  CHECK(map->locate({(5 * 64 + 45) * 2 + 1}).line == (5 * 2 + 1) * 2 + 1);
}

TEST_CASE("home map: under chunk_bits a power-of-two stride of 16 KB or more reaches one of 40 homes, where chunk_mod reaches five") {
  for (const auto& [stride, bits, mod] : {std::tuple{Address{2048}, 5u, 5u}, {4096, 4u, 5u}, {8192, 2u, 5u}, {16384, 1u, 5u}}) {
    CAPTURE(stride);
    for (const auto& [name, expected] : {std::pair{"chunk_bits", bits}, {"chunk_mod", mod}}) {
      const auto map = make_home_map(name, {40, 64, HomeFold::spread});
      std::set<std::uint32_t> homes;
      for (Address i = 0; i < 1000; ++i) homes.insert(map->locate(LineAddress::of(i * stride)).core);
      CHECK(homes.size() == expected);
    }
  }
}

TEST_CASE("home map: line_mod counts by lines, the slice and the number in it (ATA-O28)") {
  const auto map = make_home_map("line_mod", {10, 8, HomeFold::spread});
  CHECK(map->locate({123}).core == 3);
  CHECK(map->locate({123}).line == 12);
  CHECK(make_set_index("linear", 8).inside(*map)(123) == (12 & 7));
}

TEST_CASE("home map: slice_range refuses homes that do not divide the slices") {
  CHECK_THROWS_AS(make_home_map("slice_range", {3, 64, HomeFold::spread, kInterleave.get(), 32}), InputError);
  CHECK_THROWS_AS(make_home_map("slice_range", {4, 64, HomeFold::spread}), InputError);
}
