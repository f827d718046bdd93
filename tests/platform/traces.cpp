// A stimulus exported as a trace runs in the same cycles as the stimulus.

#include <algorithm>
#include <catch2/catch.hpp>

#include "stimuli/traces/trace_reader.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

/// The largest excess of a register number over its kernel's own count, over all kernels; below 0 if each has enough.
int registers_beyond_count(const std::filesystem::path& trace) {
  int beyond = -256;
  traces::TraceStimulus stimulus(trace.string());
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) {
      for (const auto& warp : stimulus.open_cta(cta)) {
        for (const WarpInstruction* next = warp->peek(); next != nullptr; next = warp->peek(), warp->advance()) {
          std::vector<RegisterId> named(next->sources.begin(), next->sources.end());
          named.push_back(next->destination);
          for (const RegisterId number : named)
            if (number != kNoRegister) beyond = std::max(beyond, int{number} - static_cast<int>(launch->registers_per_thread));
        }
      }
    }
  }
  return beyond;
}

/// Returns registers_beyond_count of the trace.
int check_trace(const std::string& configuration, const std::string& stimulus, const std::vector<std::string>& settings = {}) {
  INFO(configuration << " " << stimulus);
  const TemporaryFolder folder;
  const auto run = [&](std::vector<std::string> arguments) {
    for (const std::string& setting : settings)
      if (arguments[1] != "check") arguments.insert(arguments.end(), {"--set", setting});
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
  return registers_beyond_count(folder / "trace");
}

// Divergence and many kernels; barriers and repeated compute instructions; a stream; tiles of shared memory; loads that bypass the L1.
TEST_CASE("a trace of private runs in the cycles of its stimulus") {
  for (const char* stimulus : {"bfs@tiny", "hotspot@tiny", "vectoradd@tiny", "backprop@tiny", "barnes_hut:bodies=100,sms=4,volatile=1",
                               "synthetic:loads=20,ctas=80,instructions=200"})
    CHECK(check_trace("private", stimulus) < 0);
}
// Divergence and many kernels; shared memory, barriers and repeated compute instructions; tiles and planes of shared memory; atomics of shared
// memory; atomics of global memory, to popular words and with results; trees of sums; half warps; shared memory with bank conflicts; volatile
// loads and votes.
TEST_CASE("a trace of volta_qv100 runs in the cycles of its stimulus") {
  for (const char* stimulus : {"bfs@tiny", "hotspot@tiny", "stencil@tiny", "gemm@tiny", "synthetic:loads=20,ctas=80,instructions=200",
                               "reduction@tiny", "histogram64@tiny", "histo@tiny", "pagerank@tiny", "parboil_bfs@tiny", "matrixmul@tiny",
                               "scalar_prod@tiny", "transpose@tiny", "barnes_hut:bodies=100,sms=4,volatile=1"})
    CHECK(check_trace("gpus/volta_qv100", stimulus) < 0);
}

// Stacks whose depth differs between lanes; arrays per thread in kernels with frames of their own; CTAs that follow one another in a slot.
// A trace has offsets in a thread's stack (CM-43), and the machine lays out both.
TEST_CASE("a trace of volta_qv100 with local memory runs in the cycles of its stimulus") {
  for (const char* stimulus : {"ray@tiny", "lib@tiny"}) CHECK(check_trace("gpus/volta_qv100", stimulus) < 0);
  CHECK(check_trace("gpus/volta_qv100", "ray@tiny", {"sms=2", "sm.ctas=2"}) < 0);
}

// Twenty values that are live at once, and results that nothing reads; one bank has more of them than the others.
TEST_CASE("a trace of lbm names R51 in a kernel of 49 registers, and runs in the cycles of its stimulus") {
  CHECK(check_trace("gpus/volta_qv100", "lbm@tiny") == 51 - 49);
}

// If addresses are taken as given, all threads of a trace share one stack.
TEST_CASE("a trace of private with local memory has the instructions of its stimulus, and other addresses in local memory") {
  const TemporaryFolder folder;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return ended.output;
  };
  run({"run", "private", "--stimulus", "ray@tiny", "--out", "direct", "--quiet"});
  CHECK_THAT(run({"trace", "export", "--stimulus", "ray@tiny", "--out", "trace"}), !Catch::Matchers::Contains("warning"));
  run({"run", "private", "--trace", "trace", "--out", "traced", "--quiet"});
  const auto direct = read_json(folder / "direct/result.json")["run"], traced = read_json(folder / "traced/result.json")["run"];
  for (const char* same : {"warp_instructions", "thread_instructions", "sm.loads", "sm.stores", "sm.barriers", "sm.ctas"})
    CHECK(traced[same] == direct[same]);
  // The lines of 149 loads: spread as the stimulus places the stacks, but in the trace's single stack a load reads one line.
  CHECK(direct["l1.load.accesses"] == 891);
  CHECK(traced["l1.load.accesses"] == 149);
}

}  // namespace
}  // namespace wharf::cli
