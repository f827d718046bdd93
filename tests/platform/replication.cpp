// private and its two idealisations, with which `compare` shows the cost of replication (dc_l1 section 8).

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

Outcome run_gemm(const std::string& configuration) {
  const Outcome outcome = run_apart(
      machine(configuration), [] { return cli::open_named_stimulus("gemm@tiny", 1); }, checked());
  INFO(configuration << " " << outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

TEST_CASE("one L1 for all SMs has no replicas, and misses no more than private L1s or larger ones do") {
  const Outcome own = run_gemm("private"), single = run_gemm("private_single_l1"), larger = run_gemm("private_16x_l1");
  CHECK(own.ratio("inter_core_locality") > 0.0);
  CHECK(single.run("l1.load.misses_held_elsewhere") == 0);
  CHECK(single.ratio("inter_core_locality") == 0.0);
  CHECK(single.ratio("l1.miss_rate") <= own.ratio("l1.miss_rate"));
  CHECK(larger.ratio("l1.miss_rate") <= own.ratio("l1.miss_rate"));
  CHECK(single.ratio("l1.miss_rate") < larger.ratio("l1.miss_rate"));
  // All runs do the same work.
  CHECK(single.run("thread_instructions") == own.run("thread_instructions"));
  CHECK(larger.run("thread_instructions") == own.run("thread_instructions"));
}

}  // namespace
}  // namespace wharf::test
