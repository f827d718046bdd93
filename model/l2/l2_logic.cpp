#include "model/l2/l2_logic.h"

namespace wharf {

namespace {
}  // namespace

L2Counters::L2Counters(stats::Group& g)
    : accesses(g, "accesses", "requests looked up, refused cycles not counted", stats::Unit::accesses),
      hits(g, "hits", "all sectors present (a store: present, even in part)", stats::Unit::accesses),
      merged(g, "merged", "joined a fetch on its way", stats::Unit::accesses),
      sector_misses(g, "sector_misses", "line present, a sector neither here nor on its way", stats::Unit::accesses),
      misses(g, "misses", "line absent", stats::Unit::accesses),
      loads(g, "loads", "of the accesses: reads", stats::Unit::accesses),
      stores(g, "stores", "of the accesses: writes", stats::Unit::accesses),
      atomics(g, "atomics", "of the accesses: read-modify-writes, performed here", stats::Unit::accesses),
      sector_accesses(g, "sectors.accesses", "32 B sectors looked up (CM-38)", stats::Unit::accesses),
      sector_misses_counted(g, "sectors.misses", "of them neither present nor on their way", stats::Unit::accesses),
      fills(g, "fills", "replies of DRAM", stats::Unit::accesses),
      evictions(g, "evictions", "lines that gave way to others", stats::Unit::count),
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
    : params_(params), unit_(unit),
      tags_(params.sets(), params.most_ways(), make_set_index(params.set_index, params.sets()),
            make_replacement(params.replacement, params.sets(), params.most_ways(), seed_of(seed, slice)), verify,
            params.extra_way_sets != 0 ? params.extra_way_sets : kUnlimited),
      addresses_(std::size_t{params.sets()} * params.most_ways()), user_bits_(addresses_.size()), mshrs_(params.mshr_entries, params.mshr_targets),
      counters_(group), line_policy_(line_policy) {}

L2Logic::Verdict L2Logic::refuse(stats::Counter& cause) {
  ++cause;
  Verdict verdict;
  verdict.outcome = Outcome::refused;
  verdict.cause = &cause;
  return verdict;
}

/// What must come from DRAM before the access is complete; `complete`: sectors of which every byte is here.
SectorMask L2Logic::sectors_to_fetch(const Access& access, SectorMask complete) const {
  const SectorMask missing = access.sectors & ~complete;
  if (missing == 0) return 0;
  const SectorMask whole = params_.sectored ? access.sectors : kAllSectors;
  if (access.kind == AccessKind::store) {
    if (params_.write_miss == WriteMiss::lazy) return 0;
    if (params_.write_miss == WriteMiss::fetch_partial && (missing & ~access.covered) == 0) return 0;
  }
  return whole & ~complete;
}

L2Logic::Verdict L2Logic::access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room) {
  const Access& access = transaction.access;
  TagArray::Slot slot = tags_.find(local_line);
  const bool present = slot != TagArray::kNone;
  const SectorMask complete = present ? tags_.line(slot).valid & ~tags_.line(slot).partial : 0;
  const SectorMask pending = present ? tags_.line(slot).pending : 0;
  const SectorMask wanted = sectors_to_fetch(access, complete);
  const SectorMask fetch = wanted & ~pending;
  const bool is_store = access.kind == AccessKind::store;
  const bool waits = !is_store && (access.sectors & ~complete) != 0;

  // Everything that can refuse, before anything changes.
  const MshrFile::Index found = wanted == 0 ? MshrFile::kNone : mshrs_.find(key(access, local_line));
  if (waits && found != MshrFile::kNone && mshrs_.targets_full(found)) return refuse(counters_.targets_full);
  if (fetch != 0 && found == MshrFile::kNone && mshrs_.full()) return refuse(counters_.mshr_full);
  std::uint32_t needed_room = fetch != 0 ? 1 : 0;
  if (!present) {
    slot = tags_.victim(local_line, [](const TagArray::Line&) { return true; });
    if (slot == TagArray::kNone) return refuse(counters_.no_way);
    if (tags_.line(slot).present && tags_.line(slot).dirty != 0) ++needed_room;
  }
  if (queue_room < needed_room) return refuse(counters_.queue_full);

  Verdict verdict;
  if (!present) replace(slot, transaction, local_line, verdict);
  else tags_.touch(slot);
  if (line_policy_ != nullptr) {
    const bool read_hit = present && !is_store && !waits;
    transaction.reply.forwarded = read_hit && line_policy_->forward_to(user_bits_[slot], transaction, transaction.reply.forward_to);
    line_policy_->on_access(user_bits_[slot], access);
  }

  TagArray::Line& line = tags_.line(slot);
  const SectorMask absent = access.sectors & ~(is_store ? line.valid : complete) & ~pending;
  ++counters_.accesses;
  ++(is_store ? counters_.stores : access.kind == AccessKind::atomic ? counters_.atomics : counters_.loads);
  counters_.sector_accesses += sector_count(access.sectors);
  counters_.sector_misses_counted += sector_count(absent);
  if (!present) ++counters_.misses;
  else if (absent != 0) ++counters_.sector_misses;
  else if (waits) ++counters_.merged;
  else ++counters_.hits;

  line.pending |= fetch;
  if (is_store || access.kind == AccessKind::atomic) write(slot, transaction);
  if (fetch != 0 || waits) {
    const MshrFile::Index index = found != MshrFile::kNone ? found : mshrs_.allocate(key(access, local_line));
    mshrs_[index].outstanding |= fetch;
    if (waits) mshrs_.add(index, transaction);
  }
  verdict.request = fetch;
  verdict.outcome = waits ? Outcome::waits : Outcome::reply;
  if (!waits) {
    transaction.reply.served_by = transaction.reply.forwarded ? ServedBy::none : ServedBy::l2;
    complete_versions(transaction, slot);
  }
  return verdict;
}

void L2Logic::replace(TagArray::Slot slot, const Transaction& transaction, std::uint64_t local_line, Verdict& verdict) {
  const TagArray::Line& old = tags_.line(slot);
  if (old.present) {
    ++counters_.evictions;
    const LineAddress address{addresses_[slot]};
    if (line_policy_ != nullptr) line_policy_->on_evict(user_bits_[slot], address);
    if (old.dirty != 0) {
      ++counters_.writebacks;
      verdict.writeback = true;
      victim_.line = address;
      victim_.sectors = old.dirty;
      if (tags_.keeps_versions())
        for (unsigned s = 0; s < kSectorsPerLine; ++s) victim_.versions[s] = tags_.version(slot, s);
    }
  }
  const Access& access = transaction.access;
  tags_.install(slot, local_line, {access.pc, access.cta, access.sm, access.warp});
  addresses_[slot] = access.line.number;
  user_bits_[slot] = 0;
}

/// The store takes effect here: this is the ordering point (CM-31). An atomic too, even where its data are still on their way.
void L2Logic::write(TagArray::Slot slot, const Transaction& transaction) {
  const Access& access = transaction.access;
  TagArray::Line& line = tags_.line(slot);
  const SectorMask complete = line.valid & ~line.partial;
  const SectorMask covered = access.kind == AccessKind::store ? access.covered : 0;
  line.partial = static_cast<SectorMask>((line.partial | (access.sectors & ~complete)) & ~covered);
  line.valid |= access.sectors;
  line.dirty |= access.sectors;
  if (tags_.keeps_versions())
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (access.sectors >> s & 1) tags_.version(slot, s) = transaction.versions[s];
}

void L2Logic::complete_versions(Transaction& transaction, TagArray::Slot slot) {
  if (!tags_.keeps_versions() || transaction.access.kind == AccessKind::store) return;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) transaction.versions[s] = tags_.version(slot, s);
}

MshrFile::Index L2Logic::install(const Transaction& reply, std::uint64_t local_line) {
  ++counters_.fills;
  const MshrFile::Index index = mshrs_.find(key(reply.access, local_line));
  const TagArray::Slot slot = tags_.find(local_line);
  TagArray::Line& line = tags_.line(slot);
  const SectorMask arrived = reply.access.sectors;
  mshrs_[index].outstanding &= ~arrived;
  line.pending &= ~arrived;
  // What a store has written since is newer than what DRAM sent.
  if (tags_.keeps_versions())
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if ((arrived & ~line.dirty) >> s & 1) tags_.version(slot, s) = reply.versions[s];
  line.valid |= arrived;
  line.partial &= ~arrived;
  if (line_policy_ != nullptr) line_policy_->on_fill(user_bits_[slot], reply.access);
  return index;
}

SectorMask L2Logic::dirty_sectors(std::uint64_t local_line) const {
  const TagArray::Slot slot = tags_.find(local_line);
  return slot == TagArray::kNone ? 0 : tags_.line(slot).dirty;
}

}  // namespace wharf
