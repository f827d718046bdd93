#include "model/cache/tag_array.h"

#include <algorithm>

#include "model/base/bits.h"

namespace wharf {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, SetIndex index, Replacement replacement, Extras extras, std::uint32_t full_sets)
    : ways_(ways), set_index_(index), replacement_(std::move(replacement)), extras_(extras), index_(1), sets_(sets), full_sets_(full_sets) {
  make_slots();
}

void TagArray::make_slots() {
  way_bits_ = floor_log2(ways_);
  const std::size_t slots = std::size_t{sets_} * ways_;
  lines_.assign(slots, {});
  origins_.assign(extras_.origins ? slots : 0, {});
  versions_.assign(extras_.versions ? slots * kSectorsPerLine : 0, 0);
  index_ = LineMap(ways_ > kMostScanned ? slots : 1);
  empty_sets();
}

/// No line is present any more. A way that a set lacks is taken for good: by no line that is ever looked up, with a sector that never
/// comes, so that it is no victim. So a lookup needs to know nothing about it.
void TagArray::empty_sets() {
  for (Line& line : lines_) {
    line.number = kAbsent;
    line.present = false;
  }
  present_in_set_.assign(sets_, 0);
  present_ = 0;
  capacity_ = sets_ * ways_;
  for (std::uint32_t set = full_sets_; set < sets_; ++set) {
    Line& lacking = lines_[set * ways_ + ways_ - 1];
    lacking.number = kLacking;
    lacking.pending = kAllSectors;
    ++present_in_set_[set];
    --capacity_;
  }
}

void TagArray::install(Slot slot, std::uint64_t line_number, LineOrigin origin) {
  Line& line = lines_[slot];
  const bool replaces = line.present;
  if (ways_ > kMostScanned) {
    if (replaces) index_.erase(line.number);
    index_.insert(line_number, slot);
  }
  line = {};
  line.number = line_number;
  line.present = true;
  if (extras_.origins) origins_[slot] = origin;
  if (extras_.versions) std::fill_n(&versions_[std::size_t{slot} * kSectorsPerLine], kSectorsPerLine, 0);
  const std::uint32_t set = set_of(slot);
  if (!replaces) {
    ++present_in_set_[set];
    ++present_;
  }
  replacement_.fill(set, slot - set * ways_);
}

void TagArray::remove(Slot slot) {
  Line& line = lines_[slot];
  if (ways_ > kMostScanned) index_.erase(line.number);
  line.number = kAbsent;
  line.present = false;
  --present_in_set_[set_of(slot)];
  --present_;
}

void TagArray::clear() {
  if (present_ == 0) return;
  index_.clear();
  empty_sets();
}

void TagArray::resize(std::uint32_t ways) {
  if (ways == ways_) return;
  ways_ = ways;
  replacement_.resize(ways);
  make_slots();
}

}  // namespace wharf
