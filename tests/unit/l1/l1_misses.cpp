// Misses, merging and refusals of an L1 (CM-11, CM-14, CM-33, CM-49), whole lines and sectors.

#include <catch2/catch.hpp>

#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

TEST_CASE("l1 miss: the primary miss asks for the line, later ones merge, and the fill serves all in order of arrival") {
  L1Rig l1(small_l1());
  const auto verdict = l1.access(4, a_load(1));
  CHECK(verdict.outcome == Outcome::miss);
  CHECK(verdict.request == kAllSectors);
  CHECK(l1.outcome(4, a_load(8)) == Outcome::merged);
  CHECK(l1.outcome(4, a_load(1)) == Outcome::merged);
  CHECK(l1.fill(4, kAllSectors, {5, 6, 7, 8}) == Ids{1, 2, 3});
  CHECK(l1.made(2).versions[3] == 8);
  CHECK(l1.logic.idle());
  CHECK(l1.outcome(4) == Outcome::hit);
  CHECK(l1.last().versions == SectorVersions{5, 6, 7, 8});
}

TEST_CASE("l1 miss: a reply finds its line and those that wait for it, whatever has become of the word that its request carried") {
  for (const std::uint32_t mask : {~0u, 0xFFFFu, 0u}) {
    for (const std::uint32_t more : {0u, 1u, 0x10000u, ~0u}) {
      L1Rig l1(small_l1());
      l1.bring(5);
      l1.access(9);
      l1.access(4);
      const std::uint32_t carried = l1.last().message.tag;
      CHECK(l1.fill(4, kAllSectors, {1, 2, 3, 4}, (carried & mask) ^ more) == Ids{3});
      CHECK(l1.outcome(4) == Outcome::hit);
      CHECK(l1.last().versions == SectorVersions{1, 2, 3, 4});
      CHECK(l1.outcome(9) == Outcome::merged);
      CHECK(l1.outcome(5) == Outcome::hit);
    }
  }
}

TEST_CASE("l1 miss: a load of a line that a kernel boundary removed waits until the request in flight is answered") {
  L1Rig l1(small_l1());
  l1.access(4);
  l1.access(9);
  l1.logic.invalidate_all(2);
  CHECK(l1.refuses(4, a_load(), L1Rig::kRoom, Refusal::pending_store));
  l1.fill(4);
  CHECK(l1.refuses(9, a_load(), L1Rig::kRoom, Refusal::pending_store));
  l1.fill(9);
  CHECK(l1.logic.idle());
  CHECK(l1.outcome(4) == Outcome::miss);
  CHECK(l1.outcome(4) == Outcome::merged);
}

TEST_CASE("l1 miss: a sectored cache asks for the missing sectors only, a whole-line cache for the line") {
  L1Rig whole(small_l1()), parts(sectored());
  CHECK(whole.access(4, a_load(0b0100)).request == kAllSectors);
  CHECK(parts.access(4, a_load(0b0100)).request == 0b0100);
  parts.fill(4, 0b0100);
  CHECK(parts.access(4, a_load(0b0110)).request == 0b0010);
  CHECK(parts.count("load.misses") == 1);
  CHECK(parts.count("load.sector_misses") == 1);
}

TEST_CASE("l1 miss: a load of pending and absent sectors requests the absent ones and waits for all") {
  L1Rig l1(sectored());
  l1.access(4, a_load(0b0011));
  CHECK(l1.access(4, a_load(0b0110)).request == 0b0100);
  CHECK(l1.fill(4, 0b0011) == Ids{1});
  CHECK_FALSE(l1.logic.idle());
  CHECK(l1.fill(4, 0b0100) == Ids{2});
  CHECK(l1.logic.idle());
}

TEST_CASE("l1 miss: replies of one line may come in any order") {
  L1Rig l1(sectored());
  l1.access(4, a_load(0b0011));
  l1.access(4, a_load(0b0110));
  CHECK(l1.fill(4, 0b0100).empty());  // the second load still waits for sector 1
  CHECK(l1.fill(4, 0b0011) == Ids{1, 2});
}

TEST_CASE("l1 miss: where the transaction is the sector, every sector has an entry of its own") {
  L1Rig l1(sectored(), TransactionUnit::sector);
  CHECK(l1.outcome(4, a_load(1)) == Outcome::miss);
  CHECK(l1.outcome(4, a_load(2)) == Outcome::miss);
  CHECK(l1.outcome(4, a_load(2)) == Outcome::merged);
  CHECK(l1.refuses(4, a_load(4), L1Rig::kRoom, Refusal::mshr_full));
  CHECK(l1.fill(4, 2) == Ids{2, 3});
  CHECK(l1.outcome(4, a_load(4)) == Outcome::miss);
  CHECK(l1.fill(4, 1) == Ids{1});
}

TEST_CASE("l1 refusal: all MSHR entries taken, and merging is still possible") {
  L1Rig l1(small_l1());
  l1.access(0);
  l1.access(1);
  CHECK(l1.refuses(2, a_load(), L1Rig::kRoom, Refusal::mshr_full));
  CHECK(l1.outcome(1) == Outcome::merged);
  l1.fill(0);
  CHECK(l1.outcome(2) == Outcome::miss);
}

TEST_CASE("l1 refusal: all targets of the entry taken, for a merge and for a further sector of the line") {
  L1Rig l1(sectored());
  for (int i = 0; i < 3; ++i) l1.access(4, a_load(1));
  CHECK(l1.refuses(4, a_load(1), L1Rig::kRoom, Refusal::targets_full));
  CHECK(l1.refuses(4, a_load(2), L1Rig::kRoom, Refusal::targets_full));
  CHECK(l1.fill(4, 1) == Ids{1, 2, 3});
  CHECK(l1.outcome(4, a_load(2)) == Outcome::miss);
}

TEST_CASE("l1 refusal: no way without a pending sector in the set") {
  L1Params p = small_l1();
  p.mshr_entries = 4;
  L1Rig l1(p);
  l1.access(0);
  l1.access(4);
  CHECK(l1.refuses(8, a_load(), L1Rig::kRoom, Refusal::no_way));
  CHECK(l1.outcome(1) == Outcome::miss);  // another set
  l1.fill(4);
  CHECK(l1.outcome(8) == Outcome::miss);
  CHECK(l1.outcome(0) == Outcome::merged);  // line 4 was evicted, not the pending line
  CHECK(l1.count("evictions") == 1);
}

TEST_CASE("l1 refusal: no room below for a primary miss, while hits and merges need none") {
  L1Rig l1(small_l1());
  l1.bring(0);
  l1.access(4);
  CHECK(l1.refuses(1, a_load(), 0, Refusal::queue_full));
  CHECK(l1.outcome(0, a_load(), 0) == Outcome::hit);
  CHECK(l1.outcome(4, a_load(), 0) == Outcome::merged);
  CHECK(l1.outcome(1, a_load(), 1) == Outcome::miss);
}

TEST_CASE(
    "l1 refusal: with spare_miss_place a load that misses or merges needs two places below, a hit none, a store and a bypassing load one") {
  L1Params params = small_l1();
  params.spare_miss_place = true;
  L1Rig l1(params);
  l1.bring(0);
  l1.access(4, a_load(0b0011));
  CHECK(l1.refuses(1, a_load(), 1, Refusal::queue_full));
  CHECK(l1.refuses(4, a_load(0b0001), 1, Refusal::queue_full));  // merges
  CHECK(l1.refuses(4, a_load(0b0100), 1, Refusal::queue_full));  // another sector of a pending line
  CHECK(l1.refuses(1, tokenless(a_load()), 1, Refusal::queue_full));
  CHECK(l1.outcome(0, a_load(), 0) == Outcome::hit);
  CHECK(l1.outcome(4, a_load(0b0001), 2) == Outcome::merged);
  CHECK(l1.outcome(1, a_load(), 2) == Outcome::miss);
  CHECK(l1.outcome(2, a_store(), 1) == Outcome::pass);
  CHECK(l1.refuses(2, a_store(), 0, Refusal::queue_full));
  CHECK(l1.outcome(3, bypass(a_load()), 1) == Outcome::pass);
}

TEST_CASE("l1 refusal: it does not touch the line's place in the order of eviction") {
  L1Rig l1(small_l1());
  l1.bring(0);
  l1.bring(4);
  l1.refuses(8, a_load(), 0, Refusal::queue_full);
  l1.bring(8);
  CHECK(l1.outcome(0) == Outcome::miss);  // the oldest line was evicted
  l1.fill(0);
}

TEST_CASE("l1 pending store: loads before it are served by the fill, later ones of its sectors wait until the entry is free") {
  L1Rig l1(small_l1());
  l1.access(4, a_load(1));
  l1.access(4, a_load(2));
  CHECK(l1.outcome(4, a_store(0b0001)) == Outcome::pass);
  CHECK(l1.refuses(4, a_load(0b0001), L1Rig::kRoom, Refusal::pending_store));
  CHECK(l1.refuses(4, a_load(0b0011), L1Rig::kRoom, Refusal::pending_store));
  CHECK(l1.outcome(4, a_load(0b0010)) == Outcome::merged);  // a sector that was not written
  const auto merged = l1.last_id();
  CHECK(l1.fill(4, kAllSectors, {70, 71, 72, 73}) == Ids{1, 2, merged});
  CHECK(l1.made(1).versions[0] == 70);
  CHECK(l1.outcome(4, a_load(0b1110)) == Outcome::hit);
  CHECK(l1.access(4, a_load(0b0001)).request == 0b0001);  // its fill did not store a copy of the written sector
}

TEST_CASE("l1 pending store: a line whose pending sectors were all written leaves no copy") {
  L1Rig l1(sectored());
  l1.access(4, a_load(1));
  l1.access(4, a_store(1));
  l1.fill(4, 1);
  CHECK(l1.outcome(4, a_load(1)) == Outcome::miss);
  CHECK(l1.count("load.misses") == 2);
  CHECK(l1.count("load.sector_misses") == 0);
}

TEST_CASE("l1 pending store: the sectors stay closed until the last sector of the entry is here") {
  L1Rig l1(sectored());
  l1.access(4, a_load(1));
  l1.access(4, a_load(2));
  l1.access(4, a_store(1));
  l1.fill(4, 1);
  CHECK(l1.refuses(4, a_load(1), L1Rig::kRoom, Refusal::pending_store));
  l1.fill(4, 2);
  CHECK(l1.outcome(4, a_load(1)) == Outcome::miss);
}

TEST_CASE("l1 counting: an access counts once, as one of five, however often it is refused") {
  L1Rig l1(sectored());
  l1.access(0, a_load(1));
  l1.access(0, a_load(1));
  for (int i = 0; i < 5; ++i) l1.refuses(1, a_load(), 0, Refusal::queue_full);
  l1.fill(0, 1);
  l1.access(0, a_load(1));
  l1.access(0, a_load(3));
  l1.access(0, bypass(a_load()));
  CHECK(l1.count("load.misses") == 1);
  CHECK(l1.count("load.merged") == 1);
  CHECK(l1.count("load.hits") == 1);
  CHECK(l1.count("load.sector_misses") == 1);
  CHECK(l1.count("load.bypasses") == 1);
  CHECK(l1.count("load.accesses") == 5);
  CHECK(l1.count("refused.queue_full") == 5);
  CHECK(l1.registry.broken_laws().empty());
}

TEST_CASE("l1 counting: textures are counted apart from loads, sectors with all") {
  L1Rig l1(sectored());
  l1.access(0, {AccessKind::texture, 0b0011, 0, Space::global, CacheOp::all});
  l1.access(0, a_load(0b0111));
  l1.access(1, a_store(0b1000));
  CHECK(l1.count("texture.misses") == 1);
  CHECK(l1.count("texture.accesses") == 1);
  CHECK(l1.count("load.accesses") == 1);
  CHECK(l1.count("sectors.accesses") == 2 + 3 + 1);
  CHECK(l1.count("sectors.misses") == 2 + 1 + 1);
  CHECK(l1.count("sectors.pending_hits") == 2);
}

TEST_CASE("l1 directory: others are told of every copy that comes and goes, and a miss of a line they hold is counted") {
  LineDirectory directory(2, true);
  L1Params p = sectored();
  p.store_miss = StoreMiss::allocate;
  L1Rig first(p, TransactionUnit::line, &directory, 0), second(p, TransactionUnit::line, &directory, 1);
  const auto sectors_here = [&](std::uint64_t line) {
    directory.commit();
    return directory.sectors({line}, 0);
  };
  first.access(4, a_load(0b0011));
  CHECK(sectors_here(4) == 0);
  first.fill(4, 0b0011);
  CHECK(sectors_here(4) == 0b0011);
  second.access(4, a_load(0b0001));
  CHECK(second.count("load.misses_held_elsewhere") == 1);
  second.access(4, a_load(0b1000));  // the line, but not this sector
  second.access(5, a_load(1));
  CHECK(second.count("load.misses_held_elsewhere") == 1);
  first.access(4, a_store(0b0100));
  CHECK(sectors_here(4) == 0b0111);
  first.access(4, a_partial_store(0b1000));  // not the whole sector, so it could serve no load
  CHECK(sectors_here(4) == 0b0111);
  first.access(4, an_atomic(0b0001));
  CHECK(sectors_here(4) == 0b0110);
  first.bring(0);
  first.bring(8);  // third line of the set: evicts line 4
  CHECK(sectors_here(4) == 0);
  first.logic.invalidate_all(2);
  directory.commit();
  CHECK(directory.copies() == 0);
}

TEST_CASE("l1 miss: a preferred victim goes before an older line, and where none is preferred or may go the oldest line does") {
  // Lines 0, 4, 8, 12, 16 map to one set of two ways. The newer of the two present lines is preferred.
  L1Rig usual(small_l1()), preferring(small_l1());
  preferring.logic.prefer_victims([](LineAddress line) { return line.number == 4; });
  for (L1Rig* l1 : {&usual, &preferring}) {
    l1->bring(0);
    l1->bring(4);
    l1->bring(8);
    const bool prefers = l1 == &preferring;
    CHECK(l1->outcome(0) == (prefers ? Outcome::hit : Outcome::miss));
  }
  preferring.bring(12);  // neither 0 nor 8 is preferred: 8 is older, because 0 has just been used
  CHECK(preferring.outcome(0) == Outcome::hit);
  preferring.access(4);  // 12 is evicted, and 4 is pending: it cannot be evicted
  CHECK(preferring.outcome(16) == Outcome::miss);
  CHECK(preferring.refuses(20, a_load(), L1Rig::kRoom, Refusal::mshr_full));
  CHECK(preferring.count("evictions") == 4);
}

TEST_CASE("l1 miss: an empty way goes before a preferred victim") {
  L1Rig l1(small_l1());
  l1.logic.prefer_victims([](LineAddress) { return true; });
  l1.bring(0);
  l1.bring(4);
  CHECK(l1.outcome(0) == Outcome::hit);
  CHECK(l1.outcome(4) == Outcome::hit);
}
