// An L2 slice of every policy between random accesses and a DRAM that replies out of order.

#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "model/base/rng.h"
#include "tests/unit/l2/l2_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr std::uint64_t kLines = 20;

class Soak {
 public:
  Soak(const L2Params& params, TransactionUnit unit, std::uint64_t seed)
      : unit_(unit), hints_(params.hints), rng_(seed), group_(registry, "l2"), l2_(params, unit, group_, 0, true, nullptr) {}

  void run(unsigned accesses) {
    for (unsigned i = 0; i < accesses; ++i) {
      offer_until_taken(make(rng_.below(kLines)));
      if (rng_.chance(0.5)) let_dram_work();
    }
    finish();
    // Wherever the data are now, everything reads as it was last written.
    for (std::uint64_t line = 0; line < kLines; ++line) {
      for (unsigned s = 0; s < kSectorsPerLine; ++s) {
        Transaction& t = make(line);
        t.access.kind = AccessKind::load;
        t.access.sectors = static_cast<SectorMask>(1u << s);
        offer_until_taken(t);
        finish();
        if (t.versions[s] != newest_[{line, s}]) FAIL("line " << line << " sector " << s << " lost a store");
      }
    }
    CHECK(answered == taken);
    CHECK(registry.broken_laws().empty());
  }

  stats::Registry registry;
  std::uint64_t taken = 0, answered = 0;

 private:
  Transaction& make(std::uint64_t line) {
    made_.emplace_back();
    Transaction& t = made_.back();
    t.access.id = made_.size();
    t.access.line = {line};
    t.access.sectors = static_cast<SectorMask>(unit_ == TransactionUnit::sector ? 1u << rng_.below(4) : 1 + rng_.below(15));
    const auto kind = rng_.below(10);
    t.access.kind = kind < 5 ? AccessKind::load : kind < 9 ? AccessKind::store : AccessKind::atomic;
    if (hints_) t.access.hint.eviction = static_cast<Eviction>(rng_.below(5));
    if (t.access.kind == AccessKind::store) t.access.covered = static_cast<SectorMask>(t.access.sectors & rng_.next());
    if (t.access.kind != AccessKind::load)
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (t.access.sectors >> s & 1) t.versions[s] = static_cast<StoreId>(t.access.id);
    return t;
  }

  void offer_until_taken(Transaction& t) {
    constexpr std::uint32_t kQueue = 4;
    const std::uint64_t line = t.access.line.number;
    for (unsigned tries = 0;; ++tries) {
      REQUIRE(tries < 10000);  // it would be refused for ever
      const auto room = below_.size() >= kQueue ? 0 : kQueue - static_cast<std::uint32_t>(below_.size());
      const L2Logic::Verdict verdict = l2_.access(t, line, room);
      if (verdict.outcome == L2Logic::Outcome::refused) {
        let_dram_work();
        continue;
      }
      ++taken;
      for (unsigned s = 0; s < kSectorsPerLine; ++s) {
        if ((t.access.sectors >> s & 1) == 0) continue;
        if (t.access.kind != AccessKind::load)
          newest_[{line, s}] = static_cast<StoreId>(t.access.id);
        else
          at_arrival_[t.access.id][s] = newest_[{line, s}];
      }
      if (verdict.writeback) queue(AccessKind::store, l2_.victim().line.number, l2_.victim().sectors, l2_.victim().versions);
      if (verdict.request != 0) {
        queue(AccessKind::load, line, verdict.request, {});
        below_.back().access.slot = verdict.slot;
      }
      if (verdict.outcome == L2Logic::Outcome::reply) answer(t);
      return;
    }
  }

  void queue(AccessKind kind, std::uint64_t line, SectorMask sectors, const SectorVersions& versions) {
    below_.emplace_back();
    below_.back().access.kind = kind;
    below_.back().access.line = {line};
    below_.back().access.sectors = sectors;
    below_.back().versions = versions;
  }

  /// A load sees the version that was newest when it arrived, or a later one.
  void answer(const Transaction& t) {
    ++answered;
    if (t.access.kind != AccessKind::load) return;
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if ((t.access.sectors >> s & 1) &&
          (t.versions[s] < at_arrival_[t.access.id][s] || t.versions[s] > newest_[{t.access.line.number, s}]))
        FAIL("load " << t.access.id << " of line " << t.access.line.number << " sector " << s << " read store " << t.versions[s]);
    at_arrival_.erase(t.access.id);
  }

  void let_dram_work() {
    if (!below_.empty() && (replies_.empty() || rng_.chance(0.5))) {
      Transaction request = below_.front();
      below_.pop_front();
      const bool reads = request.access.kind == AccessKind::load;
      for (unsigned s = 0; s < kSectorsPerLine; ++s) {
        if ((request.access.sectors >> s & 1) == 0) continue;
        StoreId& stored = dram_[{request.access.line.number, s}];
        if (reads)
          request.versions[s] = stored;
        else
          stored = request.versions[s];
      }
      if (reads) replies_.push_back(request);
    } else if (!replies_.empty()) {
      const auto chosen = replies_.begin() + static_cast<std::ptrdiff_t>(rng_.below(replies_.size()));
      const Transaction reply = *chosen;
      replies_.erase(chosen);
      l2_.fill(reply, reply.access.slot, [&](Transaction& waiter) { answer(waiter); });
    }
  }
  void finish() {
    while (!below_.empty() || !replies_.empty()) let_dram_work();
    CHECK(l2_.mshrs().empty());
  }

  TransactionUnit unit_;
  bool hints_;
  Rng rng_;
  stats::Group group_;
  L2Logic l2_;
  std::deque<Transaction> made_, below_;
  std::vector<Transaction> replies_;
  std::map<std::pair<std::uint64_t, unsigned>, StoreId> dram_, newest_;
  std::map<std::uint64_t, SectorVersions> at_arrival_;
};

}  // namespace

TEST_CASE("l2 soak: under every policy each access is answered once, no store is lost and no load is older than its arrival") {
  std::uint64_t seed = 0;
  std::map<std::string, std::uint64_t> seen;  // everything that the soak must have met
  for (const char* metric : {"hits", "merged", "sector_misses", "misses", "writebacks", "refused.mshr_full", "refused.targets_full",
                             "refused.queue_full", "refused.no_way"})
    seen[metric] = 0;
  for (const bool sectored : {false, true})
    for (const WriteMiss write_miss : {WriteMiss::fetch_partial, WriteMiss::fetch_always, WriteMiss::lazy})
      for (const TransactionUnit unit : {TransactionUnit::line, TransactionUnit::sector}) {
        if (!sectored && (unit == TransactionUnit::sector || write_miss == WriteMiss::lazy)) continue;
        L2Params p = small_l2(sectored);
        p.write_miss = write_miss;
        p.mshr_entries = 3;
        INFO("sectored " << sectored << ", write miss " << static_cast<int>(write_miss) << ", by sector "
                         << (unit == TransactionUnit::sector));
        Soak soak(p, unit, ++seed);
        soak.run(6000);
        for (auto& [metric, count] : seen) count += counted(soak.registry, "l2." + metric);
      }
  for (const auto& [metric, count] : seen) {
    INFO(metric);
    CHECK(count > 10);
  }
}

TEST_CASE("l2 soak: with a random hint on every access no store is lost and no load is older than its arrival (LR-2)") {
  std::uint64_t seed = 0, unallocated = 0, waits = 0, of_class = 0;
  for (const TransactionUnit unit : {TransactionUnit::line, TransactionUnit::sector}) {
    for (const bool sectored : {false, true}) {
      for (const char* policy : {"lru", "random", "tree_plru", "drrip"}) {
        if (!sectored && unit == TransactionUnit::sector) continue;
        L2Params params = small_l2(sectored);
        params.ways = 4;
        params.hints = true;
        params.persisting_fraction = 0.5;
        params.replacement = policy;
        Soak soak(params, unit, ++seed);
        soak.run(3000);
        unallocated += counted(soak.registry, "l2.unallocated");
        waits += counted(soak.registry, "l2.refused.unallocated");
        for (const char* eviction : {"first", "normal", "last"})
          of_class += counted(soak.registry, std::string("l2.evictions.") + eviction) != 0;
      }
    }
  }
  CHECK(unallocated > 100);
  CHECK(waits > 100);
  CHECK(of_class == 3 * seed);
}
