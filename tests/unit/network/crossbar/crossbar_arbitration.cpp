// Each arbitration policy by hand: small rounds whose result follows directly from its definition.

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "policies/arbitration/islip.h"
#include "policies/arbitration/round_robin.h"

using namespace wharf::arbitration;

namespace {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

// Inputs that request each output of an N x 4 switch with all ports free. Returns the grants in order.
Pairs round(PortAllocator& policy, const std::vector<std::vector<unsigned>>& by_output) {
  std::vector<PortMask> masks(by_output.size());
  for (std::size_t o = 0; o < by_output.size(); ++o)
    for (const unsigned input : by_output[o]) masks[o].set(input);
  Matching matching;
  policy.allocate({masks.data(), PortMask::first(kMaxPorts), PortMask::first(static_cast<unsigned>(masks.size()))}, matching);
  Pairs result;
  for (const Grant& grant : matching) result.emplace_back(grant.input, grant.output);
  return result;
}

}  // namespace

TEST_CASE("a port mask finds the next port cyclically on both sides of the word boundary") {
  PortMask mask;
  for (const unsigned port : {3u, 63u, 64u, 127u}) mask.set(port);
  CHECK(mask.next_from(0) == 3);
  CHECK(mask.next_from(3) == 3);
  CHECK(mask.next_from(4) == 63);
  CHECK(mask.next_from(64) == 64);
  CHECK(mask.next_from(65) == 127);
  mask.clear(127);
  CHECK(mask.next_from(65) == 3);
  CHECK(mask.count() == 3);
  PortMask upper;
  upper.set(70);
  CHECK(upper.next_from(71) == 70);
  CHECK(upper.next_from(2) == 70);
  for (const unsigned count : {0u, 1u, 63u, 64u, 65u, 128u}) CHECK(PortMask::first(count).count() == count);
  CHECK(PortMask::first(70).without(PortMask::first(64)).count() == 6);
}

TEST_CASE("iSLIP moves its pointers only on an accepted grant") {
  Islip islip(2, 2, 1);
  const std::vector<std::vector<unsigned>> all{{0, 1}, {0, 1}};
  // Both outputs grant input 0, which accepts output 0: only output 0 and input 0 move on.
  CHECK(round(islip, all) == Pairs{{0, 0}});
  // Output 0 now grants input 1, output 1 still grants input 0. They are desynchronised and stay so.
  CHECK(round(islip, all) == Pairs{{0, 1}, {1, 0}});
  CHECK(round(islip, all) == Pairs{{0, 0}, {1, 1}});
  CHECK(round(islip, all) == Pairs{{0, 1}, {1, 0}});
}

TEST_CASE("later iterations of iSLIP fill what the first left free, without moving a pointer") {
  Islip islip(3, 3, 3);
  const std::vector<std::vector<unsigned>> all{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}};
  CHECK(round(islip, all) == Pairs{{0, 0}, {1, 1}, {2, 2}});  // one per iteration
  // Output 1 was matched with input 1 in the second iteration, so its pointer is still at input 0.
  CHECK(round(islip, {{}, {0, 1, 2}, {}}) == Pairs{{0, 1}});
  // Input 1 likewise: its pointer is still at output 0.
  CHECK(round(islip, {{1}, {1}, {1}}) == Pairs{{1, 0}});
}

TEST_CASE("iSLIP serves N inputs at one output in turn") {
  Islip islip(3, 1, 1);
  for (unsigned r = 0; r < 9; ++r) CHECK(round(islip, {{0, 1, 2}}) == Pairs{{r % 3, 0}});
}

TEST_CASE("round robin serves the inputs from a start that moves on by one each round, and leaves no pair unmatched") {
  RoundRobin policy(2, 2);
  const std::vector<std::vector<unsigned>> all{{0, 1}, {0, 1}};
  CHECK(round(policy, all) == Pairs{{0, 0}, {1, 1}});  // input 0 first; it moves on to output 1
  CHECK(round(policy, all) == Pairs{{1, 0}, {0, 1}});  // input 1 first
  CHECK(round(policy, all) == Pairs{{0, 1}, {1, 0}});
}
