// The owner warp of each set (morpheus section 4.3), and the set of each block (morpheus section 4.2).
#include "model/designs/morpheus/ellc_geometry.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "model/designs/morpheus/controller/address_separator_logic.h"
#include "model/designs/morpheus/controller/ellc_directory.h"

using namespace wharf;

TEST_CASE("51 cache SMs of 32 and 16 warps fill ten partitions with at most 246 rows, to within one set of each kind") {
  const EllcGeometry geometry(EllcKernelParams{}, 51, 10);
  CHECK(geometry.most_rows() == (51 * 32 + 9) / 10 + (51 * 16 + 9) / 10);  // 164 + 82
  for (unsigned partition = 0; partition < 10; ++partition) {
    const auto& rows = geometry.rows(partition);
    const auto rf = std::count_if(rows.begin(), rows.end(), [](const EllcSet& set) { return set.unit == EllcUnit::register_file; });
    CHECK((rf == 163 || rf == 164));
    CHECK((static_cast<long>(rows.size()) - rf == 81 || static_cast<long>(rows.size()) - rf == 82));
    for (long row = 0; row < static_cast<long>(rows.size()); ++row)
      CHECK((rows[static_cast<std::size_t>(row)].unit == EllcUnit::register_file) == (row < rf));
  }
}

TEST_CASE("set i of cache SM c is in partition (sets * c + i) mod partitions, and its row names it again") {
  const EllcGeometry geometry(EllcKernelParams{}, 7, 10);
  for (unsigned sm = 0; sm < 7; ++sm) {
    for (unsigned warp = 0; warp < 48; ++warp) {
      const auto place = geometry.place(sm, warp);
      CHECK(place.partition == (warp < 32 ? 32 * sm + warp : 16 * sm + warp - 32) % 10);
      const EllcSet& set = geometry.rows(place.partition).at(place.row);
      CHECK(set.cache_sm == sm);
      CHECK(set.warp == warp);
      CHECK(set.blocks == (warp < 32 ? 50u : 64u));
    }
  }
  CHECK(geometry.most_blocks() == 7 * (32 * 50 + 16 * 64));
}

TEST_CASE("the mix is a bijection on 23 bits") {
  std::vector<bool> seen(1u << 23);
  for (std::uint32_t x = 0; x < 1u << 23; ++x) seen[AddressSeparator::mix(x)] = true;
  CHECK(std::all_of(seen.begin(), seen.end(), [](bool one) { return one; }));
}

TEST_CASE("the share of blocks that the extended LLC has is its share of the capacity, and so is that of every set") {
  const EllcGeometry geometry(EllcKernelParams{}, 26, 10);
  const auto& rows = geometry.rows(3);
  const AddressSeparator separator(rows, 4096);
  std::vector<std::uint64_t> blocks(rows.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> of_some_rows;
  std::uint64_t extended = 0, of_those = 0;
  for (std::uint64_t local = 0; local < 1u << 23; ++local) {
    const auto home = separator.of(local);
    if (!home.extended) continue;
    ++extended;
    ++blocks.at(home.row);
    REQUIRE(home.tag < 1u << 18);  // morpheus section 4.4
    if (home.row % 40 == 0) {
      of_some_rows.emplace(home.row, home.tag);
      ++of_those;
    }
  }
  CHECK(of_some_rows.size() == of_those);  // row and tag identify the block
  std::uint64_t capacity = 0;
  for (const EllcSet& set : rows) capacity += set.blocks;
  CHECK(separator.extended_share() == Approx(static_cast<double>(capacity) / static_cast<double>(4096 + capacity)));
  CHECK(static_cast<double>(extended) / (1u << 23) == Approx(separator.extended_share()).epsilon(1e-5));
  for (std::size_t row = 0; row < rows.size(); ++row)
    CHECK(static_cast<double>(blocks[row]) / (1u << 23) == Approx(rows[row].blocks / static_cast<double>(4096 + capacity)).epsilon(1e-3));
}

TEST_CASE("a few thousand blocks in a row, anywhere, are split in proportion within one hundredth") {
  const AddressSeparator separator(EllcGeometry(EllcKernelParams{}, 26, 10).rows(0), 4096);
  for (const std::uint64_t base : {0ull, 0x40'0000ull, 0x123'4567'89ABull, 0xFFFF'0000ull << 23}) {
    unsigned extended = 0;
    for (std::uint64_t local = base; local < base + 50000; ++local) extended += separator.of(local).extended ? 1 : 0;
    CHECK(extended / 50000.0 == Approx(separator.extended_share()).margin(0.01));
  }
}

TEST_CASE("without cache-mode SMs every block is conventional") {
  const AddressSeparator separator(EllcGeometry(EllcKernelParams{}, 0, 10).rows(0), 4096);
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(separator.of(rng.below(1ull << 40)).extended);
}

TEST_CASE("the directory shows what an operation has changed when its result is applied, and refuses a line in two places") {
  EllcDirectory directory(2, 8);
  directory.report(1, 5, {100}, true);
  directory.report(1, 5, {101}, true);
  CHECK_FALSE(directory.resident({100}));
  directory.apply(1, 4);
  CHECK_FALSE(directory.resident({100}));
  directory.apply(1, 5);
  CHECK(directory.resident({100}));
  CHECK(directory.lines(1, 5).size() == 2);
  directory.report(1, 5, {100}, false);
  directory.report(0, 5, {100}, true);
  directory.apply(1, 5);
  directory.apply(0, 5);
  CHECK(directory.resident({100}));
  CHECK(directory.lines(1, 5) == std::vector<LineAddress>{{101}});
  directory.report(0, 6, {101}, true);
  CHECK_THROWS_WITH(directory.apply(0, 6), Catch::Contains("takes in line 101, which it has already"));
}

TEST_CASE("a set that gives up a line which is elsewhere is refused") {
  EllcDirectory directory(2, 8);
  directory.report(1, 5, {100}, true);
  directory.apply(1, 5);
  directory.report(1, 4, {100}, false);
  CHECK_THROWS_AS(directory.apply(1, 4), SimulationError);
}
