// Golden memory (CM-29, CM-30, CM-31, CM-32): legal histories pass; each kind of illegal history is detected and named.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/golden_memory_logic.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

constexpr LineAddress kLine{9};  // byte address 0x480
constexpr SectorMask kSecond = 1u << 1;

/// Accesses of SMs to one line, and the stores at the ordering point.
struct History {
  stats::Registry registry;
  GoldenMemory golden{registry};
  std::uint64_t next_access = 100;
  Picoseconds now = 0;

  Access access(AccessKind kind, unsigned sm, SectorMask sectors) {
    Access a;
    a.id = next_access++;
    a.line = kLine;
    a.sectors = sectors;
    a.kind = kind;
    a.sm = static_cast<std::uint16_t>(sm);
    a.warp = static_cast<std::uint16_t>(sm + 20);
    a.pc = 0x40 + 8 * sm;
    a.issue_cycle = 7000 + a.id;
    return a;
  }
  StoreId store(unsigned sm, SectorMask sectors = kSecond) { return golden.store_issued(access(AccessKind::store, sm, sectors)); }
  StoreId atomic(unsigned sm) { return golden.store_issued(access(AccessKind::atomic, sm, kSecond)); }
  void order(StoreId id, SectorMask sectors = kSecond) { golden.ordered({id, id, id, id}, kLine, sectors, now += 10); }
  StoreId ordered_store(unsigned sm) {
    const StoreId id = store(sm);
    order(id);
    return id;
  }

  struct Load {
    Access access;
    LoadTicket ticket;
  };
  Load load(unsigned sm, SectorMask sectors = kSecond) {
    const Access a = access(AccessKind::load, sm, sectors);
    return {a, golden.load_issued(a)};
  }
  void returns(const Load& load, StoreId id) { golden.check(load.access, load.ticket, {id, id, id, id}); }
  /// SM `sm` reads `id` now.
  void reads(unsigned sm, StoreId id) { returns(load(sm), id); }

  std::uint64_t count(const char* metric) const {
    return stats::View(registry, stats::Snapshot(registry.counters().size()), registry.snapshot()).sum(metric);
  }
};

}  // namespace

TEST_CASE("golden memory: a sector that nobody stored holds the initial contents") {
  History h;
  h.reads(0, 0);
  h.golden.kernel_boundary();
  h.reads(1, 0);
  CHECK(h.count("golden.checked_sectors") == 1 + 1);
}

TEST_CASE("golden memory: a perfect cache returns nothing older than its SM's own last store, in whatever order the SM's stores come") {
  History h;
  const StoreId first = h.store(0);
  h.store(0);
  const History::Load load = h.load(0);
  const StoreId atomic = h.atomic(0);
  h.order(atomic);
  h.order(first);
  const StoreId returned = h.golden.current(load.access, h.now + 1)[1];
  CHECK(returned == atomic);
  CHECK_NOTHROW(h.returns(load, returned));
}

TEST_CASE("golden memory: store ids are positive, increasing, and continue after a kernel boundary") {
  History h;
  CHECK(h.store(0) == 1);
  CHECK(h.atomic(1) == 2);
  h.order(1);
  h.order(2);
  h.golden.kernel_boundary();
  CHECK(h.store(0) == 3);
}

TEST_CASE("golden memory: within a kernel a load may return the newest or any older ordered value") {
  History h;
  const StoreId first = h.ordered_store(0);
  const StoreId second = h.ordered_store(1);
  h.reads(2, second);
  h.reads(2, first);
  h.reads(2, 0);
  CHECK(h.count("golden.checked_sectors") == 3);
}

TEST_CASE("golden memory: after a kernel boundary the newest of the boundary and everything newer is legal") {
  History h;
  h.ordered_store(0);
  const StoreId at_boundary = h.ordered_store(1);
  h.golden.kernel_boundary();
  h.reads(2, at_boundary);
  const StoreId newer = h.ordered_store(3);
  h.reads(2, at_boundary);
  h.reads(2, newer);
  h.golden.kernel_boundary();
  h.reads(2, newer);
  CHECK(h.count("golden.checked_sectors") == 4);
}

TEST_CASE("golden memory: a value overwritten before the kernel boundary is caught") {
  History h;
  const StoreId old = h.ordered_store(0);
  h.ordered_store(1);
  h.golden.kernel_boundary();
  CHECK_THROWS_AS(h.reads(2, old), SimulationError);
  CHECK_THROWS_WITH(h.reads(2, 0), Contains("the initial contents") && Contains("before the last kernel boundary"));
}

TEST_CASE("golden memory: the initial contents are caught after the boundary even where the new kernel has stored") {
  History h;
  h.ordered_store(0);
  h.golden.kernel_boundary();
  h.ordered_store(1);
  CHECK_THROWS_WITH(h.reads(2, 0), Contains("before the last kernel boundary"));
}

TEST_CASE("golden memory: a failure names the SM, warp, pc, address, sector, and both stores with who made them and when") {
  History h;
  const StoreId old = h.ordered_store(1);  // access 100
  h.ordered_store(5);                      // access 101
  CHECK_THROWS_WITH(h.reads(5, old),       // access 102
                    Contains("SM 5, warp 25, pc 0x68, access 102 of cycle 7102") && Contains("0x4a0 (sector 1 of line 0x480)") &&
                        Contains("returned store 1 (SM 1, warp 21, pc 0x48, access 100, sent in cycle 7100, ordered at 10 ps)") &&
                        Contains("expected store 2 (SM 5, warp 25, pc 0x68, access 101, sent in cycle 7101, ordered at 20 ps)"));
}

TEST_CASE("golden memory: a failure against a store of an earlier kernel still names its maker") {
  History h;
  h.ordered_store(5);
  h.golden.kernel_boundary();
  CHECK_THROWS_WITH(h.reads(0, 0), Contains("expected store 1 (SM 5, warp 25, pc 0x68, ordered at 10 ps, before the kernel boundary)"));
}

TEST_CASE("golden memory: an SM sees its own store before it is ordered") {
  History h;
  const StoreId first = h.store(0);
  h.reads(0, first);
  const auto load = h.load(0);
  const StoreId second = h.store(0);
  h.returns(load, second);
  CHECK(h.count("golden.checked_sectors") == 2);
}

TEST_CASE("golden memory: a value older than the SM's own unordered store is caught") {
  History h;
  const StoreId own_older = h.store(0);
  h.store(0);
  const StoreId ordered_other = h.ordered_store(1);
  CHECK_THROWS_WITH(h.reads(0, own_older), Contains("older than its own last store"));
  CHECK_THROWS_WITH(h.reads(0, ordered_other), Contains("older than its own last store"));
  CHECK_THROWS_WITH(h.reads(0, 0), Contains("older than its own last store") && Contains("not ordered yet"));
}

TEST_CASE("golden memory: a value older than the SM's own ordered store is caught") {
  History h;
  const StoreId other = h.ordered_store(1);
  const StoreId own = h.ordered_store(0);
  CHECK_THROWS_WITH(h.reads(0, other), Contains("older than its own last store"));
  h.reads(0, own);
  h.reads(0, h.ordered_store(1));
  CHECK(h.count("golden.checked_sectors") == 1 + 1 + 1);
}

TEST_CASE("golden memory: only stores sent before the load bind it") {
  History h;
  const StoreId other = h.ordered_store(1);
  const auto load = h.load(0);
  h.ordered_store(0);
  h.returns(load, other);
  CHECK(h.count("golden.checked_sectors") == 1);
}

TEST_CASE("golden memory: own stores that were ordered against program order leave the last ordered one legal") {
  History h;
  const StoreId first = h.store(0), second = h.store(0);
  h.order(second);
  h.order(first);
  h.reads(0, first);
  h.reads(0, second);
  CHECK(h.count("golden.checked_sectors") == 2);
}

TEST_CASE("golden memory: an unordered store of another SM is caught") {
  History h;
  const StoreId other = h.store(1);
  CHECK_THROWS_WITH(h.reads(0, other), Contains("before the ordering point has it"));
  h.order(other);
  h.reads(0, other);
}

TEST_CASE("golden memory: sectors are judged one by one") {
  History h;
  const StoreId id = h.store(0, 0b0110);
  h.order(id, 0b0010);
  const auto load = h.load(1, 0b1111);
  h.golden.check(load.access, load.ticket, {0, id, 0, 0});
  CHECK(h.count("golden.checked_sectors") == 4);
  CHECK_THROWS_WITH(h.golden.check(load.access, load.ticket, {0, id, id, 0}),
                    Contains("sector 2") && Contains("before the ordering point"));
  CHECK_THROWS_WITH(h.golden.check(load.access, load.ticket, {0, id, 0, id}), Contains("sector 3") && Contains("another sector"));
}

TEST_CASE("golden memory: sectors that were not asked for are not judged") {
  History h;
  const auto load = h.load(1, 0b0001);
  h.golden.check(load.access, load.ticket, {0, 77, 88, 99});
  CHECK(h.count("golden.checked_sectors") == 1);
}

TEST_CASE("golden memory: versions that no store gave are caught") {
  History h;
  CHECK_THROWS_WITH(h.reads(0, 17), Contains("store 17 (never sent)"));
  CHECK_THROWS_WITH(h.reads(0, kNoVersion), Contains("returned no version"));
}

TEST_CASE("golden memory: a store that never reaches the ordering point is caught at the kernel boundary") {
  History h;
  const StoreId id = h.store(3, 0b0011);
  h.order(id, 0b0001);
  CHECK_THROWS_WITH(h.golden.kernel_boundary(), Contains("0x4a0 (sector 1") && Contains("SM 3, warp 23") && Contains("not ordered yet"));
  h.order(id, 0b0010);
  CHECK_NOTHROW(h.golden.kernel_boundary());
}

TEST_CASE("golden memory: a single lost store is caught at the kernel boundary") {
  History h;
  h.store(0);
  CHECK_THROWS_WITH(h.golden.kernel_boundary(), Contains("has not received store 1"));
}

TEST_CASE("golden memory: own stores of an earlier kernel do not bind beyond the boundary") {
  History h;
  h.ordered_store(0);
  const StoreId of_other = h.ordered_store(1);
  h.golden.kernel_boundary();
  h.reads(0, of_other);
  CHECK(h.count("golden.checked_sectors") == 1);
}

TEST_CASE("golden memory: the ordering point refuses stores that it cannot have received") {
  History h;
  const StoreId id = h.ordered_store(0);
  CHECK_THROWS_WITH(h.order(id), Contains("has arrived before"));
  CHECK_THROWS_WITH(h.order(id, 0b1000), Contains("was sent to another sector"));
  const SectorVersions versions{id, id, id, id};
  CHECK_THROWS_WITH(h.golden.ordered(versions, {kLine.number + 1}, kSecond, 5), Contains("line 0x500") && Contains("was sent to another"));
  CHECK_THROWS_WITH(h.order(0), Contains("the initial contents, which no SM has sent"));
  CHECK_THROWS_WITH(h.order(5), Contains("no SM has sent"));
  h.golden.kernel_boundary();
  CHECK_THROWS_WITH(h.order(id), Contains("no SM has sent in this kernel"));
}

TEST_CASE("golden memory: a merged store fails the boundary unless the design declares coalescing, and is then counted") {
  for (const bool declared : {false, true}) {
    History h;
    if (declared) h.golden.allow(Departure::coalesced_store);
    h.store(0, 0b0011);
    const StoreId last = h.store(0, 0b0011);
    h.order(last, 0b0011);
    if (!declared) {
      CHECK_THROWS_WITH(h.golden.kernel_boundary(), Contains("has not received store 1"));
    } else {
      h.golden.kernel_boundary();
      CHECK(h.count("coalesced.stores") == 2);
      CHECK_NOTHROW(h.golden.kernel_boundary());
    }
  }
}

TEST_CASE("golden memory: coalescing does not excuse the last store of an SM") {
  History h;
  h.golden.allow(Departure::coalesced_store);
  h.order(h.store(0));
  h.store(0);
  h.ordered_store(1);
  CHECK_THROWS_WITH(h.golden.kernel_boundary(), Contains("has not received store 2"));
}

TEST_CASE("golden memory: a stale own value is counted under the cause that the design declares") {
  SECTION("peer") {
    History h;
    h.golden.allow(Departure::stale_own_peer);
    h.ordered_store(0);
    h.reads(0, 0);
    CHECK(h.count("stale_own.peer") == 1);
  }
  SECTION("mode change, of a store still in flight") {
    History h;
    h.golden.allow(Departure::stale_own_mode_change);
    h.store(0);
    h.reads(0, 0);
    CHECK(h.count("stale_own.mode_change") == 1);
  }
  SECTION("atomic, which does not excuse plain stores") {
    History h;
    h.golden.allow(Departure::stale_own_atomic);
    h.order(h.atomic(0));
    h.reads(0, 0);
    CHECK(h.count("stale_own.atomic") == 1);
    h.ordered_store(0);
    CHECK_THROWS_WITH(h.reads(0, 0), Contains("older than its own last store"));
  }
  SECTION("texture, which excuses no load of another kind, and neither another's store nor one before the kernel boundary") {
    History h;
    h.golden.allow(Departure::stale_own_texture);
    const StoreId before = h.ordered_store(0);
    h.ordered_store(1);
    h.golden.kernel_boundary();
    const StoreId others = h.store(2);
    h.ordered_store(0);
    const auto texture = [&] {
      History::Load load = h.load(0);
      load.access.kind = AccessKind::texture;
      return load;
    };
    h.returns(texture(), others - 1);
    CHECK(h.count("stale_own.texture") == 1);
    CHECK_THROWS_WITH(h.reads(0, others - 1), Contains("older than its own last store"));
    CHECK_THROWS_WITH(h.returns(texture(), others), Contains("before the ordering point has it"));
    CHECK_THROWS_WITH(h.returns(texture(), before), Contains("before the last kernel boundary"));
  }
  SECTION("atomic and mode change side by side") {
    History h;
    h.golden.allow(Departure::stale_own_atomic);
    h.golden.allow(Departure::stale_own_mode_change);
    h.order(h.atomic(0));
    h.reads(0, 0);
    h.store(0);
    h.reads(0, 0);
    CHECK(h.count("stale_own.atomic") == 1);
    CHECK(h.count("stale_own.mode_change") == 1);
  }
}

TEST_CASE("golden memory: no declared departure excuses a value from before the kernel boundary, but the one that says so") {
  History h;
  for (unsigned i = 0; i < kDepartures; ++i)
    if (static_cast<Departure>(i) != Departure::stale_boundary) h.golden.allow(static_cast<Departure>(i));
  h.ordered_store(0);
  h.golden.kernel_boundary();
  CHECK_THROWS_WITH(h.reads(0, 0), Contains("before the last kernel boundary"));
  h.golden.allow(Departure::stale_boundary);
  h.reads(0, 0);
  CHECK(h.count("stale.boundary") == 1);
}

TEST_CASE("golden memory: another SM's unordered store is counted where a design declares early visibility") {
  History h;
  h.golden.allow(Departure::early_peer);
  const StoreId other = h.store(1);
  h.reads(0, other);
  CHECK(h.count("early.peer") == 1);
  h.order(other);
  h.reads(0, other);
  CHECK(h.count("early.peer") == 1);
}

TEST_CASE("golden memory: the ordering point answers with what was newest when the load arrived or newer") {
  History h;
  const StoreId first = h.ordered_store(0), second = h.ordered_store(1);
  const Access load = h.access(AccessKind::load, 2, kSecond);
  const LoadTicket arrived = h.golden.load_arrived(load);
  const StoreId third = h.ordered_store(0), in_flight = h.store(1);
  const auto answers = [&](StoreId id) { h.golden.check_arrived(load, arrived, {id, id, id, id}); };
  CHECK_NOTHROW(answers(second));
  CHECK_NOTHROW(answers(third));
  CHECK_THROWS_WITH(answers(first), Contains("what was newest when the load arrived"));
  CHECK_THROWS_WITH(answers(0), Contains("returned the initial contents"));
  CHECK_THROWS_WITH(answers(in_flight), Contains("not ordered yet"));
  CHECK_THROWS_WITH(answers(kNoVersion), Contains("returned no version"));
}

TEST_CASE("golden memory: the ordering point may answer an early load with the first store of the kernel") {
  History h;
  const Access load = h.access(AccessKind::load, 2, kSecond);
  const LoadTicket arrived = h.golden.load_arrived(load);
  const StoreId id = h.ordered_store(0);
  CHECK_NOTHROW(h.golden.check_arrived(load, arrived, {0, id, 0, 0}));
}

TEST_CASE("golden memory: the ordering point may answer with the newest store of an earlier kernel") {
  History h;
  const StoreId id = h.ordered_store(0);
  h.golden.kernel_boundary();
  const Access load = h.access(AccessKind::load, 2, kSecond);
  const LoadTicket arrived = h.golden.load_arrived(load);
  CHECK_NOTHROW(h.golden.check_arrived(load, arrived, {0, id, 0, 0}));
  CHECK_THROWS_WITH(h.golden.check_arrived(load, arrived, {0, 0, 0, 0}), Contains("expected store 1 (SM 0"));
}

TEST_CASE("golden memory: L2 may not answer with what a store has overwritten whose SM knows that it is performed") {
  History h;
  const StoreId first = h.ordered_store(0), second = h.ordered_store(1);
  const Access write = h.access(AccessKind::store, 1, kSecond), read = h.access(AccessKind::load, 2, kSecond);
  const LoadTicket before = h.golden.load_entered(read);
  h.golden.acknowledged(write, {second, second, second, second});
  const LoadTicket after = h.golden.load_entered(read);
  h.golden.check_entered(read, before, {first, first, first, first});
  h.golden.check_entered(read, after, {second, second, second, second});
  CHECK_THROWS_WITH(h.golden.check_entered(read, after, {first, first, first, first}),
                    Contains("L2 must not return a value older than a store acknowledged before the load reached it"));
  // An older store that is acknowledged late changes nothing, and a later kernel starts afresh.
  h.golden.acknowledged(write, {first, first, first, first});
  CHECK(h.golden.load_entered(read).at_least[1] == second);
  h.golden.kernel_boundary();
  CHECK(h.golden.load_entered(read).at_least[1] == 0);
}
