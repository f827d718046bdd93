#include "model/l2/l2_mirror.h"

#include "model/l2/l2_slice.h"

namespace wharf {

namespace {
bool writes(const Access& access) { return access.kind == AccessKind::store || access.kind == AccessKind::atomic; }
}  // namespace

L2Mirror::L2Mirror(const L2Params& params, TransactionUnit unit, L2Slice& slice, L2Copies& copies)
    : unit_(unit),
      copy_sectors_(params.sectored ? params.partition.copy_bytes / kSectorBytes : kSectorsPerLine),
      slice_(slice),
      copies_(copies),
      mshrs_(params.mshr_entries, params.mshr_targets) {}

L2Mirror::Outcome L2Mirror::look_up(Transaction& far) {
  const Access& access = far.access;
  L2CopyCounters& counters = copies_.counters();
  if (writes(access)) {
    keep_out(access.line);
    ++written_[access.line.number];
    if (access.kind == AccessKind::atomic && slice_.drop_copy(access.line)) ++counters.invalidated;
    return Outcome::passes;
  }
  if (written_.count(access.line.number) != 0) {
    ++counters.passed;
    return Outcome::passes;
  }
  if (slice_.read_copy(far)) {
    ++counters.hits;
    return Outcome::hit;
  }
  return fetch(far, mshrs_.find(key(access.line, access.sectors)));
}

/// Waits for the entry `found`, or requests the sectors that `far` reads and those beside them.
L2Mirror::Outcome L2Mirror::fetch(Transaction& far, MshrFile::Index found) {
  const Access& access = far.access;
  L2CopyCounters& counters = copies_.counters();
  if (found != MshrFile::kNone) {
    if (mshrs_[found].no_install != 0 || (access.sectors & ~mshrs_[found].outstanding) != 0) {
      ++counters.passed;
      return Outcome::passes;
    }
    if (mshrs_.targets_full(found)) return Outcome::refused;
    mshrs_.add(found, far);
    ++counters.merged;
    return Outcome::merged;
  }
  if (mshrs_.full()) return Outcome::refused;
  ++counters.misses;
  fetches_ = {};
  SectorMask beside = aligned(access.sectors);
  fetches_[0] = unit_ == TransactionUnit::line ? beside : access.sectors;
  const MshrFile::Index index = mshrs_.allocate(key(access.line, access.sectors));
  mshrs_[index].outstanding = fetches_[0];
  mshrs_.add(index, far);
  beside &= ~(fetches_[0] | slice_.copied_sectors(access.line));
  unsigned count = 1;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    const auto sector = static_cast<SectorMask>(1u << s & beside);
    if (sector == 0 || mshrs_.full() || mshrs_.find(key(access.line, sector)) != MshrFile::kNone) continue;
    mshrs_[mshrs_.allocate(key(access.line, sector))].outstanding = sector;
    fetches_[count++] = sector;
    ++counters.prefetched;
  }
  return Outcome::fetches;
}

/// The sectors of every aligned group of l2.copy_bytes that `sectors` touch.
SectorMask L2Mirror::aligned(SectorMask sectors) const {
  SectorMask all = 0;
  for (unsigned first = 0; first < kSectorsPerLine; first += copy_sectors_) {
    const auto group = static_cast<SectorMask>(((1u << copy_sectors_) - 1) << first);
    if ((sectors & group) != 0) all |= group;
  }
  return all;
}

void L2Mirror::install(const Transaction& data) { slice_.install_copy(data); }

void L2Mirror::returned(const Transaction& far) {
  if (!writes(far.access)) return;
  const auto written = written_.find(far.access.line.number);
  if (--written->second == 0) written_.erase(written);
  if (far.access.kind == AccessKind::store) slice_.update_copy(far);
}

void L2Mirror::invalidate(LineAddress line) {
  keep_out(line);
  ++(slice_.drop_copy(line) ? copies_.counters().invalidated : copies_.counters().useless);
  ++copies_.counters().received;
}

void L2Mirror::expire() {
  mshrs_.install_nothing();
  copies_.counters().expired += slice_.drop_copies();
}

bool L2Mirror::fetching(LineAddress line) const {
  bool found = false;
  for_each_entry(line, [&](MshrFile::Index) { found = true; });
  return found;
}

/// Keeps sectors of the line that have been requested from being installed.
void L2Mirror::keep_out(LineAddress line) {
  for_each_entry(line, [this](MshrFile::Index index) { mshrs_[index].no_install = mshrs_[index].outstanding; });
}

template <class Visit>
void L2Mirror::for_each_entry(LineAddress line, Visit visit) const {
  for (unsigned s = 0; s < (unit_ == TransactionUnit::line ? 1 : kSectorsPerLine); ++s)
    if (const MshrFile::Index index = mshrs_.find(key(line, static_cast<SectorMask>(1u << s))); index != MshrFile::kNone) visit(index);
}

}  // namespace wharf
