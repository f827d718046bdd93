#include "model/l2/link_rate.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace wharf;

TEST_CASE("a link passes messages at its rate without rounding each of them to cycles") {
  LinkRate link(32);
  CHECK(link.free() == 0);
  // 40 B take 1.25 cycles: four messages take five cycles.
  Cycle start = 100, busy = 0;
  for (const Cycle expected : {100, 101, 102, 103, 105, 106, 107, 108, 110}) {
    start = std::max(start, link.free());
    CHECK(start == expected);
    busy += link.start(start, 40);
  }
  CHECK(busy == 12);  // 9 messages of 1.25 cycles; the last uses a quarter of the twelfth cycle
}

TEST_CASE("a link starts one message per cycle, however small, and counts a shared cycle once") {
  LinkRate link(32);
  CHECK(link.start(7, 8) == 1);
  CHECK(link.free() == 8);
  CHECK(link.start(8, 40) == 2);  // cycle 8 and a part of 9
  CHECK(link.free() == 9);
  CHECK(link.start(9, 8) == 0);  // the rest of cycle 9
}

TEST_CASE("a link saves no bandwidth of the cycles in which it idles") {
  LinkRate link(32);
  link.start(0, 8);
  CHECK(link.start(1000, 96) == 3);
  CHECK(link.free() == 1003);
}

TEST_CASE("a message larger than the rate holds the link for several cycles") {
  LinkRate link(16);
  CHECK(link.start(4, 136) == 9);
  CHECK(link.free() == 4 + 136 / 16);
}
