#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("SplitMix64 gives the published numbers for seed 1234567") {
  SplitMix64 mix(1234567);
  CHECK(mix.next() == 6457827717110365317u);
  CHECK(mix.next() == 3203168211198807973u);
  CHECK(mix.next() == 9817491932198370423u);
  CHECK(mix.next() == 4593380528125082431u);
  CHECK(mix.next() == 16408922859458223821u);
}

TEST_CASE("xoshiro256** gives the published numbers for state 1 2 3 4") {
  Rng rng(Rng::State{1, 2, 3, 4});
  CHECK(rng.next() == 11520);
  CHECK(rng.next() == 0);
  CHECK(rng.next() == 1509978240);
  CHECK(rng.next() == 1215971899390074240u);
}

TEST_CASE("the same seed and stream give the same numbers and another stream or seed gives others") {
  Rng a(7, 3), b(7, 3), other_stream(7, 4), other_seed(8, 3);
  const std::uint64_t first = a.next();
  CHECK(first == b.next());
  CHECK(first != other_stream.next());
  CHECK(first != other_seed.next());
}

TEST_CASE("numbers below a bound stay below it and hit every value about equally often") {
  Rng rng(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60000; ++i) ++counts.at(rng.below(6));
  for (const int count : counts) CHECK(count == Approx(60000 / 6).margin(400));  // 4.4 standard deviations
  CHECK(rng.below(0) == 0);
  CHECK(rng.below(1) == 0);
}

TEST_CASE("a bound of three quarters of the range has no bias from the remainder") {
  // Taken modulo the bound, the highest quarter of all words would also map to the lowest third: 2/4 of the draws instead of 1/3.
  Rng rng(2);
  const std::uint64_t quarter = std::uint64_t{1} << 62;
  int lowest = 0;
  for (int i = 0; i < 30000; ++i) lowest += rng.below(3 * quarter) < quarter;
  CHECK(lowest == Approx(30000 / 3).margin(400));  // 4.9 standard deviations
}

TEST_CASE("between includes both ends and the whole range") {
  Rng rng(3);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = rng.between(10, 12);
    REQUIRE(value >= 10);
    REQUIRE(value <= 12);
    low |= value == 10;
    high |= value == 12;
  }
  CHECK(low);
  CHECK(high);
  Rng again(4), same(4);
  CHECK(again.between(0, ~std::uint64_t{0}) == same.next());
}

TEST_CASE("a unit number is at least 0 and below 1 with mean one half") {
  Rng rng(5);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = rng.unit();
    REQUIRE(value >= 0.0);
    REQUIRE(value < 1.0);
    sum += value;
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.0145));  // 5 standard deviations
}

TEST_CASE("a chance of 0 never and of 1 always comes true") {
  Rng rng(6);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE_FALSE(rng.chance(0.0));
    REQUIRE(rng.chance(1.0));
  }
}

TEST_CASE("a shuffle keeps the elements and reaches every order about equally often") {
  Rng rng(7);
  std::vector<int> orders(6);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items = {0, 1, 2};
    rng.shuffle(items.begin(), items.end());
    REQUIRE(std::accumulate(items.begin(), items.end(), 0) == 0 + 1 + 2);
    ++orders.at(static_cast<std::size_t>(2 * items[0] + (items[1] > items[2] ? 1 : 0)));
  }
  for (const int count : orders) CHECK(count == Approx(6000 / 6).margin(145));  // 5 standard deviations
  std::vector<int> none;
  rng.shuffle(none.begin(), none.end());
  CHECK(none.empty());
}
