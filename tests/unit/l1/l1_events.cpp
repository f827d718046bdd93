// Cache events that an L1 sends to its listeners (ciao sections 3.3 and 4.1).

#include <catch2/catch.hpp>

#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;
using Events = std::vector<std::string>;

namespace {

constexpr std::uint16_t kSm = 9;

/// An L1 that records its events: "missed 3 of w1", "evicted 4 of w1 by w2", "stored 5 of w0", "taken 5 of w1 by w0".
struct EventRecorder {
  explicit EventRecorder(const L1Params& params) : l1(params) {
    l1.logic.set_event_listener([this](const CacheEvent& event) {
      REQUIRE(event.sm == kSm);
      REQUIRE_FALSE(event.from_shared);
      const std::string rest = std::to_string(event.line.number) + " of w" + std::to_string(event.warp);
      if (event.kind == CacheEvent::Kind::missed) events.push_back("missed " + rest);
      if (event.kind == CacheEvent::Kind::stored) events.push_back("stored " + rest);
      if (event.kind == CacheEvent::Kind::evicted || event.kind == CacheEvent::Kind::taken) {
        REQUIRE(event.by_sm == kSm);
        events.push_back((event.kind == CacheEvent::Kind::taken ? "taken " : "evicted ") + rest + " by w" + std::to_string(event.by_warp));
      }
    });
  }

  Outcome access(std::uint64_t line, std::uint16_t warp, const Ask& ask = a_load(), std::uint32_t room = L1Rig::kRoom) {
    Transaction& transaction = l1.make(line, ask);
    transaction.access.sm = kSm;
    transaction.access.warp = warp;
    return l1.logic.access(transaction, room).outcome;
  }
  void bring(std::uint64_t line, std::uint16_t warp) {
    REQUIRE(access(line, warp) == Outcome::miss);
    l1.fill(line);
  }
  Events drain() { return std::exchange(events, {}); }

  L1Rig l1;
  Events events;
};

}  // namespace

TEST_CASE("l1 events: a miss is told before the eviction that it causes, and the eviction names whose line and who took its place") {
  EventRecorder cache(small_l1());
  cache.bring(0, 1);
  cache.bring(4, 2);
  CHECK(cache.drain() == Events{"missed 0 of w1", "missed 4 of w2"});
  cache.bring(8, 3);
  CHECK(cache.drain() == Events{"missed 8 of w3", "evicted 0 of w1 by w3"});
  cache.bring(12, 3);
  cache.bring(16, 3);
  CHECK(cache.drain() == Events{"missed 12 of w3", "evicted 4 of w2 by w3", "missed 16 of w3", "evicted 8 of w3 by w3"});
}

TEST_CASE("l1 events: hits, merged misses and refused accesses are not told") {
  EventRecorder cache(small_l1());
  cache.access(0, 1);
  CHECK(cache.access(0, 2) == Outcome::merged);
  CHECK(cache.access(4, 1, a_load(), 0) == Outcome::refused);
  CHECK(cache.drain() == Events{"missed 0 of w1"});
  cache.l1.fill(0);
  CHECK(cache.access(0, 3) == Outcome::hit);
  CHECK(cache.drain().empty());
}

// CIAO-O3: a store invalidates the line that it hits; CIAO-O8: this is not an eviction.
TEST_CASE("l1 events: stores and atomics are reported, and their invalidations are not evictions but have an event of their own") {
  L1Params params = small_l1();
  params.store_hit = StoreHit::evict;
  EventRecorder cache(params);
  cache.bring(0, 1);
  cache.drain();
  cache.access(0, 2, a_store());
  CHECK(cache.drain() == Events{"stored 0 of w2", "taken 0 of w1 by w2"});
  cache.access(0, 2, a_store());  // the line is no longer in the L1
  CHECK(cache.drain() == Events{"stored 0 of w2"});
  cache.bring(0, 1);
  cache.drain();
  cache.access(0, 2, an_atomic());
  cache.access(0, 2, bypass(a_store()));
  CHECK(cache.drain() == Events{"stored 0 of w2", "stored 0 of w2"});
  cache.bring(0, 1);
  cache.drain();
  cache.l1.logic.invalidate({0});
  cache.bring(4, 1);
  cache.drain();
  cache.l1.logic.invalidate_all(2);
  CHECK(cache.drain().empty());
}

TEST_CASE("l1 events: a store that brings its own line in evicts as a load does") {
  L1Params params = small_l1();
  params.local_stores = LocalStores::write_back;
  EventRecorder cache(params);
  cache.bring(0, 1);
  cache.bring(4, 1);
  cache.drain();
  cache.access(8, 2, local(a_store()));
  CHECK(cache.drain() == Events{"stored 8 of w2", "evicted 0 of w1 by w2"});
}

TEST_CASE("l1 events: texture loads and what passes the cache are not told") {
  EventRecorder cache(small_l1());
  Ask texture = a_load();
  texture.kind = AccessKind::texture;
  cache.bring(0, 1);
  cache.bring(4, 1);
  cache.drain();
  CHECK(cache.access(8, 2, texture) == Outcome::miss);
  CHECK(cache.access(3, 2, bypass(a_load())) == Outcome::pass);
  CHECK(cache.drain().empty());
}
