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

#include "model/base/bits.h"
#include "model/base/holder_mask.h"
#include "model/base/host/host_lines.h"
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

  /// Prefetches the line's bucket into the host's cache before a query.
  void prefetch(LineAddress line) const {
    const std::uint64_t* const bucket = home(shape_, hash(line));
    __builtin_prefetch(bucket);
    __builtin_prefetch(bucket + kHostLineBytes / sizeof(std::uint64_t));
  }

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
    for (std::uint64_t* bucket = first_bucket_; bucket != end(); bucket += shape_.stride())
      for (const unsigned bit : set_bits(*bucket & kUsed)) seen(holders_of(masks(shape_, {bucket, way_of(bit)})));
  }

 private:
  enum class Change : std::uint8_t { set, invalidate_cache };
  struct Report {
    LineAddress line;
    SectorMask valid;
    Change change;
    std::uint32_t holder;
  };
  // A bucket begins with a word that has one byte per way: 0 if the way is free, else seven bits of the line's hash below a set bit. The
  // word's bits above these bytes count the lines that overflowed this bucket: it was full when they were placed, so they moved on from
  // their home to a later bucket. Then follow the line number of each way, and the masks of each way, plane by plane: bit h = holder h. The
  // masks of a free way are empty.
  static constexpr unsigned kWays = 5;  // with the masks of 65 to 128 holders, five ways fill two host lines
  static constexpr std::uint64_t kEachWay = 0x01'01'01'01'01, kUsed = 0x80 * kEachWay, kOnePassed = std::uint64_t{1} << 8 * kWays;
  static constexpr std::uint64_t kLinesPerBucket = 2;  // upper bound of the mean
  /// Planes of a line's masks (one, or one per sector), and words per plane.
  struct Shape {
    unsigned planes, words;
    constexpr unsigned masks() const { return planes * words; }
    /// Words per bucket, a multiple of those of a host line.
    constexpr unsigned stride() const {
      constexpr unsigned kHostWords = kHostLineBytes / sizeof(std::uint64_t);
      return (1 + kWays * (1 + masks()) + kHostWords - 1) / kHostWords * kHostWords;
    }
  };
  /// A shape known at compile time, so that the compiler unrolls loops of one or two iterations.
  template <unsigned kPlanes, unsigned kWords>
  struct FixedShape {
    static constexpr unsigned planes = kPlanes, words = kWords;
    static constexpr unsigned masks() { return Shape{planes, words}.masks(); }
    static constexpr unsigned stride() { return Shape{planes, words}.stride(); }
  };
  /// The position of a line in the table.
  struct Cell {
    std::uint64_t* bucket;
    unsigned way;
  };

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
  /// Calls `function` with the shape, fixed at compile time for up to 128 holders.
  template <class Function>
  auto in_shape(Function function) const {
    if (shape_.words == 1) return shape_.planes == 1 ? function(FixedShape<1, 1>{}) : function(FixedShape<kSectorsPerLine, 1>{});
    if (shape_.words == 2) return shape_.planes == 1 ? function(FixedShape<1, 2>{}) : function(FixedShape<kSectorsPerLine, 2>{});
    return function(shape_);
  }

  static std::uint64_t hash(LineAddress line) { return line.number * 0x9E3779B97F4A7C15u; }
  static std::uint64_t tag(std::uint64_t hash) { return (hash >> 32 & 0x7F) | 0x80; }
  static constexpr unsigned way_of(unsigned bit) { return bit / 8; }
  static unsigned first(std::uint64_t ways) { return way_of(lowest_bit(ways)); }
  static std::uint64_t& key(Cell cell) { return cell.bucket[1 + cell.way]; }
  static bool in_use(Cell cell) { return (*cell.bucket >> 8 * cell.way & 0x80) != 0; }
  std::uint64_t* end() const { return first_bucket_ + buckets_.size(); }
  std::uint64_t* next(std::uint64_t* bucket) const { return bucket + shape_.stride() == end() ? first_bucket_ : bucket + shape_.stride(); }
  template <class AnyShape>
  std::uint64_t* home(AnyShape shape, std::uint64_t hash) const {
    return first_bucket_ + (hash >> shift_) * shape.stride();
  }
  template <class AnyShape>
  static std::uint64_t* masks(AnyShape shape, Cell cell) {
    return cell.bucket + 1 + kWays + cell.way * shape.masks();
  }
  template <class AnyShape>
  static std::uint64_t any(AnyShape shape, const std::uint64_t* of_line) {
    std::uint64_t any = 0;
    for (unsigned word = 0; word < shape.masks(); ++word) any |= of_line[word];
    return any;
  }
  /// The cell of the line, or the free cell for it. Selects rather than branches, because the data are unpredictable.
  template <class AnyShape>
  Cell find(AnyShape shape, LineAddress line) const {
    return find(shape, hash(line), line);
  }
  /// `hash` is the hash of `line`. Inlined into the loop over the reports, which reuses bucket and hash.
  template <class AnyShape>
  [[gnu::always_inline]] Cell find(AnyShape shape, std::uint64_t hash, LineAddress line) const {
    std::uint64_t* const bucket = home(shape, hash);
    const std::uint64_t tags = *bucket, differ = tags ^ tag(hash) * kEachWay;
    // Marks the zero bytes of `differ`; above the lowest of them there may be false positives.
    const std::uint64_t same = (differ - kEachWay) & ~differ & kUsed, held = std::uint64_t{0} - (same != 0);
    const std::uint64_t ways = same | (~tags & kUsed & ~held);
    if (ways == 0) return find_beyond(line);
    const Cell cell{bucket, first(ways)};
    const std::uint64_t deceived = (key(cell) ^ line.number) & held;
    return (deceived | tags / kOnePassed) == 0 ? cell : find_beyond(line);
  }
  [[gnu::noinline]] Cell find_beyond(LineAddress line) const;
  void apply(std::vector<Report>& log);
  template <class AnyShape>
  void apply(AnyShape shape, const std::vector<Report>& log);
  template <class AnyShape>
  void apply(AnyShape shape, Report report);
  template <class AnyShape>
  static bool set_masks(AnyShape shape, std::uint64_t* of_line, unsigned holder, SectorMask valid);
  template <class AnyShape>
  void set_use(AnyShape shape, Cell cell, std::uint64_t hash, LineAddress line, bool used);
  void sweep(const HolderMask& emptied);
  unsigned holders_of(const std::uint64_t* of_line) const;
  void make(std::size_t buckets);
  void grow();

  Shape shape_;
  unsigned shift_ = 0;                  // of the hash: 64 - log2(buckets)
  std::vector<std::uint64_t> buckets_;  // 2^n buckets
  std::uint64_t* first_bucket_ = nullptr;
  std::uint64_t most_lines_ = 0;  // lines held at which the table grows
  std::uint64_t lines_ = 0, copies_ = 0;
  InlineArray<std::vector<Report>, 1> logs_{Islands::parts(), [](std::size_t) { return std::vector<Report>(); }};  // [island]
};

}  // namespace wharf
