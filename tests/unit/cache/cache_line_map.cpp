// The index of tables of blocks.

#include <catch2/catch.hpp>
#include <unordered_map>

#include "model/base/rng.h"
#include "model/cache/line_map.h"

using wharf::LineMap;

TEST_CASE("line map: what was never inserted is absent, key 0 too") {
  const LineMap map(8);
  for (std::uint64_t key : {0ull, 1ull, 7ull, ~0ull}) CHECK(map.find(key) == LineMap::kAbsent);
}

TEST_CASE("line map: a full map finds every key and nothing else") {
  LineMap map(16);
  for (std::uint32_t i = 0; i < 16; ++i) map.insert(std::uint64_t{i} << 40, i);
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(map.find(std::uint64_t{i} << 40) == i);
  CHECK(map.find(std::uint64_t{16} << 40) == LineMap::kAbsent);
}

TEST_CASE("line map: clear forgets every key and leaves room for as many again") {
  LineMap map(4);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < 4; ++i) map.insert(100 + i, i);
    map.clear();
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(map.find(100 + i) == LineMap::kAbsent);
  }
}

TEST_CASE("line map: after any sequence of insertions and removals it holds what a reference map holds") {
  constexpr std::size_t kEntries = 16;
  constexpr std::uint64_t kKeys = 48;  // three times the capacity: runs of colliding keys form and break up
  wharf::Rng rng(7);
  LineMap map(kEntries);
  std::unordered_map<std::uint64_t, std::uint32_t> reference;
  std::size_t removals_in_full_map = 0;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const std::uint64_t key = rng.below(kKeys) * 0x10001;
    if (reference.count(key) != 0) {
      removals_in_full_map += reference.size() == kEntries;
      map.erase(key);
      reference.erase(key);
    } else if (reference.size() < kEntries) {
      map.insert(key, step);
      reference[key] = step;
    }
    for (std::uint64_t k = 0; k < kKeys; ++k) {
      const auto found = reference.find(k * 0x10001);
      if (map.find(k * 0x10001) != (found == reference.end() ? LineMap::kAbsent : found->second)) FAIL("step " << step << ", key " << k);
    }
  }
  CHECK(removals_in_full_map > 100);
}
