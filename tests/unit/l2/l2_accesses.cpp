// Loads, merging, refusals and evictions of an L2 slice (common section 6, CM-14).

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/l2/l2_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L2Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

TEST_CASE("l2 load: a miss fetches, others merge, and the fill answers all in order of arrival with what DRAM sent") {
  L2Rig l2(small_l2());
  const auto verdict = l2.load(4, 0b0011);
  CHECK(verdict.outcome == Outcome::waits);
  CHECK(verdict.request == 0b0011);
  const auto merged = l2.load(4, 0b0001);
  CHECK(merged.outcome == Outcome::waits);
  CHECK(merged.request == 0);
  CHECK(l2.fill(4, 0b0011, {7, 8, 0, 0}) == Ids{1, 2});
  CHECK(l2.made(1).versions[1] == 8);
  CHECK(l2.made(1).reply.served_by == ServedBy::dram);
  CHECK(l2.logic.mshrs().empty());
  CHECK(l2.load(4, 0b0011).outcome == Outcome::reply);
  CHECK(l2.last().reply.served_by == ServedBy::l2);
  CHECK(l2.last().versions[0] == 7);
}

TEST_CASE("l2 load: a sectored slice fetches the missing sectors, a slice of whole lines the line") {
  L2Rig parts(small_l2(true)), whole(small_l2(false));
  CHECK(parts.load(4, 0b0100).request == 0b0100);
  CHECK(whole.load(4, 0b0100).request == kAllSectors);
  const auto next = parts.load(4, 0b0110);
  CHECK(next.request == 0b0010);
  CHECK(parts.fill(4, 0b0100) == Ids{1});
  CHECK(parts.fill(4, 0b0010) == Ids{2});
  CHECK(parts.count("misses") == 1);
  CHECK(parts.count("sector_misses") == 1);
}

TEST_CASE("l2 load: an access counts once as hit, merge, sector miss or miss, and by kind") {
  L2Rig l2(small_l2());
  l2.load(4, 0b0001);
  l2.load(4, 0b0001);
  l2.load(4, 0b0010);
  for (int i = 0; i < 4; ++i) l2.refuses_load(5, 1, 0, "queue_full");
  l2.fill(4, 0b0001);
  l2.load(4, 0b0001);
  l2.store(4, 0b0001);
  l2.atomic(4, 0b0001);
  CHECK(l2.count("misses") == 1);
  CHECK(l2.count("merged") == 1);
  CHECK(l2.count("sector_misses") == 1);
  CHECK(l2.count("hits") == 3);
  CHECK(l2.count("accesses") == 6);
  CHECK(l2.count("loads") == 4);
  CHECK(l2.count("stores") == 1);
  CHECK(l2.count("atomics") == 1);
  CHECK(l2.count("refused.queue_full") == 4);
  CHECK(l2.count("sectors.accesses") == 6);
  CHECK(l2.count("sectors.misses") == 2);
  CHECK(l2.registry.broken_laws().empty());
}

TEST_CASE("l2 refusal: MSHR entries, targets, ways and the queue to DRAM, each counted and nothing changed") {
  L2Rig l2(small_l2());
  l2.load(0, 1);
  l2.load(0, 1);
  l2.load(0, 1);
  CHECK(l2.refuses_load(0, 1, L2Rig::kRoom, "targets_full"));
  CHECK(l2.refuses_load(1, 1, 0, "queue_full"));
  l2.load(4, 1);
  CHECK(l2.refuses_load(1, 1, L2Rig::kRoom, "mshr_full"));
  CHECK(l2.fill(0, 1) == Ids{1, 2, 3});
  CHECK(l2.load(1, 1).outcome == Outcome::waits);
}

TEST_CASE("l2 refusal: a set whose lines are all on their way has no victim") {
  L2Params p = small_l2();
  p.mshr_entries = 4;
  L2Rig l2(p);
  l2.load(0, 1);
  l2.load(4, 1);
  CHECK(l2.refuses_load(8, 1, L2Rig::kRoom, "no_way"));
  CHECK(l2.refuses_store(8, 1, L2Rig::kRoom, "no_way"));
  l2.fill(4, 1);
  CHECK(l2.load(8, 1).outcome == Outcome::waits);
  CHECK(l2.load(0, 1).request == 0);  // still present: merged
}

TEST_CASE("l2 refusal: a hit and a merge need no room towards DRAM") {
  L2Rig l2(small_l2());
  l2.bring(0);
  l2.load(4, 1);
  CHECK(l2.load(0, 1, 0).outcome == Outcome::reply);
  CHECK(l2.load(4, 1, 0).outcome == Outcome::waits);
  CHECK(l2.store(0, 1, 0).outcome == Outcome::reply);
}

TEST_CASE("l2 eviction: the line longest untouched gives way, clean ones silently, dirty ones with their dirty sectors and versions") {
  L2Rig l2(small_l2());
  l2.store(0, 0b0101);
  const StoreId store = l2.last().versions[0];
  l2.bring(4);
  l2.load(0, 1);  // used again
  const auto clean = l2.load(8, 1);
  CHECK(clean.outcome == Outcome::waits);
  CHECK_FALSE(clean.writeback);
  l2.fill(8, 1);
  const auto dirty = l2.load(12, 1);
  REQUIRE(dirty.writeback);
  CHECK(dirty.request == 1);
  CHECK(l2.logic.victim().line == LineAddress{0 + L2Rig::kAddressOf});
  CHECK(l2.logic.victim().sectors == 0b0101);
  CHECK(l2.logic.victim().versions[0] == store);
  CHECK(l2.logic.victim().versions[2] == store);
  CHECK(l2.count("evictions") == 2);
  CHECK(l2.count("writebacks") == 1);
}

TEST_CASE("l2 eviction: a miss with a dirty victim needs room for the writeback and the fetch") {
  L2Rig l2(small_l2());
  l2.store(0);
  l2.store(4);
  CHECK(l2.refuses_load(8, 1, 1, "queue_full"));
  CHECK(l2.dirty(0) == kAllSectors);
  CHECK(l2.load(8, 1, 2).writeback);
  CHECK(l2.dirty(0) == 0);
  CHECK(l2.store(12, kAllSectors, 1).writeback);  // fully covered by the store: no fetch
}

TEST_CASE("l2 unit sector: each sector of a line has an entry of its own") {
  L2Rig l2(small_l2(), TransactionUnit::sector);
  CHECK(l2.load(4, 1).request == 1);
  CHECK(l2.load(4, 2).request == 2);
  CHECK(l2.refuses_load(4, 4, L2Rig::kRoom, "mshr_full"));
  CHECK(l2.load(4, 2).request == 0);
  CHECK(l2.fill(4, 2) == Ids{2, 4});
  CHECK(l2.fill(4, 1) == Ids{1});
}

namespace {

/// Counts in the line's bits and records its calls.
class Recorder final : public L2LinePolicy {
 public:
  bool on_access(std::uint32_t& bits, const Access& access) override {
    ++bits;
    log.push_back("access " + std::to_string(access.id) + " bits " + std::to_string(bits));
    return false;
  }
  bool on_fill(std::uint32_t& bits, const Access& access) override {
    bits += 100;
    log.push_back("fill " + std::to_string(access.line.number) + " bits " + std::to_string(bits));
    return false;
  }
  void on_evict(std::uint32_t bits, LineAddress line) override {
    log.push_back("evict " + std::to_string(line.number) + " bits " + std::to_string(bits));
  }
  std::vector<std::string> drain() { return std::exchange(log, {}); }

 private:
  std::vector<std::string> log;
};

}  // namespace

TEST_CASE("l2 line hooks: the policy is told of every access, fill and eviction, with the bits of that line") {
  using Log = std::vector<std::string>;
  Recorder policy;
  L2Rig l2(small_l2(), TransactionUnit::line, &policy);
  l2.load(0, 1);
  CHECK(policy.drain() == Log{"access 1 bits 1"});
  l2.fill(0, 1);
  CHECK(policy.drain() == Log{"fill 1000 bits 101"});
  l2.load(0, 1);
  l2.store(0, 2);
  CHECK(policy.drain() == Log{"access 2 bits 102", "access 3 bits 103"});
  l2.store(4);
  CHECK(policy.drain() == Log{"access 4 bits 1"});
  l2.store(8);
  CHECK(policy.drain() == Log{"evict 1000 bits 103", "access 5 bits 1"});
}

TEST_CASE("l2 line hooks: a refused access is told to nobody") {
  Recorder policy;
  L2Rig l2(small_l2(), TransactionUnit::line, &policy);
  l2.refuses_load(0, 1, 0, "queue_full");
  CHECK(policy.drain().empty());
}

TEST_CASE("l2: the first extra_way_sets sets hold a line more than the others") {
  L2Params params = small_l2();
  params.extra_way_sets = 1;
  L2Rig l2(params);
  for (const std::uint64_t set : {0, 1})
    for (std::uint64_t i = 0; i < 3; ++i) l2.bring(set + 4 * i);
  CHECK(l2.count("evictions") == 1);
  CHECK(l2.load(0).outcome == Outcome::reply);
  CHECK(l2.load(1).outcome == Outcome::waits);
}
