// Write-back of local stores (CM-12), the protected share of written lines, and the kernel boundary.

#include <catch2/catch.hpp>

#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;

namespace {

L1Params write_back() {
  L1Params p = small_l1();
  p.local_stores = LocalStores::write_back;
  p.store_hit = StoreHit::evict;
  return p;
}

struct Drained {
  std::uint64_t line;
  SectorMask sectors;
  SectorVersions versions;
};
std::vector<Drained> drain(L1Rig& l1) {
  std::vector<Drained> lines;
  Access access;
  SectorVersions versions{};
  while (l1.logic.drain(access, versions)) {
    CHECK(access.kind == AccessKind::store);
    CHECK(access.space == Space::local);
    CHECK(access.covered == access.sectors);
    lines.push_back({access.line.number, access.sectors, versions});
  }
  return lines;
}

}  // namespace

TEST_CASE("l1 write-back: a local store takes a way, needs no room below and sends nothing") {
  L1Rig l1(write_back());
  const auto verdict = l1.access(4, local(a_store(0b0011)), 0);
  CHECK(verdict.outcome == Outcome::stored_here);
  CHECK_FALSE(verdict.writeback);
  const StoreId store = l1.last().versions[0];
  CHECK(l1.logic.dirty_sectors({4}) == 0b0011);
  CHECK(l1.outcome(4, local(a_load(0b0011))) == Outcome::hit);
  CHECK(l1.last().versions[1] == store);
}

TEST_CASE("l1 write-back: a local store hits the line it has written and leaves the copy, whatever store_hit says") {
  L1Rig l1(write_back());
  l1.access(4, local(a_store(0b0001)));
  CHECK(l1.outcome(4, local(a_store(0b0001))) == Outcome::stored_here);
  CHECK(l1.count("store.misses") == 1);
  CHECK(l1.count("store.hits") == 1);
  CHECK(l1.outcome(4, local(a_load(0b0001))) == Outcome::hit);
}

TEST_CASE("l1 write-back: global stores are still written through") {
  L1Rig l1(write_back());
  CHECK(l1.outcome(4, a_store()) == Outcome::pass);
  CHECK(l1.logic.dirty_sectors({4}) == 0);
}

TEST_CASE("l1 write-back: a dirty victim goes below with the sectors and versions that are dirty, before the fetch") {
  L1Rig l1(write_back());
  l1.access(0, local(a_store(0b0101)));
  const StoreId store = l1.last().versions[0];
  l1.bring(4);
  const auto verdict = l1.access(8);
  CHECK(verdict.outcome == Outcome::miss);
  REQUIRE(verdict.writeback);
  CHECK(l1.logic.victim().access.line == LineAddress{0});
  CHECK(l1.logic.victim().access.kind == AccessKind::store);
  CHECK(l1.logic.victim().access.sectors == 0b0101);
  CHECK(l1.logic.victim().access.covered == 0b0101);
  CHECK(l1.logic.victim().versions[0] == store);
  CHECK(l1.logic.victim().versions[2] == store);
  CHECK(l1.count("writebacks") == 1);
  CHECK(l1.count("evictions") == 1);
}

TEST_CASE("l1 write-back: a miss with a dirty victim needs room for both, a local store for the writeback") {
  L1Rig l1(write_back());
  l1.access(0, local(a_store()));
  l1.access(4, local(a_store()));
  CHECK(l1.refuses(8, a_load(), 1, Refusal::queue_full));
  CHECK(l1.refuses(8, local(a_store()), 0, Refusal::queue_full));
  CHECK(l1.logic.dirty_sectors({0}) == kAllSectors);
  const auto verdict = l1.access(8, local(a_store()), 1);
  CHECK(verdict.outcome == Outcome::stored_here);
  CHECK(verdict.writeback);
  CHECK(l1.outcome(12, a_load(), 2) == Outcome::miss);
}

TEST_CASE("l1 write-back: a local store to a sector on its way waits for it, to others of the line it does not") {
  L1Params p = write_back();
  p.sectored = true;
  p.store_hit = StoreHit::update;
  L1Rig l1(p);
  l1.access(4, local(a_load(0b0011)));
  CHECK(l1.refuses(4, local(a_store(0b0010)), L1Rig::kRoom, Refusal::pending_store));
  CHECK(l1.outcome(4, local(a_store(0b0100))) == Outcome::stored_here);
  l1.fill(4, 0b0011);
  CHECK(l1.outcome(4, local(a_store(0b0010))) == Outcome::stored_here);
}

TEST_CASE("l1 write-back: a load of a partly written dirty sector is completed from below and sees the store") {
  L1Rig l1(write_back());
  l1.access(4, local(a_partial_store(0b0001)));
  const StoreId store = l1.last().versions[0];
  CHECK(l1.access(4, local(a_load(0b0011))).request == kAllSectors);
  const auto load = l1.last_id();
  CHECK(l1.fill(4, kAllSectors, {50, 51, 52, 53}) == std::vector<std::uint64_t>{load});
  CHECK(l1.made(load).versions == SectorVersions{store, 51, 52, 53});
  CHECK(l1.logic.dirty_sectors({4}) == 0b0001);
  CHECK(l1.outcome(4, local(a_load(0b0001))) == Outcome::hit);
  CHECK(l1.last().versions[0] == store);
}

TEST_CASE("l1 write-back: draining gives each dirty line once and leaves the clean ones") {
  L1Rig l1(write_back());
  l1.access(0, local(a_store(0b0011)));
  l1.access(5, local(a_store(0b1000)));
  const StoreId second = l1.last().versions[3];
  l1.bring(2);
  const auto lines = drain(l1);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 0);
  CHECK(lines[0].sectors == 0b0011);
  CHECK(lines[1].line == 5);
  CHECK(lines[1].sectors == 0b1000);
  CHECK(lines[1].versions[3] == second);
  CHECK(l1.count("writebacks") == 2);
  CHECK(l1.count("evictions") == 0);
  CHECK(l1.outcome(2) == Outcome::hit);
  CHECK(l1.outcome(0) == Outcome::miss);
}

TEST_CASE("l1 write-back: a cache that writes through has nothing to drain") {
  L1Params p = small_l1();
  p.store_miss = StoreMiss::allocate;
  L1Rig l1(p);
  l1.access(0, a_store());
  CHECK(drain(l1).empty());
}

TEST_CASE("l1 protection: written lines are no victims while they are fewer than their share") {
  L1Params p = small_l1();
  p.store_miss = StoreMiss::allocate;
  p.dirty_protect_percent = 25;  // of 8 lines: fewer than 2 are protected
  L1Rig l1(p);
  l1.access(0, a_store());
  l1.access(0, a_store());  // one line, however often it is written
  l1.bring(4);
  l1.bring(8);  // 0 is the oldest, but protected
  CHECK(l1.outcome(0) == Outcome::hit);
  l1.access(1, a_store());  // the second written line: from now on any line may be evicted
  l1.bring(4);              // 8 is older than 0, which was just read
  CHECK(l1.outcome(0) == Outcome::hit);
  l1.bring(12);
  l1.bring(16);
  CHECK(l1.outcome(0) == Outcome::miss);
}

TEST_CASE(
    "l1 protection: an access waits for a pending fill of its set rather than evict a protected line, and evicts it if none is pending") {
  L1Params p = small_l1();
  p.store_miss = StoreMiss::allocate;
  p.dirty_protect_percent = 50;
  L1Rig l1(p);
  l1.access(0, a_store());
  CHECK(l1.outcome(4) == Outcome::miss);  // pending
  CHECK(l1.refuses(8, a_load(), L1Rig::kRoom, Refusal::no_way));
  l1.access(1, a_store());
  l1.access(5, a_store());
  CHECK(l1.outcome(9) == Outcome::miss);
}

TEST_CASE("l1 protection: a set of nothing but protected lines gives way, or an access would wait for ever") {
  L1Params p = small_l1();
  p.store_miss = StoreMiss::allocate;
  p.dirty_protect_percent = 50;
  L1Rig l1(p);
  l1.access(0, a_store());
  l1.access(4, a_store());
  CHECK(l1.outcome(8) == Outcome::miss);
  l1.fill(8);
  CHECK(l1.outcome(4) == Outcome::hit);
  CHECK(l1.outcome(0) == Outcome::miss);
}

TEST_CASE("l1 boundary: afterwards the L1 is empty, protection restarts, and the number of ways may differ") {
  L1Params p = small_l1();
  p.store_miss = StoreMiss::allocate;
  p.dirty_protect_percent = 25;
  L1Rig l1(p);
  for (std::uint64_t line = 0; line < 8; ++line) l1.access(line, a_store());
  l1.logic.invalidate_all(1);
  CHECK(l1.logic.ways() == 1);
  for (std::uint64_t line = 0; line < 4; ++line) {
    CHECK(l1.outcome(line) == Outcome::miss);
    l1.fill(line);
  }
  CHECK(l1.count("evictions") == 0);
  l1.bring(4);  // one way: line 0 is evicted
  CHECK(l1.outcome(0) == Outcome::miss);
}

TEST_CASE("l1 boundary: replies in flight serve the waiting loads and leave no copy") {
  for (const std::uint32_t ways : {2u, 1u}) {
    L1Rig l1(small_l1());
    l1.access(4);
    l1.logic.invalidate_all(ways);
    CHECK(l1.refuses(4, a_load(1), L1Rig::kRoom, Refusal::pending_store));
    CHECK(l1.outcome(4, a_store(0b0010)) == Outcome::pass);
    CHECK(l1.fill(4) == std::vector<std::uint64_t>{1});
    CHECK(l1.logic.idle());
    CHECK(l1.outcome(4) == Outcome::miss);
    CHECK(l1.count("load.misses") == 2);
    l1.fill(4);
    CHECK(l1.outcome(4) == Outcome::hit);
  }
}

TEST_CASE("l1 write-back: draining a line with sectors on their way keeps its place for them") {
  L1Params p = write_back();
  p.sectored = true;
  p.store_hit = StoreHit::update;
  L1Rig l1(p);
  l1.access(4, local(a_load(0b0001)));
  l1.access(4, local(a_store(0b0010)));
  CHECK(drain(l1).size() == 1);
  CHECK(drain(l1).empty());
  CHECK(l1.fill(4, 0b0001) == std::vector<std::uint64_t>{1});
  CHECK(l1.outcome(4, local(a_load(0b0011))) == Outcome::hit);
}
