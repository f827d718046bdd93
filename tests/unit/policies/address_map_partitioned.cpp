#include "policies/address_map/partitioned.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/error.h"

using namespace wharf;

TEST_CASE("a chunk belongs to the partition that is the parity of its number, and the rest of its number counts within (MG-10)") {
  const auto map = make_partitioned_address_map("interleave", 4, 1, 1, 8192);
  const auto half = make_address_map("interleave", 2, 1);
  const std::pair<std::uint64_t, std::uint32_t> parities[] = {{0, 0}, {1, 1}, {2, 1}, {3, 0}, {4, 1}, {7, 1}, {0x11, 0}, {0x8001, 0}};
  for (const auto& [chunk, partition] : parities) {
    CAPTURE(chunk);
    for (const Address within : {0u, 128u, 256u, 8191u}) {
      AddressMap::Target target = half->locate((chunk / 2) * 8192 + within);
      target.slice += 2 * partition;
      target.channel += 2 * partition;
      CHECK(map->locate(chunk * 8192 + within) == target);
    }
  }
}

TEST_CASE("partitioned ipoly_modulo gives 2^22 lines different places on 80, 96 and 128 slices (MG-10)") {
  for (const std::uint32_t slices : {80u, 96u, 128u}) {
    const auto map = make_partitioned_address_map("ipoly_modulo", slices / 2, 2, 1, 8192);
    constexpr std::uint64_t kLines = 1u << 22;
    std::vector<std::vector<bool>> seen(slices);
    for (std::uint64_t line = 0; line < kLines; ++line) {
      const auto target = map->locate(line * kLineBytes);
      std::vector<bool>& places = seen[target.slice];
      if (places.size() <= target.local_line) places.resize(target.local_line + 1);
      if (places[target.local_line]) FAIL("line " << line << " has the place of another");
      places[target.local_line] = true;
    }
    for (const std::vector<bool>& places : seen) CHECK(places.size() <= kLines / slices + 2 * 64);  // at most one chunk more than its share
  }
}

TEST_CASE("partitioned ipoly_modulo gives every slice its share of consecutive lines, but for a chunk (MG-10)") {
  for (const std::uint32_t slices : {80u, 96u, 128u}) {
    const auto map = make_partitioned_address_map("ipoly_modulo", slices / 2, 2, 1, 8192);
    std::vector<std::uint64_t> visits(slices, 0);
    constexpr std::uint64_t kLines = 1u << 20, kFirst = 12345, kChunkLines = 64;
    for (std::uint64_t line = kFirst; line < kFirst + kLines; ++line) ++visits[map->locate(line * kLineBytes).slice];
    const auto [least, most] = std::minmax_element(visits.begin(), visits.end());
    CHECK(*least + kChunkLines >= kLines / slices);
    CHECK(*most <= kLines / slices + kChunkLines);
  }
}

TEST_CASE("a partitioned map refuses an odd number of channels and chunks that are not a power of two of at least 256 bytes") {
  CHECK_THROWS_WITH(make_partitioned_address_map("interleave", 5, 2, 1, 8192), Catch::Contains("5 channels for two partitions"));
  CHECK_THROWS_WITH(make_partitioned_address_map("interleave", 4, 2, 1, 3072), Catch::Contains("chunks of 3072 bytes"));
  CHECK_THROWS_WITH(make_partitioned_address_map("interleave", 4, 2, 1, 128), Catch::Contains("chunks of 128 bytes"));
  CHECK_THROWS_WITH(make_partitioned_address_map("interleaf", 4, 2, 1, 8192), Catch::Contains("unknown address map"));
}
