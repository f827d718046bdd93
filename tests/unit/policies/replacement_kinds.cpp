#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "policies/replacement/replacement.h"

using namespace wharf;

namespace {

const Access kAccess;
const auto any = [](std::uint32_t) { return true; };
const auto none = [](std::uint32_t) { return false; };

void fill_all(Replacement& replacement, std::uint32_t set) {
  for (std::uint32_t way = 0; way < replacement.ways(); ++way) replacement.fill(set, way, kAccess);
}

}  // namespace

TEST_CASE("lru gives up the way that was used longest ago") {
  Replacement lru = make_replacement("lru", 2, 4, 1);
  fill_all(lru, 0);
  CHECK(lru.victim(0, kAccess, any) == 0);
  lru.touch(0, 0, kAccess);
  CHECK(lru.victim(0, kAccess, any) == 1);
  lru.touch(0, 2, kAccess);
  lru.touch(0, 1, kAccess);
  CHECK(lru.victim(0, kAccess, any) == 3);
  lru.touch(0, 3, kAccess);
  lru.touch(0, 3, kAccess);
  CHECK(lru.victim(0, kAccess, any) == 0);
}

TEST_CASE("lru keeps its sets apart") {
  Replacement lru = make_replacement("lru", 2, 2, 1);
  fill_all(lru, 0);
  fill_all(lru, 1);
  lru.touch(1, 0, kAccess);
  CHECK(lru.victim(0, kAccess, any) == 0);
  CHECK(lru.victim(1, kAccess, any) == 1);
}

TEST_CASE("lru passes over ways that are not eligible") {
  Replacement lru = make_replacement("lru", 1, 4, 1);
  fill_all(lru, 0);
  CHECK(lru.victim(0, kAccess, [](std::uint32_t way) { return way >= 2; }) == 2);
  lru.touch(0, 2, kAccess);
  CHECK(lru.victim(0, kAccess, [](std::uint32_t way) { return way >= 2; }) == 3);
  CHECK(lru.victim(0, kAccess, none) == Replacement::kNone);
}

TEST_CASE("lru agrees with time stamps over many random uses") {
  for (const std::uint32_t ways : {1u, 2u, 6u, 16u, 17u, 64u, 256u, 2560u}) {
    Replacement lru = make_replacement("lru", 3, ways, 1);
    Rng rng(ways);
    std::vector<std::vector<int>> stamps(3, std::vector<int>(ways, 0));
    for (std::uint32_t set = 0; set < 3; ++set) {
      fill_all(lru, set);
      for (std::uint32_t way = 0; way < ways; ++way) stamps[set][way] = static_cast<int>(way);
    }
    unsigned wrong = 0;
    for (int now = static_cast<int>(ways); now < static_cast<int>(ways) + 2000; ++now) {
      const auto set = static_cast<std::uint32_t>(rng.below(3));
      const auto way = static_cast<std::uint32_t>(rng.below(ways));
      lru.touch(set, way, kAccess);
      stamps[set][way] = now;
      const std::uint32_t excluded = static_cast<std::uint32_t>(rng.below(ways));
      int oldest = Replacement::kNone;
      for (std::uint32_t w = 0; w < ways; ++w)
        if (w != excluded && (oldest < 0 || stamps[set][w] < stamps[set][static_cast<std::uint32_t>(oldest)])) oldest = static_cast<int>(w);
      wrong += lru.victim(set, kAccess, [&](std::uint32_t w) { return w != excluded; }) != oldest;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("fifo gives up the way that was filled first however often it was used") {
  Replacement fifo = make_replacement("fifo", 1, 3, 1);
  fill_all(fifo, 0);
  fifo.touch(0, 0, kAccess);
  CHECK(fifo.victim(0, kAccess, any) == 0);
  fifo.fill(0, 0, kAccess);
  CHECK(fifo.victim(0, kAccess, any) == 1);
  CHECK(fifo.victim(0, kAccess, [](std::uint32_t way) { return way != 1; }) == 2);
}

TEST_CASE("random gives every eligible way a like share") {
  Replacement random = make_replacement("random", 4, 4, 42);
  std::vector<unsigned> share(4, 0);
  constexpr unsigned kDraws = 12000;
  for (unsigned i = 0; i < kDraws; ++i) {
    const int way = random.victim(i % 4, kAccess, [](std::uint32_t w) { return w != 2; });
    ++share.at(static_cast<std::size_t>(way));
    random.fill(i % 4, static_cast<std::uint32_t>(way), kAccess);
  }
  CHECK(share[2] == 0);
  for (const std::uint32_t way : {0u, 1u, 3u}) {
    CHECK(share[way] > kDraws / 3 - 300);  // 300 = 5.8 standard deviations of sqrt(12000 * 1/3 * 2/3)
    CHECK(share[way] < kDraws / 3 + 300);
  }
}

TEST_CASE("random draws different ways for different seeds and sets") {
  const auto draws = [](std::uint64_t seed, std::uint32_t set) {
    Replacement random = make_replacement("random", 2, 64, seed);
    std::vector<int> ways;
    for (int i = 0; i < 20; ++i) {
      ways.push_back(random.victim(set, kAccess, any));
      random.fill(set, static_cast<std::uint32_t>(ways.back()), kAccess);
    }
    return ways;
  };
  CHECK(draws(1, 0) == draws(1, 0));
  CHECK(draws(1, 0) != draws(2, 0));
  CHECK(draws(1, 0) != draws(1, 1));
}

TEST_CASE("tree_plru of four ways follows its three bits") {
  Replacement plru = make_replacement("tree_plru", 1, 4, 1);
  fill_all(plru, 0);
  CHECK(plru.victim(0, kAccess, any) == 0);
  plru.touch(0, 0, kAccess);  // the root points right, the left pair at 1
  CHECK(plru.victim(0, kAccess, any) == 2);
  plru.touch(0, 2, kAccess);  // the root points left, the right pair at 3
  CHECK(plru.victim(0, kAccess, any) == 1);
  plru.touch(0, 1, kAccess);
  CHECK(plru.victim(0, kAccess, any) == 3);
  plru.touch(0, 3, kAccess);
  CHECK(plru.victim(0, kAccess, any) == 0);
}

TEST_CASE("tree_plru departs from lru where a tree forgets") {
  Replacement plru = make_replacement("tree_plru", 1, 4, 1);
  Replacement lru = make_replacement("lru", 1, 4, 1);
  for (Replacement* replacement : {&plru, &lru}) {
    fill_all(*replacement, 0);
    replacement->touch(0, 0, kAccess);
    replacement->touch(0, 2, kAccess);
    replacement->touch(0, 3, kAccess);
    replacement->touch(0, 0, kAccess);
  }
  CHECK(lru.victim(0, kAccess, any) == 1);
  CHECK(plru.victim(0, kAccess, any) == 2);  // the last use of 0 points the root at the right pair
}

TEST_CASE("tree_plru turns aside where the side it points at has no eligible way") {
  Replacement plru = make_replacement("tree_plru", 1, 6, 1);
  fill_all(plru, 0);
  plru.touch(0, 0, kAccess);  // points at the upper half: ways 4 and 5 of a tree for eight ways
  CHECK(plru.victim(0, kAccess, any) == 4);
  CHECK(plru.victim(0, kAccess, [](std::uint32_t way) { return way < 4; }) == 2);
  CHECK(plru.victim(0, kAccess, [](std::uint32_t way) { return way == 0; }) == 0);
  CHECK(plru.victim(0, kAccess, none) == Replacement::kNone);
}

TEST_CASE("a cache without sets or ways or with more ways than fit is refused") {
  CHECK_THROWS_WITH(make_replacement("lru", 0, 4, 1), Catch::Contains("0 sets"));
  CHECK_THROWS_WITH(make_replacement("lru", 1, 0, 1), Catch::Contains("0 ways is not offered; choose 1 to 32768"));
  CHECK_THROWS_AS(make_replacement("lru", 1, Replacement::kMaxWays + 1, 1), InputError);
  CHECK(make_replacement("lru", 1, Replacement::kMaxWays, 1).ways() == Replacement::kMaxWays);
  Replacement lru = make_replacement("lru", 1, 4, 1);
  CHECK_THROWS_AS(lru.resize(0), InputError);
}
