#pragma once
// The oracle of CM-13: knows which L1-class caches of the chip hold a line VALID, per sector where caches are sectored. It costs no
// simulated time. It affects what a cache does only in designs that are defined on it (RS-10, PP, DP).
//
// Caches report every fill, invalidation and eviction during a cycle, but queries answer as of the last commit() (CM-2). Therefore neither
// the order of the caches nor the order of reports and queries within a cycle matters.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/holder_mask.h"
#include "model/base/host/inline_array.h"
#include "model/base/host/islands.h"
#include "model/base/types.h"

namespace wharf {

class Archive;

class LineDirectory {
 public:
  /// `holders`: number of L1-class caches, 1 to HolderMask::kMaxHolders; throws InputError otherwise. `sectored`: sectors become valid one
  /// by one. Otherwise caches hold whole lines, and a sector mask only tells whether the line is held.
  LineDirectory(unsigned holders, bool sectored);
  LineDirectory(const LineDirectory&) = delete;
  LineDirectory& operator=(const LineDirectory&) = delete;

  // Reports of the running cycle. Reporting what already holds changes nothing.
  /// `valid` is now the exact set of sectors of the line that are VALID in the cache; 0 = none. Caches report this after every change: a
  /// fill, a store that completes a sector, an atomic that invalidates some.
  void install(unsigned holder, LineAddress line, SectorMask valid) { report(line, valid, Change::set, holder); }
  /// The cache no longer holds the line.
  void evict(unsigned holder, LineAddress line) { report(line, 0, Change::set, holder); }
  /// The cache no longer holds any line. Consecutive reports of this kind share one sweep.
  void invalidate_cache(unsigned holder) { log().push_back({{}, 0, Change::invalidate_cache, holder}); }

  /// Saves or loads the directory. Call it between kernels, when all reports are published.
  void archive(Archive& file);
  /// Publishes the reports.
  void commit() {
    for (std::vector<Report>& log : logs_)
      if (!log.empty()) apply(log);
  }

  /// Prefetches the line's entry into the host's cache before a query.
  void prefetch(LineAddress line) const { __builtin_prefetch(&entries_[home(line.number)]); }

  // Queries, answered as of the last commit.
  /// True if a cache other than `self` holds any of the `missing` sectors VALID.
  bool others_hold(LineAddress line, SectorMask missing, unsigned self) const;
  /// The caches that hold all `wanted` sectors of the line, or that hold the line if caches are not sectored.
  HolderMask holders(LineAddress line, SectorMask wanted) const;
  /// The sectors of a line that one cache holds; all or none if caches are not sectored.
  SectorMask sectors(LineAddress line, unsigned holder) const;
  /// [sector]: mask of the caches among the first 64 that hold the sector. Only if caches are sectored.
  std::array<std::uint64_t, kSectorsPerLine> sector_holders(LineAddress line) const;
  /// Number of (line, cache) pairs; a cache counts once per line, however many sectors it holds.
  std::uint64_t copies() const { return copies_; }
  /// Number of lines that at least one cache holds: copies() / distinct_lines() is the number of replicas of common section 12.
  std::uint64_t distinct_lines() const { return lines_; }
  /// Calls seen(number of caches that hold any sector) once per held line, in no particular order.
  template <class Seen>
  void for_each_line(Seen seen) const {
    for (const Entry& entry : entries_)
      if (entry.number != kFree) seen(entry.copies);
  }

 private:
  enum class Change : std::uint8_t { set, invalidate_cache };
  struct Report {
    LineAddress line;
    SectorMask valid;
    Change change;
    std::uint32_t holder;
  };
  /// A cache's copy of a line: the number of the cache above the four bits of its VALID sectors.
  using Copy = std::uint16_t;
  static constexpr Copy kNoCopy = 0xFFF0;  // no cache has this number
  static constexpr unsigned kFewCopies = 8;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  /// A line, and its copies in `few` until it has more than fit there. From then on until no cache holds it, the bits of `many_[many - 1]`
  /// tell the copies: [sector] the caches in which it is VALID.
  struct alignas(32) Entry {
    std::uint64_t number = kFree;
    std::array<Copy, kFewCopies> few = {kNoCopy, kNoCopy, kNoCopy, kNoCopy, kNoCopy, kNoCopy, kNoCopy, kNoCopy};
    std::uint32_t copies = 0;  // the first ones of `few`
    std::uint32_t many = 0;    // 0: the copies are in `few`
  };
  static_assert(sizeof(Entry) == 32, "an entry lies in one host cache line");
  using SectorHolders = std::array<HolderMask, kSectorsPerLine>;

  static unsigned holder_of(Copy copy) { return copy / 16u; }
  static unsigned sectors_of(Copy copy) { return copy % 16u; }

  std::vector<Report>& log() { return logs_[Islands::here()]; }
  void report(LineAddress line, SectorMask valid, Change change, unsigned holder) {
    // Filled in place: a report assembled elsewhere and copied would stall until each of its fields is stored.
    Report& added = log().emplace_back();
    added.line = line;
    added.valid = valid;
    added.change = change;
    added.holder = holder;
    prefetch(line);
  }

  std::size_t home(std::uint64_t number) const { return number * 0x9E3779B97F4A7C15u >> shift_; }
  std::size_t next(std::size_t at) const { return (at + 1) & (entries_.size() - 1); }
  /// The place of the line's entry, or of the free one for it.
  std::size_t find(std::uint64_t number) const {
    std::size_t at = home(number);
    while (entries_[at].number != number && entries_[at].number != kFree) at = next(at);
    return at;
  }
  /// The sectors that a cache must hold VALID to hold `asked`.
  unsigned wanted(SectorMask asked) const { return sectored_ ? asked : kAllSectors; }

  void apply(std::vector<Report>& log);
  void apply(const Report& report);
  void set(Entry& entry, unsigned holder, unsigned valid);
  void set_few(Entry& entry, unsigned holder, unsigned valid);
  void set_many(Entry& entry, unsigned holder, unsigned valid);
  void change_to_many(Entry& entry);
  void erase(std::size_t at);
  void sweep(const HolderMask& emptied);
  void empty(Entry& entry, const HolderMask& emptied);
  void make(std::size_t entries);
  void grow();

  bool sectored_;
  unsigned shift_ = 0;          // of the hash: 64 - log2(entries)
  std::vector<Entry> entries_;  // 2^n, at most half of them in use; a line is at its home or behind it, with no free one between
  std::vector<SectorHolders> many_;
  std::vector<std::uint32_t> free_many_;  // of many_, numbered from 1
  std::uint64_t lines_ = 0, copies_ = 0;
  InlineArray<std::vector<Report>, 1> logs_{Islands::parts(), [](std::size_t) { return std::vector<Report>(); }};  // [island]
};

}  // namespace wharf
