#include <algorithm>

#include "model/designs/morpheus/cache_mode/ellc_blocks.h"

namespace wharf {

namespace {

constexpr unsigned index_of(CompressionLevel level) { return static_cast<unsigned>(level); }
constexpr CompressionLevel kLevels[] = {CompressionLevel::uncompressed, CompressionLevel::low, CompressionLevel::high};

}  // namespace

std::array<std::uint32_t, kCompressionLevels> apportion(std::uint32_t places, const std::array<std::uint32_t, kCompressionLevels>& counts) {
  constexpr unsigned kMost = lines_per_register(CompressionLevel::high);
  std::array<std::uint64_t, kCompressionLevels> demand{};
  std::uint64_t total = 0;
  for (const CompressionLevel level : kLevels) {
    demand[index_of(level)] = std::uint64_t{counts[index_of(level)]} * (kMost / lines_per_register(level));
    total += demand[index_of(level)];
  }
  if (total == 0) return {places, 0, 0};
  std::array<std::uint32_t, kCompressionLevels> given{};
  std::array<std::uint64_t, kCompressionLevels> remainder{};
  std::uint32_t left = places;
  for (unsigned level = 0; level < kCompressionLevels; ++level) {
    given[level] = static_cast<std::uint32_t>(places * demand[level] / total);
    remainder[level] = places * demand[level] % total;
    left -= given[level];
  }
  for (; left != 0; --left) {
    const auto largest = std::max_element(remainder.begin(), remainder.end());
    ++given[static_cast<std::size_t>(largest - remainder.begin())];
    *largest = 0;
  }
  if (given[0] == 0) {
    --*std::max_element(given.begin(), given.end());
    given[0] = 1;
  }
  return given;
}

EllcBlocks::EllcBlocks(std::uint32_t blocks, std::uint32_t places) : blocks_(blocks), places_(places), index_(blocks), recency_(blocks) {
  level_places_[0] = level_room_[0] = places;
  free_.reserve(blocks);
  for (Slot slot = blocks; slot-- > 0;) free_.push_back(slot);
}

void EllcBlocks::use(Slot slot) {
  Block& block = blocks_[slot];
  recency_.make_newest(slot);
  places_[block.place].used = ++uses_;
  if (block.touched) return;
  block.touched = true;
  ++touched_;
}

void EllcBlocks::clear_touched() {
  for (Block& block : blocks_) block.touched = false;
  touched_ = 0;
}

/// Returns the tightest level that has places and is not tighter than `own`. It always exists, because at least one place is uncompressed.
CompressionLevel EllcBlocks::level_for(CompressionLevel own) const {
  unsigned level = index_of(own);
  while (level_places_[level] == 0) --level;
  return kLevels[level];
}

std::uint16_t EllcBlocks::place_with_room(CompressionLevel level) const {
  std::uint16_t place = 0;
  while (places_[place].level != level || places_[place].room() == 0) ++place;
  return place;
}

void EllcBlocks::enter_level(Slot slot, CompressionLevel level) {
  const std::uint16_t place = place_with_room(level);
  ++places_[place].blocks;
  --level_room_[index_of(level)];
  blocks_[slot].place = place;
}

void EllcBlocks::leave_level(Slot slot) {
  Place& place = places_[blocks_[slot].place];
  --place.blocks;
  ++level_room_[index_of(place.level)];
}

void EllcBlocks::evict(Slot slot) {
  Block& block = blocks_[slot];
  victims_.push_back(block);
  leave_level(slot);
  index_.erase(block.line.number, slot);
  if (block.touched) --touched_;
  --size_;
  block = {};
  free_.push_back(slot);
}

template <class Eligible>
bool EllcBlocks::evict_oldest(Eligible eligible) {
  const int victim = recency_.oldest([&](std::uint32_t slot) { return blocks_[slot].present && !blocks_[slot].pending && eligible(slot); });
  if (victim < 0) return false;
  evict(static_cast<Slot>(victim));
  return true;
}

/// Makes room for one more block of a level, and for its tag if needed. Returns false if no block can be evicted.
bool EllcBlocks::make_room(CompressionLevel level, bool needs_tag) {
  if (level_room_[index_of(level)] == 0 && !evict_oldest([&](Slot slot) { return stored_level(slot) == level; })) return false;
  return !needs_tag || !free_.empty() || evict_oldest([](Slot) { return true; });
}

EllcBlocks::Slot EllcBlocks::insert(LineAddress line, CompressionLevel level) {
  const CompressionLevel as = level_for(level);
  if (!make_room(as, true)) return kNone;
  const Slot slot = free_.back();
  free_.pop_back();
  blocks_[slot].line = line;
  blocks_[slot].level = level;
  blocks_[slot].present = true;
  index_.insert(line.number, slot);
  ++size_;
  enter_level(slot, as);
  use(slot);
  return slot;
}

void EllcBlocks::change_level(Slot slot, CompressionLevel level) {
  if (blocks_[slot].level == level) return;
  blocks_[slot].level = level;
  const CompressionLevel as = level_for(level);
  if (stored_level(slot) == as) return;
  const CompressionLevel before = stored_level(slot);
  leave_level(slot);
  // Victims come from the new level, because the block has already left the old one. If all blocks there are pending, the block returns.
  enter_level(slot, make_room(as, false) ? as : before);
  use(slot);
}

void EllcBlocks::assign(const std::array<std::uint32_t, kCompressionLevels>& counts) {
  const auto shares = apportion(static_cast<std::uint32_t>(places_.size()), counts);
  for (const CompressionLevel to : kLevels)
    while (level_places_[index_of(to)] < shares[index_of(to)]) {
      std::vector<bool> waits(places_.size());
      for (const Block& block : blocks_)
        if (block.present && block.pending) waits[block.place] = true;
      const auto surplus = [&](const Place& place) {
        return level_places_[index_of(place.level)] > shares[index_of(place.level)] &&
               !waits[static_cast<std::size_t>(&place - places_.data())];
      };
      Place* oldest = nullptr;
      for (Place& place : places_)
        if (surplus(place) && (oldest == nullptr || place.used < oldest->used)) oldest = &place;
      if (oldest == nullptr) return;
      const auto number = static_cast<std::uint16_t>(oldest - places_.data());
      for (Slot slot = 0; oldest->blocks != 0; ++slot)
        if (blocks_[slot].present && blocks_[slot].place == number) evict(slot);
      --level_places_[index_of(oldest->level)];
      level_room_[index_of(oldest->level)] -= lines_per_register(oldest->level);
      oldest->level = to;
      ++level_places_[index_of(to)];
      level_room_[index_of(to)] += lines_per_register(to);
    }
}

}  // namespace wharf
