#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "policies/address_map/address_map.h"
#include "policies/polynomial_hash.h"

using namespace wharf;

namespace {

/// Accesses of the most loaded slice, as a multiple of its share, over 64 K lines `stride` lines apart.
double fullest(const AddressMap& map, std::uint32_t slices, std::uint64_t stride) {
  constexpr std::uint64_t kAccesses = 1u << 16;
  std::vector<std::uint64_t> visits(slices, 0);
  for (std::uint64_t i = 0; i < kAccesses; ++i) ++visits[map.locate(i * stride * kLineBytes).slice];
  return static_cast<double>(*std::max_element(visits.begin(), visits.end())) * slices / kAccesses;
}

}  // namespace

TEST_CASE("ipoly_modulo selects one of 80 slices by 16 hashed groups and a modulo of 5 that rotates per round") {
  const auto map = make_address_map("ipoly_modulo", 40, 2);
  // The low four bits of the chunk are the group, and no bit above them is set: slice 5 x group.
  CHECK(map->locate(0x000) == AddressMap::Target{0, 0, 0});
  CHECK(map->locate(0x080) == AddressMap::Target{0, 0, 1});
  CHECK(map->locate(0xF00) == AddressMap::Target{37, 75, 0});
  // Chunk 16: 1 above the group bits, hash x^4 = x + 1 = group 3, member 1.
  CHECK(map->locate(0x1000) == AddressMap::Target{8, 16, 0});
  // Chunk 80: 5 above the group bits, the second round; hash x^4 (x^2 + 1) = x^6 + x^4 = (x^3 + x^2) + (x + 1) = group 15, member (5 + 1)
  // mod 5.
  CHECK(map->locate(80 * 256) == AddressMap::Target{38, 76, 2});
}

TEST_CASE("ipoly_modulo is ipoly with a power of two of channels of one slice") {
  const auto modulo = make_address_map("ipoly_modulo", 32, 1), ipoly = make_address_map("ipoly", 32, 1);
  for (std::uint64_t line = 0; line < 1u << 16; ++line) {
    const Address address = line * 37 * kLineBytes;
    REQUIRE(modulo->locate(address) == ipoly->locate(address));
  }
}

TEST_CASE("ipoly_modulo gives every slice its share of consecutive lines (MG-10)") {
  for (const std::uint32_t slices : {80u, 96u, 128u}) {
    const auto map = make_address_map("ipoly_modulo", slices / 2, 2);
    std::vector<std::uint64_t> visits(slices, 0);
    constexpr std::uint64_t kLines = 1u << 20, kFirst = 12345;
    for (std::uint64_t line = kFirst; line < kFirst + kLines; ++line) ++visits[map->locate(line * kLineBytes).slice];
    const auto [least, most] = std::minmax_element(visits.begin(), visits.end());
    CHECK(*least + 4 >= kLines / slices);  // a chunk is two lines, and one may be cut at each end
    CHECK(*most <= kLines / slices + 4);
  }
}

TEST_CASE("ipoly_modulo loads no slice with more than twice its share of strided accesses (MG-10)") {
  for (const std::uint32_t slices : {80u, 96u, 128u}) {
    const auto map = make_address_map("ipoly_modulo", slices / 2, 2);
    const std::uint64_t odd = slices == 80 ? 5 : slices == 96 ? 3 : 1;
    for (const std::uint64_t factor : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{5}, odd}) {
      for (unsigned shift = 0; shift <= 16; ++shift) {
        INFO(slices << " slices, stride of " << factor << " << " << shift << " lines");
        CHECK(fullest(*map, slices, factor << shift) <= 2.0);
      }
    }
  }
}

TEST_CASE("ipoly_modulo takes any slice count up to 4096 as a factor") {
  CHECK_NOTHROW(make_address_map("ipoly_modulo", 4096, 3));
  CHECK_THROWS_WITH(make_address_map("ipoly_modulo", 8192, 3), Catch::Contains("at most 4096"));
}
