#include <catch2/catch.hpp>
#include <cstdint>
#include <set>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "model/base/types.h"
#include "policies/address_map/address_map.h"
#include "policies/set_index/set_index.h"

using namespace wharf;

namespace {

std::uint32_t bit(std::uint64_t word, unsigned position) { return word >> position & 1; }

}  // namespace

TEST_CASE("a linear set index is the line number modulo any number of sets") {
  Rng rng(2);
  for (const std::uint32_t sets : {1u, 2u, 12u, 32u, 40u, 64u, 100u, 4096u}) {
    const SetIndex index = make_set_index("linear", sets);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t line = rng.next() >> (i % 64);
      CHECK(index(line) == line % sets);
    }
  }
}

TEST_CASE("the xor set index of 32 sets is A[11:7] XOR A[19] A[17] A[15] A[14] A[13] of ciao section 2.1") {
  const SetIndex index = make_set_index("xor", 32);
  CHECK(index(0x13u << 7 >> 7) == 0x13);
  CHECK(index((1u << 12) >> 7) == 0);  // A[12] selects nothing
  CHECK(index((1u << 13) >> 7) == 1);
  CHECK(index((1u << 19) >> 7) == 16);
  Rng rng(4);
  for (int i = 0; i < 1000; ++i) {
    const Address a = rng.next();
    const std::uint32_t folded = bit(a, 19) << 4 | bit(a, 17) << 3 | bit(a, 15) << 2 | bit(a, 14) << 1 | bit(a, 13);
    CHECK(index(a >> 7) == ((a >> 7 & 31) ^ folded));
  }
}

TEST_CASE("the xor set index of 64 sets adds A[12] as set bit 5") {
  const SetIndex index = make_set_index("xor", 64);
  const SetIndex of_32 = make_set_index("xor", 32);
  CHECK(index((1u << 12) >> 7) == 32);
  Rng rng(4);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t line = rng.next();
    CHECK(index(line) == of_32(line) + 32 * bit(line, 12 - 7));
  }
}

// CIAO-O4
TEST_CASE("the xor set index of 16 sets drops A[11] and A[19]") {
  const SetIndex index = make_set_index("xor", 16);
  const SetIndex of_32 = make_set_index("xor", 32);
  CHECK(index((1u << 11) >> 7) == 0);
  CHECK(index((1u << 19) >> 7) == 0);
  Rng rng(4);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t line = rng.next();
    CHECK(index(line) == of_32(line) % 16);
  }
}

TEST_CASE("the xor set indices of the L1s of ciao, worked out by hand") {
  // 4 ways of 16 KiB: 32 sets; 8 ways of 16 KiB: 16; 8 ways of 32 KiB: 32; 6 ways of 48 KiB: 64.
  const SetIndex of_16 = make_set_index("xor", 16 * 1024 / 128 / 8), of_32 = make_set_index("xor", 16 * 1024 / 128 / 4),
                 of_64 = make_set_index("xor", 48 * 1024 / 128 / 6);
  // 0xABCDE740: A[12:7] = 0 01110; A[19], A[17], A[15], A[14], A[13] = 1 0 1 1 1
  CHECK(of_32(0xABCDE740 >> 7) == (0b01110 ^ 0b10111));
  CHECK(of_64(0xABCDE740 >> 7) == (0b001110 ^ 0b010111));
  CHECK(of_16(0xABCDE740 >> 7) == (0b1110 ^ 0b0111));
  // 0x00053F80: A[12:7] = 1 11111; only A[13] of the folded bits
  CHECK(of_32(0x53F80 >> 7) == (0b11111 ^ 0b00001));
  CHECK(of_64(0x53F80 >> 7) == (0b111111 ^ 0b000001));
  CHECK(of_16(0x53F80 >> 7) == (0b1111 ^ 0b0001));
}

// CIAO-O4
TEST_CASE("the L2 of ciao hashes the slice-local address, from which the slice is gone") {
  const auto map = make_address_map("interleave", 6, 2, 1);
  const SetIndex index = make_set_index("xor", 64);
  // 0x123400 >> 8 = 4660 = 388 * 12 + 4: channel 4, its slice 0, local address 388 << 8 = 0x18400; bits 16, 15 and 10 of it are set
  const auto place = map->locate(0x123400);
  CHECK(place.slice == 8);
  CHECK(place.local_line == 0x18400 >> 7);
  CHECK(index(place.local_line) == (0b001000 ^ 0b000100));
  // Its other line of 128 B: bit 7
  CHECK(map->locate(0x123480).slice == 8);
  CHECK(index(map->locate(0x123480).local_line) == (0b001001 ^ 0b000100));
}

TEST_CASE("the xor set index of 128 sets folds the same offsets above its own bits") {
  const SetIndex index = make_set_index("xor", 128);
  CHECK(index(127) == 127);
  CHECK(index(std::uint64_t{1} << 7) == 1);
  CHECK(index(std::uint64_t{1} << 8) == 2);
  CHECK(index(std::uint64_t{1} << 9) == 4);
  CHECK(index(std::uint64_t{1} << 10) == 0);
  CHECK(index(std::uint64_t{1} << 11) == 8);
  CHECK(index(std::uint64_t{1} << 12) == 0);
  CHECK(index(std::uint64_t{1} << 13) == 16);
  CHECK(index(std::uint64_t{1} << 14) == 0);
}

TEST_CASE("the ipoly set index of 32 sets is the residue modulo x^5 + x^2 + 1") {
  const SetIndex index = make_set_index("ipoly", 32);
  CHECK(index(31) == 31);
  CHECK(index(32) == 4 + 1);       // x^5 = x^2 + 1
  CHECK(index(64) == 8 + 2);       // x^6 = x^3 + x
  CHECK(index(256) == 8 + 4 + 1);  // x^8 = x^5 + x^3 = x^3 + x^2 + 1
  CHECK(index(256 + 64 + 31) == ((8 + 4 + 1) ^ (8 + 2) ^ 31));
  CHECK(index(std::uint64_t{1} << 31) == 1);  // a primitive polynomial of degree 5 has order 31
}

TEST_CASE("32 lines of any power-of-two pitch fill 32 different sets under ipoly") {
  const SetIndex index = make_set_index("ipoly", 32);
  for (unsigned shift = 0; shift <= 40; ++shift) {
    std::set<std::uint32_t> sets;
    for (std::uint64_t line = 0; line < 32; ++line) sets.insert(index(line << shift));
    CHECK(sets.size() == 32);
  }
}

TEST_CASE("xor and ipoly set indices refuse a number of sets that is not a power of two") {
  CHECK_THROWS_WITH(make_set_index("xor", 48), Catch::Contains("set index xor needs a number of sets that is a power of two, not 48"));
  CHECK_THROWS_WITH(make_set_index("ipoly", 12), Catch::Contains("set index ipoly needs a number of sets that is a power of two, not 12"));
  CHECK_THROWS_AS(make_set_index("ipoly", 8192), InputError);
}

TEST_CASE("the fold8 set index is the line number with itself shifted by one and by two bytes, exclusive or") {
  const SetIndex index = make_set_index("fold8", 64);
  CHECK(index(0x000013) == 0x13);
  CHECK(index(0x000100) == 1);
  CHECK(index(0x020000) == 2);
  CHECK(index(0x3F3F3F) == 0x3F);
  CHECK(index(0x0000C0) == 0);
}
