// Accesses that an L2 slice performs in no time, for launches that the machine skips.

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/l2/l2_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L2Logic::Outcome;

namespace {

/// DRAM with version 7 in every sector. Keeps its requests.
struct Memory final : L2Logic::Below {
  struct Request {
    std::uint64_t line;
    SectorMask sectors;
    bool write;
    SectorVersions versions;
    friend bool operator==(const Request& a, const Request& b) {
      return a.line == b.line && a.sectors == b.sectors && a.write == b.write && a.versions == b.versions;
    }
  };
  void access(const Access& access, SectorVersions& versions) override {
    const bool write = access.kind == AccessKind::store;
    if (!write) versions.fill(7);
    requests.push_back({access.line.number - L2Rig::kAddressOf, access.sectors, write, versions});
  }
  std::vector<Request> requests;
};

void perform(L2Rig& l2, Memory& memory, AccessKind kind, std::uint64_t line, SectorMask sectors, SectorMask covered = 0) {
  l2.logic.perform(l2.make(kind, line, sectors, covered), line, memory, 0);
}

}  // namespace

TEST_CASE("l2 perform: a load fetches what is absent, and a later access finds it with its version") {
  L2Rig l2(small_l2());
  Memory memory;
  perform(l2, memory, AccessKind::load, 4, 0b0011);
  perform(l2, memory, AccessKind::load, 4, 0b0110);
  CHECK(memory.requests == std::vector<Memory::Request>{{4, 0b0011, false, {7, 7, 7, 7}}, {4, 0b0100, false, {7, 7, 7, 7}}});
  CHECK(l2.logic.mshrs().empty());
  CHECK(l2.load(4, 0b0111).outcome == Outcome::reply);
  CHECK(l2.last().versions == SectorVersions{7, 7, 7, 0});
  CHECK(l2.count("sectors.misses") == 3);
}

TEST_CASE("l2 perform: a store is dirty, and the line that makes room is written with its versions before the fetch") {
  L2Rig l2(small_l2());
  Memory memory;
  perform(l2, memory, AccessKind::store, 0, 0b0001, 0b0001);
  const StoreId store = l2.last().versions[0];
  perform(l2, memory, AccessKind::load, 4, 0b1111);
  memory.requests.clear();
  perform(l2, memory, AccessKind::load, 8, 0b0001);  // lines 0, 4 and 8 share a set of two ways
  CHECK(memory.requests == std::vector<Memory::Request>{{0, 0b0001, true, {store, 0, 0, 0}}, {8, 0b0001, false, {7, 7, 7, 7}}});
  CHECK(l2.dirty(0) == 0);
  CHECK(l2.count("writebacks") == 1);
}

TEST_CASE("l2 perform: an atomic waits for no one, and its sector is dirty") {
  L2Rig l2(small_l2());
  Memory memory;
  perform(l2, memory, AccessKind::atomic, 4, 0b0010);
  CHECK(memory.requests.size() == 1);
  CHECK(l2.dirty(4) == 0b0010);
  CHECK(l2.logic.mshrs().empty());
}

TEST_CASE("l2 perform: misses in flight keep their MSHR entries and their data, and others are performed beside them") {
  L2Rig l2(small_l2());
  l2.load(1);
  const std::uint64_t first = l2.last_id();
  l2.load(2);
  const std::uint64_t second = l2.last_id();
  Memory memory;
  perform(l2, memory, AccessKind::load, 1, 0b0001);  // under way
  CHECK(memory.requests.empty());
  perform(l2, memory, AccessKind::load, 4, 0b0001);  // both entries are taken
  CHECK(memory.requests == std::vector<Memory::Request>{{4, 0b0001, false, {7, 7, 7, 7}}});
  CHECK(l2.fill(1) == std::vector<std::uint64_t>{first});
  CHECK(l2.fill(2) == std::vector<std::uint64_t>{second});
  CHECK(l2.logic.mshrs().empty());
  CHECK(l2.load(4, 0b0001).outcome == Outcome::reply);
}
