// The bits under the timing wheels.

#include <catch2/catch.hpp>

#include "model/base/host/slot_map.h"

using namespace wharf;

TEST_CASE("slot map: the next marked cycle is found from any start, round the wheel and at its far end") {
  for (const Cycle from : {Cycle{0}, Cycle{63}, Cycle{64}, Cycle{1000}, Cycle{1023}, Cycle{5000}}) {
    for (const Cycle ahead : {Cycle{0}, Cycle{1}, Cycle{62}, Cycle{64}, Cycle{500}, SlotMap::kSlots - 1}) {
      SlotMap map;
      map.set(from + ahead);
      CHECK(map.next(from) == from + ahead);
      map.clear(from + ahead);
      CHECK(map.next(from) == kNever);
    }
  }
}

TEST_CASE("slot map: of several marked cycles the earliest comes first") {
  SlotMap map;
  map.set(1030);
  map.set(1500);
  map.set(1024 + 1000);
  CHECK(map.next(1029) == 1030);
  CHECK(map.next(1031) == 1500);
  CHECK(map.next(1501) == 1024 + 1000);
}
