// wharf cuda --check, --poison and --on-fault, from the user's view.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"
#include "tests/support/recorded_addition.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using test::kRecording;

/// Two warps exchange words through shared memory, with `barrier` in between.
std::string exchange(const std::string& barrier) {
  return "#include <cuda_runtime.h>\n__global__ void exchange(int* out) {\n  __shared__ int words[64];\n  words[threadIdx.x] = "
         "threadIdx.x;\n  " +
         barrier +
         "\n  out[threadIdx.x] = words[threadIdx.x ^ 32];\n}\nint main() {\n  int* out;\n  cudaMalloc(&out, 256);\n  exchange<<<1, "
         "64>>>(out);\n"
         "  return cudaDeviceSynchronize();\n}\n";
}

}  // namespace

TEST_CASE("CU-59: a race ends with exit code 1, both lines in text and result, and the cycles of a run without checks") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("race.cu", exchange(""));
  folder.file("right.cu", exchange("__syncthreads();"));
  const Ended race = wharf(folder, {"cuda", "race.cu", "--check", "bounds,init,race,sync", "--out", "checked"});
  INFO(race.output);
  CHECK(race.exit_code == 1);
  CHECK_THAT(race.output, Contains("check race: 64 findings") && Contains("kernel exchange, block (0,0,0) thread (") &&
                              Contains("race.cu:4: ") && Contains("race.cu:6: ") && Contains("check bounds: nothing found"));
  const auto checked = read_json(folder / "checked/result.json");
  const auto& found = checked["cuda"]["checks"]["race"];
  CHECK(found["findings"] == 64);
  CHECK(found["first"].at(0)["other"]["block"] == std::vector<int>{0, 0, 0});
  CHECK(checked["inputs"]["check"] == "bounds,init,race,sync");
  CHECK(wharf(folder, {"cuda", "race.cu", "--out", "plain"}).exit_code == 0);
  const auto plain = read_json(folder / "plain/result.json");
  for (const char* part : {"run", "kernels", "windows", "tables", "warnings"}) CHECK(plain[part] == checked[part]);
  const Ended right = wharf(folder, {"cuda", "right.cu", "--functional", "--check", "bounds,init,race,sync"});
  INFO(right.output);
  CHECK(right.exit_code == 0);
}

TEST_CASE("CU-59: the example programs are clean under all checks, and right with poisoned memory") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  for (const char* program : {"bfs", "histogram", "matrix_multiplication", "n_body", "persisting_window", "reduction", "scan", "spmv",
                              "stencil", "streams_and_events", "texture_filter", "transpose", "vector_addition", "wmma_gemm"}) {
    const Ended ended = wharf(folder, {"cuda", kPrograms + program + ".cu", "--functional", "--poison", "--check", "bounds,init,race,sync",
                                       "--set=cuda.compute_capability=8.0"});
    INFO(program << '\n' << ended.output);
    CHECK(ended.exit_code == 0);
  }
}

TEST_CASE("CU-59: a flag in shared memory that one thread sets is read behind the barrier, as the program has it") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("last.cu",
              "#include <cuda_runtime.h>\n__device__ unsigned counted = 0;\n__global__ void total(int* partial, int* out) {\n  __shared__ "
              "bool last;\n"
              "  if (threadIdx.x == 0) {\n    partial[blockIdx.x] = blockIdx.x;\n    __threadfence();\n    last = atomicAdd(&counted, 1) "
              "== gridDim.x - 1;\n  }\n"
              "  __syncthreads();\n  if (last) out[threadIdx.x] = partial[threadIdx.x % gridDim.x];\n}\nint main() {\n  int* p;\n  "
              "cudaMalloc(&p, 2048);\n"
              "  total<<<20, 256>>>(p, p + 256);\n  return cudaDeviceSynchronize();\n}\n");
  const Ended ended = wharf(folder, {"cuda", "last.cu", "--functional", "--check", "bounds,init,race,sync"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
}

TEST_CASE("a loop that nothing can end is reported at its line, with and without time, and as a timeout to a program that asks") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("lock.cu",
              "#include <cuda_runtime.h>\n__global__ void keep(int* lock) {\n  while (atomicCAS(lock, 0, 1) != 0) {\n  }\n}\n"
              "int main() {\n  int* lock;\n  cudaMalloc(&lock, 4);\n  keep<<<2, 64>>>(lock);\n"
              "  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 9;\n}\n");
  for (const char* mode : {"--functional", "--verify"}) {
    const Ended ended = wharf(folder, {"cuda", "lock.cu", mode});
    INFO(ended.output);
    CHECK(ended.exit_code == 1);
    CHECK_THAT(ended.output, Contains("lock.cu:3: kernel keep, block (") && Contains("the loop never ends"));
  }
  CHECK(wharf(folder, {"cuda", "lock.cu", "--functional", "--on-fault", "return"}).exit_code == 0);
}

TEST_CASE("CU-59: a recording is checked as the program is") {
  const TemporaryFolder folder;
  const Ended clean = wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--check", "init,race", "--out", "o"});
  INFO(clean.output);
  CHECK(clean.exit_code == 0);
  CHECK_THAT(clean.output, Contains("check init: nothing found") && Contains("check race: nothing found"));
  CHECK(read_json(folder / "o/result.json")["cuda"]["checks"]["race"]["findings"] == 0);
  const auto refused = [&folder](const std::vector<std::string>& arguments) {
    const Ended ended = wharf(folder, arguments);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused({"run", "private", "--stimulus", "cuda:" + kRecording, "--check", "rac"}),
             Contains("'rac' is not a check") && Contains("race"));
  CHECK_THAT(refused({"run", "private", "--stimulus", "gemm@smoke", "--check", "race"}), Contains("--check is for CUDA programs"));
  CHECK_THAT(refused({"cuda", kPrograms + "scan.cu", "--on-fault", "ignore"}), Contains("neither end nor return"));
}

TEST_CASE("CU-21: with --on-fault return the program gets the error, which stays, and goes on") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("fault.cu",
              "#include <cuda_runtime.h>\n#include <cstdio>\n__global__ void fail(int* x) { x[100000] = 1; }\nint main() {\n  int* x;\n  "
              "cudaMalloc(&x, 4);\n"
              "  fail<<<100, 256>>>(x);\n  cudaError_t first = cudaDeviceSynchronize();\n  cudaGetLastError();\n"
              "  std::printf(\"%s then %s\\n\", cudaGetErrorName(first), cudaGetErrorName(cudaMemset(x, 0, 4)));\n  return first == "
              "cudaErrorIllegalAddress ? 0 : 9;\n}\n");
  for (const char* mode : {"--functional", "--explain"}) {
    const Ended ended = wharf(folder, {"cuda", "fault.cu", mode, "--on-fault", "return"});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains("cudaErrorIllegalAddress then cudaErrorIllegalAddress") && Contains("returned to the program: ") &&
                                 Contains("fault.cu:3: kernel"));
  }
  CHECK(read_json(folder / "out/cuda/result.json")["cuda"]["faults"].size() == 1);
  CHECK(wharf(folder, {"cuda", "fault.cu", "--functional"}).exit_code == 1);
  // A recording has the error: its replay needs no option.
  REQUIRE(wharf(folder, {"cuda", "fault.cu", "--on-fault", "return", "--record", "fault.wcr", "--out", "live"}).exit_code == 0);
  const Ended replay = wharf(folder, {"run", "private", "--stimulus", "cuda:fault.wcr", "--out", "replay"});
  INFO(replay.output);
  REQUIRE(replay.exit_code == 0);
  const auto live = read_json(folder / "live/result.json"), replayed = read_json(folder / "replay/result.json");
  CHECK(replayed["cuda"]["faults"] == live["cuda"]["faults"]);
  CHECK(replayed["run"]["cycles"] == live["run"]["cycles"]);
  const Ended compared = wharf(folder, {"cuda", "fault.cu", "--on-fault", "return", "--config", "private,ata", "--out", "both"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
}

}  // namespace wharf::cli
