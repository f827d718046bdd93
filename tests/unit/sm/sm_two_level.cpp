// The SM's hints for the two-level order of its warps: a wait for memory frees the place in the active set, a short wait does not
// (morpheus section 2.4).

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

/// Warp 0 waits for the result of `first`, warps 1 and 2 never wait; two of the three fit the active set.
std::vector<unsigned> first_six_issues(const WarpInstruction& first) {
  SmParams p = plain_sm();
  p.warp_scheduler = "two_level";
  p.two_level_active = 2;
  SmRig rig(p);
  rig.latency = 100;
  Program busy;
  for (unsigned i = 0; i < 20; ++i) busy.push_back(alu(10 + i, static_cast<RegisterId>(10 + i)));
  rig.launch({{first, alu(1, 2, {1})}, busy, busy});
  rig.run(7);
  std::vector<unsigned> warps;
  for (const Issue& issue : rig.issues) warps.push_back(issue.warp);
  warps.resize(6);
  return warps;
}

}  // namespace

TEST_CASE("sm two_level: a warp that waits for memory leaves the active set to the next one") {
  CHECK(first_six_issues(load(0, 1)) == std::vector<unsigned>{0, 1, 2, 1, 2, 1});
}

TEST_CASE("sm two_level: a warp that waits for a unit or for shared memory keeps its place") {
  CHECK(first_six_issues(instruction(Unit::sfu, 0, 1)) == std::vector<unsigned>{0, 1, 1, 1, 1, 1});
  CHECK(first_six_issues(memory(Unit::shared, 0, 0, 4, 1)) == std::vector<unsigned>{0, 1, 1, 1, 1, 1});
}
