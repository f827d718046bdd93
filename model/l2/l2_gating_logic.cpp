// Lines without data: accesses that bypass the lines, count probes, and switching off (loscache section 6).

#include "model/l2/l2_gating.h"
#include "model/l2/l2_logic.h"

namespace wharf {

L2Gating::L2Gating(stats::Group& g, std::uint32_t lines)
    : no_tag(g, "accesses.no_tag", "accesses to lines without a tag", stats::Unit::accesses),
      pending(g, "accesses.pending", "accesses to lines in flight", stats::Unit::accesses),
      on(g, "accesses.on", "accesses to lines with data", stats::Unit::accesses),
      off_tag(g, "accesses.off_tag", "accesses to lines with a tag and no data", stats::Unit::accesses),
      gates_clean(g, "gates.clean", "clean lines switched off", stats::Unit::count),
      gates_dirty(g, "gates.dirty", "dirty lines written back and switched off: writes to DRAM that gating causes", stats::Unit::count),
      bypasses(g, "bypasses", "accesses answered without storing the line, without merges into them", stats::Unit::accesses),
      bypassed_reads(g, "bypassed_reads", "loads and atomics that bypass the lines, including merges", stats::Unit::accesses),
      bypassed_writes(g, "bypassed_writes", "stores and atomics passed on to DRAM", stats::Unit::accesses),
      bypassed_fills(g, "bypassed_fills", "replies of DRAM that were not stored", stats::Unit::accesses),
      tag_only_records(g, "tag_only_records", "bypassed lines whose tag replaced another line", stats::Unit::count),
      mispredicts(g, "mispredicts", "accesses to lines that gating had given up; the reply reports it", stats::Unit::accesses),
      count_updates(g, "count_updates", "access counts written", stats::Unit::count),
      wakes(g, "wakes", "lines whose data were switched on", stats::Unit::count),
      probes(g, "probes", "count probes answered", stats::Unit::accesses),
      probes_present(g, "probes.present", "count probes that found the line's tag", stats::Unit::accesses),
      pending_store(g, "refused.pending_store", "cycles the head waited for an older write that bypasses the head's line",
                    stats::Unit::cycles),
      judge(g, lines) {
  g.law("wakes >= gates.clean + gates.dirty", [this] { return wakes.value() >= gates_clean.value() + gates_dirty.value(); });
}

/// Answers a count probe (CM-5), which is no use of the line: it changes no count and does not switch the line on.
L2Logic::Verdict L2Logic::probe(Transaction& transaction, TagArray::Slot slot) {
  ++gating_->probes;
  transaction.reply.count = slot == TagArray::kNone ? std::uint16_t{0} : line_policy_->count(user_bits_[slot]);
  if (transaction.reply.count != 0) ++gating_->probes_present;
  return {};
}

/// True if the access bypasses the lines: its data are absent and will not be stored, or they are pending in a fetch that stores nothing.
bool L2Logic::bypasses(const Access& access, TagArray::Slot slot) const {
  const bool here = slot != TagArray::kNone && !is_off(tags_.line(slot));
  if (!here && !line_policy_->may_store(access)) return true;
  if (here && unit_ == TransactionUnit::line) return false;  // a line with data is never bypassed
  const MshrFile::Index index = mshrs_.find(key(access));
  return index != MshrFile::kNone && mshrs_[index].to != MshrFile::FillTo::line;
}

/// Handles an access to a line that has no data and will get none.
L2Logic::Verdict L2Logic::bypass(Transaction& transaction, std::uint64_t local_line, TagArray::Slot slot, std::uint32_t queue_room,
                                 Cycle now) {
  const Access& access = transaction.access;
  const bool is_store = access.kind == AccessKind::store;
  MshrFile::Index index = mshrs_.find(key(access));
  const bool merges = index != MshrFile::kNone;
  const SectorMask whole = sectored_ ? access.sectors : kAllSectors;
  const SectorMask fetch = is_store ? 0 : whole & ~(merges ? mshrs_[index].outstanding : SectorMask{0});
  // A fetch in flight does not contain what stores have since written to DRAM (as CM-12). An atomic's result must be written before a later
  // store.
  const SectorMask behind = !merges ? SectorMask{0} : is_store ? mshrs_[index].operated : mshrs_[index].no_install;
  if ((behind & access.sectors) != 0) return refuse(gating_->pending_store);
  if (merges && !is_store && mshrs_.targets_full(index)) return refuse(counters_.targets_full);
  if (fetch != 0 && !merges && mshrs_.full()) return refuse(counters_.mshr_full);
  const bool tagged = slot != TagArray::kNone;
  if (!merges && !tagged) slot = place_for_tag(local_line, access);
  const bool displaces_dirty = !merges && slot != TagArray::kNone && tags_.line(slot).dirty != 0;
  if (queue_room < (is_store || fetch != 0 ? 1u : 0u) + (displaces_dirty ? 1u : 0u)) return refuse(counters_.queue_full);

  count_access(access, merges ? SectorMask{0} : access.sectors);
  ++(merges ? counters_.merged : counters_.misses);
  ++(merges ? gating_->pending : tagged ? gating_->off_tag : gating_->no_tag);
  if (merges || tagged) mispredicted(transaction);
  gating_->judge.requested_again(tagged ? slot : TagArray::kNone, access.line);
  if (!merges) {
    ++gating_->bypasses;
    record(transaction, slot, tagged, now);
    gating_->judge.bypassed(slot, access.line);
  }
  if (slot != TagArray::kNone) {
    ++gating_->count_updates;
    line_policy_->on_access(user_bits_[slot], access);
  }

  if (is_store || access.kind == AccessKind::atomic) ++gating_->bypassed_writes;
  if (is_store) {
    if (merges) mshrs_[index].no_install |= access.sectors;
    passed_ = {access.line, access.sectors, transaction.versions};
    transaction.reply.served_by = ServedBy::l2;
    return {Outcome::reply, nullptr, 0, displaces_dirty, TagArray::kNone, true};
  }
  ++gating_->bypassed_reads;
  if (!merges) {
    index = mshrs_.allocate(key(access));
    mshrs_[index].to = MshrFile::FillTo::no_allocate;
  }
  mshrs_[index].outstanding |= fetch;
  if (access.kind == AccessKind::atomic) mshrs_[index].operated |= access.sectors;
  await_bypassed(index, transaction);
  return {Outcome::waits, nullptr, fetch, displaces_dirty};
}

/// Returns the way that the tag of a bypassed line may take; kNone if the set offers none.
TagArray::Slot L2Logic::place_for_tag(std::uint64_t local_line, const Access& access) {
  if (victim_order_ == VictimOrder::off_first) return tags_.victim(local_line, access, is_off);
  return find_victim(local_line, access);
}

/// Records the tag of a bypassed line in the slot, without data. Either the slot already holds the tag, or another line is evicted. kNone:
/// not recorded.
void L2Logic::record(const Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now) {
  if (slot == TagArray::kNone) return;
  if (tagged) {
    user_bits_[slot] = 0;
    tags_.touch(slot, transaction.access);
    return;
  }
  if (tags_.line(slot).present && !is_off(tags_.line(slot))) times_->data_off(now);
  replace(slot, transaction, now);
  ++gating_->tag_only_records;
}

/// The access brings its line's data into `slot`. Either the slot holds the line's tag, whose data were switched off too early, or another
/// line is evicted.
void L2Logic::record_absent_data(Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now) {
  ++(tagged ? gating_->off_tag : gating_->no_tag);
  if (tagged) mispredicted(transaction);
  gating_->judge.requested_again(tagged ? slot : TagArray::kNone, transaction.access.line);
  if (tags_.line(slot).present && !is_off(tags_.line(slot))) return;
  ++gating_->wakes;
  times_->data_on(now);
}

/// True if the access would switch the line off although dirty data must be written first.
bool L2Logic::ends_dirty(TagArray::Slot slot, const Access& access, SectorMask pending) const {
  const bool writes = access.kind == AccessKind::store || access.kind == AccessKind::atomic;
  std::uint32_t bits = user_bits_[slot];
  return pending == 0 && (writes || tags_.line(slot).dirty != 0) && line_policy_->on_access(bits, access);
}

/// The line has been accessed, and its data are present or pending. Returns true if it is switched off and was dirty.
bool L2Logic::used(TagArray::Slot slot, const Access& access, bool switch_off, Cycle now) {
  ++gating_->count_updates;
  if (access.hint.predicted_count != 0) gating_->judge.predicted(slot, access.hint.predicted_count);
  return switch_off && tags_.line(slot).pending == 0 && gate(slot, now);
}

void L2Logic::mispredicted(Transaction& transaction) {
  ++gating_->mispredicts;
  transaction.reply.mispredict = true;
}

/// Sectors of a bypassed line have arrived. Each waiter receives its share in turn, and each sector once, because a later access may have
/// fetched it again while the waiter needs others. Results of atomics are written to DRAM through victim(). Returns true if the waiter has
/// all its sectors.
bool L2Logic::supply_from_victim(Transaction& waiter, SectorMask arrived) {
  const SectorMask sectors = waiter.reply.awaited & arrived;
  waiter.reply.awaited &= ~sectors;
  const bool atomic = waiter.access.kind == AccessKind::atomic;
  if (atomic) victim_.sectors |= sectors;
  for (unsigned s = 0; tags_.keeps_versions() && s < kSectorsPerLine; ++s)
    if ((sectors >> s & 1) != 0) (atomic ? victim_.versions : waiter.versions)[s] = (atomic ? waiter.versions : victim_.versions)[s];
  return waiter.reply.awaited == 0;
}

/// Switches the line's data off. Returns true if dirty data must be written to DRAM: victim().
bool L2Logic::gate(TagArray::Slot slot, Cycle now) {
  TagArray::Line& line = tags_.line(slot);
  const bool dirty = line.dirty != 0;
  ++(dirty ? gating_->gates_dirty : gating_->gates_clean);
  if (dirty) take_victim(slot);
  line.valid = line.dirty = line.partial = 0;
  line.modified = false;
  gating_->judge.gated(slot);
  times_->ended(slot);
  times_->data_off(now);
  return dirty;
}

}  // namespace wharf
