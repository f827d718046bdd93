#include <catch2/catch.hpp>
#include <cstdint>

#include "model/base/rng.h"
#include "policies/address_map/address_map.h"

using namespace wharf;

TEST_CASE("interleave follows CM-20 for the channel and slice counts of every machine") {
  struct Machine {
    std::uint32_t channels, slices;
  };
  Rng rng(1);
  for (const Machine m : {Machine{8, 1}, Machine{12, 2}, Machine{6, 2}, Machine{16, 2}, Machine{6, 1}, Machine{32, 2}, Machine{24, 2}}) {
    const auto map = make_address_map("interleave", m.channels, m.slices);
    for (int i = 0; i < 1000; ++i) {
      const Address address = rng.next();
      const std::uint64_t q = address >> 8;
      const auto target = map->locate(address);
      CHECK(target.channel == q % m.channels);
      CHECK(target.slice == m.slices * (q % m.channels) + q / m.channels % m.slices);
      CHECK(target.local_line == q / (m.channels * m.slices) * 2 + (address >> 7 & 1));
    }
  }
}

TEST_CASE("interleave deals 256-byte chunks of turing_30sm to channels first and slices next") {
  const auto map = make_address_map("interleave", 12, 2);
  CHECK(map->locate(0) == AddressMap::Target{0, 0, 0});
  CHECK(map->locate(128) == AddressMap::Target{0, 0, 1});
  CHECK(map->locate(256) == AddressMap::Target{1, 2, 0});
  CHECK(map->locate(11 * 256 + 255) == AddressMap::Target{11, 22, 1});
  CHECK(map->locate(12 * 256) == AddressMap::Target{0, 1, 0});
  CHECK(map->locate(24 * 256 + 128) == AddressMap::Target{0, 0, 2 + 1});
}

TEST_CASE("a 4 KB pitch camps on one of eight channels under interleave") {
  const auto map = make_address_map("interleave", 8, 1);
  for (Address row = 0; row < 64; ++row) CHECK(map->locate(row * 4096).channel == 0);
}
