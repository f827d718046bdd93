// One set of a cache-mode SM: exact LRU, levels of compression and the registers assigned to them (morpheus sections 6.3, 6.5 and 7).

#include "model/designs/morpheus/cache_mode/ellc_blocks.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

namespace {

using Level = CompressionLevel;
using Lines = std::vector<std::uint64_t>;

/// Lines evicted since the last call.
Lines displaced(EllcBlocks& set) {
  Lines lines;
  for (const EllcBlocks::Block& block : set.victims()) lines.push_back(block.line.number);
  set.clear_victims();
  return lines;
}

EllcBlocks::Slot put(EllcBlocks& set, std::uint64_t line, Level level = Level::uncompressed) { return set.insert({line}, level); }

}  // namespace

TEST_CASE("ellc blocks: a full set gives up the least recently used block, and a pending one never") {
  EllcBlocks set(3, 3);
  for (std::uint64_t line = 1; line <= 3; ++line) put(set, line);
  CHECK(displaced(set).empty());
  set.use(set.find({1}));
  put(set, 4);
  CHECK(displaced(set) == Lines{2});
  set[set.find({3})].pending = true;
  put(set, 5);
  CHECK(displaced(set) == Lines{1});
  for (const std::uint64_t line : {4, 5}) set[set.find({line})].pending = true;
  CHECK(put(set, 6) == EllcBlocks::kNone);
  CHECK(displaced(set).empty());
  CHECK(set.size() == 3);
}

TEST_CASE("ellc blocks: the order of use stays exact over more than 4096 accesses") {
  constexpr std::uint32_t kBlocks = 50;
  EllcBlocks set(kBlocks, kBlocks);
  Lines order;  // oldest first
  Rng rng(3);
  for (unsigned i = 0; i < 20'000; ++i) {
    const std::uint64_t line = rng.below(80);
    const auto known = std::find(order.begin(), order.end(), line);
    const EllcBlocks::Slot slot = set.find({line});
    REQUIRE((known != order.end()) == (slot != EllcBlocks::kNone));
    if (known != order.end()) {
      order.erase(known);
      set.use(slot);
    } else {
      Lines expected;
      if (order.size() == kBlocks) {
        expected = {order.front()};
        order.erase(order.begin());
      }
      put(set, line);
      REQUIRE(displaced(set) == expected);
    }
    order.push_back(line);
  }
}

TEST_CASE("ellc blocks: a victim keeps what it was, dirty or not, and its versions") {
  EllcBlocks set(1, 1);
  const auto slot = put(set, 7);
  set[slot].dirty = true;
  set[slot].versions = {1, 2, 3, 4};
  put(set, 8);
  REQUIRE(set.victims().size() == 1);
  CHECK(set.victims()[0].line == LineAddress{7});
  CHECK(set.victims()[0].dirty);
  CHECK(set.victims()[0].versions == SectorVersions{1, 2, 3, 4});
  CHECK_FALSE(set[set.find({8})].dirty);
}

TEST_CASE("ellc blocks: all are touched when each has been used since they were cleared, and a victim no longer counts") {
  EllcBlocks set(2, 2);
  put(set, 1);
  put(set, 2);
  CHECK(set.all_touched());
  set.clear_touched();
  CHECK_FALSE(set.all_touched());
  set.use(set.find({2}));
  CHECK_FALSE(set.all_touched());
  put(set, 3);  // replaces 1, which had not been used
  CHECK(set.all_touched());
  put(set, 4);  // replaces 2, which had been used
  CHECK(set.all_touched());
}

TEST_CASE("ellc blocks: registers are apportioned by space, the rest to the largest remainders, one at least uncompressed") {
  using Counts = std::array<std::uint32_t, kCompressionLevels>;  // uncompressed, low, high
  CHECK(apportion(46, {0, 0, 0}) == Counts{46, 0, 0});
  CHECK(apportion(46, {10, 0, 0}) == Counts{46, 0, 0});
  // Demands 5, 5, 5 registers of 15: 46/3 each = 15, and one more for the least compressed of the equal remainders.
  CHECK(apportion(46, {5, 10, 20}) == Counts{16, 15, 15});
  // Demands 18, 6, 2.5 quarters: 46 * 72/106 = 31.25, 46 * 24/106 = 10.42, 46 * 10/106 = 4.34: the last register goes to low.
  CHECK(apportion(46, {18, 12, 10}) == Counts{31, 11, 4});
  CHECK(apportion(46, {0, 0, 100}) == Counts{1, 0, 45});
  CHECK(apportion(1, {0, 5, 100}) == Counts{1, 0, 0});
}

TEST_CASE("ellc blocks: before any epoch every register holds one block, whatever its level") {
  EllcBlocks set(8, 4);
  for (std::uint64_t line = 0; line < 5; ++line) put(set, line, Level::high);
  CHECK(displaced(set) == Lines{0});
  CHECK(set.stored_level(set.find({4})) == Level::uncompressed);
}

TEST_CASE("ellc blocks: blocks go to the tightest level that has registers and is not tighter than their own") {
  EllcBlocks set(16, 4);
  set.assign({4, 4, 0});  // demands 4 and 2 of 4 registers: 3 and 1
  CHECK(set.places_of(Level::uncompressed) == 3);
  CHECK(set.places_of(Level::low) == 1);
  CHECK(set.stored_level(put(set, 1, Level::high)) == Level::low);
  CHECK(set.stored_level(put(set, 2, Level::low)) == Level::low);
  CHECK(set.stored_level(put(set, 3, Level::uncompressed)) == Level::uncompressed);
  CHECK(displaced(set).empty());
  put(set, 4, Level::low);  // the low register is full, however many uncompressed ones are free
  CHECK(displaced(set) == Lines{1});
}

TEST_CASE("ellc blocks: a high register holds four blocks and a low one two") {
  EllcBlocks set(96, 3);
  set.assign({1, 2, 4});
  for (std::uint64_t line = 0; line < 4; ++line) put(set, line, Level::high);
  for (std::uint64_t line = 10; line < 12; ++line) put(set, line, Level::low);
  put(set, 20);
  CHECK(set.size() == 7);
  CHECK(displaced(set).empty());
  put(set, 4, Level::high);
  put(set, 12, Level::low);
  put(set, 21);
  CHECK(displaced(set) == Lines{0, 10, 20});
}

TEST_CASE("ellc blocks: no more blocks than tags, and then the least recently used of all gives way") {
  EllcBlocks set(3, 4);
  set.assign({1, 0, 16});  // 46 % high: 1 + 3 registers, room for 13 blocks
  put(set, 1);
  for (std::uint64_t line = 2; line < 5; ++line) put(set, line, Level::high);
  CHECK(displaced(set) == Lines{1});
  CHECK(set.size() == 3);
}

TEST_CASE("ellc blocks: a block that grows moves to a looser register, where another gives way to it") {
  EllcBlocks set(16, 2);
  set.assign({1, 2, 0});
  put(set, 1);
  put(set, 2, Level::low);
  put(set, 3, Level::low);
  set.change_level(set.find({2}), Level::uncompressed);
  CHECK(displaced(set) == Lines{1});
  CHECK(set.stored_level(set.find({2})) == Level::uncompressed);
  put(set, 4, Level::low);  // in the space that it freed
  CHECK(displaced(set).empty());
  CHECK(set.size() == 3);
}

TEST_CASE("ellc blocks: a register that is given to another level loses its blocks, least recently used registers first") {
  EllcBlocks set(16, 4);
  for (std::uint64_t line = 1; line <= 4; ++line) put(set, line);
  set.use(set.find({1}));
  set.assign({4, 8, 0});  // two registers for low
  CHECK(displaced(set) == Lines{2, 3});
  CHECK(set.places_of(Level::low) == 2);
  CHECK(set.find({1}) != EllcBlocks::kNone);
  CHECK(set.find({4}) != EllcBlocks::kNone);
}

TEST_CASE("ellc blocks: whatever comes, levels change and layouts change, nothing is lost or kept twice") {
  constexpr std::uint32_t kTags = 20, kPlaces = 8;
  EllcBlocks set(kTags, kPlaces);
  Lines expected;
  Rng rng(11);
  const auto forget = [&] {
    for (const std::uint64_t line : displaced(set)) {
      const auto at = std::find(expected.begin(), expected.end(), line);
      REQUIRE(at != expected.end());
      expected.erase(at);
    }
  };
  for (unsigned i = 0; i < 20'000; ++i) {
    const std::uint64_t line = rng.below(60);
    const auto level = static_cast<Level>(rng.below(3));
    const auto slot = set.find({line});
    if (rng.below(50) == 0) {
      set.assign(
          {static_cast<std::uint32_t>(rng.below(9)), static_cast<std::uint32_t>(rng.below(9)), static_cast<std::uint32_t>(rng.below(9))});
    } else if (slot == EllcBlocks::kNone) {
      put(set, line, level);
      expected.push_back(line);
    } else {
      rng.below(2) == 0 ? set.use(slot) : set.change_level(slot, level);
    }
    forget();
    REQUIRE(set.size() == expected.size());
    REQUIRE(set.size() <= kTags);
    std::array<std::uint32_t, kCompressionLevels> kept{};
    for (const std::uint64_t here : expected) {
      const auto at = set.find({here});
      REQUIRE(at != EllcBlocks::kNone);
      REQUIRE(set.stored_level(at) <= set[at].level);  // never compressed further than possible
      ++kept[static_cast<unsigned>(set.stored_level(at))];
    }
    for (const Level each : {Level::uncompressed, Level::low, Level::high})
      REQUIRE(kept[static_cast<unsigned>(each)] <= set.places_of(each) * lines_per_register(each));
    REQUIRE(set.places_of(Level::uncompressed) >= 1);
  }
}
