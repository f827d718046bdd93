// A stimulus exported as a trace runs as the stimulus does.

#include <catch2/catch.hpp>

#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

void check_trace(const std::string& configuration, const std::string& stimulus) {
  INFO(configuration << " " << stimulus);
  const TemporaryFolder folder;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
  };
  run({"run", configuration, "--stimulus", stimulus, "--out", "direct", "--quiet"});
  run({"trace", "export", "--stimulus", stimulus, "--config", configuration, "--out", "trace"});
  run({"run", configuration, "--trace", "trace", "--out", "traced", "--quiet"});
  const auto direct = read_json(folder / "direct/result.json"), traced = read_json(folder / "traced/result.json");
  CHECK(traced["run"]["cycles"] == direct["run"]["cycles"]);
  CHECK(traced["run"] == direct["run"]);
  CHECK(traced["kernels"].size() == direct["kernels"].size());
}

// Divergence and many kernels; barriers and repeated compute instructions; a stream; gathers; tiles of shared memory; local memory; loads past
// the L1.
TEST_CASE("a trace of private runs in the cycles of its stimulus") {
  for (const char* stimulus :
       {"bfs@tiny", "hotspot@tiny", "vectoradd@tiny", "backprop@tiny", "ray@tiny", "barnes_hut:bodies=100,sms=4,volatile=1",
        "synthetic:loads=20,ctas=80,instructions=200"})
    check_trace("private", stimulus);
}
TEST_CASE("a trace of volta_qv100 runs in the cycles of its stimulus") {
  for (const char* stimulus : {"bfs@tiny", "hotspot@tiny", "stencil@tiny", "gemm@tiny", "synthetic:loads=20,ctas=80,instructions=200"})
    check_trace("gpus/volta_qv100", stimulus);
}

}  // namespace
}  // namespace wharf::cli
