// Loads whose fills do not allocate in the L1: loads of warps without a token and of isolated warps (ciao sections 3.4 and 6).

#include <catch2/catch.hpp>

#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"
#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

namespace {

SharedMemoryCacheParams cache_params(bool probe_on_l1_miss) {
  SharedMemoryCacheParams params;
  params.placement = SharedMemoryPlacement::plain;
  params.probe_on_l1_miss = probe_on_l1_miss;
  return params;
}

/// An L1 next to a shared-memory cache of 256 lines.
struct SideStoreRig {
  explicit SideStoreRig(const L1Params& params = small_l1(), TransactionUnit unit = TransactionUnit::line, bool probe_on_l1_miss = true)
      : l1(params, unit), cache(group, cache_params(probe_on_l1_miss), true) {
    l1.logic.join(cache);
    cache.become(SharedMemoryRegion::of(48 * 1024, 0));
    cache.use();
  }
  /// A load that misses the L1, up to the decision.
  L1Logic::Verdict look(std::uint64_t line, const Ask& ask, std::uint32_t room = L1Rig::kRoom) {
    Transaction& transaction = l1.make(line, ask);
    REQUIRE(l1.logic.access(transaction, room).outcome == Outcome::look_up_side_store);
    return l1.logic.look_up_side_store(transaction, room);
  }
  void fill_side_store(std::uint64_t line, const SectorVersions& versions = {}) {
    REQUIRE(look(line, isolated(a_load())).outcome == Outcome::miss);
    l1.fill(line, kAllSectors, versions);
    REQUIRE(cache.holds({line}, kAllSectors));
  }
  void bring_here(std::uint64_t line) {
    REQUIRE(look(line, a_load()).outcome == Outcome::miss);
    l1.fill(line);
    REQUIRE(in_l1(line));
  }
  bool in_l1(std::uint64_t line) const {
    SectorVersions versions;
    Access access;
    access.line = {line};
    return l1.logic.copy_of(access, versions) != nullptr;
  }
  bool in_side_store(std::uint64_t line) const { return cache.held({line}) != 0; }
  std::uint64_t count(const std::string& metric) const { return l1.count("shared_memory_cache." + metric); }

  L1Rig l1;
  stats::Group group{l1.registry, "l1", 1};
  SharedMemoryCache cache;
};

}  // namespace

TEST_CASE("l1 without a token: a hit is served and is no use of the line, a miss leaves no line and evicts none") {
  L1Rig l1(small_l1());
  l1.bring(0);
  l1.bring(4);
  CHECK(l1.outcome(0, tokenless(a_load())) == Outcome::hit);
  CHECK(l1.access(8, tokenless(a_load())).outcome == Outcome::miss);
  CHECK(l1.fill(8, kAllSectors, {5, 5, 5, 5}) == Ids{4});
  CHECK(l1.last().versions == SectorVersions{5, 5, 5, 5});
  CHECK(l1.count("evictions") == 0);
  CHECK(l1.outcome(8, tokenless(a_load())) == Outcome::miss);
  l1.fill(8);
  l1.bring(12);  // line 0 is still the older one
  CHECK(l1.outcome(4) == Outcome::hit);
  CHECK(l1.logic.idle());
}

TEST_CASE("l1 without a token: whoever opens a request decides that it leaves no line, and others join it") {
  L1Rig l1(small_l1());
  l1.access(8, tokenless(a_load()));
  CHECK(l1.outcome(8) == Outcome::merged);
  CHECK(l1.fill(8) == Ids{1, 2});
  CHECK(l1.outcome(8) == Outcome::miss);
  CHECK(l1.outcome(8, tokenless(a_load())) == Outcome::merged);
  l1.fill(8);
  CHECK(l1.outcome(8) == Outcome::hit);
}

TEST_CASE("l1 without a token: requests need an MSHR and its targets like any other") {
  L1Rig l1(small_l1());
  l1.access(0, tokenless(a_load()));
  l1.access(4, tokenless(a_load()));
  CHECK(l1.refuses(8, tokenless(a_load()), L1Rig::kRoom, Refusal::mshr_full));
  l1.access(0);
  l1.access(0);
  CHECK(l1.refuses(0, a_load(), L1Rig::kRoom, Refusal::targets_full));
  l1.fill(4);
  CHECK(l1.refuses(8, tokenless(a_load()), 0, Refusal::queue_full));
}

TEST_CASE("l1 without a token: a store that overtakes a request keeps later loads from its old data") {
  for (const bool allocates : {false, true}) {
    L1Params params = small_l1();
    params.store_miss = allocates ? StoreMiss::allocate : StoreMiss::no_allocate;
    L1Rig l1(params);
    l1.access(8, tokenless(a_load()));
    l1.access(8, a_store(0b0001));
    CHECK(l1.outcome(8, a_load(0b0001)) == (allocates ? Outcome::hit : Outcome::refused));
    CHECK(l1.fill(8, kAllSectors, {1, 1, 1, 1}) == Ids{1});
    CHECK(l1.outcome(8, a_load(0b0001)) == (allocates ? Outcome::hit : Outcome::miss));
    if (allocates) CHECK(l1.last().versions[0] == 2);
  }
}

TEST_CASE("l1 without a token: a write-back store waits for a request of its line that will leave none") {
  L1Params params = small_l1();
  params.local_stores = LocalStores::write_back;
  L1Rig l1(params);
  l1.access(8, local(tokenless(a_load())));
  CHECK(l1.refuses(8, local(a_store(0b0001)), L1Rig::kRoom, Refusal::pending_store));
  l1.fill(8);
  CHECK(l1.outcome(8, local(a_store(0b0001))) == Outcome::stored_here);
}

TEST_CASE("l1 without a token: with fill_free_way a miss may take an empty way, and no other") {
  L1Params params = small_l1();
  params.fill_free_way = true;
  L1Rig l1(params);
  l1.bring(0);
  l1.access(4, tokenless(a_load()));
  l1.fill(4);
  CHECK(l1.outcome(4) == Outcome::hit);
  l1.access(8, tokenless(a_load()));
  l1.fill(8);
  CHECK(l1.outcome(8) == Outcome::miss);
  CHECK(l1.count("evictions") == 1);
}

TEST_CASE("l1 beside shared memory: an isolated warp's miss fills shared memory, where all warps find it") {
  SideStoreRig l1;
  l1.fill_side_store(5, {4, 4, 4, 4});
  CHECK_FALSE(l1.in_l1(5));
  CHECK(l1.look(5, isolated(a_load())).outcome == Outcome::hit);
  CHECK(l1.l1.last().versions == SectorVersions{4, 4, 4, 4});
  CHECK(l1.look(5, a_load()).outcome == Outcome::hit);
  CHECK(l1.count("loads") == 3);
  CHECK(l1.count("hits") == 2);
  CHECK(l1.count("misses") == 1);
  CHECK(l1.count("probes") == 1);
  CHECK(l1.count("probe_hits") == 1);
  CHECK(l1.l1.count("load.accesses") == 3);
  CHECK(l1.l1.count("load.hits") == 0);
  CHECK(l1.l1.registry.broken_laws().empty());
}

// CIAO-O23
TEST_CASE("l1 beside shared memory: local loads, textures and bypassing loads of isolated warps are looked up here alone") {
  SideStoreRig l1;
  CHECK(l1.l1.outcome(5, isolated(local(a_load()))) == Outcome::miss);
  l1.l1.fill(5);
  Ask texture = isolated(a_load());
  texture.kind = AccessKind::texture;
  CHECK(l1.l1.outcome(6, texture) == Outcome::miss);
  l1.l1.fill(6);
  CHECK(l1.l1.outcome(7, isolated(bypass(a_load()))) == Outcome::pass);
  CHECK(l1.count("loads") == 0);
  CHECK(l1.l1.outcome(6, texture) == Outcome::hit);
}

TEST_CASE("l1 beside shared memory: without a region isolated warps use the L1 like others") {
  SideStoreRig l1;
  l1.cache.become({});
  CHECK(l1.l1.outcome(5, isolated(a_load())) == Outcome::miss);
  l1.l1.fill(5);
  CHECK(l1.l1.outcome(5, isolated(a_load())) == Outcome::hit);
}

// CIAO-O26: when other warps look up the shared-memory cache.
TEST_CASE("l1 beside shared memory: lookups there start with the first isolated warp and last until the next region") {
  SideStoreRig l1;
  l1.cache.become(l1.cache.region());
  CHECK(l1.l1.outcome(5) == Outcome::miss);
  l1.l1.fill(5);
  l1.look(6, isolated(a_load()));
  CHECK(l1.l1.outcome(7) == Outcome::look_up_side_store);
  l1.l1.fill(6);
  l1.cache.become(l1.cache.region());
  CHECK(l1.l1.outcome(10) == Outcome::miss);
}

TEST_CASE(
    "l1 beside shared memory: with spare_miss_place a load that misses in both, or merges there, needs two places below, a hit there none") {
  L1Params params = small_l1();
  params.spare_miss_place = true;
  SideStoreRig l1(params);
  l1.fill_side_store(9);
  for (const Ask& ask : {a_load(), isolated(a_load())}) CHECK(l1.look(5, ask, 1).cause == Refusal::queue_full);
  CHECK(l1.look(5, isolated(a_load()), 2).outcome == Outcome::miss);
  CHECK(l1.look(5, isolated(a_load()), 1).cause == Refusal::queue_full);
  CHECK(l1.look(5, isolated(a_load()), 2).outcome == Outcome::merged);
  CHECK(l1.look(9, isolated(a_load()), 0).outcome == Outcome::hit);
  CHECK(l1.l1.count("refused.queue_full") == 3);
}

TEST_CASE("l1 beside shared memory: whoever opens a request decides where the line goes") {
  SideStoreRig l1;
  l1.look(5, isolated(a_load()));
  CHECK(l1.look(5, a_load()).outcome == Outcome::merged);
  CHECK(l1.l1.fill(5) == Ids{1, 2});
  CHECK(l1.in_side_store(5));
  CHECK_FALSE(l1.in_l1(5));
  l1.look(6, a_load());
  CHECK(l1.l1.outcome(6, isolated(a_load())) == Outcome::merged);
  CHECK(l1.l1.fill(6) == Ids{3, 4});
  CHECK(l1.in_l1(6));
  CHECK_FALSE(l1.in_side_store(6));
}

TEST_CASE("l1 beside shared memory: an isolated warp's hit moves the line, which is nowhere until it has been read out") {
  SideStoreRig l1;
  l1.bring_here(5);
  Transaction& load = l1.l1.make(5, isolated(a_load()));
  REQUIRE(l1.l1.logic.access(load, L1Rig::kRoom).outcome == Outcome::migrate);
  CHECK(l1.in_l1(5));
  SectorVersions versions{};
  const auto verdict = l1.l1.logic.migrate(load, versions);
  CHECK(verdict.outcome == Outcome::merged);
  CHECK(verdict.used == kAllSectors);
  CHECK(verdict.request == 0);
  CHECK_FALSE(l1.in_l1(5));
  CHECK_FALSE(l1.in_side_store(5));
  CHECK(l1.look(5, a_load()).outcome == Outcome::merged);
  CHECK(l1.l1.fill(5) == Ids{2, 3});
  CHECK(l1.in_side_store(5));
  CHECK(l1.count("migrations") == 1);
  CHECK(l1.l1.count("load.hits") == 1);
  CHECK(l1.l1.count("evictions") == 0);
}

TEST_CASE("l1 beside shared memory: a line that cannot have an MSHR stays where it is") {
  SideStoreRig l1;
  l1.bring_here(5);
  l1.look(6, a_load());
  l1.look(7, isolated(a_load()));
  Transaction& load = l1.l1.make(5, isolated(a_load()));
  REQUIRE(l1.l1.logic.access(load, L1Rig::kRoom).outcome == Outcome::migrate);
  SectorVersions versions{};
  const auto verdict = l1.l1.logic.migrate(load, versions);
  CHECK(verdict.outcome == Outcome::refused);
  CHECK(verdict.cause == Refusal::mshr_full);
  CHECK(l1.in_l1(5));
  CHECK(l1.count("migrations") == 0);
}

// CIAO-O27
TEST_CASE("l1 beside shared memory: a store, an atomic and an invalidation take the line from either place, and from fills on their way") {
  for (const Ask& change : {a_store(0b0001), an_atomic(), bypass(a_store(0b0001))}) {
    SideStoreRig l1;
    l1.fill_side_store(5);
    CHECK(l1.l1.outcome(5, change) == Outcome::pass);
    CHECK_FALSE(l1.in_side_store(5));
    l1.look(6, isolated(a_load(0b0001)));
    CHECK(l1.l1.outcome(6, change) == Outcome::pass);
    CHECK(l1.look(6, isolated(a_load(0b0001))).outcome == Outcome::refused);
    l1.l1.fill(6);
    CHECK_FALSE(l1.cache.holds({6}, 0b0001));
  }
  SideStoreRig l1;
  l1.fill_side_store(5);
  l1.l1.logic.invalidate({5});
  CHECK_FALSE(l1.in_side_store(5));
}

TEST_CASE("l1 beside shared memory: a line allocated by a store leaves shared memory, and a pending fill is dropped") {
  L1Params params = small_l1();
  params.store_miss = StoreMiss::allocate;
  SideStoreRig l1(params);
  l1.fill_side_store(5);
  l1.l1.access(5, a_store(0b0010));
  CHECK_FALSE(l1.in_side_store(5));
  l1.look(6, isolated(a_load(0b0001)));
  l1.l1.access(6, a_store(0b0010));
  l1.l1.fill(6);
  CHECK_FALSE(l1.in_side_store(6));
}

// CIAO-O26: probe_on_l1_miss off.
TEST_CASE("l1 beside shared memory: without the probe a miss of another warp takes the line from shared memory") {
  SideStoreRig l1(small_l1(), TransactionUnit::line, false);
  l1.fill_side_store(5);
  CHECK(l1.l1.outcome(5) == Outcome::miss);
  CHECK_FALSE(l1.in_side_store(5));
  l1.l1.fill(5);
  CHECK(l1.in_l1(5));
}

TEST_CASE("l1 beside shared memory: a load that does not look there has its line fetched though shared memory has it") {
  SideStoreRig l1(small_l1(), TransactionUnit::line, false);
  l1.fill_side_store(5);
  CHECK(l1.l1.access(5, tokenless(a_load())).request == kAllSectors);
  CHECK(l1.l1.fill(5) == Ids{2});
  CHECK(l1.in_side_store(5));
}

TEST_CASE("l1 beside shared memory: sectors join the line where it is") {
  L1Params params = small_l1();
  params.sectored = true;
  SideStoreRig l1(params);
  l1.look(5, isolated(a_load(0b0001)));
  l1.l1.fill(5, 0b0001, {3, 0, 0, 0});
  CHECK(l1.look(5, a_load(0b0011)).request == 0b0010);  // a load of a warp that is not isolated
  l1.l1.fill(5, 0b0010, {0, 4, 0, 0});
  CHECK(l1.l1.last().versions[0] == 3);
  CHECK(l1.l1.last().versions[1] == 4);
  CHECK(l1.cache.held({5}) == 0b0011);
  l1.look(6, a_load(0b0001));
  l1.l1.fill(6, 0b0001);
  CHECK(l1.l1.access(6, isolated(a_load(0b0010))).request == 0b0010);  // the line is in the L1
  l1.l1.fill(6, 0b0010);
  CHECK_FALSE(l1.in_side_store(6));
}

TEST_CASE("l1 beside shared memory: requests in flight at a kernel boundary fill nothing") {
  SideStoreRig l1;
  l1.look(5, isolated(a_load()));
  l1.l1.logic.invalidate_all(2);
  l1.cache.become(SharedMemoryRegion::of(48 * 1024, 0));
  CHECK(l1.l1.fill(5) == Ids{1});
  CHECK_FALSE(l1.in_side_store(5));
}

TEST_CASE("l1 beside shared memory: a fence takes the lines from both places, and from fills on their way to either") {
  SideStoreRig l1;
  l1.bring_here(4);
  l1.fill_side_store(5);
  l1.look(6, isolated(a_load()));
  l1.look(7, a_load());
  l1.l1.logic.invalidate_all_clean();
  CHECK(l1.count("invalidated") == 1);
  l1.l1.fill(6);
  l1.l1.fill(7);
  for (const std::uint64_t line : {4, 5, 6, 7}) {
    INFO(line);
    CHECK_FALSE(l1.in_l1(line));
    CHECK_FALSE(l1.in_side_store(line));
  }
  l1.fill_side_store(5);
  CHECK(l1.cache.valid_lines() == 1);
}

TEST_CASE("l1 beside shared memory: a line that moves when a fence is passed serves its load and is nowhere then") {
  SideStoreRig l1;
  l1.bring_here(5);
  Transaction& load = l1.l1.make(5, isolated(a_load()));
  REQUIRE(l1.l1.logic.access(load, L1Rig::kRoom).outcome == Outcome::migrate);
  SectorVersions versions{};
  REQUIRE(l1.l1.logic.migrate(load, versions).outcome == Outcome::merged);
  l1.l1.logic.invalidate_all_clean();
  CHECK(l1.l1.fill(5) == Ids{2});
  CHECK_FALSE(l1.in_l1(5));
  CHECK_FALSE(l1.in_side_store(5));
}

TEST_CASE("l1 beside shared memory: a line valid in both is an error of the model that ends the run") {
  SideStoreRig l1;
  l1.look(5, a_load());
  Access broken;
  broken.line = {5};
  l1.cache.install(broken, kAllSectors, {});
  CHECK_THROWS_WITH(l1.l1.fill(5), Catch::Contains("is valid in L1 0 and in the store beside it"));
}
