// Golden memory with concurrent kernels: each load is judged by the start of its own kernel.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/golden_memory_logic.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

constexpr LineAddress kOnlyLine{9};

/// Kernels at places, one SM for each. All stores and loads are of the first sector.
struct ConcurrentHistory {
  stats::Registry registry;
  GoldenMemory golden{registry};
  std::uint64_t next_access = 1;
  Picoseconds now = 0;

  Access access(AccessKind kind, unsigned place) {
    Access a;
    a.id = next_access++;
    a.line = kOnlyLine;
    a.sectors = 1;
    a.kind = kind;
    a.sm = static_cast<std::uint16_t>(place);
    a.kernel = static_cast<std::uint8_t>(place);
    return a;
  }
  StoreId store(unsigned place) {
    const StoreId id = golden.store_issued(access(AccessKind::store, place));
    golden.ordered({id, id, id, id}, kOnlyLine, 1, now += 10);
    return id;
  }
  void reads(unsigned place, StoreId id) {
    const Access load = access(AccessKind::load, place);
    golden.check(load, golden.load_issued(load), {id, id, id, id});
  }
  std::uint64_t count(const char* metric) const {
    return stats::View(registry, stats::Snapshot(registry.counters().size()), registry.snapshot()).sum(metric);
  }
};

}  // namespace

TEST_CASE("golden memory: a kernel beside others sees what was newest at its own start, or newer") {
  ConcurrentHistory h;
  h.golden.kernel_started(0);
  const StoreId first = h.store(0), second = h.store(0);
  h.golden.kernel_started(1);
  h.reads(1, second);
  CHECK_THROWS_WITH(h.reads(1, first), Contains("overwritten before the last kernel boundary"));
  CHECK_THROWS_WITH(h.reads(1, 0), Contains("overwritten before the last kernel boundary"));
  const StoreId third = h.store(0);
  h.reads(1, second);
  h.reads(1, third);
}

TEST_CASE("golden memory: the start of a kernel takes nothing from those that run") {
  ConcurrentHistory h;
  h.golden.kernel_started(0);
  h.golden.kernel_started(1);
  const StoreId old = h.store(1);
  h.store(1);
  h.golden.kernel_started(2);
  h.reads(0, old);
  h.reads(0, 0);
  CHECK_THROWS_WITH(h.reads(2, old), Contains("overwritten before"));
}

TEST_CASE("golden memory: each of several starts is remembered while its kernel runs") {
  ConcurrentHistory h;
  std::vector<StoreId> newest;
  for (unsigned place = 0; place < 4; ++place) {
    h.golden.kernel_started(place);
    newest.push_back(h.store(9));
  }
  // Kernel p started when the store before newest[p] was the newest.
  for (unsigned place = 1; place < 4; ++place) {
    h.reads(place, newest[place - 1]);
    h.reads(place, newest[place]);
    if (place > 1) CHECK_THROWS_AS(h.reads(place, newest[place - 2]), SimulationError);
  }
  h.golden.kernel_ended(1);
  h.golden.kernel_started(1);
  h.store(9);
  CHECK_THROWS_AS(h.reads(1, newest[2]), SimulationError);
  h.reads(1, newest[3]);
  h.reads(2, newest[1]);
}

TEST_CASE("golden memory: a value from before the start of the load's kernel may be declared, and is counted then") {
  ConcurrentHistory h;
  h.golden.allow(Departure::stale_boundary);
  h.golden.kernel_started(0);
  const StoreId old = h.store(0);
  h.store(0);
  h.golden.kernel_started(1);
  h.reads(1, old);
  CHECK(h.count("stale.boundary") == 1);
}

TEST_CASE("golden memory: when all kernels have ended, the boundary is that of one kernel at a time") {
  ConcurrentHistory h;
  h.golden.kernel_started(0);
  const StoreId old = h.store(0), newest = h.store(0);
  h.golden.kernel_ended(0);
  h.golden.kernel_boundary();
  h.golden.kernel_started(0);
  h.reads(0, newest);
  CHECK_THROWS_AS(h.reads(0, old), SimulationError);
}
