#pragma once
// The blocks of one warp of a cache-mode SM: a fully associative set with exact LRU (morpheus sections 6.1 to 6.3). Register file, shared
// memory and L1 use it alike. A place is a warp register or a line of memory. It holds one uncompressed block, two blocks at level low, or
// four at level high (morpheus section 7). Without compression, every place holds one uncompressed block.
//
// With compression (morpheus section 7), a block is kept at the tightest level that has places and is not tighter than the block's own
// level. If that level is full, its least recently used block is evicted. Once per epoch, places are redistributed among the levels in
// proportion to the blocks inserted at each.
//
// Not modelled: the bytes (the stimulus's image holds them), and the wrap-around of 12-bit LRU counters: the order is exact
// (morpheus section 6.3).

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/cache/slot_index.h"
#include "policies/compression/compression.h"
#include "policies/replacement/way_ring.h"

namespace wharf {

/// Distributes `places` among the levels in proportion to counts[level] / lines_per_register(level), by largest remainder; ties go to
/// looser levels. At least one place is uncompressed, so that any block can be kept. If all counts are 0, all places are uncompressed.
std::array<std::uint32_t, kCompressionLevels> apportion(std::uint32_t places, const std::array<std::uint32_t, kCompressionLevels>& counts);

class EllcBlocks {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = SlotIndex::kNone;

  struct Block {
    LineAddress line;
    SectorVersions versions{};
    std::uint16_t place = 0;
    CompressionLevel level = CompressionLevel::uncompressed;  // the level to which its contents compress
    bool present = false;
    bool pending = false;            // the line or a part of it is being fetched, so the block is no victim
    bool touched = false;            // used since clear_touched()
    SectorMask valid = kAllSectors;  // as in TagArray::Line
    SectorMask partial = 0;
    SectorMask dirty = 0;
    std::uint32_t flight = SlotIndex::kNone;  // for the owner of the set
    /// Sectors whose every byte is valid.
    SectorMask complete() const { return valid & ~partial; }
  };

  /// `blocks` is the number of tags, which limits the blocks held; at least `places` if nothing is compressed.
  EllcBlocks(std::uint32_t blocks, std::uint32_t places);

  Slot find(LineAddress line) const {
    return index_.find(line.number, [&](Slot slot) { return blocks_[slot].line == line; });
  }
  /// Prefetches the line's cell into the host's cache before find().
  void prefetch(LineAddress line) const { index_.prefetch(line.number); }
  Block& operator[](Slot slot) { return blocks_[slot]; }
  const Block& operator[](Slot slot) const { return blocks_[slot]; }
  /// The level at which a block is kept: never tighter than its own.
  CompressionLevel stored_level(Slot slot) const { return places_[blocks_[slot].place].level; }

  /// Makes the block the most recently used one, and marks it touched.
  void use(Slot slot);
  /// Inserts an absent block, clean and most recently used. Evicted blocks are added to victims(). Returns kNone if every candidate victim
  /// is pending.
  Slot insert(LineAddress line, CompressionLevel level);
  /// The block's contents now have another level. If its place is too small, the block moves, and other blocks may be evicted: victims().
  void change_level(Slot slot, CompressionLevel level);
  /// Redistributes the places among levels in proportion to `counts`. The least recently used places change first, and their blocks are
  /// added to victims(). A place with a pending block stays.
  void assign(const std::array<std::uint32_t, kCompressionLevels>& counts);

  /// The blocks that insert(), change_level() and assign() have evicted since clear_victims(), oldest first.
  const std::vector<Block>& victims() const { return victims_; }
  void clear_victims() { victims_.clear(); }

  std::uint32_t size() const { return size_; }
  std::uint32_t places_of(CompressionLevel level) const { return level_places_[static_cast<unsigned>(level)]; }
  /// True if every block has been used since clear_touched() (morpheus section 7.5).
  bool all_touched() const { return touched_ == size_; }
  void clear_touched();
  /// Saves or loads the state between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.elements(blocks_);
    file.elements(places_);
    file(level_places_, level_room_, recency_, free_, size_, touched_, uses_);
    index_.clear();
    for (Slot slot = 0; slot < blocks_.size(); ++slot)
      if (blocks_[slot].present) index_.insert(blocks_[slot].line.number, slot);
  }

 private:
  struct Place {
    CompressionLevel level = CompressionLevel::uncompressed;
    std::uint8_t blocks = 0;
    std::uint64_t used = 0;  // last use of one of its blocks
    std::uint32_t room() const { return lines_per_register(level) - blocks; }
  };

  CompressionLevel level_for(CompressionLevel own) const;
  bool make_room(CompressionLevel level, bool needs_tag);
  std::uint16_t place_with_room(CompressionLevel level) const;
  template <class Eligible>
  bool evict_oldest(Eligible eligible);
  void evict(Slot slot);
  void enter_level(Slot slot, CompressionLevel level);
  void leave_level(Slot slot);

  std::vector<Block> blocks_;
  std::vector<Place> places_;
  std::array<std::uint32_t, kCompressionLevels> level_places_{}, level_room_{};
  SlotIndex index_;
  WayRing recency_;
  std::vector<Slot> free_;
  std::vector<Block> victims_;
  std::uint32_t size_ = 0, touched_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace wharf
