// CU-68: a CUDA program and the workload of the same algorithm, written in C++, make the same accesses, in about the same time.

#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

/// The first kernel of a stimulus on `private`, when all caches are cold.
nlohmann::ordered_json first_kernel(const TemporaryFolder& folder, const std::string& stimulus) {
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", stimulus, "--out", "o", "--quiet"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  return read_json(folder / "o/result.json")["kernels"].at(0);
}

struct Pair {
  const char* program;
  const char* argument;
  const char* workload;
};

}  // namespace

TEST_CASE("CU-68: a CUDA program makes the accesses of the workload of its algorithm, within a twentieth of its cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  for (const Pair& pair : {Pair{"vector_addition", "65536", "vectoradd:n=65536"}, Pair{"transpose", "256", "transpose:n=256"}}) {
    INFO(pair.program);
    REQUIRE(wharf(folder, {"cuda", kPrograms + pair.program + ".cu", "--functional", "--record", "p.wcr", "--", pair.argument}).exit_code == 0);
    const auto program = first_kernel(folder, "cuda:p.wcr"), workload = first_kernel(folder, pair.workload);
    for (const char* count : {"sm.loads", "sm.stores", "l1.load.accesses", "l1.store.accesses", "l1.load.hits", "l2.accesses", "dram.reads"})
      CHECK(program[count] == workload[count]);
    CHECK(program["cycles"].get<double>() == Approx(workload["cycles"].get<double>()).epsilon(0.05));
  }
}

}  // namespace wharf::cli
