#include "model/cache/tag_array.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"

namespace wharf {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, SetIndex index, Replacement replacement, Extras extras, std::uint32_t full_sets)
    : ways_(ways), extras_(extras), replacement_(std::move(replacement)), set_index_(index), index_(1), sets_(sets), full_sets_(full_sets) {
  make_slots();
}

std::uint64_t TagArray::bytes(std::uint64_t slots, std::uint32_t ways, Extras extras) {
  constexpr std::uint64_t kReplacement = 2;  // bytes per line in the built-in policies
  std::uint64_t a_slot = sizeof(Line) + kReplacement + 2 * sizeof(std::uint32_t) / ways;
  if (extras.origins) a_slot += sizeof(LineOrigin);
  if (extras.versions) a_slot += kSectorsPerLine * sizeof(StoreId);
  if (extras.bytes) a_slot += kSectorsPerLine * sizeof(std::uint32_t);
  return slots * a_slot + (ways > kMostScanned ? SlotIndex::bytes(slots) : 0);
}

void TagArray::make_slots() {
  way_bits_ = static_cast<std::uint8_t>(floor_log2(ways_));
  plain_ = ways_ <= kMostScanned && set_index_.plain();
  set_mask_ = sets_ - 1;
  keeps_more_ = ways_ > kMostScanned || extras_.versions || extras_.bytes;
  const std::size_t slots = std::size_t{sets_} * ways_;
  lines_.assign(slots + kScannedAtOnce - 1, {});
  origins_.assign(extras_.origins ? slots : 0, {});
  versions_.assign(extras_.versions ? slots * kSectorsPerLine : 0, 0);
  written_bytes_.assign(extras_.bytes ? slots * kSectorsPerLine : 0, 0);
  index_ = SlotIndex(ways_ > kMostScanned ? slots : 1);
  empty_sets();
}

/// Empties all sets. A way that a set lacks is occupied for good. Its number matches no lookup, and its pending sectors keep it from
/// becoming a victim, so lookups need no extra check for it.
void TagArray::empty_sets() {
  for (Line& line : lines_) {
    line.number = kAbsent;
    line.present = false;
  }
  present_in_set_.assign(sets_, 0);
  first_empty_.assign(sets_, 0);
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

void TagArray::install(Slot slot, const Access& access) {
  const std::uint64_t line_number = access.line.number;
  if (keeps_more_) keep_more(slot, line_number);
  if (extras_.origins) origins_[slot] = {access.pc, access.cta, access.sm, access.warp};
  Line& line = lines_[slot];
  const Place place = place_of(slot);
  if (!line.present) {
    ++present_in_set_[place.set];
    ++present_;
  }
  line = {};
  line.number = line_number;
  line.present = true;
  replacement_.fill(place.set, place.way, access);
}

/// Updates the index, versions and written bytes for the line that replaces the one in `slot`.
void TagArray::keep_more(Slot slot, std::uint64_t line_number) {
  if (ways_ > kMostScanned) {
    if (lines_[slot].present) index_.erase(lines_[slot].number, slot);
    index_.insert(line_number, slot);
  }
  if (extras_.versions) std::fill_n(&versions_[std::size_t{slot} * kSectorsPerLine], kSectorsPerLine, 0);
  if (extras_.bytes) std::fill_n(&written_bytes_[std::size_t{slot} * kSectorsPerLine], kSectorsPerLine, 0);
}

void TagArray::remove(Slot slot) {
  Line& line = lines_[slot];
  if (ways_ > kMostScanned) index_.erase(line.number, slot);
  line.number = kAbsent;
  line.present = false;
  const Place place = place_of(slot);
  --present_in_set_[place.set];
  first_empty_[place.set] = std::min(first_empty_[place.set], place.way);
  --present_;
  replacement_.remove(place.set, place.way);
}

void TagArray::clear() {
  if (present_ == 0) return;
  for_each([&](Slot slot) { replacement_.remove(place_of(slot).set, place_of(slot).way); });
  index_.clear();
  empty_sets();
}

void TagArray::resize(std::uint32_t ways) {
  if (ways == ways_) return;
  ways_ = ways;
  replacement_.resize(ways);
  make_slots();
}

void TagArray::archive(Archive& file) {
  std::uint32_t ways = ways_;
  file(ways);
  if (file.loads()) resize(ways);
  file.elements(lines_);
  file.elements(present_in_set_);
  file.elements(origins_);
  file.elements(versions_);
  file.elements(written_bytes_);
  file(present_);
  bool known = true;
  file.section("replacement", [&] { known = replacement_.archive(file); });
  if (!file.loads()) return;
  first_empty_.assign(sets_, 0);
  if (ways_ > kMostScanned) {
    index_.clear();
    for_each([this](Slot slot) { index_.insert(lines_[slot].number, slot); });
  }
  if (known) return;
  for_each([this](Slot slot) {
    Access first;
    first.line.number = lines_[slot].number;
    replacement_.fill(place_of(slot).set, place_of(slot).way, first);
  });
}

}  // namespace wharf
