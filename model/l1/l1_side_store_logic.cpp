// Misses of an L1 whose fill takes no way: the line is cached nowhere (ciao section 3.4), or in the store beside the L1.

#include "model/base/error.h"
#include "model/l1/l1_logic.h"

namespace wharf {

void L1Logic::join(SideStore& store) {
  side_store_ = &store;
  counters_.load.side_store_hits = &store.served();
  counters_.causes[static_cast<unsigned>(Refusal::replies_full)] = &store.replies_full();
}

/// A request for some of the access's sectors is pending, and it has no line in the tags.
bool L1Logic::awaits_no_line(const Access& access) const {
  const MshrFile::Index index = mshrs_.find(key(access));
  return index != MshrFile::kNone && mshrs_[index].to != MshrFile::FillTo::line && (mshrs_[index].outstanding & access.sectors) != 0;
}

/// A load opens or joins a request without a line. `slot`: of its line, other sectors of which may be here. `index`: of the request to
/// join; kNone: the load opens one, whose fill goes `to`.
const L1Logic::Verdict& L1Logic::lineless_miss(Transaction& transaction, TagArray::Slot slot, MshrFile::Index index,
                                               L1Counters::Loads& counters, std::uint32_t queue_room, MshrFile::FillTo to) {
  const Access& access = transaction.access;
  if (lacks_spare_place(queue_room)) return refuse(Refusal::queue_full);
  if (index == MshrFile::kNone && mshrs_.full()) return refuse(Refusal::mshr_full);
  if (index != MshrFile::kNone && (mshrs_[index].no_install & access.sectors) != 0) return refuse(Refusal::pending_store);
  if (index != MshrFile::kNone && mshrs_.targets_full(index)) return refuse(Refusal::targets_full);
  const SectorMask on_way = index == MshrFile::kNone ? SectorMask{0} : mshrs_[index].outstanding;
  const SectorMask in_side_store = needs_side_store_lookup(access) ? side_store_->held(access.line) : SectorMask{0};
  const SectorMask missing = missing_of(access, slot) & ~on_way & ~in_side_store;
  if (missing != 0 && queue_room == 0) return refuse(Refusal::queue_full);

  Verdict& verdict = decide(missing == 0 ? Outcome::merged : Outcome::miss);
  verdict.request = missing;
  ++counters.accesses;
  ++(missing == 0 ? counters.merged : slot == TagArray::kNone && in_side_store == 0 ? counters.misses : counters.sector_misses);
  count_sectors(access, access.sectors & missing, access.sectors & on_way);
  transaction.reply.held |= access.sectors & in_side_store;
  if (slot != TagArray::kNone && tags_.keeps_versions()) read_versions(slot, transaction.versions);
  if (in_side_store != 0) side_store_->read(access.line, access.sectors, transaction.versions);
  if (missing != 0) {
    if (has_listener_ && access.kind == AccessKind::load) report_event(CacheEvent::Kind::missed, access);
    transaction.reply.missed = true;
    if (directory_ != nullptr && access.kind == AccessKind::load && directory_->others_hold(access.line, missing, self_)) {
      ++counters_.shared_misses;
      transaction.reply.held_elsewhere = true;
    }
  }
  if (index == MshrFile::kNone) {
    index = mshrs_.allocate(key(access));
    mshrs_[index].to = to;
    ++lineless_;
  }
  mshrs_[index].outstanding |= missing;
  wait(index, transaction);
  return verdict;
}

/// It may take an empty way, if there is one.
bool L1Logic::may_take_way(const Access& access) {
  if (!params_.fill_free_way) return false;
  const TagArray::Slot slot = find_victim(access);
  return slot != TagArray::kNone && !tags_.line(slot).present;
}

const L1Logic::Verdict& L1Logic::look_up_side_store(Transaction& transaction, std::uint32_t queue_room) {
  const Access& access = transaction.access;
  const TagArray::Slot slot = tags_.find(access.line.number);
  if (!side_store_->begin_lookup(access)) return load_miss(transaction, slot, counters_.load, queue_room);
  const SectorMask held = side_store_->held(access.line);
  if ((access.sectors & ~held) == 0) {
    ++counters_.load.accesses;
    side_store_->looked_up(access, SideStore::Found::hit);
    count_sectors(access, 0, 0);
    transaction.reply.held = access.sectors;
    side_store_->read(access.line, access.sectors, transaction.versions);
    return decide(Outcome::hit);
  }
  const MshrFile::Index index = mshrs_.find(key(access));
  const bool belongs_in_side_store = held != 0 || side_store_->claims(access);
  const bool joins = index != MshrFile::kNone && mshrs_[index].to != MshrFile::FillTo::line;
  const Verdict& verdict = joins || (belongs_in_side_store && index == MshrFile::kNone)
                               ? lineless_miss(transaction, slot, index, counters_.load, queue_room, MshrFile::FillTo::side_store)
                               : load_miss(transaction, slot, counters_.load, queue_room);
  if (verdict.outcome != Outcome::refused)
    side_store_->looked_up(access, verdict.outcome == Outcome::merged ? SideStore::Found::merged : SideStore::Found::miss);
  return verdict;
}

/// A line does not migrate while some of its sectors are pending or dirty.
bool L1Logic::must_migrate(const Access& access, TagArray::Slot slot) const {
  const TagArray::Line& line = tags_.line(slot);
  return side_store_->claims(access) && line.pending == 0 && line.dirty == 0 && mshrs_.find(key(access)) == MshrFile::kNone;
}

L1Logic::Verdict L1Logic::migrate(Transaction& transaction, SectorVersions& versions) {
  const Access& access = transaction.access;
  if (mshrs_.full()) return refuse(Refusal::mshr_full);
  const TagArray::Slot slot = tags_.find(access.line.number);
  const TagArray::Line& line = tags_.line(slot);
  Verdict verdict;
  verdict.outcome = Outcome::merged;
  verdict.used = unit_ == TransactionUnit::line ? line.valid & ~line.partial : access.sectors;
  ++counters_.load.accesses;
  ++counters_.load.hits;
  side_store_->record_migration(access);
  count_sectors(access, 0, 0);
  if (tags_.keeps_versions())
    for (unsigned s = 0; s < kSectorsPerLine; ++s) versions[s] = transaction.versions[s] = tags_.version(slot, s);
  const MshrFile::Index index = mshrs_.allocate(key(access));
  mshrs_[index].to = MshrFile::FillTo::side_store;
  mshrs_[index].outstanding = verdict.used;
  ++lineless_;
  wait(index, transaction);
  forget(slot);
  return verdict;
}

/// Invalidates the copy in the side store, because the access changes the line.
void L1Logic::invalidate_side_store(const Access& access) { side_store_->invalidate(access.line, access.sectors | whole_); }

/// `kept`: sectors that no store has overtaken. If a store has meanwhile brought the line into the L1, the line stays only there.
void L1Logic::install_in_side_store(const Transaction& reply, SectorMask kept) {
  if (kept == 0 || tags_.find(reply.access.line.number) != TagArray::kNone) return;
  const auto evicted = side_store_->install(reply.access, kept, reply.versions);
  if (evicted && has_listener_) report_removal(CacheEvent::Kind::evicted, evicted->line, evicted->origin, true, reply.access);
}

/// A line is never valid in both (ciao section 6.6).
void L1Logic::check_single_copy(LineAddress line, bool here, bool in_side_store) const {
  if (here && in_side_store)
    throw SimulationError("line " + std::to_string(line.byte_address()) + " is valid in L1 " + std::to_string(self_) +
                          " and in the store beside it");
}

}  // namespace wharf
