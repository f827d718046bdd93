// Registers per thread: of launches, in queries of the program, and in listings.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// A kernel that keeps 90 values over a barrier, so that blocks of 1024 threads need more registers than an SM has.
const std::string kHeavy =
    "#include <cstdio>\n__global__ void heavy(float* x) {\n  float v[90], sum = 0;\n#pragma unroll\n  for (int i = 0; i < 90; ++i) v[i] = "
    "x[i];\n"
    "  __syncthreads();\n#pragma unroll\n  for (int i = 0; i < 90; ++i) sum = sum * v[i] + i;\n  x[threadIdx.x] = sum;\n}\n";

}  // namespace

TEST_CASE("CU-52: occupancy queries count the registers that a launch takes, so that a block which runs has a place") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("query.cu", kHeavy +
                              "int main() {\n  float* x;\n  int large, small;\n  cudaMalloc(&x, 4096);\n"
                              "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&large, heavy, 1024, 0);\n"
                              "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&small, heavy, 128, 0);\n  heavy<<<1, 1024>>>(x);\n"
                              "  cudaFuncAttributes of;\n  cudaFuncGetAttributes(&of, heavy);\n"
                              "  std::printf(\"at most %d threads, %zu bytes\\n\", of.maxThreadsPerBlock, of.localSizeBytes);\n"
                              "  std::printf(\"%d and %d blocks, error %d\\n\", large, small, cudaDeviceSynchronize());\n}\n");
  const Ended ended = wharf(folder, {"cuda", "query.cu", "--functional", "--config", "gpus/ampere_a100"});
  INFO(ended.output);
  CHECK_THAT(ended.output,
             Contains("kernel heavy is taken to need 64 registers per thread, the most with which its blocks of 1024 threads fit"));
  CHECK_THAT(ended.output, Contains("at most 672 threads, 0 bytes\n"));  // 21 warps of 32 x 96 registers
  CHECK_THAT(ended.output, Contains("1 and 5 blocks, error 0\n"));       // 65536 registers for 1024 x 64, and for 128 x 96
}

TEST_CASE("CU-62: inspect compiles a source with the options of --compile, and refuses them for what is compiled") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("heavy.cu", kHeavy + "int main() {}\n");
  const auto registers_with = [&folder](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"cuda", "inspect", "heavy.cu", "--format=csv"};
    words.insert(words.end(), options.begin(), options.end());
    const Ended ended = wharf(folder, words);
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    return ended.output;
  };
  CHECK_THAT(registers_with({}), Contains("heavy,heavy.cu,96,0,0,yes"));
  CHECK_THAT(registers_with({"--compile=-maxrregcount=32"}), Contains("heavy,heavy.cu,32,"));
  for (const char* file : {"heavy.ptx", "heavy.wcr"}) {
    folder.file(file, "");
    const Ended refused = wharf(folder, {"cuda", "inspect", file, "--compile=-O2"});
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.output,
               Contains(std::string("--compile applies to sources, but ") + file + " is not a source; leave --compile out"));
  }
}

TEST_CASE("CU-28: inspect and the attributes of a kernel give the local memory of its longest chain of calls") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("local.cu",
              "#include <cstdio>\n__global__ void k(int* x, int i) {\n  volatile int v[25];\n  v[i] = *x;\n  *x = v[i + 1];\n}\n"
              "int main() {\n  cudaFuncAttributes of;\n  cudaFuncGetAttributes(&of, k);\n"
              "  std::printf(\"%zu bytes\\n\", of.localSizeBytes);\n}\n");
  CHECK_THAT(wharf(folder, {"cuda", "inspect", "local.cu", "--format=csv"}).output, Contains(",0,112,yes"));  // 25 x 4, in pieces of 16
  CHECK_THAT(wharf(folder, {"cuda", "local.cu", "--functional"}).output, Contains("112 bytes\n"));
}

}  // namespace wharf::cli
