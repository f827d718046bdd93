#include "model/cache/tag_array.h"

#include <algorithm>

#include "model/base/bits.h"

namespace wharf {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, SetIndex index, Replacement replacement, bool versions, std::uint32_t full_sets)
    : sets_(sets), ways_(ways), full_sets_(full_sets), way_bits_(floor_log2(ways)), set_index_(index), replacement_(std::move(replacement)), versioned_(versions),
      index_(indexed_lines()), tags_(std::size_t{sets} * ways, kAbsent), lines_(tags_.size()), origins_(lines_.size()),
      versions_(versions ? lines_.size() * kSectorsPerLine : 0), present_in_set_(sets) {
  take_away_lacking_ways();
}

/// Each is taken for good: by no line that is ever looked up, with a sector that never comes, so that it is no victim. So a lookup needs to
/// know nothing about it.
void TagArray::take_away_lacking_ways() {
  for (std::uint32_t set = full_sets_; set < sets_; ++set) {
    const Slot slot = set * ways_ + ways_ - 1;
    tags_[slot] = kLacking;
    lines_[slot].pending = kAllSectors;
    ++present_in_set_[set];
  }
}

void TagArray::install(Slot slot, std::uint64_t line_number, const LineOrigin& origin) {
  if (lines_[slot].present) remove(slot);
  lines_[slot] = {};
  lines_[slot].number = line_number;
  lines_[slot].present = true;
  origins_[slot] = origin;
  if (versioned_) std::fill_n(&versions_[std::size_t{slot} * kSectorsPerLine], kSectorsPerLine, 0);
  if (ways_ > kMostScanned) index_.insert(line_number, slot);
  tags_[slot] = line_number;
  const std::uint32_t set = set_of(slot);
  ++present_in_set_[set];
  ++present_;
  replacement_.fill(set, slot - set * ways_);
}

void TagArray::remove(Slot slot) {
  if (ways_ > kMostScanned) index_.erase(lines_[slot].number);
  tags_[slot] = kAbsent;
  lines_[slot].present = false;
  --present_in_set_[set_of(slot)];
  --present_;
}

void TagArray::clear() {
  if (present_ == 0) return;
  index_.clear();
  std::fill(tags_.begin(), tags_.end(), kAbsent);
  for (Line& line : lines_) line.present = false;
  std::fill(present_in_set_.begin(), present_in_set_.end(), 0);
  present_ = 0;
  take_away_lacking_ways();
}

void TagArray::resize(std::uint32_t ways) {
  if (ways == ways_) return;
  ways_ = ways;
  way_bits_ = floor_log2(ways);
  lines_.assign(std::size_t{sets_} * ways, {});
  tags_.assign(lines_.size(), kAbsent);
  origins_.assign(lines_.size(), {});
  if (versioned_) versions_.assign(lines_.size() * kSectorsPerLine, 0);
  index_ = LineMap(indexed_lines());
  replacement_.resize(ways);
  std::fill(present_in_set_.begin(), present_in_set_.end(), 0);
  take_away_lacking_ways();
}

}  // namespace wharf
