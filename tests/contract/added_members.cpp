// Policies of the out-of-tree example. They make sure that the contract tests also cover added members of a family.

#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for listeners
#include <catch2/catch.hpp>

#include "tests/plugin/example/lfu.h"
#include "tests/plugin/example/youngest_first.h"

namespace {

struct AddedMembers : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(const Catch::TestRunInfo&) override {
    wharf::add_replacement(example::kLfu, example::lfu_arguments());
    wharf::add_warp_scheduler(example::kYoungestFirst);
  }
};
CATCH_REGISTER_LISTENER(AddedMembers)

}  // namespace

TEST_CASE("added members are of their families") {
  CHECK(wharf::replacement_catalogue_names().back().name == "lfu");
  CHECK(wharf::warp_scheduler_catalogue_names().back().name == "youngest_first");
}

TEST_CASE("lfu gives up the line that was used least often, and of those the one that came in first") {
  const wharf::Access access;
  wharf::Replacement lfu = wharf::make_replacement("lfu:bits=2", 1, 4, 1);
  const auto victim = [&] { return lfu.victim(0, access, [](std::uint32_t) { return true; }); };
  for (std::uint32_t way = 0; way < 4; ++way) lfu.fill(0, way, access);  // used 1 1 1 1 times
  lfu.touch(0, 0, access);                                               // 2 1 1 1
  CHECK(victim() == 1);
  CHECK(victim() == 1);
  lfu.fill(0, 1, access);  // 2 1 1 1, and 1 is the youngest
  CHECK(victim() == 2);
  CHECK(lfu.victim(0, access, [](std::uint32_t way) { return way < 2; }) == 1);
  for (int use = 0; use < 5; ++use) lfu.touch(0, 2, access);  // 3 is the maximum of two bits
  for (int use = 0; use < 2; ++use) lfu.touch(0, 3, access);
  for (int use = 0; use < 2; ++use) lfu.touch(0, 1, access);
  CHECK(victim() == 0);
  lfu.touch(0, 0, access);  // all 3: 0 was inserted first
  CHECK(victim() == 0);
}
