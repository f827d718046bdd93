// Values that become due at known cycles.

#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

#include "model/base/rng.h"
#include "model/base/timer_wheel.h"

using namespace wharf;

namespace {

using Wheel = TimerWheel<int>;

std::vector<int> due(Wheel& wheel, Cycle now) {
  std::vector<int> values;
  wheel.pop_due(now, [&](int value) { values.push_back(value); });
  return values;
}

}  // namespace

TEST_CASE("timer wheel: an empty wheel never comes due") {
  Wheel wheel;
  CHECK(wheel.next() == kNever);
  CHECK(due(wheel, 1'000'000).empty());
}

TEST_CASE("timer wheel: a value comes due at its cycle, not before, and once") {
  for (const Cycle cycle : {Cycle{1}, Cycle{63}, Cycle{64}, Cycle{1023}, Cycle{1024}, Cycle{5000}}) {
    Wheel wheel;
    wheel.add(cycle, 7);
    CHECK(wheel.next() == cycle);
    CHECK(due(wheel, cycle - 1).empty());
    CHECK(due(wheel, cycle) == std::vector<int>{7});
    CHECK(wheel.next() == kNever);
    CHECK(due(wheel, cycle + 5000).empty());
  }
}

TEST_CASE("timer wheel: values of one cycle come in order of addition") {
  Wheel wheel;
  for (int value : {3, 1, 2}) wheel.add(40, value);
  CHECK(due(wheel, 40) == std::vector<int>{3, 1, 2});
}

TEST_CASE("timer wheel: values missed by a long gap come in order of their cycles") {
  Wheel wheel;
  wheel.add(3000, 3);
  wheel.add(900, 1);
  wheel.add(2000, 2);
  CHECK(due(wheel, 10'000) == std::vector<int>{1, 2, 3});
}

TEST_CASE("timer wheel: order of addition holds where a cycle was far ahead for one value and near for the next") {
  Wheel wheel;
  wheel.add(2000, 1);  // beyond the end of the wheel
  due(wheel, 1500);
  wheel.add(2000, 2);  // within the wheel
  CHECK(due(wheel, 2000) == std::vector<int>{1, 2});
}

TEST_CASE("timer wheel: a value may be added for a later cycle while another is taken") {
  Wheel wheel;
  wheel.add(10, 1);
  std::vector<int> taken;
  wheel.pop_due(20, [&](int value) {
    taken.push_back(value);
    if (value < 5) wheel.add(10 + static_cast<Cycle>(value), value + 1);
  });
  CHECK(taken == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("timer wheel: over a long run it does what a sorted list does") {
  Rng rng(3);
  Wheel wheel;
  std::multimap<Cycle, int> reference;  // equal keys stay in order of insertion
  Cycle now = 0;
  int value = 0;
  for (int step = 0; step < 20000; ++step) {
    const Cycle ahead = rng.below(10) == 0 ? 1 + rng.below(5000) : 1 + rng.below(1100);
    wheel.add(now + ahead, value);
    reference.emplace(now + ahead, value++);
    if (rng.below(3) != 0) continue;
    now += rng.below(700);
    std::vector<int> expected;
    while (!reference.empty() && reference.begin()->first <= now) {
      expected.push_back(reference.begin()->second);
      reference.erase(reference.begin());
    }
    REQUIRE(due(wheel, now) == expected);
    REQUIRE(wheel.next() == (reference.empty() ? kNever : reference.begin()->first));
  }
}
