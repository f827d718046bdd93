#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/bits.h"

using namespace wharf;

TEST_CASE("set bits are counted in words of every width") {
  CHECK(popcount(std::uint8_t{0xF0}) == 4);
  CHECK(popcount(std::uint32_t{0xFFFFFFFF}) == 32);
  CHECK(popcount(std::uint64_t{1} << 63) == 1);
  CHECK(popcount(0u) == 0);
}

TEST_CASE("trailing zeros are the index of the lowest set bit and the width for an empty word") {
  CHECK(count_trailing_zeros(1u) == 0);
  CHECK(count_trailing_zeros(std::uint64_t{1} << 40) == 40);
  CHECK(count_trailing_zeros(std::uint32_t{0}) == 32);
  CHECK(count_trailing_zeros(std::uint8_t{0}) == 8);
}

TEST_CASE("only words with one set bit are powers of two") {
  CHECK(is_power_of_two(1u));
  CHECK(is_power_of_two(std::uint64_t{1} << 63));
  CHECK_FALSE(is_power_of_two(0u));
  CHECK_FALSE(is_power_of_two(6u));
}

TEST_CASE("logarithms round down and up between powers of two and agree on them") {
  CHECK(floor_log2(1u) == 0);
  CHECK(ceil_log2(1u) == 0);
  CHECK(floor_log2(5u) == 2);
  CHECK(ceil_log2(5u) == 3);
  CHECK(floor_log2(8u) == 3);
  CHECK(ceil_log2(8u) == 3);
  CHECK(ceil_log2(9u) == 4);
  CHECK(floor_log2(~std::uint64_t{0}) == 63);
  CHECK(ceil_log2(~std::uint64_t{0}) == 64);
}

TEST_CASE("a loop over set bits visits them in ascending order and an empty word not at all") {
  std::vector<unsigned> visited;
  for (const unsigned bit : set_bits(std::uint64_t{1} << 63 | 0b1010u)) visited.push_back(bit);
  CHECK(visited == std::vector<unsigned>{1, 3, 63});
  for (const unsigned bit : set_bits(std::uint16_t{0})) FAIL("visited " << bit);
}

TEST_CASE("a loop over set bits runs over the word as it was at the beginning") {
  std::uint32_t word = 0b111;
  unsigned sum = 0;
  for (const unsigned bit : set_bits(word)) {
    word = 0;
    sum += bit;
  }
  CHECK(sum == 0 + 1 + 2);
}

TEST_CASE("a round-robin step takes the first set bit at or after its start and wraps around") {
  const std::uint64_t word = std::uint64_t{1} << 63 | 0b100100u;
  CHECK(next_bit_from(word, 0) == 2);
  CHECK(next_bit_from(word, 2) == 2);
  CHECK(next_bit_from(word, 3) == 5);
  CHECK(next_bit_from(word, 6) == 63);
  CHECK(next_bit_from(std::uint64_t{0b100100}, 6) == 2);
  CHECK(next_bit_from(std::uint8_t{0x81}, 1) == 7);
}
