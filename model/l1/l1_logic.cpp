#include "model/l1/l1_logic.h"

#include "model/base/archive.h"

#include <vector>

namespace wharf {

namespace {

SetIndex set_index_of(const L1Params& params, std::uint32_t sets, const HomeMap* homes) {
  const SetIndex index = make_set_index(params.set_index, sets);
  return homes == nullptr ? index : index.inside(*homes);
}

}  // namespace

L1Logic::L1Logic(const L1Params& params, TransactionUnit unit, std::uint32_t scale, stats::Group& group, LineDirectory* directory,
                 unsigned self, bool verify, std::uint64_t seed, const HomeMap* homes)
    : unit_(unit),
      whole_(params.sectored ? SectorMask{0} : kAllSectors),
      perfect_(params.perfect),
      lineless_cache_(params.lineless),
      self_(self),
      directory_(directory),
      tags_(params.sets() * scale, params.ways, set_index_of(params, params.sets() * scale, homes),
            make_replacement(params.replacement, params.sets() * scale, params.ways, seed_of(seed, self)),
            {verify, true, params.byte_masks}),
      mshrs_(params.mshr_entries * scale, params.mshr_targets),
      counters_(group),
      params_(params) {
  for (unsigned kind = 0; kind < kAccessKinds; ++kind)
    for (const CacheOp op : {CacheOp::all, CacheOp::bypass_l1})
      passes_[2 * kind + static_cast<unsigned>(op)] = passes_of(static_cast<AccessKind>(kind), op);
}

L1Logic::Passes L1Logic::passes_of(AccessKind kind, CacheOp op) const {
  if (lineless_cache_) return kind == AccessKind::load && op == CacheOp::all ? Passes::unless_kept : Passes::always;
  if (kind == AccessKind::atomic || (kind == AccessKind::texture && params_.passes_textures)) return Passes::always;
  if (op == CacheOp::all) return Passes::never;
  return params_.local_stores == LocalStores::write_back ? Passes::unless_kept : Passes::always;
}

const L1Logic::Verdict& L1Logic::refuse(Refusal cause) {
  ++counters_.refused(cause);
  decide(Outcome::refused).cause = cause;
  return verdict_;
}

L1Logic::Copy L1Logic::probe(Transaction& transaction) const {
  if (copy_of(transaction.access, transaction.versions) == nullptr) return Copy::absent;
  return tags_.line(tags_.find(transaction.access.line.number)).modified ? Copy::written : Copy::clean;
}

const LineOrigin* L1Logic::copy_of(const Access& access, SectorVersions& versions) const {
  const TagArray::Slot slot = tags_.find(access.line.number);
  if (slot == TagArray::kNone) return nullptr;
  const TagArray::Line& line = tags_.line(slot);
  if ((access.sectors & ~(line.valid & ~line.partial)) != 0) return nullptr;
  if (tags_.keeps_versions()) read_versions(slot, versions);
  return &tags_.origin(slot);
}

void L1Logic::wait(MshrFile::Index index, Transaction& transaction) {
  transaction.message.ready = 0;
  mshrs_.add(index, transaction);
}

const L1Logic::Verdict& L1Logic::load_miss(Transaction& transaction, TagArray::Slot slot, L1Counters::Loads& counters,
                                           std::uint32_t queue_room) {
  const Access& access = transaction.access;
  if (lacks_spare_place(queue_room)) return refuse(Refusal::queue_full);
  const bool line_absent = slot == TagArray::kNone;
  // If the line is absent: a request that a kernel boundary has overtaken, or a lineless one.
  MshrFile::Index index = line_absent && !overtaken_ && lineless_ == 0 ? MshrFile::kNone : mshrs_.find(key(access));
  const bool joins = index != MshrFile::kNone && mshrs_[index].to != MshrFile::FillTo::line;
  if (joins || (line_absent && (lineless_cache_ || (access.hint.no_install && !may_take_way(access)))))
    return lineless_miss(transaction, slot, index, counters, queue_room, MshrFile::FillTo::no_allocate);
  if (index != MshrFile::kNone && (mshrs_[index].no_install & access.sectors) != 0) return refuse(Refusal::pending_store);
  if (index != MshrFile::kNone && mshrs_.targets_full(index)) return refuse(Refusal::targets_full);
  if (index == MshrFile::kNone && mshrs_.full()) return refuse(Refusal::mshr_full);
  const SectorMask missing = missing_of(access, slot);
  Neighbours::Offer offer;
  if (neighbours_ != nullptr && access.kind == AccessKind::load) offer = neighbours_->request_offer(access, missing);
  if (!offer.room) return refuse(Refusal::peers_full);
  if (queue_room == 0 && offer.sectors != missing) return refuse(Refusal::queue_full);

  if (line_absent) {
    slot = find_victim(access);
    if (slot == TagArray::kNone) return refuse(Refusal::no_way);
    if (is_dirty(slot) && queue_room < 2) return refuse(Refusal::queue_full);
  }

  Verdict& verdict = decide(Outcome::miss);
  ++counters.accesses;
  if (has_listener_ && access.kind == AccessKind::load) report_event(CacheEvent::Kind::missed, access);
  if (line_absent) {
    verdict.writeback = replace(slot, access);
    ++counters.misses;
  } else {
    ++counters.sector_misses;
    if (!access.hint.no_install) tags_.touch(slot, access);
  }

  TagArray::Line& line = tags_.line(slot);
  const SectorMask held = line.valid & ~line.partial;
  count_sectors(access, access.sectors & ~held & ~line.pending, access.sectors & ~held & line.pending);
  transaction.reply.missed = true;
  if (directory_ != nullptr && &counters == &counters_.load) {
    const bool elsewhere = directory_->others_hold(access.line, missing, self_);
    counters_.shared_misses += elsewhere ? 1 : 0;  // unpredictable, so computed without a branch
    transaction.reply.held_elsewhere = elsewhere;
  }
  if (tags_.keeps_versions()) read_versions(slot, transaction.versions);
  line.pending |= missing;
  verdict.alone = line_absent && index == MshrFile::kNone && missing == access.sectors && offer.sectors == 0;
  if (index == MshrFile::kNone) index = mshrs_.allocate(key(access));
  mshrs_[index].outstanding |= missing;
  wait(index, transaction);
  transaction.message.tag = guess(index, slot);
  verdict.request = missing & ~offer.sectors;
  verdict.from_peer = offer.sectors;
  verdict.peer = offer.from;
  verdict.diverted = offer.diverted;
  return verdict;
}

const L1Logic::Verdict& L1Logic::store(Transaction& transaction, std::uint32_t queue_room, SectorMask busy) {
  const Access& access = transaction.access;
  const bool write_back = writes_back(access);
  if (!write_back && queue_room == 0) return refuse(Refusal::queue_full);
  TagArray::Slot slot = tags_.find(access.line.number);
  const bool present = slot != TagArray::kNone;
  if (write_back && present && (tags_.line(slot).pending & access.sectors) != 0) return refuse(Refusal::pending_store);
  if (write_back && lineless_ != 0 && awaits_no_line(access)) return refuse(Refusal::pending_store);

  Neighbours::Copies copies;
  if (neighbours_ != nullptr) copies = neighbours_->copies_of(access);
  if (!copies.room) return refuse(Refusal::peers_full);

  Verdict& verdict = decide(write_back ? Outcome::stored_here : Outcome::pass);
  verdict.holders = copies.holders;
  verdict.used = written_of(access, slot);
  if ((verdict.used & busy) != 0) return refuse(Refusal::bank_busy);
  const bool allocates = write_back || params_.store_miss == StoreMiss::allocate;
  if (!present && allocates) {
    slot = find_victim(access);
    if (slot == TagArray::kNone) return refuse(Refusal::no_way);
    if (is_dirty(slot) && queue_room < (write_back ? 1u : 2u)) return refuse(Refusal::queue_full);
  }

  const SectorMask absent = present ? access.sectors & ~tags_.line(slot).valid : access.sectors;
  const SectorMask pending = present ? absent & tags_.line(slot).pending : 0;
  ++counters_.store->accesses;
  verdict.found = absent == 0;
  if (has_listener_) report_event(CacheEvent::Kind::stored, access);
  if (written_ != nullptr) written_->wrote(writer_, access.line);
  ++(verdict.found ? counters_.store->hits : counters_.store->misses);
  count_sectors(access, absent & ~pending, pending);
  if (params_.pending_stores == PendingStores::write && present)
    tags_.line(slot).overwritten |= access.sectors & tags_.line(slot).pending;
  else if (present || lineless_ != 0)
    block_fill(access);
  if (side_store_ != nullptr) invalidate_side_store(access);
  if (!present && allocates) verdict.writeback = replace(slot, access);

  if (present && !write_back && params_.store_hit == StoreHit::evict) {
    if (has_listener_) report_removal(CacheEvent::Kind::taken, slot, access);
    drop(slot, kAllSectors);
  } else if (present || allocates) {
    tags_.touch(slot, access);
    const SectorMask written = written_of(access, slot);
    if (written != 0 || allocates) write(slot, transaction, written);
    if (write_back) tags_.line(slot).dirty |= access.sectors;
  }
  return verdict;
}

/// Returns the sectors that a store writes into a line. Pending sectors are excluded unless they accept stores, because their fill will
/// leave no copy. If a store miss takes no way, only valid sectors are written.
SectorMask L1Logic::written_of(const Access& store, TagArray::Slot slot) const {
  const bool allocates =
      params_.store_miss == StoreMiss::allocate || (store.space == Space::local && params_.local_stores == LocalStores::write_back);
  if (slot == TagArray::kNone) return allocates ? store.sectors : SectorMask{0};
  const TagArray::Line& line = tags_.line(slot);
  if (params_.pending_stores == PendingStores::write) return store.sectors;
  return store.sectors & (allocates ? ~line.pending : line.valid);
}

void L1Logic::write(TagArray::Slot slot, const Transaction& transaction, SectorMask written) {
  TagArray::Line& line = tags_.line(slot);
  SectorMask covered = transaction.access.covered & written;
  if (written != 0 && tags_.write_bytes(slot, lowest_sector(written), transaction.access.written_bytes)) covered |= written;
  const SectorMask complete = line.valid & ~line.partial;
  line.partial = static_cast<SectorMask>((line.partial | (written & ~complete)) & ~covered);
  line.valid |= written;
  if (!line.modified) ++dirty_lines_;
  line.modified = true;
  if (tags_.keeps_versions()) write_versions(slot, written, transaction.versions);
  publish(line);
}

/// CM-12, store to a pending line: the fill serves the loads that merged before the store and leaves no copy of the written sectors.
void L1Logic::block_fill(const Access& access) {
  const MshrFile::Index index = mshrs_.find(key(access));
  if (index != MshrFile::kNone) mshrs_[index].no_install |= access.sectors & mshrs_[index].outstanding;
}

const L1Logic::Verdict& L1Logic::pass(Transaction& transaction, std::uint32_t queue_room) {
  const Access& access = transaction.access;
  if (queue_room == 0) return refuse(Refusal::queue_full);
  const Verdict& verdict = decide(Outcome::pass);
  if (access.kind == AccessKind::atomic) {
    ++counters_.atomics;
  } else if (access.kind == AccessKind::store) {
    ++counters_.store->accesses;
    ++counters_.store->bypasses;
  } else {
    if (access.kind == AccessKind::metadata) return verdict;
    L1Counters::Loads& counters = counters_.loads_of(access.kind);
    ++counters.accesses;
    ++counters.bypasses;
    return verdict;
  }
  if (has_listener_) report_event(CacheEvent::Kind::stored, access);
  if (written_ != nullptr) written_->wrote(writer_, access.line);
  // A write that bypasses this cache invalidates the side store's copy, uncounted.
  if (side_store_ != nullptr) invalidate_side_store(access);
  const TagArray::Slot slot = tags_.find(access.line.number);
  if (slot != TagArray::kNone || lineless_ != 0) block_fill(access);
  if (slot == TagArray::kNone) return verdict;
  drop(slot, access.sectors | whole_);
  return verdict;
}

TagArray::Slot L1Logic::find_victim(const Access& access) {
  if (dirty_lines_ == 0 && !prefers_) return tags_.victim(access.line.number, access, [](const TagArray::Line&) { return true; });
  return choose_victim(access);
}

/// Chooses a victim if some lines are protected or preferred.
TagArray::Slot L1Logic::choose_victim(const Access& access) {
  const std::uint64_t lines = std::uint64_t{tags_.sets()} * tags_.ways();
  const bool may_evict_dirty = std::uint64_t{dirty_lines_} * 100 >= params_.dirty_protect_percent * lines;
  const auto is_evictable = [&](const TagArray::Line& line) { return may_evict_dirty || !line.modified; };
  std::uint32_t complete = 0;  // ways without a pending sector
  const TagArray::Slot slot = tags_.victim(access.line.number, access, [&](const TagArray::Line& line) {
    ++complete;
    return is_evictable(line);
  });
  if (prefers_ && slot != TagArray::kNone && tags_.line(slot).present) {
    const TagArray::Slot preferred = tags_.victim(access.line.number, access, [&](const TagArray::Line& line) {
      return is_evictable(line) && preferred_victim_(LineAddress{line.number});
    });
    return preferred != TagArray::kNone ? preferred : slot;
  }
  // A set of only written lines would never evict, because no fill is pending that could change it.
  if (slot != TagArray::kNone || complete < tags_.ways()) return slot;
  return tags_.victim(access.line.number, access, [](const TagArray::Line&) { return true; });
}

/// Gives `slot` to the line of `access`. Returns true if a dirty line had to be evicted; it becomes victim().
bool L1Logic::replace(TagArray::Slot slot, const Access& access) {
  const TagArray::Line& old = tags_.line(slot);
  const bool writeback = old.present && old.dirty != 0;
  if (old.present) {
    ++counters_.evictions;
    if (has_listener_ && access.kind != AccessKind::texture) report_removal(CacheEvent::Kind::evicted, slot, access);
    if (writeback) {
      ++counters_.writebacks;
      victim_.access = access;
      victim_.access.line = LineAddress{old.number};
      victim_.access.kind = AccessKind::store;
      victim_.access.space = Space::local;
      victim_.access.sectors = victim_.access.covered = old.dirty;
      if (tags_.keeps_versions()) read_versions(slot, victim_.versions);
    }
    unpublish(old);
  }
  if (side_store_ != nullptr) side_store_->invalidate(access.line, kAllSectors);
  tags_.install(slot, access);
  return writeback;
}

/// Invalidates `sectors`; the line stays while other sectors of it are valid or pending.
void L1Logic::drop(TagArray::Slot slot, SectorMask sectors) {
  TagArray::Line& line = tags_.line(slot);
  line.valid &= ~sectors;
  line.partial &= line.valid;
  if (line.valid == 0 && line.pending == 0)
    forget(slot);
  else
    publish(line);
}

void L1Logic::forget(TagArray::Slot slot) {
  unpublish(tags_.line(slot));
  tags_.remove(slot);
}

/// No sector of the line is valid here any more; its slot is free or belongs to another line.
void L1Logic::unpublish(const TagArray::Line& line) {
  dirty_lines_ -= line.modified ? 1 : 0;
  const LineAddress removed{line.number};
  if (directory_ != nullptr) directory_->evict(self_, removed);
  if (neighbours_ != nullptr) neighbours_->holds(removed, 0, false);
}

void L1Logic::invalidate(LineAddress line, SectorMask sectors) {
  Access old;
  old.line = line;
  old.sectors = sectors;
  if (side_store_ != nullptr) invalidate_side_store(old);
  const TagArray::Slot slot = tags_.find(line.number);
  if (slot != TagArray::kNone || lineless_ != 0) block_fill(old);
  if (slot != TagArray::kNone) drop(slot, sectors);
}

/// Gives a waiter the data of a reply. A sector written here is newer than the data from below; the reply has only completed it.
void L1Logic::copy_versions(Transaction& waiter, const Transaction& reply, TagArray::Slot slot) const {
  const SectorMask dirty = slot == TagArray::kNone ? 0 : tags_.line(slot).dirty;
  const SectorMask overwritten = slot == TagArray::kNone ? 0 : tags_.line(slot).overwritten;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((reply.access.sectors & overwritten) >> s & 1)
      waiter.versions[s] = tags_.version(slot, s);
    else if ((reply.access.sectors & ~dirty) >> s & 1)
      waiter.versions[s] = reply.versions[s];
  }
}

void L1Logic::invalidate_all_clean() {
  if (side_store_ != nullptr) {
    mshrs_.install_nothing(MshrFile::FillTo::side_store);
    side_store_->invalidate_all();
  }
  std::vector<LineAddress> clean;
  tags_.for_each([&](TagArray::Slot slot) {
    if (tags_.line(slot).dirty == 0) clean.push_back(LineAddress{tags_.line(slot).number});
  });
  for (const LineAddress line : clean) invalidate(line);
}

void L1Logic::invalidate_all(std::uint32_t ways) {
  mshrs_.install_nothing();
  overtaken_ = !mshrs_.empty();
  tags_.clear();
  tags_.resize(ways);
  dirty_lines_ = 0;
  if (directory_ != nullptr) directory_->invalidate_cache(self_);
  if (neighbours_ != nullptr) neighbours_->holds_nothing();
}

void L1Logic::invalidate_written_by_others() {
  std::vector<LineAddress> old;
  tags_.for_each([&](TagArray::Slot slot) {
    const LineAddress line{tags_.line(slot).number};
    if (written_->by_others(self_, line)) old.push_back(line);
  });
  for (const LineAddress line : old) invalidate(line);
}

bool L1Logic::drain(Access& writeback, SectorVersions& versions) {
  if (params_.local_stores != LocalStores::write_back || dirty_lines_ == 0) return false;
  TagArray::Slot dirty = tags_.next_dirty(drained_to_);
  if (dirty == TagArray::kNone) dirty = tags_.next_dirty(0);
  if (dirty == TagArray::kNone) return false;
  drained_to_ = dirty;
  ++counters_.writebacks;
  writeback = {};
  writeback.line = LineAddress{tags_.line(dirty).number};
  writeback.kind = AccessKind::store;
  writeback.space = Space::local;
  writeback.sectors = writeback.covered = tags_.line(dirty).dirty;
  if (tags_.keeps_versions())
    for (unsigned s = 0; s < kSectorsPerLine; ++s) versions[s] = tags_.version(dirty, s);
  if (tags_.line(dirty).pending == 0)
    forget(dirty);
  else
    tags_.line(dirty).dirty = 0;
  return true;
}

bool L1Logic::holds(LineAddress first, LineAddress last) const {
  bool found = false;
  tags_.for_each([&](TagArray::Slot slot) { found |= first.number <= tags_.line(slot).number && tags_.line(slot).number <= last.number; });
  return found;
}

SectorMask L1Logic::dirty_sectors(LineAddress line) const {
  const TagArray::Slot slot = tags_.find(line.number);
  return slot == TagArray::kNone ? 0 : tags_.line(slot).dirty;
}

void L1Logic::archive(Archive& file) { file(tags_, overtaken_, dirty_lines_, drained_to_, lineless_); }

}  // namespace wharf
