// The queue of a crossbar's network interface: its room as of the last commit, one pending packet, and when that packet is queued.

#include <catch2/catch.hpp>

#include "model/network/crossbar/interface_queue.h"

using namespace wharf;
using namespace wharf::network;

namespace {

CrossbarPacket packet(std::uint64_t handle, Cycle arrival) { return {handle, 3, 2, 5, arrival}; }

}  // namespace

TEST_CASE("an interface queue hands packets back in order, each from its arrival on, around its ring") {
  InterfaceQueue queue(2);
  CHECK(queue.empty());
  CHECK(queue.front().enqueued == kNever);
  for (Cycle now = 10; now < 20; now += 2) {
    CHECK(queue.offer(packet(now, now), now));
    CHECK(queue.offer(packet(now + 1, now + 5), now));
    CHECK_FALSE(queue.empty());
    CHECK(queue.front().handle == now);
    CHECK(queue.front().enqueued == now);
    CHECK(queue.front().output == 3);
    CHECK(queue.front().vc == 2);
    CHECK(queue.front().flits == 5);
    queue.pop(now);
    CHECK(queue.front().handle == now + 1);
    CHECK(queue.front().enqueued == now + 5);
    queue.pop(now + 1);
    CHECK(queue.empty());
    CHECK(queue.front().enqueued == kNever);
  }
}

TEST_CASE("a place that came free in an interface queue in this cycle is there for the next one, whoever comes first") {
  InterfaceQueue queue(2);
  queue.offer(packet(1, 4), 4);
  queue.offer(packet(2, 4), 4);
  queue.pop(5);
  CHECK_FALSE(queue.offer(packet(3, 5), 5));
  CHECK(queue.can_admit());
  Cycle end = 0;
  CHECK(queue.admit_pending(6, end).handle == 3);
  CHECK(end == 7);
  CHECK_FALSE(queue.can_admit());
  queue.pop(6);
  CHECK(queue.front().handle == 3);
  CHECK(queue.front().enqueued == 6);
}

TEST_CASE("a packet that is pending at an interface queue is admitted after a pop, and is not in the queue before") {
  InterfaceQueue queue(1);
  CHECK(queue.offer(packet(1, 4), 4));
  CHECK_FALSE(queue.offer(packet(2, 9), 4));
  CHECK_FALSE(queue.can_admit());
  queue.pop(5);
  CHECK(queue.can_admit());
  CHECK(queue.empty());
  CHECK(queue.front().enqueued == kNever);
  Cycle end = 0;
  CHECK(queue.admit_pending(6, end).handle == 2);
  CHECK(end == 9);
  CHECK(queue.front().enqueued == 9);
}

TEST_CASE("an interface queue takes in as many packets a cycle as have left it before") {
  InterfaceQueue queue(3);
  for (std::uint64_t handle = 1; handle <= 3; ++handle) CHECK(queue.offer(packet(handle, 1), 1));
  queue.pop(2);
  queue.pop(2);
  CHECK_FALSE(queue.offer(packet(4, 2), 2));
  Cycle end = 0;
  queue.admit_pending(3, end);
  CHECK(queue.offer(packet(5, 3), 3));
  CHECK_FALSE(queue.offer(packet(6, 3), 3));
}
