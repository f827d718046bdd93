// Sampled runs of kernels in thread-block clusters.

#include "tests/cli/runs/sampled_run.h"

namespace wharf::cli {

TEST_CASE("a long launch in clusters runs in part, and its traffic and work are those of the whole launch") {
  const TemporaryFolder folder;
  constexpr const char* kClusters = "cluster_reduction:elements=1048576,ctas=4096,cluster=8";
  const std::vector<std::string> options = {"--set", "sm.ctas=1", "--verify"};
  const Json whole = run(folder, options, kClusters, "cluster/h100")["run"];
  const Json result = run(folder, with(options, {"--sample", "2"}), kClusters, "cluster/h100"), sampled = result["sampled"];
  CHECK(sampled["launches_in_part"] == 1);
  CHECK(result["kernels"][0]["spans"]["ctas"] == 8 * (2 + 2) * 4);  // of GPCs of 16 and 18 SMs, each holds two clusters of 8
  CHECK(sampled["detailed_size"].get<double>() < 0.4 * sampled["size"].get<double>());
  for (const char* work : {"warp_instructions", "front_end.ctas"})
    CHECK(value(sampled["metrics"][work], "estimate") == Approx(whole[work].get<double>()).epsilon(1e-9));
  for (const char* traffic : {"l2.sectors.misses", "dram.reads"})
    CHECK(value(sampled["metrics"][traffic], "estimate") == Approx(whole[traffic].get<double>()).epsilon(0.01));
  const Json& cycles = sampled["metrics"]["cycles"];
  CHECK(value(cycles, "low") <= whole["cycles"].get<double>());
  CHECK(value(cycles, "high") >= whole["cycles"].get<double>());
}

}  // namespace wharf::cli
