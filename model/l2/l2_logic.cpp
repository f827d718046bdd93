#include "model/l2/l2_logic.h"

#include "model/base/archive.h"

namespace wharf {

L2Counters::L2Counters(stats::Group& g)
    : accesses(g, "accesses", "requests looked up, refused cycles not counted", stats::Unit::accesses),
      hits(g, "hits", "all sectors present (a store: present, even in part)", stats::Unit::accesses),
      merged(g, "merged", "merged with a fetch in flight", stats::Unit::accesses),
      sector_misses(g, "sector_misses", "line present, but a sector neither present nor in flight", stats::Unit::accesses),
      misses(g, "misses", "line absent", stats::Unit::accesses),
      loads(g, "loads", "accesses that read", stats::Unit::accesses),
      stores(g, "stores", "accesses that write", stats::Unit::accesses),
      atomics(g, "atomics", "read-modify-writes, performed in L2", stats::Unit::accesses),
      sector_accesses(g, "sectors.accesses", "32 B sectors looked up (CM-38)", stats::Unit::accesses),
      sector_misses_counted(g, "sectors.misses", "sectors looked up that are neither present nor in flight", stats::Unit::accesses),
      fills(g, "fills", "replies of DRAM", stats::Unit::accesses),
      evictions(g, "evictions", "lines evicted for others", stats::Unit::count),
      writebacks(g, "writebacks", "evicted lines with dirty sectors", stats::Unit::count),
      mshr_full(g, "refused.mshr_full", "cycles the head waited for an MSHR entry", stats::Unit::cycles),
      targets_full(g, "refused.targets_full", "cycles the head waited for a target of an entry", stats::Unit::cycles),
      no_way(g, "refused.no_way", "cycles the head waited for a way without a pending sector", stats::Unit::cycles),
      queue_full(g, "refused.queue_full", "cycles the head waited for the queue to DRAM", stats::Unit::cycles),
      reply_full(g, "refused.reply_full", "cycles the head waited for the queue to the network", stats::Unit::cycles) {
  g.law("accesses == hits + merged + sector_misses + misses",
        [this] { return accesses.value() == hits.value() + merged.value() + sector_misses.value() + misses.value(); });
  g.law("accesses == loads + stores + atomics", [this] { return accesses.value() == loads.value() + stores.value() + atomics.value(); });
}

L2Logic::L2Logic(const L2Params& params, TransactionUnit unit, stats::Group& group, unsigned slice, bool verify, L2LinePolicy* line_policy,
                 std::uint64_t seed)
    : line_policy_(line_policy),
      unit_(unit),
      write_miss_(params.write_miss),
      victim_order_(params.victim_order),
      sectored_(params.sectored),
      tags_(params.sets(), params.most_ways(), make_set_index(params.set_index, params.sets()),
            make_replacement(params.replacement, params.sets(), params.most_ways(), seed_of(seed, slice)),
            {verify, false, params.byte_masks}, params.extra_way_sets != 0 ? params.extra_way_sets : kUnlimited),
      mshrs_(params.mshr_entries, params.mshr_targets),
      counters_(group) {
  if (params.hints) residency_ = std::make_unique<Residency>(group, params, counters_.evictions);
  const std::uint32_t slots = params.sets() * params.most_ways();
  if (line_policy != nullptr) user_bits_.resize(slots);
  const bool gates = line_policy != nullptr && line_policy->gates();
  if (gates) gating_ = std::make_unique<L2Gating>(group, slots);
  if (gates || params.line_times != LineTimesKept::off)
    times_ = std::make_unique<LineTimes>(group, slots, params.lines(), gates, params.line_times);
  if (!gates && params.line_times == LineTimesKept::ideal) reused_ = std::make_unique<ReusedData>(group, slots);
}

L2Logic::Verdict L2Logic::refuse(stats::Counter& cause) {
  ++cause;
  return {Outcome::refused, &cause};
}

/// Returns the sectors to fetch from DRAM before the access is complete. `complete`: sectors whose every byte is valid.
SectorMask L2Logic::sectors_to_fetch(const Access& access, SectorMask complete) const {
  const SectorMask missing = access.sectors & ~complete;
  if (missing == 0) return 0;
  const SectorMask whole = sectored_ ? access.sectors : kAllSectors;
  if (access.kind == AccessKind::store) {
    if (write_miss_ == WriteMiss::lazy) return 0;
    if (write_miss_ == WriteMiss::fetch_partial && (missing & ~access.covered) == 0) return 0;
  }
  return whole & ~complete;
}

L2Logic::Verdict L2Logic::access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room, Cycle now) {
  const Access& access = transaction.access;
  TagArray::Slot slot = tags_.find(access.line.number, local_line);
  const bool tagged = slot != TagArray::kNone;
  bool present = tagged;
  if (gating_ != nullptr) {
    if (access.kind == AccessKind::metadata) return probe(transaction, slot);
    if (bypasses(access, slot)) return bypass(transaction, local_line, slot, queue_room, now);
    present = tagged && !is_off(tags_.line(slot));
  }
  if (residency_ != nullptr && skips_lines(access, slot)) return read_without_allocating(transaction, queue_room);
  const SectorMask complete = present ? tags_.line(slot).valid & ~tags_.line(slot).partial : 0;
  const SectorMask pending = present ? tags_.line(slot).pending : 0;
  const SectorMask needed = sectors_to_fetch(access, complete);
  const SectorMask fetch = needed & ~pending;
  const bool is_store = access.kind == AccessKind::store;
  const bool waits = !is_store && (access.sectors & ~complete) != 0;

  // Checks every cause of refusal before it changes anything.
  const MshrFile::Index found = needed == 0 ? MshrFile::kNone : mshrs_.find(key(access));
  if (waits && found != MshrFile::kNone && mshrs_.targets_full(found)) return refuse(counters_.targets_full);
  if (fetch != 0 && found == MshrFile::kNone && mshrs_.full()) return refuse(counters_.mshr_full);
  std::uint32_t needed_room = fetch != 0 ? 1 : 0;
  if (!tagged) {
    slot = find_victim(local_line, access);
    if (slot == TagArray::kNone) return refuse(counters_.no_way);
    if (tags_.line(slot).present && tags_.line(slot).dirty != 0) ++needed_room;
  } else if (gating_ != nullptr && present && ends_dirty(slot, access, pending | fetch)) {
    ++needed_room;
  }
  if (queue_room < needed_room) return refuse(counters_.queue_full);

  bool writeback = false;
  if (!present)
    writeback = allocate_line(slot, transaction, now);
  else
    touch(slot, access);
  bool switch_off = false;
  if (line_policy_ != nullptr) {
    const bool read_hit = present && !is_store && !waits;
    transaction.reply.forwarded = read_hit && line_policy_->forward_to(user_bits_[slot], transaction, transaction.reply.forward_to);
    switch_off = line_policy_->on_access(user_bits_[slot], access);
  }

  TagArray::Line& line = tags_.line(slot);
  const SectorMask absent = access.sectors & ~(is_store ? line.valid : complete) & ~pending;
  count_access(access, absent);
  ++(!present ? counters_.misses : absent != 0 ? counters_.sector_misses : waits ? counters_.merged : counters_.hits);

  line.pending |= fetch;
  if (is_store || access.kind == AccessKind::atomic) write(slot, transaction);
  if (fetch != 0 || waits) {
    const MshrFile::Index index = found != MshrFile::kNone ? found : mshrs_.allocate(key(access));
    mshrs_[index].outstanding |= fetch;
    if (waits) mshrs_.add(index, transaction);
  }
  if (!waits) {
    transaction.reply.served_by = transaction.reply.forwarded ? ServedBy::none : ServedBy::l2;
    complete_versions(transaction, slot);
  }
  if (copies_ != nullptr) copies_->accessed(slot, transaction);
  if (times_ != nullptr) record_times(slot, access.kind, present, now);
  if (gating_ != nullptr) {
    if (present) ++(pending != 0 ? gating_->pending : gating_->on);
    writeback |= used(slot, access, switch_off, now);
  }
  // A read that needs several sectors waits for all of them at once, and thus for every store before it.
  return {waits ? Outcome::waits : Outcome::reply, nullptr, fetch, writeback, slot};
}

void L2Logic::perform(Transaction& transaction, std::uint64_t local_line, Below& below, Cycle now) {
  if (mshrs_.empty()) return perform_alone(transaction, local_line, below, now);
  if (mshrs_.find(key(transaction.access)) != MshrFile::kNone) return;  // its data are under way
  // The misses in flight may occupy all entries.
  std::swap(mshrs_, spare_mshrs_);
  perform_alone(transaction, local_line, below, now);
  std::swap(mshrs_, spare_mshrs_);
}

void L2Logic::write_below(const Victim& data, Below& below) {
  Access write;
  write.line = data.line;
  write.kind = AccessKind::store;
  write.sectors = write.covered = data.sectors;
  SectorVersions versions = data.versions;
  below.access(write, versions);
}

void L2Logic::perform_alone(Transaction& transaction, std::uint64_t local_line, Below& below, Cycle now) {
  const Verdict verdict = access(transaction, local_line, kUnlimited, now);
  if (verdict.writeback) write_below(victim_, below);
  if (verdict.passes) write_below(passed_, below);
  if (verdict.request == 0) return;
  Transaction fetch;
  fetch.access = transaction.access;
  fetch.access.kind = AccessKind::load;
  fetch.access.sectors = verdict.request;
  below.access(fetch.access, fetch.versions);
  const auto nobody_waits = [](Transaction&) {};
  if (fill(fetch, verdict.slot, nobody_waits, now)) write_below(victim_, below);
}

void L2Logic::record_times(TagArray::Slot slot, AccessKind kind, bool present, Cycle now) {
  if (!present && tags_.line(slot).pending == 0)
    times_->filled(slot, now);
  else
    times_->accessed(slot, now);
  if (reused_ != nullptr) reused_->accessed(slot, kind, !present);
}

void L2Logic::count_access(const Access& access, SectorMask absent) {
  const bool is_store = access.kind == AccessKind::store;
  ++counters_.accesses;
  ++(is_store ? counters_.stores : access.kind == AccessKind::atomic ? counters_.atomics : counters_.loads);
  counters_.sector_accesses += sector_count(access.sectors);
  counters_.sector_misses_counted += sector_count(absent);
  if (residency_ != nullptr) residency_->count(access, absent != 0);
}

/// Returns a free way, or else the policy's victim. With victim_order `off_first`, lines without data are evicted before others.
TagArray::Slot L2Logic::find_victim(std::uint64_t local_line, const Access& access) {
  if (residency_ != nullptr) return residency_->victim(tags_, local_line, access);
  if (gating_ != nullptr && victim_order_ == VictimOrder::off_first) {
    const TagArray::Slot slot = tags_.victim(local_line, access, is_off);
    if (slot != TagArray::kNone) return slot;
  }
  return tags_.victim(local_line, access, [](const TagArray::Line&) { return true; });
}

/// Gives `slot` to the line's data. The slot holds either the line's own tag or another line, which is evicted. Returns true if the evicted
/// line must be written to DRAM: victim().
bool L2Logic::allocate_line(TagArray::Slot slot, Transaction& transaction, Cycle now) {
  if (gating_ != nullptr) record_absent_data(transaction, slot, tags_.line(slot).number == transaction.access.line.number, now);
  return replace(slot, transaction, now);
}

bool L2Logic::replace(TagArray::Slot slot, const Transaction& transaction, Cycle now) {
  const TagArray::Line& old = tags_.line(slot);
  const LineAddress line = transaction.access.line;
  bool writeback = false;
  if (old.present && old.number != line.number) {
    ++counters_.evictions;
    if (residency_ != nullptr) residency_->evicted(old);
    if (line_policy_ != nullptr) line_policy_->on_evict(user_bits_[slot], LineAddress{old.number});
    if (gating_ != nullptr) gating_->judge.replaced(slot, line_policy_->count(user_bits_[slot]));
    if (old.dirty != 0) {
      ++counters_.writebacks;
      if (reused_ != nullptr) reused_->written_back(slot);
      writeback = true;
      take_victim(slot);
    }
  }
  if (times_ != nullptr) {
    if (!old.present) times_->first_used(now);
    times_->ended(slot);
  }
  if (copies_ != nullptr) copies_->replaced(slot, old);
  tags_.install(slot, transaction.access);
  if (residency_ != nullptr) residency_->classify(tags_, slot, transaction.access);
  if (line_policy_ != nullptr) user_bits_[slot] = 0;
  return writeback;
}

/// Copies the dirty data of the slot to victim_, to be written to DRAM.
void L2Logic::take_victim(TagArray::Slot slot) {
  victim_.line = LineAddress{tags_.line(slot).number};
  victim_.sectors = tags_.line(slot).dirty;
  if (tags_.keeps_versions())
    for (unsigned s = 0; s < kSectorsPerLine; ++s) victim_.versions[s] = tags_.version(slot, s);
}

/// Applies a store, because this is the ordering point (CM-31), or an atomic, even if its data are still in flight.
void L2Logic::write(TagArray::Slot slot, const Transaction& transaction) {
  const Access& access = transaction.access;
  TagArray::Line& line = tags_.line(slot);
  const SectorMask complete = line.valid & ~line.partial;
  SectorMask covered = 0;
  if (access.kind == AccessKind::store) {
    covered = access.covered;
    if (tags_.write_bytes(slot, lowest_sector(access.sectors), access.written_bytes)) covered |= access.sectors;
  }
  line.partial = static_cast<SectorMask>((line.partial | (access.sectors & ~complete)) & ~covered);
  line.valid |= access.sectors;
  line.dirty |= access.sectors;
  write_versions(slot, transaction, access.sectors);
}

void L2Logic::complete_versions(Transaction& transaction, TagArray::Slot slot) {
  if (!tags_.keeps_versions() || transaction.access.kind == AccessKind::store) return;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) transaction.versions[s] = tags_.version(slot, s);
}

void L2Logic::install(const Transaction& reply, MshrFile::Index index, TagArray::Slot slot, Cycle now) {
  ++counters_.fills;
  const SectorMask arrived = reply.access.sectors;
  mshrs_[index].outstanding &= ~arrived;
  if (slot == TagArray::kNone) {
    victim_ = {reply.access.line, 0, reply.versions};
    if (gating_ != nullptr) ++gating_->bypassed_fills;
    return;
  }
  TagArray::Line& line = tags_.line(slot);
  line.pending &= ~arrived;
  // A later store is newer than the data from DRAM.
  write_versions(slot, reply, arrived & ~line.dirty);
  line.valid |= arrived;
  line.partial &= ~arrived;
  if (times_ == nullptr) return;
  if (line.pending == 0) times_->filled(slot, now);
  if (reused_ != nullptr) reused_->filled(slot);
}

/// Called when the waiters of a fill have been served. Returns true if the line is switched off and was dirty.
bool L2Logic::served_fill(const Transaction& reply, TagArray::Slot slot, Cycle now) {
  if (line_policy_ == nullptr) return false;
  const bool switch_off = line_policy_->on_fill(user_bits_[slot], reply.access);
  return gating_ != nullptr && switch_off && tags_.line(slot).pending == 0 && gate(slot, now);
}

void L2Logic::write_versions(TagArray::Slot slot, const Transaction& transaction, SectorMask sectors) {
  if (!tags_.keeps_versions()) return;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (sectors >> s & 1) tags_.version(slot, s) = transaction.versions[s];
}

bool L2Logic::holds(LineAddress first, LineAddress last) const {
  bool found = false;
  tags_.for_each([&](TagArray::Slot slot) { found |= first.number <= tags_.line(slot).number && tags_.line(slot).number <= last.number; });
  return found;
}

SectorMask L2Logic::dirty_sectors(LineAddress line, std::uint64_t local_line) const {
  const TagArray::Slot slot = tags_.find(line.number, local_line);
  return slot == TagArray::kNone ? 0 : tags_.line(slot).dirty;
}

/// The line policy has no state of its own: all that it knows of a line is in the line's bits.
void L2Logic::archive(Archive& file) {
  file(tags_);
  file.elements(user_bits_);
  if (times_ != nullptr) file(*times_);
  if (reused_ != nullptr) file(*reused_);
  file.expect_quiet(gating_ == nullptr || gating_->judge.idle(), "the judge of l2's predictions");
}

}  // namespace wharf
