#include "model/cache/line_directory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {
namespace {

constexpr std::size_t kFirstCells = 1024;
constexpr unsigned kHostWords = kHostLineBytes / sizeof(std::uint64_t);

/// Words of a cell with room for `used`.
unsigned stride_of(unsigned used) { return used > kHostWords ? used : 1u << ceil_log2(used); }

}  // namespace

LineDirectory::LineDirectory(unsigned holders, bool sectored)
    : planes_(sectored ? kSectorsPerLine : 1),
      words_((holders + 63) / 64),
      stride_(stride_of(1 + planes_ * words_)) {
  if (holders == 0 || holders > HolderMask::kMaxHolders)
    throw InputError("a directory of " + std::to_string(holders) + " L1 caches is not offered; choose 1 to " +
                     std::to_string(HolderMask::kMaxHolders) + " caches, or oracle_directory: off");
  make(kFirstCells);
}

/// `cells`: free ones, 2^n.
void LineDirectory::make(std::size_t cells) {
  words_of_cells_.assign(cells * stride_, 0);
  last_ = cells - 1;
  shift_ = 64 - floor_log2(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) *cell_at(cell) = kFree;
}

bool LineDirectory::others_hold(LineAddress line, SectorMask missing, unsigned self) const {
  const std::size_t cell = find(line);
  if (key(cell) == kFree) return false;
  const std::uint64_t* const of_line = masks(cell);
  for (unsigned plane = 0; plane < planes_; ++plane) {
    if (planes_ > 1 && (missing >> plane & 1) == 0) continue;
    for (unsigned word = 0; word < words_; ++word) {
      const std::uint64_t own = word == self / 64 ? std::uint64_t{1} << self % 64 : 0;
      if ((of_line[plane * words_ + word] & ~own) != 0) return true;
    }
  }
  return false;
}

HolderMask LineDirectory::holders(LineAddress line, SectorMask wanted) const {
  HolderMask found;
  const std::size_t cell = find(line);
  if (key(cell) == kFree) return found;
  for (unsigned word = 0; word < words_; ++word) {
    std::uint64_t all = ~std::uint64_t{0};
    for (unsigned plane = 0; plane < planes_; ++plane)
      if (planes_ == 1 || (wanted >> plane & 1) != 0) all &= masks(cell)[plane * words_ + word];
    found.word(word) = all;
  }
  return found;
}

unsigned LineDirectory::holders_of(const std::uint64_t* of_line) const {
  unsigned count = 0;
  for (unsigned word = 0; word < words_; ++word) {
    std::uint64_t any = 0;
    for (unsigned plane = 0; plane < planes_; ++plane) any |= of_line[plane * words_ + word];
    count += static_cast<unsigned>(__builtin_popcountll(any));
  }
  return count;
}

SectorMask LineDirectory::sectors(LineAddress line, unsigned holder) const {
  const std::size_t cell = find(line);
  if (key(cell) == kFree) return 0;
  unsigned valid = 0;
  for (unsigned plane = 0; plane < planes_; ++plane)
    valid |= static_cast<unsigned>(masks(cell)[plane * words_ + holder / 64] >> holder % 64 & 1) << plane;
  return planes_ == 1 && valid != 0 ? kAllSectors : static_cast<SectorMask>(valid);
}

std::array<std::uint64_t, kSectorsPerLine> LineDirectory::sector_holders(LineAddress line) const {
  std::array<std::uint64_t, kSectorsPerLine> found{};
  const std::size_t cell = find(line);
  if (key(cell) != kFree)
    for (unsigned plane = 0; plane < planes_; ++plane) found[plane] = masks(cell)[plane * words_];
  return found;
}

void LineDirectory::apply_log() {
  HolderMask emptied;
  bool sweeping = false;
  for (const Report& report : log_) {
    if (report.change == Change::invalidate_cache) {
      emptied.set(report.holder);
      sweeping = true;
      continue;
    }
    if (sweeping) {
      // A report after an invalidation of the whole cache must find it done.
      sweep(emptied);
      emptied = {};
      sweeping = false;
    }
    apply(report);
  }
  if (sweeping) sweep(emptied);
  log_.clear();
}

void LineDirectory::apply(const Report& report) {
  std::size_t cell = find(report.line);
  if (key(cell) == kFree) {
    if (report.valid == 0) return;
    if (2 * (lines_ + 1) > cells()) {
      grow();
      cell = find(report.line);
    }
    *cell_at(cell) = report.line.number;
    ++lines_;
  }
  std::uint64_t* const of_line = masks(cell);
  const bool held = planes_ == 1 ? set_mask(of_line, report.holder, report.valid != 0) : set_masks(of_line, report.holder, report.valid);
  if (report.valid != 0) {
    if (!held) ++copies_;
  } else if (held) {
    --copies_;
    if (empty(of_line)) erase(cell);
  }
}

/// Where a line is held whole. Returns whether it was held.
bool LineDirectory::set_mask(std::uint64_t* of_line, unsigned holder, bool valid) const {
  const std::uint64_t bit = std::uint64_t{1} << holder % 64;
  std::uint64_t& mask = of_line[holder / 64];
  const bool held = (mask & bit) != 0;
  mask = valid ? mask | bit : mask & ~bit;
  return held;
}

/// The same sector by sector: whether any was held.
bool LineDirectory::set_masks(std::uint64_t* of_line, unsigned holder, SectorMask valid) const {
  bool held = false;
  for (unsigned plane = 0; plane < planes_; ++plane) held |= set_mask(of_line + plane * words_, holder, (valid >> plane & 1) != 0);
  return held;
}

void LineDirectory::sweep(const HolderMask& emptied) {
  // erase() may move a later line into the cell it frees: look at the cell again.
  for (std::size_t cell = 0; cell < cells() && lines_ != 0; ++cell) {
    while (key(cell) != kFree) {
      std::uint64_t* const of_line = masks(cell);
      for (unsigned word = 0; word < words_; ++word) {
        std::uint64_t gone = 0;
        for (unsigned plane = 0; plane < planes_; ++plane) {
          std::uint64_t& mask = of_line[plane * words_ + word];
          gone |= mask & emptied.word(word);
          mask &= ~emptied.word(word);
        }
        copies_ -= popcount(gone);
      }
      if (!empty(of_line)) break;
      erase(cell);
    }
  }
}

bool LineDirectory::empty(const std::uint64_t* of_line) const {
  std::uint64_t any = 0;
  for (unsigned word = 0; word < planes_ * words_; ++word) any |= of_line[word];
  return any == 0;
}

void LineDirectory::erase(std::size_t hole) {
  for (std::size_t cell = next(hole); key(cell) != kFree; cell = next(cell)) {
    // The line in `cell` may move up unless its home lies between the hole and the cell.
    if (((cell - home(key(cell))) & last_) < ((cell - hole) & last_)) continue;
    std::copy_n(cell_at(cell), stride_, cell_at(hole));
    hole = cell;
  }
  *cell_at(hole) = kFree;
  std::fill_n(masks(hole), stride_ - 1, 0);
  --lines_;
}

void LineDirectory::grow() {
  const HostLineVector<std::uint64_t> old = std::move(words_of_cells_);
  make(2 * cells());
  for (const std::uint64_t* cell = old.data(); cell != old.data() + old.size(); cell += stride_)
    if (*cell != kFree) std::copy_n(cell, stride_, cell_at(find({*cell})));
}

}  // namespace wharf
