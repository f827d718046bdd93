// CU-68: a CUDA program and the C++ workload of the same algorithm make the same accesses, in about the same time.

#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

/// The first kernel of a stimulus on `private`, with all caches cold.
nlohmann::ordered_json first_kernel(const TemporaryFolder& folder, const std::string& stimulus) {
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", stimulus, "--out", "o", "--quiet"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  return read_json(folder / "o/result.json")["kernels"].at(0);
}

struct Pair {
  const char* program;
  const char* argument;
  const char* kernels;  // appended to the recording's name
  const char* workload;
  double epsilon;  // for the cycles: workloads section 4 has the figures and the reasons
};

}  // namespace

TEST_CASE("CU-68: a CUDA program makes the accesses of the workload of its algorithm, in about its cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  for (const Pair& pair :
       {Pair{"vector_addition", "65536", "", "vectoradd:n=65536", 0.05}, Pair{"transpose", "256", "", "transpose:n=256", 0.01},
        Pair{"matrix_multiplication", "128", ":multiply_tiled", "matrixmul:ha=128,wa=128,wb=128,lda=128,block=16", 0.1}}) {
    INFO(pair.program);
    REQUIRE(wharf(folder, {"cuda", kPrograms + pair.program + ".cu", "--functional", "--record", "p.wcr", "--", pair.argument}).exit_code ==
            0);
    const auto program = first_kernel(folder, std::string("cuda:p.wcr") + pair.kernels), workload = first_kernel(folder, pair.workload);
    for (const char* count : {"sm.loads", "sm.stores", "sm.shared.accesses", "sm.barriers", "l1.load.accesses", "l1.store.accesses",
                              "l1.load.hits", "l2.accesses", "dram.reads"})
      CHECK(program[count] == workload[count]);
    CHECK(program["cycles"].get<double>() == Approx(workload["cycles"].get<double>()).epsilon(pair.epsilon));
  }
}

}  // namespace wharf::cli
