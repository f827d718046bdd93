// Stores, atomics and bypasses at an L1 (CM-12), row by row.

#include <catch2/catch.hpp>

#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

namespace {

L1Params with(StoreHit hit, StoreMiss miss, bool sectored = false) {
  L1Params p = small_l1();
  p.store_hit = hit;
  p.store_miss = miss;
  p.sectored = sectored;
  return p;
}

L1Params writing_pending() {
  L1Params p = with(StoreHit::update, StoreMiss::allocate, true);
  p.pending_stores = PendingStores::write;
  return p;
}

}  // namespace

TEST_CASE("l1 store: update, hit: the copy takes the store's sectors, and the store goes below") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate));
  l1.access(4);
  l1.fill(4, kAllSectors, {91, 92, 93, 94});
  CHECK(l1.outcome(4, a_store(0b0110)) == Outcome::pass);
  const StoreId store = l1.last().versions[1];
  CHECK(l1.outcome(4) == Outcome::hit);
  CHECK(l1.last().versions == SectorVersions{91, store, store, 94});
  CHECK(l1.count("store.hits") == 1);
  CHECK(l1.count("store.misses") == 0);
}

TEST_CASE("l1 store: evict, hit: the copy is gone and the store goes below") {
  L1Rig l1(with(StoreHit::evict, StoreMiss::no_allocate));
  l1.bring(4);
  CHECK(l1.outcome(4, a_store(1)) == Outcome::pass);
  CHECK(l1.count("store.hits") == 1);
  CHECK(l1.access(4).request == kAllSectors);
  CHECK(l1.count("load.misses") == 2);
}

TEST_CASE("l1 store: no allocate, miss: the store goes below and leaves nothing behind") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate));
  CHECK(l1.outcome(4, a_store()) == Outcome::pass);
  CHECK(l1.count("store.misses") == 1);
  CHECK(l1.outcome(4) == Outcome::miss);
  CHECK(l1.count("evictions") == 0);
}

TEST_CASE("l1 store: allocate, miss: the written sectors are here without a fetch, the others are not") {
  L1Rig l1(with(StoreHit::update, StoreMiss::allocate, true));
  CHECK(l1.outcome(4, a_store(0b0011)) == Outcome::pass);
  const StoreId store = l1.last().versions[0];
  CHECK(l1.logic.mshrs().empty());
  CHECK(l1.outcome(4, a_load(0b0011)) == Outcome::hit);
  CHECK(l1.last().versions[1] == store);
  CHECK(l1.access(4, a_load(0b0110)).request == 0b0100);
  CHECK(l1.count("load.sector_misses") == 1);
}

TEST_CASE("l1 store: a load of a sector of which only some bytes were written fetches it") {
  L1Rig l1(with(StoreHit::update, StoreMiss::allocate, true));
  l1.access(4, a_partial_store(0b0011));
  const auto verdict = l1.access(4, a_load(0b0001));
  CHECK(verdict.outcome == Outcome::miss);
  CHECK(verdict.request == 0b0001);
  l1.fill(4, 0b0001, {77, 0, 0, 0});
  CHECK(l1.last().versions[0] == 77);
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::hit);   // complete now
  CHECK(l1.outcome(4, a_load(0b0010)) == Outcome::miss);  // the other sector is still incomplete
}

TEST_CASE("l1 store: a partial sector is whole once a store covers it, and stays whole under a partial store") {
  L1Rig l1(with(StoreHit::update, StoreMiss::allocate, true));
  l1.access(4, a_partial_store(1));
  l1.access(4, a_store(1));
  CHECK(l1.outcome(4, a_load(1)) == Outcome::hit);
  l1.access(4, a_partial_store(1));
  CHECK(l1.outcome(4, a_load(1)) == Outcome::hit);
}

TEST_CASE("l1 store: local stores are treated as global ones where they are not written back") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate));
  CHECK(l1.outcome(4, local(a_store())) == Outcome::pass);
  CHECK(l1.outcome(4, local(a_load())) == Outcome::miss);
}

TEST_CASE("l1 store: a store without room below is refused, and finds everything as it was when there is room") {
  for (const StoreMiss miss : {StoreMiss::no_allocate, StoreMiss::allocate}) {
    L1Rig l1(with(StoreHit::update, miss, true));
    CHECK(l1.refuses(4, a_store(), 0, Refusal::queue_full));
    CHECK(l1.outcome(4, a_load(1)) == Outcome::miss);  // nothing was allocated
    CHECK(l1.outcome(8, a_store(), 1) == Outcome::pass);
    CHECK(l1.count("store.accesses") == 1);
  }
}

TEST_CASE("l1 store: a store that finds all ways of its set on their way is refused where it would allocate") {
  L1Rig allocating(with(StoreHit::update, StoreMiss::allocate)), passing(with(StoreHit::update, StoreMiss::no_allocate));
  for (L1Rig* l1 : {&allocating, &passing}) {
    l1->access(0);
    l1->access(4);
  }
  CHECK(allocating.refuses(8, a_store(), L1Rig::kRoom, Refusal::no_way));
  CHECK(passing.outcome(8, a_store()) == Outcome::pass);
}

TEST_CASE("l1 atomic: it goes below and takes the copy with it, uncounted") {
  for (const bool sectored : {false, true}) {
    L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate, sectored));
    l1.access(4);
    l1.fill(4);
    const auto loads = l1.count("load.accesses"), stores = l1.count("store.accesses");
    CHECK(l1.outcome(4, an_atomic(0b0010)) == Outcome::pass);
    CHECK(l1.count("atomics") == 1);
    CHECK(l1.count("load.accesses") == loads);
    CHECK(l1.count("store.accesses") == stores);
    CHECK(l1.count("evictions") == 0);
    CHECK(l1.outcome(4, a_load(0b0010)) == Outcome::miss);
    if (sectored) CHECK(l1.outcome(4, a_load(0b1101)) == Outcome::hit);  // the sectors that the store did not touch
  }
}

TEST_CASE("l1 atomic: where the line is on its way, its fill leaves no copy of the sector") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate, true));
  l1.access(4);
  const auto load = l1.last_id();
  CHECK(l1.outcome(4, an_atomic(1)) == Outcome::pass);
  CHECK(l1.refuses(4, a_load(1), L1Rig::kRoom, Refusal::pending_store));
  CHECK(l1.fill(4) == std::vector<std::uint64_t>{load});
  CHECK(l1.outcome(4, a_load(0b1110)) == Outcome::hit);
  CHECK(l1.outcome(4, a_load(1)) == Outcome::miss);
}

TEST_CASE("l1 atomic: without room below it is refused and the copy stays") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate));
  l1.bring(4);
  CHECK(l1.refuses(4, an_atomic(), 0, Refusal::queue_full));
  CHECK(l1.outcome(4) == Outcome::hit);
}

TEST_CASE("l1 bypass: a load past the L1 is never looked up, leaves the copy alone and counts as a bypass") {
  L1Rig l1(with(StoreHit::update, StoreMiss::no_allocate));
  l1.bring(4);
  CHECK(l1.outcome(4, bypass(a_load())) == Outcome::pass);
  CHECK(l1.count("load.bypasses") == 1);
  CHECK(l1.count("load.hits") == 0);
  CHECK(l1.outcome(4) == Outcome::hit);
  CHECK(l1.refuses(4, bypass(a_load()), 0, Refusal::queue_full));
}

TEST_CASE("l1 bypass: a store past the L1 takes the copy with it, or its core would read its own old value") {
  L1Rig l1(with(StoreHit::update, StoreMiss::allocate, true));
  l1.bring(4);
  CHECK(l1.outcome(4, bypass(a_store(0b0011))) == Outcome::pass);
  CHECK(l1.count("store.bypasses") == 1);
  CHECK(l1.count("store.hits") == 0);
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::miss);
  l1.access(5);
  CHECK(l1.outcome(5, bypass(a_store(0b0001))) == Outcome::pass);
  CHECK(l1.refuses(5, a_load(0b0001), L1Rig::kRoom, Refusal::pending_store));
}

// CM-45
TEST_CASE(
    "l1 store: with byte masks stores of some bytes each complete a sector together, whoever makes them, until the line is replaced") {
  for (const bool masks : {false, true}) {
    L1Params p = with(StoreHit::update, StoreMiss::allocate, true);
    p.byte_masks = masks;
    L1Rig l1(p, TransactionUnit::sector);
    const auto store = [&](std::uint32_t bytes) {
      Transaction& t = l1.make(4, a_partial_store(0b0010));
      t.access.written_bytes = bytes;
      CHECK(l1.logic.access(t, L1Rig::kRoom).outcome == Outcome::pass);
    };
    store(0x0000FFFF);
    store(0xFFFE0000);
    CHECK(l1.refuses(4, a_load(0b0010), 0, Refusal::queue_full));  // a byte is missing, so this is a miss
    store(0x00010000);
    CHECK((l1.outcome(4, a_load(0b0010)) == Outcome::hit) == masks);
  }
}

// CM-46
TEST_CASE("l1 store, pending_stores write: a whole sector written while on its way is hit at once, and its fill does not undo the store") {
  L1Rig l1(writing_pending(), TransactionUnit::sector);
  l1.access(4, a_load(0b0001));
  const auto first = l1.last_id();
  CHECK(l1.outcome(4, a_store(0b0001)) == Outcome::pass);
  const StoreId store = l1.last().versions[0];
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::hit);
  CHECK(l1.last().versions[0] == store);
  CHECK(l1.fill(4, 0b0001, {70, 0, 0, 0}) == Ids{first});
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::hit);
  CHECK(l1.last().versions[0] == store);
}

TEST_CASE(
    "l1 store, pending_stores write: a sector written in part while on its way is merged with, and whole and written after the fill") {
  L1Rig l1(writing_pending(), TransactionUnit::sector);
  l1.access(4, a_load(0b0001));
  const auto first = l1.last_id();
  l1.access(4, a_partial_store(0b0001));
  const StoreId store = l1.last().versions[0];
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::merged);
  const auto second = l1.last_id();
  CHECK(l1.fill(4, 0b0001, {70, 0, 0, 0}) == Ids{first, second});
  CHECK(l1.made(second).versions[0] == store);
  CHECK(l1.outcome(4, a_load(0b0001)) == Outcome::hit);
  CHECK(l1.last().versions[0] == store);
}
