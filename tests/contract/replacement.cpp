// Properties of every replacement policy in the catalogue.
#include "policies/replacement/replacement.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

namespace {

const Access kAccess;

// One flag per way, each true with probability 1/2.
std::vector<bool> random_ways(Rng& rng, std::uint32_t ways) {
  std::vector<bool> flags(ways);
  for (std::uint32_t way = 0; way < ways; ++way) flags[way] = rng.chance(0.5);
  return flags;
}

// Random fills, touches and victims. Returns how many victims were not eligible, not repeatable, or missing.
unsigned wrong_victims(Replacement& replacement, std::uint32_t sets, std::uint64_t seed) {
  Rng rng(seed);
  unsigned wrong = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto set = static_cast<std::uint32_t>(rng.below(sets));
    replacement.touch(set, static_cast<std::uint32_t>(rng.below(replacement.ways())), kAccess);
    const std::vector<bool> eligible = random_ways(rng, replacement.ways());
    bool exists = false;
    for (const bool flag : eligible) exists = exists || flag;
    const auto ask = [&] { return replacement.victim(set, kAccess, [&](std::uint32_t way) { return eligible.at(way); }); };
    const int victim = ask();
    wrong += victim != ask();
    wrong += exists != (victim != Replacement::kNone);
    if (victim == Replacement::kNone) continue;
    wrong += !eligible.at(static_cast<std::size_t>(victim));
    replacement.fill(set, static_cast<std::uint32_t>(victim), kAccess);
  }
  return wrong;
}

}  // namespace

TEST_CASE("every replacement policy names an eligible way and the same one when asked again") {
  for (const auto& policy : replacement_catalogue_names()) {
    CHECK_FALSE(policy.help.empty());
    for (const std::uint32_t ways : {1u, 2u, 3u, 4u, 6u, 24u, 64u, 300u}) {
      INFO(policy.name << " " << ways);
      Replacement replacement = make_replacement(policy.name, 5, ways, 1);
      CHECK(wrong_victims(replacement, 5, ways) == 0);
    }
  }
}

// Not every policy does this: one that inserts lines as the next victim keeps replacing the same way.
TEST_CASE("replacement policies that insert no line as the next to go evict each way of a full set sooner or later") {
  for (const char* const name : {"lru", "fifo", "random", "tree_plru", "srrip", "drrip", "lfu"}) {
    INFO(name);
    Replacement replacement = make_replacement(name, 1, 8, 1);
    std::vector<bool> evicted(8, false);
    for (int i = 0; i < 200; ++i) {
      const int victim = replacement.victim(0, kAccess, [](std::uint32_t) { return true; });
      evicted.at(static_cast<std::size_t>(victim)) = true;
      replacement.fill(0, static_cast<std::uint32_t>(victim), kAccess);
    }
    CHECK(evicted == std::vector<bool>(8, true));
  }
}

TEST_CASE("replacement policies that keep the latest line spare the one that was filled last when they have two ways or more") {
  for (const char* const name : {"lru", "fifo", "tree_plru", "srrip", "drrip", "lfu"}) {
    INFO(name);
    Replacement replacement = make_replacement(name, 1, 6, 1);
    Rng rng(8);
    unsigned lost = 0;
    for (int i = 0; i < 500; ++i) {
      const auto way = static_cast<std::uint32_t>(rng.below(6));
      replacement.fill(0, way, kAccess);
      lost += replacement.victim(0, kAccess, [](std::uint32_t) { return true; }) == static_cast<int>(way);
    }
    CHECK(lost == 0);
  }
}

TEST_CASE("every replacement policy forgets everything when its ways are resized") {
  for (const auto& policy : replacement_catalogue_names()) {
    for (const std::uint32_t ways : {2u, 4u, 7u, 64u}) {
      INFO(policy.name << " " << ways);
      Replacement resized = make_replacement(policy.name, 3, 4, 9);
      wrong_victims(resized, 3, 2);
      resized.resize(ways);
      CHECK(resized.ways() == ways);
      Replacement fresh = make_replacement(policy.name, 3, ways, 9);
      unsigned different = 0;
      Rng rng(6);
      for (int i = 0; i < 300; ++i) {
        const auto set = static_cast<std::uint32_t>(rng.below(3));
        const int victim = resized.victim(set, kAccess, [](std::uint32_t) { return true; });
        different += victim != fresh.victim(set, kAccess, [](std::uint32_t) { return true; });
        resized.fill(set, static_cast<std::uint32_t>(victim), kAccess);
        fresh.fill(set, static_cast<std::uint32_t>(victim), kAccess);
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("an unknown replacement policy is refused with the names on offer") {
  CHECK_THROWS_WITH(make_replacement("lur", 1, 1, 1), Catch::Contains("unknown replacement policy 'lur'") &&
                                                          Catch::Contains("lru, fifo, random, tree_plru, srrip, drrip, ship"));
}
