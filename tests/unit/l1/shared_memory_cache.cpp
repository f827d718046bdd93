// Unused shared memory as a direct-mapped cache: its region, the place of a line, and its contents (ciao sections 6.1 and 6.2).

#include <catch2/catch.hpp>
#include <set>

#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"
#include "model/l1_sharing/shared_memory/shared_memory_turns.h"
#include "tests/unit/counted.h"

using namespace wharf;
using test::counted;

namespace {

constexpr std::uint32_t k48KiB = 48 * 1024;

LineAddress line_of(Address address) { return {address / kLineBytes}; }

SharedMemoryCacheParams params_of(SharedMemoryPlacement placement) {
  SharedMemoryCacheParams params;
  params.placement = placement;
  return params;
}

struct Cache {
  stats::Registry registry;
  stats::Group group{registry, "l1", 0};
  SharedMemoryCache cache;

  explicit Cache(std::uint32_t bytes = k48KiB, SharedMemoryPlacement placement = SharedMemoryPlacement::plain)
      : cache(group, params_of(placement), true) {
    cache.become(SharedMemoryRegion::of(bytes, 0));
  }
  std::optional<SharedMemoryCache::Evicted> install(Address address, std::uint16_t warp = 0, SectorMask sectors = kAllSectors,
                                                    const SectorVersions& versions = {}) {
    Access access;
    access.line = line_of(address);
    access.warp = warp;
    return cache.install(access, sectors, versions);
  }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "l1.shared_memory_cache." + metric); }
};

}  // namespace

// CIAO-O19: above the program's allocation, at the end; CIAO-O20: 192 rows; CIAO-O21: data and tag rows.
TEST_CASE("shared-memory cache: rows, lines and capacity of every fraction of shared memory in the published table") {
  struct Row {
    double used;
    std::uint32_t rows, data_rows, lines, kib;
  };
  for (const Row& row :
       {Row{0.00, 192, 128, 256, 32}, Row{0.01, 190, 128, 256, 32}, Row{0.13, 167, 128, 256, 32}, Row{0.19, 155, 128, 256, 32},
        Row{0.33, 128, 64, 128, 16}, Row{0.35, 124, 64, 128, 16}, Row{0.50, 96, 64, 128, 16}}) {
    CAPTURE(row.used);
    const auto used = static_cast<std::uint32_t>(row.used * k48KiB + 0.999);
    const SharedMemoryRegion region = SharedMemoryRegion::of(k48KiB, used);
    CHECK((k48KiB - used) / 256 == row.rows);
    CHECK(region.data_rows == row.data_rows);
    CHECK(region.lines() == row.lines);
    CHECK(region.lines() * kLineBytes == row.kib * 1024);
    CHECK(region.tag_rows == row.data_rows / 32);
    CHECK(region.data_from == 192 - row.rows);
    CHECK(region.data_from * 256 >= used);
    CHECK(region.tags_from == region.data_from + region.data_rows);
    CHECK(region.tags_from + region.tag_rows <= 192);
  }
}

// CIAO-O20: at most 256 rows; CIAO-O21: no region of fewer than two.
TEST_CASE("shared-memory cache: two free rows are the smallest region, and 256 data rows the largest") {
  CHECK_FALSE(SharedMemoryRegion::of(0, 0).live());
  CHECK_FALSE(SharedMemoryRegion::of(k48KiB, k48KiB).live());
  CHECK_FALSE(SharedMemoryRegion::of(k48KiB, k48KiB - 511).live());
  CHECK_FALSE(SharedMemoryRegion::of(1024, 4096).live());
  CHECK(SharedMemoryRegion::of(k48KiB, k48KiB - 512).data_rows == 1);
  CHECK(SharedMemoryRegion::of(k48KiB, k48KiB - 512).tag_rows == 1);
  CHECK(SharedMemoryRegion::of(3 * 256, 0).data_rows == 2);
  CHECK(SharedMemoryRegion::of(33 * 256, 0).data_rows == 32);
  CHECK(SharedMemoryRegion::of(32 * 256, 0).data_rows == 16);
  CHECK(SharedMemoryRegion::of(164 * 1024, 0).data_rows == 256);
  CHECK(SharedMemoryRegion::of(164 * 1024, 0).tag_rows == 8);
}

TEST_CASE("shared-memory cache: fields of addresses worked out by hand") {
  const SharedMemoryRegion all = SharedMemoryRegion::of(k48KiB, 0), half = SharedMemoryRegion::of(k48KiB, k48KiB / 2);
  // 0x00012A80: G = A[7] = 1, R = A[15:8] = 0x2A = 42 = 1 * 32 + 10, position 10 = bank 5, lower half
  const SharedMemoryPlace a = place_in(all, SharedMemoryPlacement::plain, line_of(0x00012A80));
  CHECK(a.group == 1);
  CHECK(a.row == 0 + 42);
  CHECK(a.tag_row == 128 + 1);
  CHECK(a.tag_bank == 5);
  CHECK(a.tag_half == 0);
  // 0xABCDE740: G = 0, R = 0xE7 = 231, which the mask reduces to 103 = 3 * 32 + 7, position 7 = bank 3, upper half
  const SharedMemoryPlace b = place_in(all, SharedMemoryPlacement::plain, line_of(0xABCDE740));
  CHECK(b.group == 0);
  CHECK(b.row == 103);
  CHECK(b.tag_row == 128 + 3);
  CHECK(b.tag_bank == 3);
  CHECK(b.tag_half == 1);
  // Half of the region: rows 96 to 159 are data, 160 and 161 tags; 231 becomes 39 = 1 * 32 + 7
  const SharedMemoryPlace c = place_in(half, SharedMemoryPlacement::plain, line_of(0xABCDE7C0));
  CHECK(c.group == 1);
  CHECK(c.row == 96 + 39);
  CHECK(c.tag_row == 160 + 1);
  CHECK(c.tag_bank == 3);
  CHECK(c.tag_half == 1);
}

TEST_CASE("shared-memory cache: no two places share data or a tag, and none leaves the region") {
  for (const std::uint32_t used : {0u, 10'000u, 30'000u, 48'000u})
    for (const auto placement : {SharedMemoryPlacement::plain, SharedMemoryPlacement::hash, SharedMemoryPlacement::fold}) {
      const SharedMemoryRegion region = SharedMemoryRegion::of(k48KiB, used);
      std::vector<std::array<std::uint32_t, 2>> data;
      std::vector<std::array<std::uint32_t, 4>> tags;
      for (std::uint64_t line = 0; line < region.lines(); ++line) {
        const SharedMemoryPlace place = place_in(region, placement, {line});
        CHECK(place.row * 256 >= used);
        CHECK(place.row < region.tags_from);
        CHECK(place.tag_row < 192);
        CHECK(place.tag_bank < 16);
        CHECK(place.block < region.lines());
        data.push_back({place.group, place.row});
        tags.push_back({1 - place.group, place.tag_row, place.tag_bank, place.tag_half});
      }
      std::sort(data.begin(), data.end());
      std::sort(tags.begin(), tags.end());
      CHECK(std::adjacent_find(data.begin(), data.end()) == data.end());
      CHECK(std::adjacent_find(tags.begin(), tags.end()) == tags.end());
    }
}

// CIAO-O21: the fold reaches 32 places
// CIAO-O21: the three placements.
TEST_CASE("shared-memory cache: places of rows 16 KB apart, by plain bits, the hash of the L1, and a fold of the line's number") {
  const SharedMemoryRegion region = SharedMemoryRegion::of(k48KiB, 0);
  REQUIRE(region.lines() == 256);
  struct Row {
    SharedMemoryPlacement placement;
    std::size_t places;        // distinct places of the 32 rows that a warp reads in a row walk
    std::uint32_t of_0x8A480;  // line 0x1149 = 0b1'0001'0100'1001
  };
  for (const Row& row :
       {Row{SharedMemoryPlacement::plain, 2, 0x49}, Row{SharedMemoryPlacement::hash, 8, 0x49 ^ 0b10101},  // bits 8 and 6: 5, bit 12: 16
        Row{SharedMemoryPlacement::fold, 32, 0x49 ^ 0x11}}) {
    std::set<std::uint32_t> places;
    for (Address lane = 0; lane < 32; ++lane) places.insert(place_in(region, row.placement, line_of(lane * 16 * 1024)).block);
    CHECK(places.size() == row.places);
    CHECK(place_in(region, row.placement, line_of(0x8A480)).block == row.of_0x8A480);
  }
  // Bit 16 of the number is folded too, and no address is mistaken for another in its place.
  CHECK(place_in(region, SharedMemoryPlacement::fold, {0x10000}).block == 1);
  Cache cache(k48KiB, SharedMemoryPlacement::fold);
  cache.install(0x10000 * kLineBytes);
  CHECK(cache.cache.holds({0x10000}, kAllSectors));
  CHECK_FALSE(cache.cache.holds({1}, 1));
  CHECK(cache.install(1 * kLineBytes)->line == LineAddress{0x10000});
  CHECK_FALSE(cache.cache.holds({0x10000}, 1));
}

TEST_CASE("shared-memory cache: lines a capacity apart take each other's place, and the eviction names whose line went") {
  Cache cache;
  CHECK_FALSE(cache.install(0x10000, 3, kAllSectors, {7, 7, 7, 7}));
  CHECK(cache.cache.holds(line_of(0x10000), kAllSectors));
  CHECK_FALSE(cache.install(0x10080, 4));
  CHECK(cache.cache.valid_lines() == 2);
  const auto evicted = cache.install(0x10000 + 32 * 1024, 5);
  REQUIRE(evicted);
  CHECK(evicted->line == line_of(0x10000));
  CHECK(evicted->origin.warp == 3);
  CHECK(cache.cache.held(line_of(0x10000)) == 0);
  CHECK(cache.cache.holds(line_of(0x18000), kAllSectors));
  CHECK(cache.cache.valid_lines() == 2);
  CHECK(cache.count("evictions") == 1);
  CHECK(cache.count("fills") == 3);
}

TEST_CASE("shared-memory cache: sectors of a line come and go one by one, with their versions") {
  Cache cache;
  cache.install(0x400, 0, 0b0011, {1, 2, 0, 0});
  CHECK_FALSE(cache.install(0x400, 0, 0b0100, {9, 9, 3, 9}));
  CHECK(cache.cache.held(line_of(0x400)) == 0b0111);
  SectorVersions versions{};
  cache.cache.read(line_of(0x400), 0b1111, versions);
  CHECK(versions == SectorVersions{1, 2, 3, 0});
  cache.cache.invalidate(line_of(0x400), 0b0110);
  CHECK(cache.cache.held(line_of(0x400)) == 0b0001);
  cache.cache.invalidate(line_of(0x8400), kAllSectors);  // another line with the same place
  CHECK(cache.count("invalidated") == 0);
  cache.cache.invalidate(line_of(0x400), kAllSectors);
  CHECK(cache.count("invalidated") == 1);
  CHECK(cache.cache.valid_lines() == 0);
}

// CIAO-O19
TEST_CASE("shared-memory cache: a new region begins empty, and valid lines are counted over time") {
  Cache cache;
  cache.install(0x400);
  cache.cache.count_to(100);
  cache.install(0x500);
  cache.cache.count_to(110);
  CHECK(cache.count("valid_line_cycles") == 1 * 100 + 2 * 10);
  cache.cache.become(SharedMemoryRegion::of(k48KiB, 1000));
  CHECK(cache.cache.held(line_of(0x400)) == 0);
  cache.cache.count_to(1000);
  CHECK(cache.count("valid_line_cycles") == 120);
  cache.cache.become({});
  CHECK_FALSE(cache.cache.live());
  CHECK(cache.cache.held(line_of(0x400)) == 0);
}

TEST_CASE("shared-memory turns: an instruction has the cycles after the one in which it leaves the load/store unit") {
  SharedMemoryTurns turns;
  CHECK(turns.free(0));
  turns.start(0, 1);
  CHECK(turns.free(0));
  CHECK_FALSE(turns.free(1));
  CHECK(turns.free(2));
  turns.start(10, 3);
  CHECK(turns.free(10));
  CHECK_FALSE(turns.free(11));
  CHECK_FALSE(turns.free(13));
  turns.start(13, 2);  // cycle 13 stays reserved, whether the question comes before or after
  CHECK_FALSE(turns.free(13));
  CHECK_FALSE(turns.free(15));
  CHECK(turns.free(16));
}

TEST_CASE("shared-memory turns: a claim keeps the program out from the next cycle on, until the cycle after it is given back") {
  SharedMemoryTurns turns;
  CHECK(turns.may_start(5));
  turns.claim(5);
  CHECK(turns.may_start(5));
  CHECK_FALSE(turns.may_start(6));
  turns.release(8);
  CHECK_FALSE(turns.may_start(8));
  CHECK(turns.may_start(9));
  turns.claim(9);
  CHECK(turns.may_start(9));
  CHECK_FALSE(turns.may_start(10));
}
