// Policies of the out-of-tree example, so that what holds for every member of a family is asked of an added one too.

#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for listeners
#include <catch2/catch.hpp>

#include "tests/plugin/example/srrip.h"
#include "tests/plugin/example/youngest_first.h"

namespace {

struct AddedMembers : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(const Catch::TestRunInfo&) override {
    wharf::add_replacement(example::kSrrip, example::srrip_arguments());
    wharf::add_warp_scheduler(example::kYoungestFirst);
  }
};
CATCH_REGISTER_LISTENER(AddedMembers)

}  // namespace

TEST_CASE("added members are of their families") {
  CHECK(wharf::replacement_catalogue_names().back().name == "srrip");
  CHECK(wharf::warp_scheduler_catalogue_names().back().name == "youngest_first");
}

TEST_CASE("srrip gives up the line that is expected last, and lets lines age only when one goes") {
  wharf::Replacement srrip = wharf::make_replacement("srrip:bits=2", 1, 4, 1);
  const auto victim = [&] { return srrip.victim(0, [](std::uint32_t) { return true; }); };
  for (std::uint32_t way = 0; way < 4; ++way) srrip.fill(0, way);  // 2 2 2 2
  srrip.touch(0, 0);                                               // 0 2 2 2
  CHECK(victim() == 1);
  CHECK(victim() == 1);
  srrip.fill(0, 1);  // aged by one, 1 3 3 3, and the new line: 1 2 3 3
  CHECK(victim() == 2);
  CHECK(srrip.victim(0, [](std::uint32_t way) { return way < 2; }) == 1);
  srrip.touch(0, 2);  // 1 2 0 3
  CHECK(victim() == 3);
}
