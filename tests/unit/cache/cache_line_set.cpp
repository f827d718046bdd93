#include "model/cache/line_set.h"

#include <catch2/catch.hpp>
#include <set>

#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("a set of lines holds what went in, grows, and forgets all at once") {
  LineSet set;
  std::set<std::uint64_t> expected;
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const LineAddress line{rng.below(3000)};
    set.insert(line);
    expected.insert(line.number);
  }
  CHECK(set.size() == expected.size());
  unsigned wrong = 0;
  for (std::uint64_t number = 0; number < 3000; ++number) wrong += set.contains(LineAddress{number}) != (expected.count(number) == 1);
  CHECK(wrong == 0);
  set.clear();
  CHECK(set.size() == 0);
  CHECK_FALSE(set.contains(LineAddress{*expected.begin()}));
}

TEST_CASE("a line that is taken out of a set is gone, and all others are still found") {
  LineSet set;
  std::set<std::uint64_t> expected;
  Rng rng(2);
  unsigned wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const LineAddress line{rng.below(60)};
    if (rng.chance(0.5)) {
      set.insert(line);
      expected.insert(line.number);
    } else {
      set.erase(line);
      expected.erase(line.number);
    }
    wrong += set.size() != expected.size();
    for (std::uint64_t number = 0; number < 60; ++number) wrong += set.contains(LineAddress{number}) != (expected.count(number) == 1);
  }
  CHECK(wrong == 0);
}
