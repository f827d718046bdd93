#include "model/l2/l2_mirror.h"

#include "model/l2/l2_slice.h"

namespace wharf {

namespace {
bool writes(const Access& access) { return access.kind == AccessKind::store || access.kind == AccessKind::atomic; }
}  // namespace

L2Mirror::L2Mirror(const L2Params& params, L2Slice& slice, L2Copies& copies)
    : sectored_(params.sectored),
      copy_sectors_(params.sectored ? params.partition.copy_bytes / kSectorBytes : kSectorsPerLine),
      slice_(slice),
      copies_(copies),
      mshrs_(params.mshr_entries, params.mshr_targets) {}

L2Mirror::Outcome L2Mirror::look_up(Transaction& far) {
  const Access& access = far.access;
  L2CopyCounters& counters = copies_.counters();
  if (writes(access)) {
    block_installs(access.line);
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
  SectorMask under_way = 0;
  MshrFile::Index found = MshrFile::kNone;
  for_each_entry(access.line, [&](MshrFile::Index index) {
    under_way |= mshrs_[index].outstanding;
    if ((access.sectors & ~mshrs_[index].outstanding) == 0) found = index;
  });
  if (found != MshrFile::kNone && mshrs_[found].no_install == 0) return wait_for(found, far);
  if ((access.sectors & under_way) == 0) return fetch(far, under_way);
  ++counters.passed;
  return Outcome::passes;
}

L2Mirror::Outcome L2Mirror::wait_for(MshrFile::Index found, Transaction& far) {
  if (mshrs_.targets_full(found)) return Outcome::refused;
  mshrs_.add(found, far);
  ++copies_.counters().merged;
  return Outcome::merged;
}

/// Requests the sectors that `far` reads, and those beside them that are neither here nor under way.
L2Mirror::Outcome L2Mirror::fetch(Transaction& far, SectorMask under_way) {
  if (mshrs_.full()) return Outcome::refused;
  const Access& access = far.access;
  ++copies_.counters().misses;
  fetches_ = {itself(access)};
  const MshrFile::Index index = mshrs_.allocate(key(access.line, lowest_sector(fetches_[0])));
  mshrs_[index].outstanding = fetches_[0];
  mshrs_.add(index, far);
  const SectorMask others = beside(access) & ~under_way;
  unsigned count = 1;
  for (unsigned s = 0; s < kSectorsPerLine && !mshrs_.full(); ++s) {
    if ((others >> s & 1) == 0) continue;
    fetches_[count] = static_cast<SectorMask>(1u << s);
    mshrs_[mshrs_.allocate(key(access.line, s))].outstanding = fetches_[count++];
    ++copies_.counters().prefetched;
  }
  return Outcome::fetches;
}

SectorMask L2Mirror::beside(const Access& access) const {
  return aligned(access.sectors) & ~(itself(access) | slice_.copied_sectors(access.line));
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
  block_installs(line);
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
void L2Mirror::block_installs(LineAddress line) {
  for_each_entry(line, [this](MshrFile::Index index) { mshrs_[index].no_install = mshrs_[index].outstanding; });
}

template <class Visit>
void L2Mirror::for_each_entry(LineAddress line, Visit visit) const {
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (const MshrFile::Index index = mshrs_.find(key(line, s)); index != MshrFile::kNone) visit(index);
}

}  // namespace wharf
