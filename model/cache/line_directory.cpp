#include "model/cache/line_directory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {
namespace {

constexpr std::size_t kFirstCells = 1024;

}  // namespace

LineDirectory::LineDirectory(unsigned holders, bool sectored)
    : holders_(holders),
      planes_(sectored ? kSectorsPerLine : 1),
      words_((holders + 63) / 64),
      stride_(planes_ * words_),
      keys_(kFirstCells, kFree),
      masks_(kFirstCells * stride_, 0),
      shift_(64 - floor_log2(kFirstCells)) {
  if (holders == 0 || holders > HolderMask::kMaxHolders)
    throw InputError("a directory of " + std::to_string(holders) + " L1 caches is not offered; choose 1 to " +
                     std::to_string(HolderMask::kMaxHolders) + " caches, or oracle_directory: off");
}

bool LineDirectory::others_hold(LineAddress line, SectorMask missing, unsigned self) const {
  const std::size_t cell = find(line);
  if (keys_[cell] == kFree) return false;
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
  if (keys_[cell] == kFree) return found;
  for (unsigned word = 0; word < words_; ++word) {
    std::uint64_t all = ~std::uint64_t{0};
    for (unsigned plane = 0; plane < planes_; ++plane)
      if (planes_ == 1 || (wanted >> plane & 1) != 0) all &= masks(cell)[plane * words_ + word];
    found.word(word) = all;
  }
  return found;
}

unsigned LineDirectory::holders_of(std::size_t cell) const {
  unsigned count = 0;
  for (unsigned word = 0; word < words_; ++word) {
    std::uint64_t any = 0;
    for (unsigned plane = 0; plane < planes_; ++plane) any |= masks(cell)[plane * words_ + word];
    count += static_cast<unsigned>(__builtin_popcountll(any));
  }
  return count;
}

SectorMask LineDirectory::sectors(LineAddress line, unsigned holder) const {
  const std::size_t cell = find(line);
  if (keys_[cell] == kFree) return 0;
  if (planes_ == 1) return holds(cell, holder) ? kAllSectors : SectorMask{0};
  unsigned valid = 0;
  for (unsigned plane = 0; plane < planes_; ++plane)
    valid |= static_cast<unsigned>(masks(cell)[plane * words_ + holder / 64] >> holder % 64 & 1) << plane;
  return static_cast<SectorMask>(valid);
}

std::array<std::uint64_t, kSectorsPerLine> LineDirectory::sector_holders(LineAddress line) const {
  std::array<std::uint64_t, kSectorsPerLine> found{};
  const std::size_t cell = find(line);
  if (keys_[cell] != kFree)
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
  if (keys_[cell] == kFree) {
    if (report.valid == 0) return;
    if (2 * (lines_ + 1) > keys_.size()) {
      grow();
      cell = find(report.line);
    }
    keys_[cell] = report.line.number;
    ++lines_;
  }
  const bool held = planes_ == 1 ? set_mask(cell, report.holder, report.valid != 0) : holds(cell, report.holder);
  if (planes_ != 1) set_masks(cell, report.holder, report.valid);
  if (report.valid != 0) {
    if (!held) ++copies_;
  } else if (held) {
    --copies_;
    if (empty(cell)) erase(cell);
  }
}

/// Where a line is held whole. Returns whether it was held.
bool LineDirectory::set_mask(std::size_t cell, unsigned holder, bool valid) {
  const std::uint64_t bit = std::uint64_t{1} << holder % 64;
  std::uint64_t& mask = masks(cell)[holder / 64];
  const bool held = (mask & bit) != 0;
  mask = valid ? mask | bit : mask & ~bit;
  return held;
}

void LineDirectory::set_masks(std::size_t cell, unsigned holder, SectorMask valid) {
  const std::uint64_t bit = std::uint64_t{1} << holder % 64;
  for (unsigned plane = 0; plane < planes_; ++plane) {
    std::uint64_t& mask = masks(cell)[plane * words_ + holder / 64];
    mask = (valid >> plane & 1) != 0 ? mask | bit : mask & ~bit;
  }
}

void LineDirectory::sweep(const HolderMask& emptied) {
  // erase() may move a later line into the cell it frees: look at the cell again.
  for (std::size_t cell = 0; cell < keys_.size() && lines_ != 0; ++cell) {
    while (keys_[cell] != kFree) {
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
      if (!empty(cell)) break;
      erase(cell);
    }
  }
}

bool LineDirectory::holds(std::size_t cell, unsigned holder) const {
  std::uint64_t any = 0;
  for (unsigned plane = 0; plane < planes_; ++plane) any |= masks(cell)[plane * words_ + holder / 64];
  return (any >> holder % 64 & 1) != 0;
}

bool LineDirectory::empty(std::size_t cell) const {
  return std::all_of(masks(cell), masks(cell) + stride_, [](std::uint64_t word) { return word == 0; });
}

void LineDirectory::erase(std::size_t hole) {
  for (std::size_t cell = next(hole); keys_[cell] != kFree; cell = next(cell)) {
    // The line in `cell` may move up unless its home lies between the hole and the cell.
    const std::size_t mask = keys_.size() - 1;
    if (((cell - home(keys_[cell])) & mask) < ((cell - hole) & mask)) continue;
    keys_[hole] = keys_[cell];
    std::copy_n(masks(cell), stride_, masks(hole));
    hole = cell;
  }
  keys_[hole] = kFree;
  std::fill_n(masks(hole), stride_, 0);
  --lines_;
}

void LineDirectory::grow() {
  const std::vector<std::uint64_t> keys = std::move(keys_);
  const std::vector<std::uint64_t> of_cells = std::move(masks_);
  keys_.assign(2 * keys.size(), kFree);
  masks_.assign(keys_.size() * stride_, 0);
  --shift_;
  for (std::size_t old = 0; old < keys.size(); ++old) {
    if (keys[old] == kFree) continue;
    const std::size_t cell = find({keys[old]});
    keys_[cell] = keys[old];
    std::copy_n(&of_cells[old * stride_], stride_, masks(cell));
  }
}

}  // namespace wharf
