// Compares several adjacent numbers with one value (model/base/host/equal_lanes.h).

#include "model/base/host/equal_lanes.h"

#include <catch2/catch.hpp>

#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("equal lanes: each place says for itself whether it is equal, first, last, all and none") {
  alignas(16) std::uint8_t bytes[16] = {};
  alignas(16) std::uint16_t words[32] = {};
  CHECK(equal_bytes(bytes, 0) == 0xFFFF);
  CHECK(equal_bytes(bytes, 1) == 0);
  CHECK(equal_words(words, 0) == 0xFFFF'FFFF);
  CHECK(equal_words(words, 0xFFFF) == 0);
  for (unsigned i = 0; i < 32; ++i) {
    words[i] = 0x8001;
    CHECK(equal_words(words, 0x8001) == std::uint32_t{1} << i);
    CHECK(equal_words(words, 0x0001) == 0);  // a match of half a number does not count
    words[i] = 0;
    if (i >= 16) continue;
    bytes[i] = 0x80;
    CHECK(equal_bytes(bytes, 0x80) == 1u << i);
    bytes[i] = 0;
  }
}

TEST_CASE("equal lanes: what the host does at once is what it does one by one, for any numbers") {
  Rng rng(1, 0);
  for (unsigned round = 0; round < 10'000; ++round) {
    alignas(16) std::uint8_t bytes[16];
    alignas(16) std::uint16_t words[32];
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.next() % 3 * 127);
    for (std::uint16_t& word : words) word = static_cast<std::uint16_t>(rng.next() % 3 * 0x7FFF);
    const std::uint8_t byte = bytes[rng.next() % 16];
    const std::uint16_t word = words[rng.next() % 32];
    if (equal_bytes(bytes, byte) != equal_lanes<16>(bytes, byte)) FAIL("bytes, round " << round);
    if (equal_words(words, word) != equal_lanes<32>(words, word)) FAIL("words, round " << round);
  }
}
