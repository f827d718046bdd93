#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "policies/warp_scheduler/age_order.h"
#include "policies/warp_scheduler/gto.h"
#include "policies/warp_scheduler/lrr.h"
#include "policies/warp_scheduler/two_level.h"

using namespace wharf;

namespace {

constexpr WarpMask warps(std::initializer_list<unsigned> slots) {
  WarpMask mask = 0;
  for (const unsigned slot : slots) mask |= warp_bit(slot);
  return mask;
}

// Issues the scheduler's picks from `ready`, `cycles` times.
std::vector<int> issue(WarpScheduler& scheduler, WarpMask ready, unsigned cycles) {
  std::vector<int> picks;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    picks.push_back(scheduler.pick(ready, cycle));
    if (picks.back() >= 0) scheduler.issued(static_cast<unsigned>(picks.back()));
  }
  return picks;
}

void launch_in_slot_order(WarpScheduler& scheduler, unsigned count) {
  for (unsigned warp = 0; warp < count; ++warp) scheduler.warp_launched(warp, warp);
}

}  // namespace

TEST_CASE("an age order puts lower ages first and ties by slot") {
  AgeOrder order;
  order.launch(3, 10);
  order.launch(1, 20);
  order.launch(5, 5);
  order.launch(2, 10);
  CHECK(order.resident() == warps({1, 2, 3, 5}));
  CHECK(order.oldest(warps({1, 2, 3, 5})) == 5);
  CHECK(order.oldest(warps({1, 2, 3})) == 2);
  CHECK(order.oldest(warps({1, 3})) == 3);
  CHECK(order.oldest(warps({1, 2, 3, 5}), 3) == warps({5, 2, 3}));
  CHECK(order.oldest(warps({1, 2}), 5) == warps({1, 2}));
  CHECK(order.oldest(0, 5) == 0);
}

TEST_CASE("a slot that is launched again takes the age of its new warp") {
  AgeOrder order;
  for (unsigned warp = 0; warp < 4; ++warp) order.launch(warp, warp);
  order.finish(0);
  CHECK(order.resident() == warps({1, 2, 3}));
  order.launch(0, 100);
  CHECK(order.oldest(warps({0, 1, 2, 3})) == 1);
  CHECK(order.oldest(warps({0, 3})) == 3);
  order.launch(3, 200);  // without a finish in between
  CHECK(order.oldest(warps({0, 3})) == 0);
}

TEST_CASE("lrr issues ready warps in turn and wraps round") {
  LooseRoundRobin lrr;
  launch_in_slot_order(lrr, 64);
  CHECK(issue(lrr, warps({0, 5, 63}), 5) == std::vector<int>{0, 5, 63, 0, 5});
}

TEST_CASE("lrr skips warps that are not ready and goes on after the one that issued") {
  LooseRoundRobin lrr;
  launch_in_slot_order(lrr, 8);
  CHECK(issue(lrr, warps({0, 1, 2, 3}), 2) == std::vector<int>{0, 1});
  CHECK(issue(lrr, warps({0, 3}), 1) == std::vector<int>{3});
  CHECK(issue(lrr, warps({0, 1, 2, 3}), 3) == std::vector<int>{0, 1, 2});
}

TEST_CASE("lrr moves on only when the picked warp has issued") {
  LooseRoundRobin lrr;
  CHECK(lrr.pick(warps({0, 1}), 0) == 0);
  CHECK(lrr.pick(warps({0, 1}), 1) == 0);
  lrr.issued(0);
  CHECK(lrr.pick(warps({0, 1}), 2) == 1);
}

TEST_CASE("lrr starves no warp that stays ready") {
  LooseRoundRobin lrr;
  constexpr unsigned kWarps = 48;
  std::vector<unsigned> issues(kWarps, 0);
  for (const int pick : issue(lrr, (WarpMask{1} << kWarps) - 1, 3 * kWarps)) ++issues[static_cast<unsigned>(pick)];
  CHECK(issues == std::vector<unsigned>(kWarps, 3));
}

TEST_CASE("gto stays with the last issued warp while it is ready and then takes the oldest") {
  GreedyThenOldest gto;
  gto.warp_launched(0, 30);
  gto.warp_launched(1, 10);
  gto.warp_launched(2, 20);
  CHECK(issue(gto, warps({0, 1, 2}), 3) == std::vector<int>{1, 1, 1});
  CHECK(issue(gto, warps({0, 2}), 2) == std::vector<int>{2, 2});     // 1 stalls: 2 is the oldest of the others
  CHECK(issue(gto, warps({0, 1, 2}), 2) == std::vector<int>{2, 2});  // 1 is ready again, but 2 is greedy
  CHECK(issue(gto, warps({0, 1}), 1) == std::vector<int>{1});
  CHECK(issue(gto, warps({0}), 1) == std::vector<int>{0});
}

TEST_CASE("gto breaks ties of age by the lower slot") {
  GreedyThenOldest gto;
  gto.warp_launched(7, 1);
  gto.warp_launched(4, 1);
  CHECK(gto.pick(warps({4, 7}), 0) == 4);
}

TEST_CASE("a new warp in the slot of the greedy one is not favoured by gto") {
  GreedyThenOldest gto;
  gto.warp_launched(0, 0);
  gto.warp_launched(1, 1);
  gto.issued(0);
  gto.warp_finished(0);
  gto.warp_launched(0, 2);
  CHECK(gto.pick(warps({0, 1}), 0) == 1);
}

TEST_CASE("two_level goes round in the oldest warps up to the size of its active set") {
  TwoLevel two_level(3);
  launch_in_slot_order(two_level, 12);
  CHECK(issue(two_level, (WarpMask{1} << 12) - 1, 7) == std::vector<int>{0, 1, 2, 0, 1, 2, 0});
  CHECK(two_level.active() == warps({0, 1, 2}));
}

TEST_CASE("a warp that waits for memory gives its place to the oldest ready pending warp") {
  TwoLevel two_level(3);
  launch_in_slot_order(two_level, 6);
  CHECK(issue(two_level, warps({0, 1, 2, 3, 4, 5}), 3) == std::vector<int>{0, 1, 2});
  two_level.stalled_long(1);
  CHECK(two_level.active() == warps({0, 2}));
  CHECK(issue(two_level, warps({0, 2, 4, 5}), 3) == std::vector<int>{4, 0, 2});  // 3 is not ready; 4 is the oldest ready warp
  CHECK(two_level.active() == warps({0, 2, 4}));
  CHECK(issue(two_level, warps({0, 1, 2, 3, 4, 5}), 3) == std::vector<int>{4, 0, 2});  // 1 is ready again, but pending
}

TEST_CASE("a place in the active set that nobody takes stays free for the next ready warp") {
  TwoLevel two_level(2);
  launch_in_slot_order(two_level, 4);
  CHECK(issue(two_level, warps({0, 1}), 2) == std::vector<int>{0, 1});
  two_level.stalled_long(0);
  CHECK(issue(two_level, warps({1}), 2) == std::vector<int>{1, 1});
  CHECK(issue(two_level, warps({1, 3}), 2) == std::vector<int>{3, 1});
  CHECK(two_level.active() == warps({1, 3}));
}

TEST_CASE("a short stall keeps the place in the active set") {
  TwoLevel two_level(2);
  launch_in_slot_order(two_level, 4);
  CHECK(issue(two_level, warps({0, 1, 2, 3}), 2) == std::vector<int>{0, 1});
  CHECK(issue(two_level, warps({1, 2, 3}), 2) == std::vector<int>{1, 1});  // 0 stalls without leaving
  CHECK(two_level.active() == warps({0, 1}));
}

TEST_CASE("a full active set without a ready warp gives up the one that issued longest ago") {
  TwoLevel two_level(2);
  launch_in_slot_order(two_level, 4);
  CHECK(issue(two_level, warps({0, 1, 2, 3}), 3) == std::vector<int>{0, 1, 0});
  CHECK(issue(two_level, warps({2, 3}), 1) == std::vector<int>{2});
  CHECK(two_level.active() == warps({0, 2}));
}

TEST_CASE("a finished warp frees its place in the active set") {
  TwoLevel two_level(1);
  launch_in_slot_order(two_level, 2);
  CHECK(issue(two_level, warps({0, 1}), 2) == std::vector<int>{0, 0});
  two_level.warp_finished(0);
  CHECK(two_level.active() == 0);
  CHECK(issue(two_level, warps({1}), 1) == std::vector<int>{1});
}

TEST_CASE("an active set as large as the scheduler is loose round robin") {
  const auto two_level = make_warp_scheduler("two_level", {64});
  LooseRoundRobin lrr;
  launch_in_slot_order(*two_level, 20);
  CHECK(issue(*two_level, warps({1, 3, 19}), 9) == issue(lrr, warps({1, 3, 19}), 9));
}

TEST_CASE("two_level without active warps is refused") {
  CHECK_THROWS_WITH(make_warp_scheduler("two_level", {0}), Catch::Contains("0 active warps"));
}
