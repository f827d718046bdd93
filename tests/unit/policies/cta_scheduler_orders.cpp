#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "policies/cta_scheduler/cta_scheduler.h"
#include "policies/cta_scheduler/distributed.h"
#include "policies/cta_scheduler/round_robin.h"

using namespace wharf;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // (sm, cta)

// Dispatches until no CTA can be dispatched. `slots`: free slots per SM; each dispatched CTA takes one.
Pairs fill(CtaScheduler& scheduler, std::vector<std::uint8_t>& slots) {
  Pairs given;
  while (const auto dispatch = scheduler.next(slots)) {
    given.emplace_back(dispatch->sm, dispatch->cta);
    --slots.at(dispatch->sm);
  }
  return given;
}

}  // namespace

TEST_CASE("round_robin deals one CTA an SM in ascending order until all are full") {
  RoundRobinCtas scheduler;
  scheduler.start_kernel(100, {0, 1, 2});
  std::vector<std::uint8_t> slots = {2, 2, 2};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 1}, {2, 2}, {0, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("round_robin skips an SM that is full earlier than the others") {
  RoundRobinCtas scheduler;
  scheduler.start_kernel(100, {0, 1, 2});
  std::vector<std::uint8_t> slots = {2, 1, 3};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 1}, {2, 2}, {0, 3}, {2, 4}, {2, 5}});
}

TEST_CASE("round_robin serves the SM that freed a slot and of several the lowest first") {
  RoundRobinCtas scheduler;
  scheduler.start_kernel(100, {0, 1, 2, 3});
  std::vector<std::uint8_t> slots = {1, 1, 1, 1};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  slots[2] = 1;
  CHECK(fill(scheduler, slots) == Pairs{{2, 4}});
  slots = {0, 1, 0, 1};
  CHECK(fill(scheduler, slots) == Pairs{{1, 5}, {3, 6}});
}

TEST_CASE("round_robin looks at eligible SMs alone") {
  RoundRobinCtas scheduler;
  scheduler.start_kernel(3, {1, 3});
  std::vector<std::uint8_t> slots = {9, 9, 9, 9};
  CHECK(fill(scheduler, slots) == Pairs{{1, 0}, {3, 1}, {1, 2}});
}

TEST_CASE("the next kernel starts at the lowest SM and at CTA 0 under round_robin") {
  RoundRobinCtas scheduler;
  std::vector<std::uint8_t> slots = {9, 9};
  scheduler.start_kernel(1, {0, 1});
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}});
  scheduler.start_kernel(2, {0, 1});
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 1}});
}

TEST_CASE("under rotating the SM after the one served last comes first, in the next kernel too") {
  RoundRobinCtas scheduler(RoundRobinCtas::Pointer::continues);
  scheduler.start_kernel(9, {0, 1, 2, 3});
  std::vector<std::uint8_t> slots = {1, 1, 1, 1};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  slots = {0, 1, 0, 0};
  CHECK(fill(scheduler, slots) == Pairs{{1, 4}});
  slots = {1, 0, 0, 1};  // both SMs freed a slot: round_robin would serve SM 0 first
  CHECK(fill(scheduler, slots) == Pairs{{3, 5}, {0, 6}});
  slots = {1, 1, 1, 1};
  CHECK(fill(scheduler, slots) == Pairs{{1, 7}, {2, 8}});
  scheduler.start_kernel(2, {0, 1, 2, 3});
  slots = {9, 9, 9, 9};
  CHECK(fill(scheduler, slots) == Pairs{{3, 0}, {0, 1}});
  scheduler.start_kernel(1, {0});  // fewer SMs: the pointer must stay among them
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}});
}

// DC-27
TEST_CASE("distributed gives SM i the CTAs from i T over X to i plus 1 T over X") {
  DistributedCtas scheduler;
  scheduler.start_kernel(10, {0, 1, 2, 3});  // blocks [0, 2), [2, 5), [5, 7), [7, 10)
  std::vector<std::uint8_t> slots = {9, 9, 9, 9};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 2}, {2, 5}, {3, 7}, {0, 1}, {1, 3}, {2, 6}, {3, 8}, {1, 4}, {3, 9}});
}

TEST_CASE("an SM that has run out of its block takes no CTA of another under distributed") {
  DistributedCtas scheduler;
  scheduler.start_kernel(4, {0, 1});
  std::vector<std::uint8_t> slots = {9, 1};
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, 2}, {0, 1}});
  CHECK(fill(scheduler, slots) == Pairs{});
  slots[1] = 1;
  CHECK(fill(scheduler, slots) == Pairs{{1, 3}});
}

TEST_CASE("distributed divides over the eligible SMs in order") {
  DistributedCtas scheduler;
  scheduler.start_kernel(6, {2, 5});
  std::vector<std::uint8_t> slots(6, 9);
  CHECK(fill(scheduler, slots) == Pairs{{2, 0}, {5, 3}, {2, 1}, {5, 4}, {2, 2}, {5, 5}});
}

TEST_CASE("distributed splits a grid of 2^63 CTAs without overflow") {
  DistributedCtas scheduler;
  scheduler.start_kernel(std::uint64_t{1} << 63, {0, 1, 2, 3});
  std::vector<std::uint8_t> slots(4, 1);
  const std::uint64_t quarter = std::uint64_t{1} << 61;
  CHECK(fill(scheduler, slots) == Pairs{{0, 0}, {1, quarter}, {2, 2 * quarter}, {3, 3 * quarter}});
}
