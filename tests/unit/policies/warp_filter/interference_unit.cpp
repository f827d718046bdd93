// The interference detector of an SM (ciao section 4.1).

#include "model/sm/interference_unit.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "tests/unit/counted.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr std::uint16_t kSm = 3;

/// Records its calls.
class Listener final : public WarpFilter {
 public:
  struct Heard {
    unsigned victim, interferer;
    Cycle cycle;
    bool operator==(const Heard& o) const { return victim == o.victim && interferer == o.interferer && cycle == o.cycle; }
  };
  void lost(const LostLine& loss, Cycle now) override { heard.push_back({loss.victim, loss.interferer, now}); }
  std::vector<Heard> heard;

 private:
  void changed(const WarpEvent&) override {}
};

struct Rig {
  explicit Rig(bool told = true) : unit(1, 8, kSm, group_, told ? &filter : nullptr) {}
  std::uint64_t count(const char* metric) const { return counted(registry, std::string("sm.interference.") + metric); }

  stats::Registry registry;
  Listener filter;

 private:
  stats::Group group_{registry, "sm", kSm};

 public:
  InterferenceUnit unit;
};

CacheEvent missed(unsigned warp, std::uint64_t line) {
  CacheEvent event;
  event.kind = CacheEvent::Kind::missed;
  event.sm = kSm;
  event.warp = static_cast<std::uint16_t>(warp);
  event.line = {line};
  return event;
}
CacheEvent stored(unsigned warp, std::uint64_t line) {
  CacheEvent event = missed(warp, line);
  event.kind = CacheEvent::Kind::stored;
  return event;
}
CacheEvent evicted(unsigned warp, std::uint64_t line, unsigned by, unsigned by_sm = kSm, bool from_shared = false) {
  CacheEvent event = missed(warp, line);
  event.kind = CacheEvent::Kind::evicted;
  event.by_warp = static_cast<std::uint16_t>(by);
  event.by_sm = static_cast<std::uint16_t>(by_sm);
  event.from_shared = from_shared;
  return event;
}

}  // namespace

TEST_CASE("interference unit: a miss of a line lost before is a hit of the pair, in the cycle in which it is seen") {
  Rig rig;
  rig.unit.post(evicted(34, 7, 32), 10);
  rig.unit.post(missed(34, 7), 20);
  rig.unit.post(missed(35, 7), 20);
  rig.unit.post(missed(34, 8), 20);
  rig.unit.advance(19);
  CHECK(rig.filter.heard.empty());
  rig.unit.advance(25);
  CHECK(rig.filter.heard == std::vector<Listener::Heard>{{34, 32, 20}});
  CHECK(rig.unit.hits(34, 32) == 1);
  CHECK(rig.count("hits") == 1);
  CHECK(rig.count("evictions") == 1);
  CHECK(rig.registry.broken_laws().empty());
}

// CIAO-O8: probe before insert; a line that a store invalidates is not recorded as lost, unless the parameters say otherwise.
TEST_CASE("interference unit: within a cycle misses come before the evictions they cause, and stores last") {
  Rig rig;
  rig.unit.post(stored(1, 9), 10);
  rig.unit.post(evicted(2, 9, 1), 10);
  rig.unit.post(missed(2, 9), 10);
  rig.unit.advance(10);
  rig.unit.post(missed(2, 9), 11);
  rig.unit.advance(11);
  CHECK(rig.filter.heard.empty());
}

TEST_CASE(
    "interference unit: a line that a store took is lost to the warp that stored only where stores count, and the next store takes its tag") {
  for (const bool counts : {false, true}) {
    Rig rig;
    if (counts) rig.unit.count_stores();
    CacheEvent taken = evicted(1, 7, 2);
    taken.kind = CacheEvent::Kind::taken;
    rig.unit.post(taken, 1);  // in the same cycle as the store, in either order
    rig.unit.post(stored(2, 7), 1);
    rig.unit.post(missed(1, 7), 2);
    rig.unit.advance(2);
    CHECK(rig.filter.heard == (counts ? std::vector<Listener::Heard>{{1, 2, 2}} : std::vector<Listener::Heard>{}));
    CHECK(rig.count("evictions") == (counts ? 1 : 0));
    rig.unit.post(stored(3, 7), 3);
    rig.unit.post(missed(1, 7), 4);
    rig.unit.advance(4);
    CHECK(rig.count("hits") == (counts ? 1 : 0));
  }
}

TEST_CASE("interference unit: a line lost to a warp of another SM has no interferer, one lost from shared memory is counted apart") {
  Rig rig;
  rig.unit.post(evicted(1, 5, 2, kSm + 1), 1);
  rig.unit.post(evicted(1, 6, 1, kSm, true), 1);
  rig.unit.post(missed(1, 5), 2);
  rig.unit.post(missed(1, 6), 3);
  rig.unit.advance(3);
  CHECK(rig.filter.heard == std::vector<Listener::Heard>{{1, LostLine::kNobody, 2}, {1, 1, 3}});
  CHECK(rig.count("hits") == 2);
  CHECK(rig.count("hits_by_others") == 1);
  CHECK(rig.count("hits_shared") == 1);
  CHECK(rig.unit.hits(1, 1) == 1);
  CHECK(rig.registry.broken_laws().empty());
}

// CIAO-O13
TEST_CASE("interference unit: a new warp in a slot has lost nothing of what the old one had") {
  Rig rig;
  rig.unit.post(evicted(1, 5, 2), 10);
  rig.unit.launched(1, 10);
  rig.unit.post(missed(1, 5), 12);
  rig.unit.advance(12);
  CHECK(rig.filter.heard.empty());
}

TEST_CASE("interference unit: if it only measures, it notifies no filter") {
  Rig rig(false);
  rig.unit.post(evicted(1, 5, 2), 1);
  rig.unit.post(missed(1, 5), 2);
  rig.unit.advance(2);
  CHECK(rig.count("hits") == 1);
  CHECK(rig.filter.heard.empty());
}

TEST_CASE("interference unit: the order of the caches' reports in a cycle, and the time of reading them, do not matter") {
  std::vector<Listener::Heard> first;
  for (std::uint64_t permutation = 0; permutation < 6; ++permutation) {
    Rig rig;
    Rng rng(1), order(permutation);
    for (Cycle now = 1; now < 400; ++now) {
      std::vector<CacheEvent> events;
      for (int i = 0; i < 4; ++i) {
        const auto warp = static_cast<unsigned>(rng.below(6));
        const std::uint64_t line = rng.below(12);
        const auto by = static_cast<unsigned>(rng.below(6));
        const auto by_sm = static_cast<unsigned>(kSm + rng.below(2));
        const std::uint64_t kind = rng.below(8);
        events.push_back(kind < 4 ? missed(warp, line) : kind < 7 ? evicted(warp, line, by, by_sm) : stored(warp, line));
      }
      for (std::size_t i = events.size(); i > 1; --i)
        if (permutation != 0) std::swap(events[i - 1], events[order.below(i)]);
      for (const CacheEvent& event : events) rig.unit.post(event, now);
      if (permutation == 0 || order.chance(0.3)) rig.unit.advance(now);
    }
    rig.unit.advance(1000);
    if (permutation == 0) first = rig.filter.heard;
    CHECK(first.size() > 50);
    CHECK(rig.filter.heard == first);
  }
}
