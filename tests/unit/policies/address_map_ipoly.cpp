#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "policies/address_map/address_map.h"
#include "policies/polynomial_hash.h"

using namespace wharf;

namespace {

// number * x^shift modulo `polynomial` of degree `bits`, one coefficient at a time.
std::uint32_t residue(std::uint64_t number, unsigned shift, unsigned bits, std::uint32_t polynomial) {
  std::uint32_t rest = 0;
  const auto push = [&](std::uint32_t coefficient) {
    rest = rest << 1 | coefficient;
    if (rest >> bits & 1) rest ^= polynomial;
  };
  for (int bit = 63; bit >= 0; --bit) push(number >> bit & 1);
  for (unsigned i = 0; i < shift; ++i) push(0);
  return rest;
}

}  // namespace

TEST_CASE("the polynomials of CM-38 are x^6 + x + 1 and x^5 + x^2 + 1") {
  CHECK(PolynomialHash::polynomial(6) == (1u << 6) + (1u << 1) + 1u);
  CHECK(PolynomialHash::polynomial(5) == (1u << 5) + (1u << 2) + 1u);
}

TEST_CASE("every hash polynomial is primitive") {
  for (unsigned bits = 1; bits <= PolynomialHash::kMaxBits; ++bits) {
    std::uint32_t power = 1;
    std::uint32_t order = 0;
    do {
      power = residue(power, 1, bits, PolynomialHash::polynomial(bits));
      ++order;
    } while (power != 1 && order < 1u << bits);
    CHECK(order == (1u << bits) - 1);
  }
}

TEST_CASE("a polynomial hash is the residue of the shifted number") {
  Rng rng(3);
  for (unsigned bits = 1; bits <= PolynomialHash::kMaxBits; ++bits) {
    const PolynomialHash hash(bits);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t high = rng.next() >> (i % 64);
      CHECK(hash(high) == residue(high, bits, bits, PolynomialHash::polynomial(bits)));
    }
  }
}

TEST_CASE("a polynomial hash of no bits is always zero") { CHECK(PolynomialHash(0)(0x123456789ABCDEFu) == 0); }

TEST_CASE("a polynomial hash of more bits than there are polynomials is refused") {
  CHECK_THROWS_AS(PolynomialHash(PolynomialHash::kMaxBits + 1), InputError);
}

TEST_CASE("ipoly of volta_qv100 takes the slice from bits 13 and 8 to 12 and hashes the bits from 14") {
  const auto map = make_address_map("ipoly", 32, 2);
  // No bit above 13: no hash. The channel field is bits 8..12, the slice of the channel is bit 13.
  CHECK(map->locate(0) == AddressMap::Target{0, 0, 0});
  CHECK(map->locate(0x80) == AddressMap::Target{0, 0, 1});
  CHECK(map->locate(0x100) == AddressMap::Target{1, 2 * 1, 0});
  CHECK(map->locate(0x1F00) == AddressMap::Target{31, 2 * 31, 0});
  CHECK(map->locate(0x2000) == AddressMap::Target{0, 1, 0});
  // Bit 14 is x^6 = x + 1 and bit 15 is x^7 = x^2 + x.
  CHECK(map->locate(0x4000) == AddressMap::Target{1, 3, 1 * 2});
  CHECK(map->locate(0x8000) == AddressMap::Target{3, 6, 2 * 2});
  CHECK(map->locate(0x8000 + 0x2000 + 0x300 + 0x80) == AddressMap::Target{(6 ^ 7) / 2, 6 ^ (1 + 2 * 3), 2 * 2 + 1});
}

TEST_CASE("ipoly XORs the slice fields with the residue of the address above them for all powers of two") {
  Rng rng(5);
  for (unsigned channel_bits = 0; channel_bits <= 6; ++channel_bits) {
    for (unsigned sub_bits = 0; sub_bits <= 2; ++sub_bits) {
      const unsigned bits = channel_bits + sub_bits;
      const auto map = make_address_map("ipoly", 1u << channel_bits, 1u << sub_bits);
      for (int i = 0; i < 200; ++i) {
        const Address address = rng.next() >> (i % 32);
        const std::uint64_t channel_field = (address >> 8) % (1u << channel_bits);
        const std::uint64_t sub_field = (address >> (8 + channel_bits)) % (1u << sub_bits);
        const std::uint64_t high = address >> (8 + bits);
        const std::uint64_t hash = bits == 0 ? 0 : residue(high, bits, bits, PolynomialHash::polynomial(bits));
        const auto target = map->locate(address);
        CHECK(target.slice == ((channel_field << sub_bits | sub_field) ^ hash));
        CHECK(target.channel == target.slice >> sub_bits);
        CHECK(target.local_line == high * 2 + (address >> 7 & 1));
      }
    }
  }
}

TEST_CASE("a column walk of 16 KB pitch visits all slices and channels of volta_qv100 evenly") {
  const auto map = make_address_map("ipoly", 32, 2);
  std::vector<unsigned> visits(64, 0);
  std::set<std::uint32_t> channels;
  for (Address row = 0; row < 64; ++row) {
    const auto target = map->locate(row << 14);
    ++visits[target.slice];
    channels.insert(target.channel);
  }
  CHECK(visits == std::vector<unsigned>(64, 1));
  CHECK(channels.size() == 32);
}

TEST_CASE("every power-of-two stride from 256 bytes to 1 GB visits each of 64 slices once in 64 steps under ipoly") {
  const auto map = make_address_map("ipoly", 32, 2);
  for (unsigned shift = 8; shift <= 30; ++shift) {
    std::set<std::uint32_t> slices;
    for (Address step = 0; step < 64; ++step) slices.insert(map->locate(step << shift).slice);
    CHECK(slices.size() == 64);
  }
}

TEST_CASE("ipoly refuses channel and slice counts that are not powers of two") {
  CHECK_THROWS_WITH(make_address_map("ipoly", 12, 2), Catch::Contains("powers of two") && Catch::Contains("12 channels of 2 slices"));
  CHECK_THROWS_AS(make_address_map("ipoly", 8, 3), InputError);
  CHECK_THROWS_WITH(make_address_map("ipoly", 8192, 1), Catch::Contains("at most 4096"));
}
