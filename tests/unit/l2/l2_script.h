#pragma once
// An L2 slice's logic without its module, for the l2_* tests.

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/l2/l2_logic.h"
#include "tests/unit/counted.h"

namespace wharf::test {

/// Eight lines in four sets of two ways, two MSHRs of three targets.
inline L2Params small_l2(bool sectored = true) {
  L2Params p;
  p.slice_kib = 1;
  p.ways = 2;
  p.sectored = sectored;
  p.mshr_entries = 2;
  p.mshr_targets = 3;
  return p;
}

class L2Rig {
 public:
  using Outcome = L2Logic::Outcome;
  static constexpr std::uint32_t kRoom = 8;
  /// Line numbers inside the slice differ from those of the machine.
  static constexpr std::uint64_t kAddressOf = 1000;

  explicit L2Rig(const L2Params& params, TransactionUnit unit = TransactionUnit::line, L2LinePolicy* policy = nullptr)
      : group_(registry, "l2", 0), logic(params, unit, group_, 0, true, policy) {}

  Transaction& make(AccessKind kind, std::uint64_t line, SectorMask sectors, SectorMask covered = 0) {
    made_.emplace_back();
    Transaction& t = made_.back();
    t.access.id = made_.size();
    t.access.line = {line + kAddressOf};
    t.access.kind = kind;
    t.access.sectors = sectors;
    t.access.covered = covered;
    if (kind != AccessKind::load)
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (sectors >> s & 1) t.versions[s] = static_cast<StoreId>(made_.size());
    return t;
  }
  L2Logic::Verdict access(AccessKind kind, std::uint64_t line, SectorMask sectors, SectorMask covered = 0, std::uint32_t room = kRoom) {
    return ask(make(kind, line, sectors, covered), line, room);
  }
  L2Logic::Verdict ask(Transaction& transaction, std::uint64_t line, std::uint32_t room, Cycle now = 0) {
    const L2Logic::Verdict verdict = logic.access(transaction, line, room, now);
    if (verdict.request != 0) slots_[line] = verdict.slot;
    return verdict;
  }
  L2Logic::Verdict load(std::uint64_t line, SectorMask sectors = kAllSectors, std::uint32_t room = kRoom) {
    return access(AccessKind::load, line, sectors, 0, room);
  }
  /// A store of whole sectors.
  L2Logic::Verdict store(std::uint64_t line, SectorMask sectors = kAllSectors, std::uint32_t room = kRoom) {
    return access(AccessKind::store, line, sectors, sectors, room);
  }
  L2Logic::Verdict partial_store(std::uint64_t line, SectorMask sectors, std::uint32_t room = kRoom) {
    return access(AccessKind::store, line, sectors, 0, room);
  }
  L2Logic::Verdict atomic(std::uint64_t line, SectorMask sectors) { return access(AccessKind::atomic, line, sectors); }

  std::vector<std::uint64_t> fill(std::uint64_t line, SectorMask sectors = kAllSectors, SectorVersions versions = {}) {
    Transaction reply;
    reply.access.line = {line + kAddressOf};
    reply.access.sectors = sectors;
    reply.versions = versions;
    std::vector<std::uint64_t> served;
    logic.fill(reply, slot_of(line), [&](Transaction& waiter) { served.push_back(waiter.access.id); });
    return served;
  }
  /// The slot that the line's last fetch was to fill.
  TagArray::Slot slot_of(std::uint64_t line) const { return slots_.at(line); }
  void bring(std::uint64_t line) {
    load(line);
    fill(line);
  }
  SectorMask dirty(std::uint64_t line) const { return logic.dirty_sectors({line + kAddressOf}, line); }
  std::uint64_t last_id() const { return made_.size(); }
  const Transaction& last() const { return made_.back(); }
  const Transaction& made(std::uint64_t id) const { return made_[id - 1]; }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "l2." + metric); }

  /// True if only the counter `cause` has changed since `before`, by one.
  bool only_counted(const stats::Snapshot& before, const std::string& cause) const {
    stats::Snapshot expected = before;
    for (std::size_t i = 0; i < registry.counters().size(); ++i) expected[i] += registry.counters()[i].name() == "refused." + cause;
    return registry.snapshot() == expected;
  }
  bool refuses_load(std::uint64_t line, SectorMask sectors, std::uint32_t room, const std::string& cause) {
    const stats::Snapshot before = registry.snapshot();
    const L2Logic::Verdict verdict = load(line, sectors, room);
    return verdict.outcome == Outcome::refused && verdict.request == 0 && !verdict.writeback && only_counted(before, cause);
  }
  bool refuses_store(std::uint64_t line, SectorMask sectors, std::uint32_t room, const std::string& cause) {
    const stats::Snapshot before = registry.snapshot();
    const L2Logic::Verdict verdict = partial_store(line, sectors, room);
    return verdict.outcome == Outcome::refused && verdict.request == 0 && !verdict.writeback && only_counted(before, cause);
  }

  stats::Registry registry;

 private:
  stats::Group group_;

 public:
  L2Logic logic;

 private:
  std::deque<Transaction> made_;
  std::map<std::uint64_t, TagArray::Slot> slots_;
};

}  // namespace wharf::test
