#pragma once
// The blocks of one warp of a cache-mode SM: one fully associative set with exact LRU (morpheus sections 6.1 to 6.3), in the register file,
// in shared memory or in the L1 alike. A place that holds one block uncompressed (a warp register, a line of the memory) holds two at level
// low and four at level high (morpheus section 7); without compression every place stays uncompressed and has its block.
//
// Where blocks are compressed (morpheus section 7): a block goes to the tightest level that has places and is not tighter than its own;
// there the least recently used block gives way. Once an epoch the places are given to levels anew, in proportion to what came in at each.
//
// Not modelled: the bytes (the stimulus's image holds them), the wrap of 12-bit LRU counters: the order is exact (morpheus section 6.3).

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/cache/line_map.h"
#include "policies/compression/compression.h"
#include "policies/replacement/way_ring.h"

namespace wharf {

/// Places for each level out of `places`, in proportion to counts[level] / lines_per_register(level), by largest remainder (looser levels
/// first where they are equal); at least one is uncompressed, so that any block can be kept. With no counts all are.
std::array<std::uint32_t, kCompressionLevels> apportion(std::uint32_t places, const std::array<std::uint32_t, kCompressionLevels>& counts);

class EllcBlocks {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = LineMap::kAbsent;

  struct Block {
    LineAddress line;
    SectorVersions versions{};
    std::uint16_t place = 0;
    CompressionLevel level = CompressionLevel::uncompressed;  // as which it could be kept
    bool present = false;
    bool pending = false;  // its line, or a part of it, is on its way: no victim
    bool touched = false;  // used since clear_touched()
    SectorMask valid = kAllSectors;  // as TagArray::Line
    SectorMask partial = 0;
    SectorMask dirty = 0;
    std::uint32_t flight = LineMap::kAbsent;  // a note of whoever changes the set
    /// Sectors of which every byte is here.
    SectorMask complete() const { return valid & ~partial; }
  };

  /// `blocks`: most that it may hold (tags), at least `places` where nothing is compressed.
  EllcBlocks(std::uint32_t blocks, std::uint32_t places);

  Slot find(LineAddress line) const { return index_.find(line.number); }
  /// find() follows: a hint to the host's cache.
  void prefetch(LineAddress line) const { index_.prefetch(line.number); }
  Block& operator[](Slot slot) { return blocks_[slot]; }
  const Block& operator[](Slot slot) const { return blocks_[slot]; }
  /// The level as which a block is kept: never tighter than its own.
  CompressionLevel kept_as(Slot slot) const { return places_[blocks_[slot].place].level; }

  /// It is the most recently used, and touched.
  void use(Slot slot);
  /// Put in a block that is absent, as most recently used, clean. What gives way is in victims(). kNone where every block that might is
  /// pending.
  Slot insert(LineAddress line, CompressionLevel level);
  /// A block's contents are of another level now: where its place is too small it moves, and others may give way to it: victims().
  void change_level(Slot slot, CompressionLevel level);
  /// Give the places to levels in proportion to `counts`. Blocks of places that change are victims(), least recently used places first. A place
  /// with a pending block stays.
  void assign(const std::array<std::uint32_t, kCompressionLevels>& counts);

  /// What insert(), change_level() and assign() have displaced since clear_victims(), oldest first.
  const std::vector<Block>& victims() const { return victims_; }
  void clear_victims() { victims_.clear(); }

  std::uint32_t size() const { return size_; }
  std::uint32_t places_of(CompressionLevel level) const { return level_places_[static_cast<unsigned>(level)]; }
  /// Every block has been used since (morpheus section 7.5).
  bool all_touched() const { return touched_ == size_; }
  void clear_touched();

 private:
  struct Place {
    CompressionLevel level = CompressionLevel::uncompressed;
    std::uint8_t blocks = 0;
    std::uint64_t used = 0;  // when a block of it last was
    std::uint32_t room() const { return lines_per_register(level) - blocks; }
  };

  CompressionLevel level_for(CompressionLevel own) const;
  bool make_room(CompressionLevel level, bool needs_tag);
  std::uint16_t place_with_room(CompressionLevel level) const;
  template <class Eligible>
  bool evict_oldest(Eligible eligible);
  void evict(Slot slot);
  void enter(Slot slot, CompressionLevel level);
  void leave(Slot slot);

  std::vector<Block> blocks_;
  std::vector<Place> places_;
  std::array<std::uint32_t, kCompressionLevels> level_places_{}, level_room_{};
  LineMap index_;
  WayRing recency_;
  std::vector<Slot> free_;
  std::vector<Block> victims_;
  std::uint32_t size_ = 0, touched_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace wharf
