// An L1 of every policy between random accesses and a memory that replies out of order. Each load is answered once, with exactly the stores
// that its core made before it.

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <memory>

#include "model/base/rng.h"
#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr std::uint64_t kLines = 24, kFirstLocal = 16;  // 24 lines for 8 places

class Soak {
 public:
  Soak(const L1Params& params, TransactionUnit unit, std::uint64_t seed)
      : params_(params), unit_(unit), rng_(seed), group_(registry, "l1"), l1_(params, unit, 1, group_, nullptr, 0, true) {}

  void run(unsigned accesses) {
    for (unsigned i = 0; i < accesses; ++i) {
      Transaction& transaction = make();
      for (unsigned tries = 0; !offer(transaction); ++tries) {
        REQUIRE(tries < 10000);  // it would be refused for ever
        let_memory_work();
      }
      if (rng_.chance(0.5)) let_memory_work();
      if (rng_.chance(0.002)) boundary();
    }
    while (!below_.empty() || !replies_.empty()) let_memory_work();
    CHECK(l1_.idle());
    CHECK(answered == loads);
    CHECK(registry.broken_laws().empty());
  }

  stats::Registry registry;
  std::uint64_t loads = 0, answered = 0;

 private:
  using Versions = std::map<std::pair<std::uint64_t, unsigned>, StoreId>;  // line, sector

  bool write_back() const { return params_.local_stores == LocalStores::write_back; }

  Transaction& make() {
    made_.emplace_back();
    Transaction& t = made_.back();
    t.access.id = made_.size();
    t.access.line = {rng_.below(kLines)};
    t.access.space = t.access.line.number >= kFirstLocal ? Space::local : Space::global;
    t.access.sectors = static_cast<SectorMask>(unit_ == TransactionUnit::sector ? 1u << rng_.below(4) : 1 + rng_.below(15));
    const auto kind = rng_.below(20);
    t.access.kind = kind < 12 ? AccessKind::load : kind < 19 || t.access.space == Space::local ? AccessKind::store : AccessKind::atomic;
    if (rng_.chance(0.1) && t.access.space == Space::global) t.access.cache_op = CacheOp::bypass_l1;
    if (t.access.kind == AccessKind::store && rng_.chance(0.7)) t.access.covered = static_cast<SectorMask>(t.access.sectors & rng_.next());
    return t;
  }

  /// Returns false if the access was refused.
  bool offer(Transaction& t) {
    constexpr std::uint32_t kQueue = 4;
    const auto room = below_.size() >= kQueue ? 0 : kQueue - static_cast<std::uint32_t>(below_.size());
    if (t.access.kind != AccessKind::load)
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (t.access.sectors >> s & 1) t.versions[s] = static_cast<StoreId>(t.access.id);
    const L1Logic::Verdict verdict = l1_.access(t, room);
    if (verdict.outcome == L1Logic::Outcome::refused) return false;
    if (verdict.writeback) queue(l1_.victim().access, l1_.victim().versions);
    if (t.access.kind == AccessKind::load) {
      ++loads;
      SectorVersions& expected = expected_[t.access.id];
      for (unsigned s = 0; s < kSectorsPerLine; ++s) expected[s] = newest_[{t.access.line.number, s}];
    } else {
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (t.access.sectors >> s & 1) newest_[{t.access.line.number, s}] = static_cast<StoreId>(t.access.id);
    }
    switch (verdict.outcome) {
      case L1Logic::Outcome::hit:
        answer(t);
        break;
      case L1Logic::Outcome::miss:
        queue(t.access, {});
        below_.back().access.sectors = verdict.request;
        below_.back().access.kind = AccessKind::load;
        below_.back().access.id = 0;  // the cache has ids of its own
        break;
      case L1Logic::Outcome::pass:
        queue(t.access, t.versions);
        break;
      default:
        break;
    }
    return true;
  }

  void queue(const Access& access, const SectorVersions& versions) {
    below_.emplace_back();
    below_.back().access = access;
    below_.back().versions = versions;
  }

  void answer(const Transaction& t) {
    ++answered;
    const SectorVersions& expected = expected_.at(t.access.id);
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if ((t.access.sectors >> s & 1) && t.versions[s] != expected[s])
        FAIL("access " << t.access.id << " of line " << t.access.line.number << " sector " << s << " read store " << t.versions[s]
                       << " and not " << expected[s]);
    expected_.erase(t.access.id);
  }

  /// Memory takes a request, in order, or one of its replies arrives, in any order.
  void let_memory_work() {
    if (!below_.empty() && (replies_.empty() || rng_.chance(0.5))) {
      Transaction request = below_.front();
      below_.pop_front();
      const bool reads = request.access.kind == AccessKind::load;
      for (unsigned s = 0; s < kSectorsPerLine; ++s) {
        if ((request.access.sectors >> s & 1) == 0) continue;
        StoreId& stored = memory_[{request.access.line.number, s}];
        if (reads)
          request.versions[s] = stored;
        else
          stored = request.versions[s];
      }
      if (reads && request.access.id != 0)
        answer(request);
      else if (reads)
        replies_.push_back(request);
    } else if (!replies_.empty()) {
      const auto chosen = replies_.begin() + static_cast<std::ptrdiff_t>(rng_.below(replies_.size()));
      Transaction reply = *chosen;
      replies_.erase(chosen);
      l1_.fill(reply, [&](Transaction& waiter) { answer(waiter); });
    }
  }

  /// A kernel boundary: drained, or, if nothing is dirty, with replies in flight.
  void boundary() {
    Access access;
    SectorVersions versions{};
    while (write_back() && (!below_.empty() || !replies_.empty())) let_memory_work();
    while (l1_.drain(access, versions)) queue(access, versions);
    l1_.invalidate_all(1 + static_cast<std::uint32_t>(rng_.below(3)));
  }

  const L1Params params_;
  TransactionUnit unit_;
  Rng rng_;
  stats::Group group_;
  L1Logic l1_;
  std::deque<Transaction> made_, below_;
  std::vector<Transaction> replies_;
  Versions memory_, newest_;
  std::map<std::uint64_t, SectorVersions> expected_;
};

}  // namespace

TEST_CASE("l1 soak: under every policy each load is answered once, with the newest store that its core had made") {
  std::uint64_t seed = 0;
  for (const bool sectored : {false, true})
    for (const StoreHit hit : {StoreHit::update, StoreHit::evict})
      for (const StoreMiss miss : {StoreMiss::no_allocate, StoreMiss::allocate})
        for (const LocalStores local : {LocalStores::as_global, LocalStores::write_back})
          for (const TransactionUnit unit : {TransactionUnit::line, TransactionUnit::sector}) {
            if ((sectored && hit == StoreHit::evict) || (!sectored && unit == TransactionUnit::sector)) continue;
            L1Params p = small_l1();
            p.sectored = sectored;
            p.store_hit = hit;
            p.store_miss = miss;
            p.local_stores = local;
            p.mshr_entries = 2;
            INFO("sectored " << sectored << ", evict " << (hit == StoreHit::evict) << ", allocate " << (miss == StoreMiss::allocate)
                             << ", write back " << (local == LocalStores::write_back) << ", by sector "
                             << (unit == TransactionUnit::sector));
            Soak soak(p, unit, ++seed);
            soak.run(6000);
            CHECK(soak.loads > 2000);
            for (const char* metric :
                 {"load.hits", "load.merged", "load.misses", "load.bypasses", "refused.pending_store", "refused.mshr_full"})
              CHECK(counted(soak.registry, std::string("l1.") + metric) > 0);
          }
}
