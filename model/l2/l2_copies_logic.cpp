#include "model/l2/l2_copies.h"

#include <utility>

#include "model/base/archive.h"
#include "model/l2/l2_logic.h"

namespace wharf {

namespace {
bool is_copied(L2Copies::Mark mark) { return mark == L2Copies::Mark::copied || mark == L2Copies::Mark::recopied; }
}  // namespace

L2CopyCounters::L2CopyCounters(stats::Group& g)
    : hits(g, "copy.hits", "far reads that a copy answers", stats::Unit::accesses),
      merged(g, "copy.merged", "far reads merged with a copy under way", stats::Unit::accesses),
      misses(g, "copy.misses", "far reads that start a copy", stats::Unit::accesses),
      passed(g, "copy.passed", "far reads that start no copy: a store, an invalidation or other sectors of their line are under way",
             stats::Unit::accesses),
      prefetched(g, "copy.prefetched", "sectors copied because l2.copy_bytes covers them", stats::Unit::accesses),
      installs(g, "copy.installs", "lines of the other half installed", stats::Unit::count),
      evictions(g, "copy.evictions", "copies evicted for other lines", stats::Unit::count),
      invalidated(g, "copy.invalidated", "copies removed for a store, an atomic or the eviction of their home line", stats::Unit::count),
      expired(g, "copy.expired", "copies removed because a kernel starts", stats::Unit::count),
      inclusion_victims(g, "copy.inclusion_victims", "home lines evicted while the other half might have a copy", stats::Unit::count),
      sent(g, "invalidations.sent", "invalidations sent to the other half", stats::Unit::count),
      acked(g, "invalidations.acked", "of them, acknowledged", stats::Unit::count),
      received(g, "invalidations.received", "invalidations received from the other half", stats::Unit::count),
      useless(g, "invalidations.useless", "of them, without a copy", stats::Unit::count),
      notices(g, "copy.eviction_notices", "messages to the home that a copy has been evicted", stats::Unit::count) {
  g.law("invalidations.sent == invalidations.acked", [this] { return sent.value() == acked.value(); });
}

L2Copies::L2Copies(PartitionCoherence coherence, std::uint32_t slots, stats::Group& group, Owner owner)
    : invalidates_(coherence == PartitionCoherence::invalidate), owner_(std::move(owner)), marks_(slots, Mark::none), counters_(group) {}

void L2Copies::accessed(TagArray::Slot slot, const Transaction& transaction) {
  const AccessKind kind = transaction.access.kind;
  Mark& mark = marks_[slot];
  if (!invalidates_) return;
  if (is_copy_read(transaction)) {
    mark = Mark::copied;
  } else if (is_copied(mark) && (kind == AccessKind::store || kind == AccessKind::atomic)) {
    const bool of_own_half = transaction.message.destination == owner_.node;
    if (of_own_half) enqueue_line(to_invalidate_, transaction.access.line);
    // A store of the other half updates the copy there; an atomic has removed it on its way.
    if (of_own_half || kind == AccessKind::atomic) mark = Mark::none;
  }
}

void L2Copies::replaced(TagArray::Slot slot, const TagArray::Line& old) {
  Mark& mark = marks_[slot];
  if (old.present && is_copied(mark)) {
    ++counters_.inclusion_victims;
    enqueue_line(to_invalidate_, LineAddress{old.number});
  } else if (old.present && mark == Mark::copy) {
    ++counters_.evictions;
    if (invalidates_) enqueue_line(evicted_, LineAddress{old.number});
  }
  mark = Mark::none;
}

void L2Copies::enqueue_line(std::vector<LineAddress>& list, LineAddress line) {
  list.push_back(line);
  if (!warming_) owner_.changed();
}

std::int64_t L2Copies::balance() const {
  const std::uint64_t gone = counters_.evictions.value() + counters_.invalidated.value() + counters_.expired.value();
  return static_cast<std::int64_t>(counters_.installs.value() - gone);
}

void L2Copies::begin_warming() {
  warming_ = true;
  warmed_ -= balance();
}

void L2Copies::end_warming() {
  warming_ = false;
  warmed_ += balance();
}

void L2Copies::archive(Archive& file) {
  file.expect_quiet(to_invalidate_.empty() && evicted_.empty(), "the copies of a slice of l2");
  file.elements(marks_);
}

bool L2Logic::read_copy(Transaction& transaction, std::uint64_t local_line) {
  const Access& access = transaction.access;
  const TagArray::Slot slot = tags_.find(access.line.number, local_line);
  if (slot == TagArray::kNone || (access.sectors & ~tags_.line(slot).valid) != 0) return false;
  touch(slot, access);
  transaction.reply.served_by = ServedBy::l2;
  complete_versions(transaction, slot);
  return true;
}

bool L2Logic::install_copy(const Transaction& data, std::uint64_t local_line) {
  TagArray::Slot slot = tags_.find(data.access.line.number, local_line);
  bool writeback = false;
  if (slot == TagArray::kNone) {
    slot = find_victim(local_line, data.access);
    if (slot == TagArray::kNone) return false;
    writeback = replace(slot, data, 0);
    copies_->mark(slot, L2Copies::Mark::copy);
    ++copies_->counters().installs;
  }
  tags_.line(slot).valid |= data.access.sectors;
  write_versions(slot, data, data.access.sectors);
  return writeback;
}

void L2Logic::update_copy(const Transaction& store, std::uint64_t local_line) {
  const TagArray::Slot slot = tags_.find(store.access.line.number, local_line);
  if (slot == TagArray::kNone) return;
  touch(slot, store.access);
  write_versions(slot, store, store.access.sectors & tags_.line(slot).valid);
}

bool L2Logic::drop_copy(LineAddress line, std::uint64_t local_line) {
  const TagArray::Slot slot = tags_.find(line.number, local_line);
  if (slot == TagArray::kNone) return false;
  tags_.remove(slot);
  copies_->mark(slot, L2Copies::Mark::none);
  return true;
}

std::uint64_t L2Logic::drop_copies() {
  std::uint64_t dropped = 0;
  tags_.for_each([&](TagArray::Slot slot) {
    if (!copies_->is_copy(slot)) return;
    tags_.remove(slot);
    copies_->mark(slot, L2Copies::Mark::none);
    ++dropped;
  });
  return dropped;
}

void L2Logic::mirror_evicted(LineAddress line, std::uint64_t local_line) {
  const TagArray::Slot slot = tags_.find(line.number, local_line);
  if (slot != TagArray::kNone) copies_->mirror_evicted(slot);
}

void L2Logic::perform_copy(const Transaction& data, std::uint64_t local_line, Below& below) {
  if (install_copy(data, local_line)) write_below(victim_, below);
}

void L2Logic::copied_by_warming(LineAddress line, std::uint64_t local_line) {
  copies_->copied_by_warming(tags_.find(line.number, local_line));
}

void L2Logic::copy_removed_by_warming(LineAddress line, std::uint64_t local_line) {
  const TagArray::Slot slot = tags_.find(line.number, local_line);
  if (slot != TagArray::kNone) copies_->mark(slot, L2Copies::Mark::none);
}

std::uint64_t L2Logic::resident_copies() const {
  std::uint64_t resident = 0;
  tags_.for_each([&](TagArray::Slot slot) { resident += copies_->is_copy(slot); });
  return resident;
}

}  // namespace wharf
