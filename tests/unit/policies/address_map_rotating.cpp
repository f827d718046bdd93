#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "policies/address_map/rotating.h"
#include "policies/set_index/set_index.h"

using namespace wharf;

namespace {

/// The formula of morpheus section 4.1, nibble by nibble.
struct Written {
  std::uint64_t partition, local;
};
Written as_written(Address address, std::uint64_t partitions) {
  const std::uint64_t a = address >> 7, ch = a >> 1, q = ch / partitions, r = ch % partitions;
  std::uint64_t fold = 0;
  for (unsigned nibble = 0; nibble < 16; ++nibble) fold ^= q >> (4 * nibble) & 15;
  return {(r + fold) % partitions, q << 1 | (a & 1)};
}

}  // namespace

TEST_CASE("the rotating map of ampere_68sm follows morpheus section 4.1 for partition and block, 4.2 for bank and set") {
  const RotatingMap map(20, 2, 2);
  const SetIndex sets = make_set_index("fold8", 64);
  Rng rng(5);
  for (int i = 0; i < 5000; ++i) {
    const Address address = rng.below(10ull << 30);
    const Written written = as_written(address, 10);
    const RotatingMap::Block block = map.block(address);
    REQUIRE(block.partition == written.partition);
    REQUIRE(block.local == written.local);
    REQUIRE(block.local < 1u << 23);
    const std::uint64_t x = block.local ^ block.local >> 8 ^ block.local >> 16;
    const AddressMap::Target target = map.locate(address);
    REQUIRE(target.slice == 4 * block.partition + (x & 3));
    REQUIRE(target.channel == target.slice / 2);
    REQUIRE(sets(target.local_line) == (x >> 2 & 63));
  }
}

TEST_CASE("sixteen banks a partition take four bits of the same hash, and the sets the next six") {
  const RotatingMap map(20, 8, 2);
  const SetIndex sets = make_set_index("fold8", 64);
  Rng rng(6);
  for (int i = 0; i < 2000; ++i) {
    const Address address = rng.below(10ull << 30);
    const RotatingMap::Block block = map.block(address);
    const std::uint64_t x = block.local ^ block.local >> 8 ^ block.local >> 16;
    const AddressMap::Target target = map.locate(address);
    REQUIRE(block.partition == as_written(address, 10).partition);
    REQUIRE(target.slice == 16 * block.partition + (x & 15));
    REQUIRE(target.channel == target.slice / 8);
    REQUIRE(sets(target.local_line) == (x >> 4 & 63));
  }
}

TEST_CASE("partition and block of a line are in one-to-one correspondence with it") {
  const RotatingMap map(20, 2, 2);
  constexpr unsigned kRounds = 4096;
  std::vector<unsigned> seen(10 * 2 * kRounds);
  for (std::uint64_t line = 0; line < seen.size(); ++line) {
    const RotatingMap::Block block = map.block(line * kLineBytes);
    REQUIRE(block.local < 2 * kRounds);
    ++seen[block.partition * 2 * kRounds + block.local];
  }
  CHECK(seen == std::vector<unsigned>(seen.size(), 1));
}

TEST_CASE("a pitch of as many chunks as there are partitions visits all partitions alike, and one of 4 KB all banks") {
  const RotatingMap map(20, 2, 2);
  std::vector<unsigned> partitions(10), banks(40);
  // Sixteen rounds take each value of the fold once. Over ten partitions, six of them occur twice.
  for (Address i = 0; i < 16; ++i) ++partitions[map.block(i * 10 * 256).partition];
  for (const unsigned visits : partitions) CHECK((visits == 1 || visits == 2));
  for (Address i = 0; i < 4000; ++i) ++banks[map.locate(i * 4096).slice];
  for (const unsigned visits : banks) CHECK((visits > 50 && visits < 150));
}

TEST_CASE("the rotating map refuses parts of partitions, and banks that are no power of two") {
  CHECK_THROWS_WITH(RotatingMap(20, 2, 3), Catch::Contains("20 channels in partitions of 3"));
  CHECK_THROWS_WITH(RotatingMap(20, 2, 0), Catch::Contains("partitions of 0"));
  CHECK_THROWS_WITH(RotatingMap(20, 3, 2), Catch::Contains("2 channels a partition of 3 slices"));
  CHECK_THROWS_WITH(RotatingMap(9, 2, 3), Catch::Contains("3 channels a partition of 2 slices"));
}
