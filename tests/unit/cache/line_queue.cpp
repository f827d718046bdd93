// The lines of a slice's requests (model/l2/line_queue.h).

#include <catch2/catch.hpp>

#include "model/l2/line_queue.h"

using namespace wharf;

TEST_CASE("a line queue hands lines back in order, as many at a time as its capacity, around its ring") {
  for (const std::uint32_t capacity : {1u, 2u, 9u}) {
    CAPTURE(capacity);
    LineQueue queue(capacity);
    std::uint64_t in = 0, out = 0;
    for (unsigned round = 0; round < 40; ++round) {
      while (in - out < capacity) queue.push(100 + in++);
      for (std::uint32_t left = round % capacity + 1; left != 0; --left) {
        CHECK(queue.front() == 100 + out++);
        queue.pop();
      }
    }
  }
}
