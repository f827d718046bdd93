#include "model/l2/residency/residency.h"

#include "model/l2/l2_logic.h"

namespace wharf {

Residency::Residency(stats::Group& g, const L2Params& params, const stats::Counter& evictions)
    : evicted_first(g, "evictions.first", "evicted lines of class first", stats::Unit::count),
      evicted_normal(g, "evictions.normal", "evicted lines of class normal", stats::Unit::count),
      evicted_last(g, "evictions.last", "evicted persisting lines", stats::Unit::count),
      persisting_accesses(g, "persisting.accesses", "accesses that want a persisting line", stats::Unit::accesses),
      persisting_misses(g, "persisting.misses", "of them, with a sector neither present nor in flight", stats::Unit::accesses),
      unallocated(g, "unallocated", "reads that miss and install no line, merges not counted", stats::Unit::accesses),
      waits(g, "refused.unallocated", "cycles the head waited for the data of a read that installs no line", stats::Unit::cycles),
      params_(params),
      persisting_ways_(params.persisting_ways()) {
  g.law("evictions == evictions.first + evictions.normal + evictions.last",
        [this, &evictions] { return evictions.value() == evicted_first.value() + evicted_normal.value() + evicted_last.value(); });
}

Eviction Residency::requested_eviction(const Access& access) const {
  Eviction eviction = access.hint.eviction;
  if (eviction == Eviction::unhinted && access.kernel < windows_.size()) eviction = windows_[access.kernel].eviction_of(access.line);
  // A copy needs its line at home.
  return eviction == Eviction::none && params_.partition.copies() ? Eviction::first : eviction;
}

void Residency::start_kernel(std::uint8_t kernel, const KernelLaunch& launch) {
  if (kernel >= windows_.size()) windows_.resize(kernel + 1u);
  windows_[kernel] = launch.l2_window;
  persisting_ways_ = params_.persisting_ways(launch.persisting_limit);
}

std::uint32_t Residency::lines_of(const TagArray& tags, std::uint32_t set, Eviction eviction) const {
  const TagArray::Slot base = set * tags.ways();
  std::uint32_t count = 0;
  for (std::uint32_t way = 0; way < tags.ways(); ++way)
    count += tags.line(base + way).present && tags.line(base + way).eviction == eviction ? 1 : 0;
  return count;
}

TagArray::Slot Residency::victim(TagArray& tags, std::uint64_t set_key, const Access& access) const {
  const auto among = [&](Eviction eviction) {
    return tags.victim(set_key, access, [eviction](const TagArray::Line& line) { return line.eviction == eviction; });
  };
  const std::uint32_t set = tags.set_of(set_key);
  TagArray::Slot slot = TagArray::kNone;
  if (persisting_ways_ != 0 && requested_eviction(access) == Eviction::last && lines_of(tags, set, Eviction::last) >= persisting_ways_)
    slot = among(Eviction::last);
  for (const Eviction eviction : {Eviction::first, Eviction::normal, Eviction::last})
    if (slot == TagArray::kNone) slot = among(eviction);
  return slot;
}

void Residency::classify(TagArray& tags, TagArray::Slot slot, const Access& access) const {
  Eviction& eviction = tags.line(slot).eviction;
  const Eviction requested = requested_eviction(access);
  const bool ranks = requested == Eviction::first || requested == Eviction::normal || requested == Eviction::last;
  if (!ranks || requested == eviction) return;
  if (requested != Eviction::last || lines_of(tags, slot / tags.ways(), Eviction::last) < persisting_ways_) eviction = requested;
}

void Residency::evicted(const TagArray::Line& line) {
  ++(line.eviction == Eviction::first ? evicted_first : line.eviction == Eviction::last ? evicted_last : evicted_normal);
}

void Residency::reset(TagArray& tags) const {
  tags.for_each([&](TagArray::Slot slot) {
    if (tags.line(slot).eviction == Eviction::last) tags.line(slot).eviction = Eviction::normal;
  });
}

void Residency::count(const Access& access, bool missed) {
  if (requested_eviction(access) != Eviction::last) return;
  ++persisting_accesses;
  persisting_misses += missed ? 1 : 0;
}

/// True if the access must not use the lines: it is a read that installs none, or such a read of its data is in flight.
bool L2Logic::skips_lines(const Access& access, TagArray::Slot slot) const {
  const bool reads = access.kind != AccessKind::store && access.kind != AccessKind::atomic;
  const MshrFile::Index index = mshrs_.find(key(access));
  if (index == MshrFile::kNone) return reads && slot == TagArray::kNone && residency_->requested_eviction(access) == Eviction::none;
  if (mshrs_[index].to == MshrFile::FillTo::line) return false;
  return !reads || slot == TagArray::kNone || (access.sectors & ~(tags_.line(slot).valid & ~tags_.line(slot).partial)) != 0;
}

/// Serves a read by a fetch that installs no line, its own or one in flight. The data under way are older than a later store, so a store or
/// an atomic waits for their arrival.
L2Logic::Verdict L2Logic::read_without_allocating(Transaction& transaction, std::uint32_t queue_room) {
  const Access& access = transaction.access;
  MshrFile::Index index = mshrs_.find(key(access));
  const bool merges = index != MshrFile::kNone;
  if (access.kind == AccessKind::store || access.kind == AccessKind::atomic) return refuse(residency_->waits);
  const SectorMask whole = sectored_ ? access.sectors : kAllSectors;
  const SectorMask outstanding = merges ? mshrs_[index].outstanding : SectorMask{0};
  const SectorMask fetch = whole & ~outstanding;
  if (merges && mshrs_.targets_full(index)) return refuse(counters_.targets_full);
  if (!merges && mshrs_.full()) return refuse(counters_.mshr_full);
  if (queue_room < (fetch != 0 ? 1u : 0u)) return refuse(counters_.queue_full);

  count_access(access, access.sectors & ~outstanding);
  ++(merges ? counters_.merged : counters_.misses);
  if (!merges) {
    ++residency_->unallocated;
    index = mshrs_.allocate(key(access));
    mshrs_[index].to = MshrFile::FillTo::no_allocate;
  }
  mshrs_[index].outstanding |= fetch;
  await_bypassed(index, transaction);
  return {Outcome::waits, nullptr, fetch};
}

}  // namespace wharf
