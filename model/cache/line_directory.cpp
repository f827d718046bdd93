#include "model/cache/line_directory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {
namespace {

constexpr std::size_t kFirstBuckets = 256;

}  // namespace

LineDirectory::LineDirectory(unsigned holders, bool sectored) : shape_{sectored ? kSectorsPerLine : 1, (holders + 63) / 64} {
  if (holders == 0 || holders > HolderMask::kMaxHolders)
    throw InputError("a directory of " + std::to_string(holders) + " L1 caches is not offered; choose 1 to " +
                     std::to_string(HolderMask::kMaxHolders) + " caches, or oracle_directory: off");
  make(kFirstBuckets);
}

/// Makes 2^n empty buckets.
void LineDirectory::make(std::size_t buckets) {
  buckets_.assign(buckets * shape_.stride(), 0);
  first_bucket_ = buckets_.data();
  shift_ = 64 - floor_log2(buckets);
  most_lines_ = kLinesPerBucket * buckets;
}

bool LineDirectory::others_hold(LineAddress line, SectorMask missing, unsigned self) const {
  return in_shape([&](auto shape) {
    const std::uint64_t* const of_line = masks(shape, find(shape, line));
    const unsigned asked = shape.planes == 1 ? 1 : missing;
    std::uint64_t others = 0;
    for (unsigned plane = 0; plane < shape.planes; ++plane) {
      const std::uint64_t of_plane = std::uint64_t{0} - (asked >> plane & 1);
      for (unsigned word = 0; word < shape.words; ++word) {
        const std::uint64_t own = std::uint64_t{word == self / 64} << self % 64;
        others |= of_line[plane * shape.words + word] & of_plane & ~own;
      }
    }
    return others != 0;
  });
}

HolderMask LineDirectory::holders(LineAddress line, SectorMask wanted) const {
  HolderMask found;
  const Cell cell = find(shape_, line);
  if (!in_use(cell)) return found;
  const std::uint64_t* const of_line = masks(shape_, cell);
  for (unsigned word = 0; word < shape_.words; ++word) {
    std::uint64_t all = ~std::uint64_t{0};
    for (unsigned plane = 0; plane < shape_.planes; ++plane)
      if (shape_.planes == 1 || (wanted >> plane & 1) != 0) all &= of_line[plane * shape_.words + word];
    found.word(word) = all;
  }
  return found;
}

unsigned LineDirectory::holders_of(const std::uint64_t* of_line) const {
  unsigned count = 0;
  for (unsigned word = 0; word < shape_.words; ++word) {
    std::uint64_t any = 0;
    for (unsigned plane = 0; plane < shape_.planes; ++plane) any |= of_line[plane * shape_.words + word];
    count += static_cast<unsigned>(__builtin_popcountll(any));
  }
  return count;
}

SectorMask LineDirectory::sectors(LineAddress line, unsigned holder) const {
  const std::uint64_t* const of_line = masks(shape_, find(shape_, line));
  unsigned valid = 0;
  for (unsigned plane = 0; plane < shape_.planes; ++plane)
    valid |= static_cast<unsigned>(of_line[plane * shape_.words + holder / 64] >> holder % 64 & 1) << plane;
  return shape_.planes == 1 && valid != 0 ? kAllSectors : static_cast<SectorMask>(valid);
}

std::array<std::uint64_t, kSectorsPerLine> LineDirectory::sector_holders(LineAddress line) const {
  return in_shape([&](auto shape) {
    const std::uint64_t* const of_line = masks(shape, find(shape, line));
    std::array<std::uint64_t, kSectorsPerLine> found{};
    for (unsigned plane = 0; plane < shape.planes; ++plane) found[plane] = of_line[plane * shape.words];
    return found;
  });
}

void LineDirectory::apply(std::vector<Report>& log) {
  while (lines_ + log.size() > most_lines_) grow();
  in_shape([&](auto shape) { apply(shape, log); });
  log.clear();
}

template <class AnyShape>
void LineDirectory::apply(AnyShape shape, const std::vector<Report>& log) {
  HolderMask emptied;
  bool sweeping = false;
  for (const Report& report : log) {
    if (report.change == Change::invalidate_cache) {
      emptied.set(report.holder);
      sweeping = true;
      continue;
    }
    if (sweeping) {
      // Invalidations of whole caches must be applied before a later report.
      sweep(emptied);
      emptied = {};
      sweeping = false;
    }
    apply(shape, report);
  }
  if (sweeping) sweep(emptied);
}

/// `cell` holds the line or is free; `hash` is the hash of `line`.
template <class AnyShape>
void LineDirectory::set_use(AnyShape shape, Cell cell, std::uint64_t hash, LineAddress line, bool used) {
  const unsigned shift = 8 * cell.way;
  const std::uint64_t tags = *cell.bucket;
  const std::uint64_t more = std::uint64_t{used} - (tags >> shift >> 7 & 1);
  *cell.bucket = (tags & ~(std::uint64_t{0xFF} << shift)) | (tag(hash) * used) << shift;
  key(cell) = line.number;
  lines_ += more;
  for (std::uint64_t* passed = home(shape, hash); passed != cell.bucket; passed = next(passed)) *passed += more * kOnePassed;
}

/// Branches only on rare cases, because the data are unpredictable.
template <class AnyShape>
void LineDirectory::apply(AnyShape shape, const Report report) {
  const std::uint64_t hash = this->hash(report.line);
  const Cell cell = find(shape, hash, report.line);
  std::uint64_t* const of_line = masks(shape, cell);
  const bool held = set_masks(shape, of_line, report.holder, report.valid);
  copies_ += std::uint64_t{report.valid != 0} - std::uint64_t{held};
  set_use(shape, cell, hash, report.line, any(shape, of_line) != 0);
}

/// Returns true if the holder held any sector before.
template <class AnyShape>
bool LineDirectory::set_masks(AnyShape shape, std::uint64_t* of_line, unsigned holder, SectorMask valid) {
  const unsigned shift = holder % 64;
  const std::uint64_t now = shape.planes == 1 ? valid != 0 : valid;
  std::uint64_t held = 0;
  for (unsigned plane = 0; plane < shape.planes; ++plane) {
    std::uint64_t& mask = of_line[plane * shape.words + holder / 64];
    held |= mask >> shift & 1;
    mask = (mask & ~(std::uint64_t{1} << shift)) | (now >> plane & 1) << shift;
  }
  return held != 0;
}

void LineDirectory::sweep(const HolderMask& emptied) {
  for (std::uint64_t* bucket = first_bucket_; bucket != end() && lines_ != 0; bucket += shape_.stride()) {
    for (const unsigned bit : set_bits(*bucket & kUsed)) {
      const Cell cell{bucket, way_of(bit)};
      std::uint64_t* const of_line = masks(shape_, cell);
      for (unsigned word = 0; word < shape_.words; ++word) {
        std::uint64_t gone = 0;
        for (unsigned plane = 0; plane < shape_.planes; ++plane) {
          std::uint64_t& mask = of_line[plane * shape_.words + word];
          gone |= mask & emptied.word(word);
          mask &= ~emptied.word(word);
        }
        copies_ -= popcount(gone);
      }
      if (any(shape_, of_line) == 0) set_use(shape_, cell, hash({key(cell)}), {key(cell)}, false);
    }
  }
}

/// As find(), for a line whose home bucket is full, has overflowed, or holds a line with the same tag.
LineDirectory::Cell LineDirectory::find_beyond(LineAddress line) const {
  std::uint64_t* bucket = home(shape_, hash(line));
  for (Cell free{bucket, kWays};; bucket = next(bucket)) {
    for (const unsigned bit : set_bits(*bucket & kUsed))
      if (const Cell cell{bucket, way_of(bit)}; key(cell) == line.number) return cell;
    if (free.way == kWays && (~*bucket & kUsed) != 0) free = {bucket, first(~*bucket & kUsed)};
    if (free.way != kWays && *bucket / kOnePassed == 0) return free;
  }
}

void LineDirectory::grow() {
  const std::vector<std::uint64_t> old = std::move(buckets_);
  std::uint64_t* const old_bucket = first_bucket_;
  make(2 * old.size() / shape_.stride());
  lines_ = 0;
  for (std::uint64_t* bucket = old_bucket; bucket != old_bucket + old.size(); bucket += shape_.stride()) {
    for (const unsigned bit : set_bits(*bucket & kUsed)) {
      const Cell from{bucket, way_of(bit)}, to = find(shape_, {key(from)});
      std::copy_n(masks(shape_, from), shape_.masks(), masks(shape_, to));
      set_use(shape_, to, hash({key(from)}), {key(from)}, true);
    }
  }
}

void LineDirectory::archive(Archive& file) {
  for (const std::vector<Report>& log : logs_) file.expect_quiet(log.empty(), "directory");
  std::uint64_t buckets = buckets_.size() / shape_.stride();
  file(buckets);
  if (file.loads()) make(buckets);
  file.elements(buckets_);
  file(lines_, copies_);
}

}  // namespace wharf
