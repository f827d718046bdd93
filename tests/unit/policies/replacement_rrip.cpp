// Re-reference interval prediction, line by line: insertion, ageing, and the decisions of the set duel and the signatures.

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "policies/replacement/replacement.h"

using namespace wharf;

namespace {

Access load_at(std::uint32_t pc) {
  Access access;
  access.pc = pc;
  return access;
}

/// One or more sets of a cache that misses. Returns the evicted ways.
struct Cache {
  Cache(const char* name, std::uint32_t sets, std::uint32_t ways) : policy(make_replacement(name, sets, ways, 1)) {}
  static bool any(std::uint32_t) { return true; }
  int victim(std::uint32_t set = 0) const { return policy.victim(set, load_at(0), any); }
  int miss(std::uint32_t set = 0, std::uint32_t pc = 0) {
    const int way = policy.victim(set, load_at(pc), any);
    policy.fill(set, static_cast<std::uint32_t>(way), load_at(pc));
    return way;
  }
  void hit(std::uint32_t way, std::uint32_t set = 0) { policy.touch(set, way, load_at(0)); }
  Replacement policy;
};

}  // namespace

TEST_CASE("srrip gives up the line that is expected last, and lets lines age only when one goes") {
  Cache cache("srrip:bits=2", 1, 4);
  for (int way = 0; way < 4; ++way) CHECK(cache.miss() == way);  // 2 2 2 2
  cache.hit(0);                                                  // 0 2 2 2
  CHECK(cache.victim() == 1);
  CHECK(cache.victim() == 1);
  CHECK(cache.miss() == 1);  // aged by one, 1 3 3 3, and the new line: 1 2 3 3
  CHECK(cache.victim() == 2);
  CHECK(cache.policy.victim(0, load_at(0), [](std::uint32_t way) { return way < 2; }) == 1);
  cache.hit(2);  // 1 2 0 3
  CHECK(cache.victim() == 3);
}

TEST_CASE("srrip keeps lines that were used again while a scan of other lines passes, and lru does not") {
  for (const bool lru : {false, true}) {
    Cache cache(lru ? "lru" : "srrip", 1, 4);
    for (int way = 0; way < 4; ++way) cache.miss();
    cache.hit(0);
    cache.hit(1);
    std::vector<int> given_up;
    for (int line = 0; line < 3; ++line) given_up.push_back(cache.miss());
    CHECK(given_up == (lru ? std::vector<int>{2, 3, 0} : std::vector<int>{2, 3, 2}));
  }
}

TEST_CASE("an invalidated line makes nobody older when its way is filled again") {
  Cache cache("srrip", 1, 2);
  cache.miss();
  cache.miss();
  cache.hit(0);
  cache.hit(1);  // 0 0
  cache.policy.remove(0, 1);
  cache.policy.fill(0, 1, load_at(0));  // 0 2, where ageing by three would have made it 3 2
  CHECK(cache.victim() == 1);
}

TEST_CASE("drrip inserts as the leaders do that miss less: bimodal after misses in the sets of srrip, srrip after as many in the others") {
  // Eight sets, two leaders of each kind: sets 0 and 4 use srrip, 3 and 7 bimodal insertion, the others follow.
  Cache cache("drrip:leaders=2,selector_bits=4,one_in=1000", 8, 4);
  for (int miss = 0; miss < 40; ++miss) cache.miss(0);
  Cache reference("srrip", 8, 4);
  const auto pattern = [](Cache& of, std::uint32_t set) {
    std::vector<int> ways;
    for (int way = 0; way < 4; ++way) of.miss(set);
    for (std::uint32_t way = 0; way < 4; ++way) of.hit(way, set);
    for (int line = 0; line < 6; ++line) ways.push_back(of.miss(set));
    return ways;
  };
  const std::vector<int> as_srrip = pattern(reference, 1);
  CHECK(as_srrip == std::vector<int>{0, 1, 2, 3, 0, 1});
  CHECK(pattern(cache, 1) == std::vector<int>{0, 0, 0, 0, 0, 0});  // bimodal: the line inserted last is evicted first
  for (int miss = 0; miss < 40; ++miss) cache.miss(3);
  CHECK(pattern(cache, 2) == as_srrip);
  CHECK(pattern(cache, 7) == std::vector<int>{0, 0, 0, 0, 0, 0});  // a leader set keeps its own policy
}

TEST_CASE("drrip's bimodal insertion predicts one line in so many as srrip does") {
  Cache cache("drrip:leaders=1,one_in=3", 4, 2);  // set 3 is the leader for bimodal insertion
  cache.miss(3);
  cache.miss(3);              // two distant lines into empty ways
  CHECK(cache.miss(3) == 0);  // the third is inserted as in srrip
  CHECK(cache.miss(3) == 1);
  CHECK(cache.miss(3) == 1);
}

TEST_CASE("a cache of one set has no leaders: drrip is srrip") {
  Cache drrip("drrip", 1, 4), srrip("srrip", 1, 4);
  for (int line = 0; line < 100; ++line) {
    CHECK(drrip.miss() == srrip.miss());
    if (line % 3 == 0) {
      drrip.hit(static_cast<std::uint32_t>(line % 4));
      srrip.hit(static_cast<std::uint32_t>(line % 4));
    }
  }
}

TEST_CASE("ship brings in lines of a load that nobody used again as the next to go, until one of them is") {
  constexpr std::uint32_t kStream = 0x100, kReused = 0x200;
  Cache cache("ship", 1, 4);
  for (int way = 0; way < 4; ++way) cache.miss(0, kStream);  // 2 2 2 2, its counter at 1
  CHECK(cache.miss(0, kStream) == 0);                        // 3 3 3 3: the victim was not used: counter 0, so the new line is distant
  CHECK(cache.miss(0, kReused) == 0);                        // 2 3 3 3: another load's line is inserted intermediate
  CHECK(cache.miss(0, kStream) == 1);
  CHECK(cache.miss(0, kStream) == 1);  // distant again
  cache.hit(1);
  cache.hit(1);                        // one of them is used later, twice: counter 2
  CHECK(cache.miss(0, kStream) == 2);  // the line in way 2 was not used: counter 1, so the new one is inserted intermediate, 2 0 2 3
  CHECK(cache.miss(0, kReused) == 3);
}

TEST_CASE("ship learns nothing from lines that were invalidated") {
  Cache cache("ship", 1, 2);
  cache.miss(0, 0x100);
  for (int time = 0; time < 3; ++time) {
    cache.policy.remove(0, 0);
    cache.policy.fill(0, 0, load_at(0x100));  // inserted intermediate each time: 2, and 3 in the empty way
  }
  CHECK(cache.victim() == 1);
}

TEST_CASE("arguments of replacement policies that are out of range or unknown are refused") {
  CHECK_THROWS_WITH(make_replacement("srrip:bits=9", 1, 4, 1), Catch::Contains("bits=9 is out of range"));
  CHECK_THROWS_WITH(make_replacement("drrip:leader=4", 1, 4, 1), Catch::Contains("did you mean 'leaders'?"));
  CHECK_THROWS_WITH(make_replacement("lru:bits=2", 1, 4, 1), Catch::Contains("lru takes no arguments"));
}
