#pragma once
// The oracle of CM-13: which L1-class caches of the chip hold which line VALID, sector by sector where caches are sectored.
// It costs no simulated time and never changes what a cache does unless a design is defined on it (RS-10, PP, DP).
//
// Caches report every fill, invalidation and eviction during a cycle; queries answer from the last commit() (CM-2), so neither
// the order of the caches nor that of reports and questions inside a cycle can matter.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/holder_mask.h"
#include "model/base/host_lines.h"
#include "model/base/types.h"

namespace wharf {

class LineDirectory {
 public:
  /// `holders`: L1-class caches, 1 to HolderMask::kMaxHolders, else InputError. `sectored`: sectors become valid one by one;
  /// otherwise a line is held whole and a sector mask says only whether it is.
  LineDirectory(unsigned holders, bool sectored);

  // Reports of the running cycle. Reporting twice what already holds changes nothing.
  /// The sectors of the line that are VALID in the cache are now exactly `valid`; 0 = none. Said after every change: a fill, a store
  /// that completes a sector, an atomic that invalidates some.
  void install(unsigned holder, LineAddress line, SectorMask valid) { report(line, valid, Change::set, holder); }
  /// The line has left the cache.
  void evict(unsigned holder, LineAddress line) { report(line, 0, Change::set, holder); }
  /// Every line has left the cache. All caches that say so between two other reports share one sweep.
  void invalidate_cache(unsigned holder) { log_.push_back({{}, 0, Change::invalidate_cache, holder}); }

  /// Publishes the reports.
  void commit() {
    if (!log_.empty()) apply_log();
  }

  /// A query about the line follows: a hint to the host's cache.
  void expect(LineAddress line) const { __builtin_prefetch(cell_at(home(line.number))); }

  // Queries, as of the last commit.
  /// Is any of `missing` VALID in a cache other than `self`?
  bool others_hold(LineAddress line, SectorMask missing, unsigned self) const;
  /// The caches that hold all of these sectors of the line, or all of it where caches are not sectored.
  HolderMask holders(LineAddress line, SectorMask wanted) const;
  /// The sectors that a cache holds of a line; all or none where caches are not sectored.
  SectorMask sectors(LineAddress line, unsigned holder) const;
  /// [sector]: which of the first 64 caches hold it; where caches are sectored.
  std::array<std::uint64_t, kSectorsPerLine> sector_holders(LineAddress line) const;
  /// (line, cache) pairs, a cache counting once however many sectors it holds.
  std::uint64_t copies() const { return copies_; }
  /// Lines held by at least one cache: copies() / distinct_lines() is the number of replicas of CM section 12.
  std::uint64_t distinct_lines() const { return lines_; }
  /// Calls seen(caches that hold any sector of it) for each of these lines, in no order that means anything.
  template <class Seen>
  void for_each_line(Seen seen) const {
    for (std::size_t cell = 0; cell < cells(); ++cell)
      if (key(cell) != kFree) seen(holders_of(masks(cell)));
  }

 private:
  enum class Change : std::uint8_t { set, invalidate_cache };
  struct Report {
    LineAddress line;
    SectorMask valid;
    Change change;
    std::uint32_t holder;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no line number: those have 57 bits

  void report(LineAddress line, SectorMask valid, Change change, unsigned holder) {
    // Written where it stays: put together elsewhere and copied as a whole, it would wait for each of its fields to be stored.
    Report& added = log_.emplace_back();
    added.line = line;
    added.valid = valid;
    added.change = change;
    added.holder = holder;
    expect(line);
  }
  void apply_log();
  void apply(const Report& report);
  bool set_mask(std::uint64_t* of_line, unsigned holder, bool valid) const;
  bool set_masks(std::uint64_t* of_line, unsigned holder, SectorMask valid) const;
  void sweep(const HolderMask& emptied);

  std::size_t cells() const { return last_ + 1; }
  std::size_t home(std::uint64_t key) const { return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift_); }
  std::size_t next(std::size_t cell) const { return (cell + 1) & last_; }
  const std::uint64_t* cell_at(std::size_t cell) const { return words_of_cells_.data() + cell * stride_; }
  std::uint64_t* cell_at(std::size_t cell) { return words_of_cells_.data() + cell * stride_; }
  std::uint64_t key(std::size_t cell) const { return *cell_at(cell); }
  const std::uint64_t* masks(std::size_t cell) const { return cell_at(cell) + 1; }
  std::uint64_t* masks(std::size_t cell) { return cell_at(cell) + 1; }
  /// The cell of the line, or the free cell where it would go.
  std::size_t find(LineAddress line) const {
    std::size_t cell = home(line.number);
    while (key(cell) != line.number && key(cell) != kFree) cell = next(cell);
    return cell;
  }
  unsigned holders_of(const std::uint64_t* of_line) const;
  bool empty(const std::uint64_t* of_line) const;
  void erase(std::size_t cell);
  void make(std::size_t cells);
  void grow();

  unsigned planes_;  // masks of a line: one a sector, or one
  unsigned words_;   // words of a mask
  unsigned stride_;  // words of a cell: the key, planes * words of masks, and so many more that no small cell crosses a host's cache line
  // Open-addressed with linear probing; removal shifts the run back. A cell is the line's number and, plane by plane, its masks: bit h =
  // holder h.
  HostLineVector<std::uint64_t> words_of_cells_;
  std::size_t last_ = 0;  // the number of the last cell
  unsigned shift_ = 0;    // of the hash, 64 - log2(cells)
  std::uint64_t lines_ = 0, copies_ = 0;
  std::vector<Report> log_;
};

}  // namespace wharf
