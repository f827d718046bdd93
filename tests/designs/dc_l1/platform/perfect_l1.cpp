// l1.perfect (DC-21) in every design: every load returns the data that it should find.

#include <catch2/catch.hpp>
#include <string>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

TEST_CASE("a perfect L1 hits every load that is looked up, and returns what was stored last, in every design and any order of the blocks") {
  const std::string config =
      GENERATE("private", "private_single_l1", "gpus/28sm_mesh", "gpus/volta_qv100", "remote_sharing/probes:s2", "remote_sharing/pp",
               "shared_l1/dyn_eb", "shared_l1/butterfly_shared", "dc_l1/sh40_c10_boost", "dc_l1/cdxbar", "ata", "morpheus");
  const Outcome outcome = soak(config, {"l1.perfect=true"}, 1);
  CHECK(outcome.run("l1.load.hits") > 0);
  for (const char* missed : {"l1.load.misses", "l1.load.sector_misses", "l1.load.merged"}) CHECK(outcome.run(missed) == 0);
  CHECK(outcome.run("l1.fills") == 0);
  CHECK(outcome.run("golden.checked_sectors") > 0);
}

}  // namespace
}  // namespace wharf::test
