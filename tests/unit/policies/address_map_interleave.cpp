#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "model/base/host/constant_divider.h"
#include "model/base/rng.h"
#include "policies/address_map/address_map.h"

using namespace wharf;

TEST_CASE("a constant divider divides every 64-bit number exactly") {
  const std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
  Rng rng(7);
  for (const std::uint64_t divisor :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{6}, std::uint64_t{10}, std::uint64_t{12}, std::uint64_t{24},
        std::uint64_t{4096}, (std::uint64_t{1} << 63) + 1, top - 1, top}) {
    const ConstantDivider divider(divisor);
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, divisor - 1, divisor, divisor * 2, top - 1, top}) {
      CHECK(divider.divide(value).quotient == value / divisor);
      CHECK(divider.divide(value).remainder == value % divisor);
    }
    for (int i = 0; i < 10000; ++i) {
      const std::uint64_t value = rng.next() >> (i % 64);
      const auto [quotient, remainder] = divider.divide(value);
      if (quotient != value / divisor || remainder != value % divisor) FAIL(value << " / " << divisor);
    }
  }
}

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
