// Stores and atomics at an L2 slice: the three answers to a store miss (CM-18), and the ordering point (CM-31).

#include <catch2/catch.hpp>

#include "tests/unit/l2/l2_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L2Logic::Outcome;
using Ids = std::vector<std::uint64_t>;

namespace {

L2Params with(WriteMiss write_miss, bool sectored = true) {
  L2Params p = small_l2(sectored);
  p.write_miss = write_miss;
  return p;
}

}  // namespace

TEST_CASE("l2 store: a hit is answered at once and makes its sectors dirty") {
  L2Rig l2(small_l2());
  l2.bring(4);
  CHECK(l2.partial_store(4, 0b0110).outcome == Outcome::reply);
  const StoreId store = l2.last().versions[1];
  CHECK(l2.dirty(4) == 0b0110);
  CHECK(l2.load(4).outcome == Outcome::reply);  // still complete
  CHECK(l2.last().versions == SectorVersions{0, store, store, 0});
}

// CM-18: a store that covers its sectors fetches nothing
TEST_CASE("l2 store miss, fetch_partial: no fetch where every touched sector is covered, a fetch otherwise") {
  L2Rig l2(with(WriteMiss::fetch_partial));
  const auto covered = l2.store(4, 0b0011);
  CHECK(covered.outcome == Outcome::reply);
  CHECK(covered.request == 0);
  CHECK(l2.load(4, 0b0011).outcome == Outcome::reply);
  const auto partial = l2.access(AccessKind::store, 5, 0b0011, 0b0001);
  CHECK(partial.outcome == Outcome::reply);  // the store itself does not wait
  CHECK(partial.request == 0b0011);
  CHECK(l2.load(5, 0b0010).outcome == Outcome::waits);
  const auto load = l2.last_id();
  CHECK(l2.fill(5, 0b0011) == Ids{load});
  CHECK(l2.count("misses") == 2);
}

TEST_CASE("l2 store miss, fetch_partial: a slice of whole lines keeps covered sectors alone and fetches the rest for a load") {
  L2Rig l2(with(WriteMiss::fetch_partial, false));
  CHECK(l2.store(4, 0b0001).request == 0);
  CHECK(l2.load(4).request == 0b1110);
  CHECK(l2.partial_store(5, 0b0001).request == kAllSectors);
}

TEST_CASE("l2 store miss, fetch_always: a covered store fetches too") {
  L2Rig sectors(with(WriteMiss::fetch_always)), lines(with(WriteMiss::fetch_always, false));
  CHECK(sectors.store(4, 0b0011).request == 0b0011);
  CHECK(lines.store(4, 0b0011).request == kAllSectors);
  CHECK(lines.fill(4).empty());
  CHECK(lines.logic.mshrs().empty());
  CHECK(lines.store(4, 0b0011).request == 0);  // present now
}

TEST_CASE("l2 store miss, lazy: nothing is fetched before a load needs the rest of a sector") {
  L2Rig l2(with(WriteMiss::lazy));
  CHECK(l2.access(AccessKind::store, 4, 0b0011, 0b0001).request == 0);
  CHECK(l2.count("misses") == 1);
  l2.partial_store(4, 0b0010);  // present, though only in part
  CHECK(l2.count("hits") == 1);
  CHECK(l2.load(4, 0b0001).outcome == Outcome::reply);
  const auto load = l2.load(4, 0b0010);
  CHECK(load.outcome == Outcome::waits);
  CHECK(load.request == 0b0010);
  CHECK(l2.store(4, 0b0010).request == 0);
}

TEST_CASE("l2 store: what DRAM sends does not undo a store made while it was on its way") {
  for (const WriteMiss write_miss : {WriteMiss::fetch_partial, WriteMiss::fetch_always, WriteMiss::lazy}) {
    L2Rig l2(with(write_miss));
    l2.load(4, 0b0011);
    l2.partial_store(4, 0b0001);
    const StoreId store = l2.last().versions[0];
    CHECK(l2.fill(4, 0b0011, {60, 61, 0, 0}) == Ids{1});
    CHECK(l2.load(4, 0b0011).outcome == Outcome::reply);
    CHECK(l2.last().versions == SectorVersions{store, 61, 0, 0});
    CHECK(l2.dirty(4) == 0b0001);
  }
}

TEST_CASE("l2 store: a store to sectors on their way asks for nothing and needs no target") {
  L2Rig l2(small_l2());
  for (int i = 0; i < 3; ++i) l2.load(4, 1);
  const auto verdict = l2.partial_store(4, 1, 0);
  CHECK(verdict.outcome == Outcome::reply);
  CHECK(verdict.request == 0);
}

TEST_CASE("l2 store: a partly written sector that gives way is written back") {
  L2Rig l2(with(WriteMiss::lazy));
  l2.partial_store(0, 0b1000);
  l2.bring(4);
  CHECK(l2.load(8, 1).writeback);
  CHECK(l2.logic.victim().sectors == 0b1000);
}

TEST_CASE("l2 store: stores take effect in the order in which they are served") {
  L2Rig l2(small_l2());
  l2.store(4, 0b0011);
  l2.store(4, 0b0010);
  const StoreId last = l2.last().versions[1];
  l2.load(4, 0b0011);
  CHECK(l2.last().versions[0] == last - 1);
  CHECK(l2.last().versions[1] == last);
}

TEST_CASE("l2 atomic: a hit is answered at once, a miss with its data, and both leave the sector dirty") {
  for (const WriteMiss write_miss : {WriteMiss::fetch_partial, WriteMiss::lazy}) {
    L2Rig l2(with(write_miss));
    const auto miss = l2.atomic(4, 0b0001);
    CHECK(miss.outcome == Outcome::waits);
    CHECK(miss.request == 0b0001);
    CHECK(l2.fill(4, 0b0001) == Ids{1});
    CHECK(l2.dirty(4) == 0b0001);
    CHECK(l2.atomic(4, 0b0001).outcome == Outcome::reply);
    const StoreId atomic = static_cast<StoreId>(l2.last_id());
    l2.load(4, 0b0001);
    CHECK(l2.last().versions[0] == atomic);
    CHECK(l2.count("atomics") == 2);
  }
}

TEST_CASE("l2 atomic: a load behind an atomic that still waits for its data reads the atomic") {
  L2Rig l2(small_l2());
  l2.atomic(4, 0b0001);
  CHECK(l2.load(4, 0b0001).outcome == Outcome::waits);
  CHECK(l2.fill(4, 0b0001, {50, 0, 0, 0}) == Ids{1, 2});
  CHECK(l2.made(2).versions[0] == 1);
}

// CM-45
TEST_CASE("l2 store: with byte masks stores of some bytes each complete a sector together, and a line that comes anew starts with none") {
  for (const bool masks : {false, true}) {
    L2Params p = with(WriteMiss::lazy);
    p.byte_masks = masks;
    L2Rig l2(p, TransactionUnit::sector);
    const auto store = [&](std::uint32_t bytes) {
      Transaction& t = l2.make(AccessKind::store, 0, 0b0001, 0);
      t.access.written_bytes = bytes;
      l2.ask(t, 0, L2Rig::kRoom);
    };
    store(0x0000FFFF);
    store(0xFFFF0000);
    const auto load = l2.load(0, 0b0001);
    CHECK((load.outcome == Outcome::reply) == masks);
    if (!masks) l2.fill(0, 0b0001);
    for (const std::uint64_t line : {4, 8}) {
      l2.load(line, 0b0001);
      l2.fill(line, 0b0001);
    }
    store(0xFFFF0000);  // in a line that has been filled again
    CHECK(l2.load(0, 0b0001).request == 0b0001);
  }
}
