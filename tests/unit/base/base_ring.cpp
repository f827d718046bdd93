// The first-in, first-out queue of fixed capacity (model/base/host/ring.h).

#include <catch2/catch.hpp>

#include "model/base/host/ring.h"

using namespace wharf;

TEST_CASE("a ring hands elements back in order, as many at a time as its capacity, when its index wraps around too") {
  for (const std::uint32_t capacity : {1u, 2u, 9u}) {
    CAPTURE(capacity);
    Ring<std::uint64_t> ring(capacity);
    std::uint64_t in = 0, out = 0;
    for (unsigned round = 0; round < 40; ++round) {
      while (in - out < capacity) ring.push(100 + in++);
      REQUIRE(ring.size() == capacity);
      for (std::uint32_t i = 0; i < ring.size(); ++i) CHECK(ring[i] == 100 + out + i);
      for (std::uint32_t left = round % capacity + 1; left != 0; --left) {
        CHECK(ring.front() == 100 + out++);
        ring.pop();
      }
      CHECK(ring.empty() == (in == out));
    }
  }
}

TEST_CASE("a ring's places without an element hold the value given for unused ones until an element has been there") {
  Ring<int> ring(2, -1);
  CHECK(ring[0] == -1);
  ring.push(5);
  CHECK(ring[1] == -1);
  ring.pop();
  ring.push(6);
  ring.pop();
  CHECK(ring.empty());
  CHECK(ring[0] == 5);
}
