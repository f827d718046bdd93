#pragma once
// Tags and per-line state of a set-associative cache, sectored or not. A line's tag and state are adjacent, and four lines fit in a host
// cache line. At low associativity, a lookup compares all tags of a set; otherwise it reads one cell of an index. A line is allocated on a
// miss, among the ways without a pending sector (CM-11).

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/host/host_lines.h"
#include "model/cache/slot_index.h"
#include "policies/replacement/replacement.h"
#include "policies/set_index/set_index.h"

namespace wharf {

class Archive;

/// The access that fetched a line. CIAO, LoSCache and the sharing predictors read it.
struct LineOrigin {
  std::uint32_t pc = 0, cta = 0;
  std::uint16_t sm = 0, warp = 0;
};

class TagArray {
 public:
  using Slot = std::uint32_t;  // set * ways + way
  static constexpr Slot kNone = SlotIndex::kNone;

  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

  struct Line {
    std::uint64_t number = kAbsent;  // as looked up; kAbsent in an empty slot
    SectorMask valid = 0;            // sectors with data
    SectorMask pending = 0;          // sectors whose fill is on its way
    SectorMask dirty = 0;            // sectors newer than the level below, written back when the line is evicted
    SectorMask partial = 0;          // valid sectors with only some bytes known: a read of them misses
    SectorMask overwritten = 0;      // pending sectors that a store has written since, so that their fill is older
    bool modified = false;           // written since the fill
    bool present = false;
    Eviction eviction = Eviction::normal;  // its class in L2 (LR-1): normal, first or last
  };
  static_assert(sizeof(Line) == 16, "four lines fit in a host cache line");

  /// State beyond tags: the last store of each sector (when verifying or with `data: bytes`), and the access that fetched the line.
  struct Extras {
    bool versions = false;
    bool origins = false;
    bool bytes = false;  // the bytes of each sector that stores have written since the line was installed
  };
  /// `full_sets`: sets from this number on have one way less.
  TagArray(std::uint32_t sets, std::uint32_t ways, SetIndex index, Replacement replacement, Extras extras,
           std::uint32_t full_sets = kUnlimited);

  /// Bytes of host memory for the state of `slots` lines.
  static std::uint64_t bytes(std::uint64_t slots, std::uint32_t ways, Extras extras);

  std::uint32_t sets() const { return sets_; }
  std::uint32_t ways() const { return ways_; }
  std::uint32_t set_of(std::uint64_t set_key) const {
    return plain_ ? static_cast<std::uint32_t>(set_key) & set_mask_ : set_index_(set_key);
  }

  Slot find(std::uint64_t line_number) const { return find(line_number, line_number); }
  /// As above, for a cache that selects its sets by a number other than the line number.
  Slot find(std::uint64_t line_number, std::uint64_t set_key) const {
    if (!plain_) return find_otherwise(line_number, set_key);
    return scan(static_cast<std::uint32_t>(set_key) & set_mask_, line_number);
  }

  /// As find(), faster if the line is in `guess`; any number is legal.
  Slot find_near(Slot guess, std::uint64_t line_number) const {
    return guess < lines_.size() && lines_[guess].number == line_number ? guess : find(line_number);
  }

  /// Prefetches the line's set into the host's cache before a lookup.
  void prefetch(std::uint64_t line_number) const { prefetch(line_number, line_number); }
  void prefetch(std::uint64_t line_number, std::uint64_t set_key) const {
    if (ways_ > kMostScanned) return index_.prefetch(line_number);
    const Slot base = set_of(set_key) * ways_;
    __builtin_prefetch(&lines_[base]);
    __builtin_prefetch(&lines_[base + ways_ - 1]);
  }

  /// Prefetches for find_near().
  void prefetch_near(Slot guess, std::uint64_t line_number) const {
    if (guess < lines_.size()) return __builtin_prefetch(&lines_[guess]);
    prefetch(line_number);
  }

  /// A slot for the line of `access`: an empty one first, else the policy's victim among lines without a pending sector for which
  /// `eligible(line)` holds; kNone if there is none. Changes nothing.
  template <class Eligible>
  Slot victim(std::uint64_t set_key, const Access& access, Eligible eligible) {
    const std::uint32_t set = set_of(set_key);
    const Slot base = set * ways_;
    if (present_ < capacity_ && present_in_set_[set] < ways_)
      for (std::uint32_t& way = first_empty_[set]; way < ways_; ++way)
        if (lines_[base + way].number == kAbsent) return base + way;
    const int way =
        replacement_.victim(set, access, [&](std::uint32_t w) { return lines_[base + w].pending == 0 && eligible(lines_[base + w]); });
    return way < 0 ? kNone : base + static_cast<Slot>(way);
  }

  /// Installs the line of `access` in `slot`, which victim() returned, and forgets the line that was there.
  void install(Slot slot, const Access& access);
  void remove(Slot slot);
  void touch(Slot slot, const Access& access) {
    const Place place = place_of(slot);
    replacement_.touch(place.set, place.way, access);
  }

  Line& line(Slot slot) { return lines_[slot]; }
  const Line& line(Slot slot) const { return lines_[slot]; }
  const LineOrigin& origin(Slot slot) const { return origins_[slot]; }
  StoreId& version(Slot slot, unsigned sector) { return versions_[std::size_t{slot} * kSectorsPerLine + sector]; }
  StoreId version(Slot slot, unsigned sector) const { return versions_[std::size_t{slot} * kSectorsPerLine + sector]; }
  bool keeps_versions() const { return !versions_.empty(); }
  /// Notes that a store writes `bytes` of `sector`, bit b = byte b. Returns true once stores have written all bytes of the sector since the
  /// line was installed; always false unless Extras::bytes is kept.
  bool write_bytes(Slot slot, unsigned sector, std::uint32_t bytes) {
    if (written_bytes_.empty()) return false;
    return (written_bytes_[std::size_t{slot} * kSectorsPerLine + sector] |= bytes) == ~std::uint32_t{0};
  }
  /// The valid sectors of the line in `slot`, a result of find(), and their versions if they are kept. For debug access.
  SectorMask held(Slot slot, SectorVersions& versions) const {
    if (slot == kNone) return 0;
    for (unsigned s = 0; s < kSectorsPerLine && keeps_versions(); ++s) versions[s] = version(slot, s);
    return lines_[slot].valid;
  }

  std::uint32_t lines_present() const { return present_; }
  /// The first slot at or after `from` with a dirty line; kNone if there is none.
  Slot next_dirty(Slot from) const {
    for (Slot slot = from; slot < lines_.size(); ++slot)
      if (lines_[slot].present && lines_[slot].dirty != 0) return slot;
    return kNone;
  }
  /// Visits every present line, for invalidation, draining and debug access.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Slot slot = 0; slot < lines_.size(); ++slot)
      if (lines_[slot].present) visit(slot);
  }

  void clear();
  /// Saves or loads. If the saved replacement policy has another name, the new policy starts afresh: it sees the lines installed in the
  /// order of their slots.
  void archive(Archive& file);
  /// Changes the associativity of an empty array (an L1 resized at a kernel boundary).
  void resize(std::uint32_t ways);

 private:
  static constexpr std::uint32_t kMostScanned = 16;
  static constexpr std::uint64_t kLacking = kAbsent - 1;  // number of a way that its set lacks: matches no line

  static constexpr std::uint32_t kScannedAtOnce = 4;

  struct Place {
    std::uint32_t set, way;
  };
  /// Avoids a division if there are 2^n ways, because it takes longer than the rest of a hit.
  Place place_of(Slot slot) const {
    if ((ways_ & (ways_ - 1)) == 0) return {slot >> way_bits_, slot & (ways_ - 1)};
    return {slot / ways_, slot % ways_};
  }
  Slot scan(std::uint32_t set, std::uint64_t line_number) const {
    const Slot base = set * ways_;
    const Line* const lines = lines_.data() + base;
    // The way is unpredictable, so selections cost less than mispredicted branches, and a loop would cost as much as the selections.
    // Scanning in fours leaves no remainder: the last ways may be in the next set, which cannot hold the line.
    Slot found = kNone;
    const std::uint32_t scanned = (ways_ + kScannedAtOnce - 1) / kScannedAtOnce * kScannedAtOnce;
#pragma GCC unroll 4
    for (std::uint32_t way = 0; way != scanned; ++way) found = lines[way].number == line_number ? base + way : found;
    return found;
  }
  [[gnu::noinline]] Slot find_otherwise(std::uint64_t line_number, std::uint64_t set_key) const {
    if (ways_ <= kMostScanned) return scan(set_index_(set_key), line_number);
    return index_.find(line_number, [&](Slot slot) { return lines_[slot].number == line_number; });
  }
  [[gnu::noinline]] void keep_more(Slot slot, std::uint64_t line_number);
  void make_slots();
  void empty_sets();

  std::uint32_t ways_;
  std::uint8_t way_bits_ = 0;  // log2(ways_), rounded down
  bool plain_ = false;         // sets are scanned, and selected by set_mask_: the common case
  bool keeps_more_ = false;    // an index, versions or written bytes
  Extras extras_;
  std::uint32_t set_mask_ = 0;
  std::vector<Line> lines_;  // padded at the end for the scan
  std::uint32_t present_ = 0;
  std::uint32_t capacity_ = 0;  // lines that fit in the array
  Replacement replacement_;
  SetIndex set_index_;
  std::vector<std::uint32_t> present_in_set_;
  std::vector<std::uint32_t> first_empty_;  // [set]: no way below it is empty
  SlotIndex index_;                         // of the lines, if a set has more than kMostScanned ways
  std::vector<LineOrigin> origins_;
  std::vector<StoreId> versions_;
  std::vector<std::uint32_t> written_bytes_;  // of each sector
  std::uint32_t sets_, full_sets_;
};

}  // namespace wharf
