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
  run({"trace", "check", "trace"});
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
// Divergence and many kernels; shared memory, barriers and repeated compute instructions; tiles and planes of shared memory; atomics of shared
// memory; atomics of global memory, to popular words and with results; trees of sums; half warps; shared memory with bank conflicts.
TEST_CASE("a trace of volta_qv100 runs in the cycles of its stimulus") {
  for (const char* stimulus : {"bfs@tiny", "hotspot@tiny", "stencil@tiny", "gemm@tiny", "synthetic:loads=20,ctas=80,instructions=200",
                               "reduction@tiny", "histogram64@tiny", "histo@tiny", "pagerank@tiny", "parboil_bfs@tiny", "matrixmul@tiny",
                               "scalar_prod@tiny", "transpose@tiny"})
    check_trace("gpus/volta_qv100", stimulus);
}

// A stimulus gives addresses of local memory that are laid out already; a trace has offsets in a thread's stack, which this machine lays out
// (CM-43). So all but the place of the stacks is the same.
TEST_CASE("a trace of volta_qv100 with local memory has the instructions of its stimulus, and other addresses in local memory") {
  const TemporaryFolder folder;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return ended.output;
  };
  run({"run", "gpus/volta_qv100", "--stimulus", "ray@tiny", "--out", "direct", "--quiet"});
  CHECK_THAT(run({"trace", "export", "--stimulus", "ray@tiny", "--config", "gpus/volta_qv100", "--out", "trace"}),
             Catch::Matchers::Contains("warning: 298 accesses to local memory"));
  run({"run", "gpus/volta_qv100", "--trace", "trace", "--out", "traced", "--quiet"});
  const auto direct = read_json(folder / "direct/result.json")["run"], traced = read_json(folder / "traced/result.json")["run"];
  for (const char* same : {"warp_instructions", "thread_instructions", "sm.loads", "sm.stores", "sm.barriers", "sm.ctas"})
    CHECK(traced[same] == direct[same]);
  // Another place of the stacks, other sectors: 3775 where the stimulus puts them, 24064 where the machine takes them for offsets.
  CHECK(direct["l1.sectors.accesses"] == 3775);
  CHECK(traced["l1.sectors.accesses"] == 24064);
}

}  // namespace
}  // namespace wharf::cli
