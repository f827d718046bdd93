#pragma once
// An L1's logic without its module, for the l1_* tests.

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "model/l1/l1_logic.h"
#include "tests/unit/counted.h"

namespace wharf::test {

/// Eight lines in four sets of two ways, two MSHRs.
inline L1Params small_l1() {
  L1Params p;
  p.capacity_kib = 1;
  p.ways = 2;
  p.mshr_entries = 2;
  p.mshr_targets = 3;
  return p;
}

inline L1Params sectored() {
  L1Params p = small_l1();
  p.sectored = true;
  return p;
}

/// The properties of an access other than its line.
struct Ask {
  AccessKind kind = AccessKind::load;
  SectorMask sectors = kAllSectors;
  SectorMask covered = 0;
  Space space = Space::global;
  CacheOp cache_op = CacheOp::all;
  AccessHint hint = {};
};
inline Ask a_load(SectorMask sectors = kAllSectors) { return {AccessKind::load, sectors, 0, Space::global, CacheOp::all}; }
/// From a warp whose lines go to shared memory.
inline Ask isolated(Ask ask) {
  ask.hint.isolated = true;
  return ask;
}
/// From a warp that may not allocate.
inline Ask tokenless(Ask ask) {
  ask.hint.no_install = true;
  return ask;
}
/// A store of whole sectors.
inline Ask a_store(SectorMask sectors = kAllSectors) { return {AccessKind::store, sectors, sectors, Space::global, CacheOp::all}; }
/// A store of some bytes of each sector.
inline Ask a_partial_store(SectorMask sectors) { return {AccessKind::store, sectors, 0, Space::global, CacheOp::all}; }
inline Ask an_atomic(SectorMask sectors = 1) { return {AccessKind::atomic, sectors, 0, Space::global, CacheOp::all}; }
inline Ask local(Ask ask) {
  ask.space = Space::local;
  return ask;
}
inline Ask bypass(Ask ask) {
  ask.cache_op = CacheOp::bypass_l1;
  return ask;
}

class L1Rig {
 public:
  using Outcome = L1Logic::Outcome;
  static constexpr std::uint32_t kRoom = 8;

  explicit L1Rig(const L1Params& params, TransactionUnit unit = TransactionUnit::line, LineDirectory* directory = nullptr,
                 unsigned self = 0, bool verify = true)
      : group_(registry, "l1", static_cast<int>(self)), logic(params, unit, 1, group_, directory, self, verify) {}

  Transaction& make(std::uint64_t line, const Ask& ask) {
    made_.emplace_back();
    Transaction& transaction = made_.back();
    transaction.access.id = made_.size();
    transaction.access.line = {line};
    transaction.access.kind = ask.kind;
    transaction.access.sectors = ask.sectors;
    transaction.access.covered = ask.covered;
    transaction.access.space = ask.space;
    transaction.access.cache_op = ask.cache_op;
    transaction.access.hint = ask.hint;
    if (ask.kind == AccessKind::store || ask.kind == AccessKind::atomic)
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (ask.sectors >> s & 1) transaction.versions[s] = static_cast<StoreId>(made_.size());
    return transaction;
  }
  L1Logic::Verdict access(std::uint64_t line, const Ask& ask = a_load(), std::uint32_t room = kRoom) {
    return logic.access(make(line, ask), room);
  }
  Outcome outcome(std::uint64_t line, const Ask& ask = a_load(), std::uint32_t room = kRoom) { return access(line, ask, room).outcome; }

  /// A reply with `sectors` of the line. Returns the ids of the accesses that it completes. `tag`: the word that its request carried.
  std::vector<std::uint64_t> fill(std::uint64_t line, SectorMask sectors = kAllSectors, SectorVersions versions = {},
                                  std::uint32_t tag = 0) {
    Transaction reply;
    reply.message.tag = tag;
    reply.access.line = {line};
    reply.access.sectors = sectors;
    reply.versions = versions;
    std::vector<std::uint64_t> served;
    logic.fill(reply, [&](Transaction& waiter) { served.push_back(waiter.access.id); });
    return served;
  }
  /// Loads the line into the L1.
  void bring(std::uint64_t line) {
    access(line);
    fill(line);
  }
  std::uint64_t last_id() const { return made_.size(); }
  const Transaction& last() const { return made_.back(); }
  const Transaction& made(std::uint64_t id) const { return made_[id - 1]; }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "l1." + metric); }

  /// True if the access is refused for `cause` and only that cause's counter has changed.
  bool refuses(std::uint64_t line, const Ask& ask, std::uint32_t room, Refusal cause) {
    stats::Snapshot expected = registry.snapshot();
    static const char* const kNames[kRefusals] = {"mshr_full",     "targets_full", "no_way",     "queue_full",
                                                  "pending_store", "bank_busy",    "peers_full", "replies_full"};
    for (std::size_t i = 0; i < registry.counters().size(); ++i)
      expected[i] += registry.counters()[i].name() == std::string("refused.") + kNames[static_cast<unsigned>(cause)];
    const L1Logic::Verdict verdict = access(line, ask, room);
    return verdict.outcome == Outcome::refused && verdict.cause == cause && !verdict.writeback && verdict.request == 0 &&
           registry.snapshot() == expected;
  }

  stats::Registry registry;

 private:
  stats::Group group_;

 public:
  L1Logic logic;

 private:
  std::deque<Transaction> made_;
};

}  // namespace wharf::test
