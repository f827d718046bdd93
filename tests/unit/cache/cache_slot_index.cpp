// The index of tables of lines.

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"
#include "model/cache/slot_index.h"

using wharf::SlotIndex;

TEST_CASE("slot index: after any sequence of insertions and removals it finds the lines that slots have, and no others") {
  constexpr std::uint32_t kSlots = 16;
  constexpr std::uint64_t kLines = 48, kEmpty = ~0ull;  // three times the capacity: runs of colliding lines form and break up
  wharf::Rng rng(7);
  SlotIndex index(kSlots);
  std::vector<std::uint64_t> lines(kSlots, kEmpty);  // [slot]
  const auto slot_of = [&](std::uint64_t line) {
    for (std::uint32_t slot = 0; slot < kSlots; ++slot)
      if (lines[slot] == line) return slot;
    return SlotIndex::kNone;
  };
  std::size_t removals = 0;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const std::uint64_t line = rng.below(kLines) * 0x10001;
    const std::uint32_t slot = slot_of(line), empty = slot_of(kEmpty);
    if (slot != SlotIndex::kNone) {
      ++removals;
      index.erase(line, slot);
      lines[slot] = kEmpty;
    } else if (empty != SlotIndex::kNone) {
      index.insert(line, empty);
      lines[empty] = line;
    }
    for (std::uint64_t k = 0; k < kLines; ++k) {
      const auto has = [&](std::uint32_t one) { return lines[one] == k * 0x10001; };
      if (index.find(k * 0x10001, has) != slot_of(k * 0x10001)) FAIL("step " << step << ", line " << k);
    }
  }
  CHECK(removals > 1000);
}

TEST_CASE("slot index: a slot may have several lines, of which each leaves alone") {
  constexpr std::uint32_t kSlots = 2, kLines = 256;
  wharf::Rng rng(7);
  SlotIndex index(kLines);
  std::vector<std::uint64_t> numbers;
  std::vector<std::vector<std::uint64_t>> lines(kSlots);
  const auto find = [&](std::uint64_t line) {
    return index.find(line, [&](std::uint32_t slot) { return std::count(lines[slot].begin(), lines[slot].end(), line) != 0; });
  };
  for (std::uint32_t n = 0; n < kLines; ++n) {
    numbers.push_back(rng.below(std::uint64_t{1} << 57));  // consecutive ones would not collide
    index.insert(numbers[n], n % kSlots);
    lines[n % kSlots].push_back(numbers[n]);
  }
  for (std::uint32_t n = 0; n < kLines; n += 3) {
    index.erase(numbers[n], n % kSlots);
    std::vector<std::uint64_t>& own = lines[n % kSlots];
    own.erase(std::find(own.begin(), own.end(), numbers[n]));
  }
  for (std::uint32_t n = 0; n < kLines; ++n) CHECK(find(numbers[n]) == (n % 3 == 0 ? SlotIndex::kNone : n % kSlots));
}

TEST_CASE("slot index: lines with equal prints are told apart by what their slots have") {
  constexpr std::uint32_t kSlots = 1 << 18;  // so many that prints of 32 bits meet
  wharf::Rng rng(7);
  SlotIndex index(kSlots);
  std::vector<std::uint64_t> lines;  // [slot]
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) index.insert(lines.emplace_back(rng.below(std::uint64_t{1} << 57)), slot);
  std::size_t others = 0;
  const auto find = [&](std::uint64_t line) {
    return index.find(line, [&](std::uint32_t slot) {
      others += lines[slot] != line;
      return lines[slot] == line;
    });
  };
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) REQUIRE(find(lines[slot]) == slot);
  CHECK(others > 0);
  index.clear();
  CHECK(find(lines[1]) == SlotIndex::kNone);
}
