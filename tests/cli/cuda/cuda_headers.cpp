// What the headers of CUDA programs have, by programs that check themselves.

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

}  // namespace

TEST_CASE("CU-12: special functions and the overloads for float run on the device, with the right values") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/mathematics.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
}

TEST_CASE("CU-11: groups, short floats and what the language does in device code have the right results") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  for (const auto& [program, name] : {std::pair{"groups_and_halves", "groups and halves"}, {"language", "language"}}) {
    const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/" + std::string(program) + ".cu", "--functional"});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(std::string(name) + ": PASS"));
  }
}

TEST_CASE("CU-11: a tile of several warps does not compile, and the message says what is supported, while memory for one may stay") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("tiles.cu",
              "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(unsigned* out) {\n"
              "  __shared__ cg::block_tile_memory<128> memory;\n  const auto block = cg::this_thread_block(memory);\n"
              "  out[block.thread_rank()] = cg::tiled_partition<SIZE>(block).meta_group_size();\n}\n"
              "int main() {\n  unsigned* out;\n  cudaMallocManaged(&out, 512);\n  k<<<1, 128>>>(out);\n"
              "  return cudaDeviceSynchronize() + (out[127] != 4);\n}\n");
  const auto run = [&](const std::string& size) { return wharf(folder, {"cuda", "tiles.cu", "--functional", "--compile=-DSIZE=" + size}); };
  CHECK(run("32").exit_code == 0);
  const Ended large = run("64");
  CHECK(large.exit_code == 2);
  CHECK_THAT(large.output, Contains("tiles of several warps are not supported; a tile has up to 32 threads"));
}

TEST_CASE("asynchronous copies, barriers in shared memory and pipelines compute the same with and without timing, and no check complains") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = WHARF_SOURCE_DIR "/tests/cuda/programs/asynchronous.cu";
  const Ended checked = wharf(folder, {"cuda", program, "--functional", "--check", "bounds,init,race,sync"});
  INFO(checked.output);
  CHECK(checked.exit_code == 0);
  for (const char* check : {"bounds", "init", "race", "sync"}) CHECK_THAT(checked.output, Contains(std::string(check) + ": nothing found"));
  for (const std::string machine : {"private", "gpus/ampere_a100"}) {
    const Ended timed = wharf(folder, {"cuda", program, "--config", machine, "--verify"});
    INFO(timed.output);
    CHECK(timed.exit_code == 0);
    CHECK_THAT(timed.output, Contains("asynchronous: PASS"));
  }
}

TEST_CASE("CU-33: a multiplication on tensor cores is right on machines with and without clusters") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  for (const std::string machine : {"private", "gpus/hopper_h100"}) {
    const Ended timed = wharf(
        folder, {"cuda", kPrograms + "wmma_gemm.cu", "--config", machine, "--set=cuda.compute_capability=8.0", "--verify", "--", "64"});
    INFO(timed.output);
    CHECK(timed.exit_code == 0);
    CHECK_THAT(timed.output, Contains("matrix multiplication on tensor cores: PASS"));
  }
  const Ended odd = wharf(folder, {"cuda", kPrograms + "wmma_gemm.cu", "--", "100"});
  CHECK_THAT(odd.output, Contains("the size must be a multiple of 64"));
}

TEST_CASE("CU-11: atomic objects of libcu++ do what a plain loop does at every size and scope, and hand values over between blocks") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = WHARF_SOURCE_DIR "/tests/cuda/programs/typed_atomics.cu";
  for (const std::vector<std::string>& way : {std::vector<std::string>{"--functional"}, {"--config", "gpus/volta_qv100", "--verify"}}) {
    std::vector<std::string> arguments = {"cuda", program};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains("typed atomics: PASS"));
  }
}

TEST_CASE("CU-11: mma.h multiplies in every shape, type and layout, and short floats compute, compare and convert on both sides") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  // clang-format off
  for (const std::pair<std::string, std::string> run : {std::pair("matrices_and_bfloats", "8.0"), {"float16_names", "7.0"},
                                                        {"float8", "7.0"}, {"float8", "8.9"}, {"warp_matches", "7.0"}}) {
    // clang-format on
    const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/" + run.first + ".cu", "--functional", "--set",
                                       "cuda.compute_capability=" + run.second});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(": PASS"));
  }
}

TEST_CASE("CU-33: functions on two halves or four bytes of a register compute what a loop over the parts computes") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/video_functions.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("video functions: PASS"));
}

TEST_CASE("CU-19: surfaces of all shapes hold what was written, with and without timing, and no check complains") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = WHARF_SOURCE_DIR "/tests/cuda/programs/surfaces.cu";
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--functional", "--check", "bounds,init,race"}, {"--verify"}}) {
    std::vector<std::string> arguments = {"cuda", program};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains("surfaces: 0 wrong"));
  }
}

TEST_CASE("CU-19: an access outside of a surface that traps ends the run, and the message has its line, its place and the surface's size") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/surfaces.cu", "--functional", "--", "1"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("surfaces.cu:") && Contains("kernel trap, block (0,0,0) thread (0,0,0): 4 bytes at (80, 1, 0)") &&
                               Contains("it has 80 bytes in a row, 6 rows and 1 layers"));
}

TEST_CASE("CU-11: the functions for dynamic programming give on the device and on the host what plain arithmetic gives") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", WHARF_SOURCE_DIR "/tests/cuda/programs/dynamic_programming.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("0 wrong on the device, 0 on the host"));
}

TEST_CASE("CU-11: cuRAND's device functions give the published numbers, jump as far as they would step, and have the right distributions") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string programs = WHARF_SOURCE_DIR "/tests/cuda/programs/";
  const Ended numbers = wharf(folder, {"cuda", programs + "random_numbers.cu", "--functional", "--check", "bounds,init,race,sync"});
  INFO(numbers.output);
  CHECK(numbers.exit_code == 0);
  CHECK_THAT(numbers.output, Contains("random numbers: PASS") && Contains("sync: nothing found"));
  const Ended pi = wharf(folder, {"cuda", programs + "monte_carlo_pi.cu", "--config", "private", "--verify"});
  INFO(pi.output);
  CHECK(pi.exit_code == 0);
  CHECK_THAT(pi.output, Contains("pi is about 3.137: PASS"));
}

TEST_CASE(
    "lanes that begin at different sequences of random numbers stay together, and a bit of the number costs 3000 instructions at most") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("together.cu",
              "#include <curand_kernel.h>\n__global__ void k(unsigned* sum, int lanes) {\n  STATE state;\n"
              "  curand_init(1, threadIdx.x & lanes, 0, &state);\n  for (int i = 0; i < 5000; ++i) sum[threadIdx.x] += curand(&state);\n}\n"
              "int main() { unsigned* sum; cudaMalloc(&sum, 128); cudaMemset(sum, 0, 128); k<<<1, 32>>>(sum, 0); k<<<1, 32>>>(sum, 31);\n"
              "  return cudaDeviceSynchronize(); }\n");
  for (const char* state : {"curandState", "curandStatePhilox4_32_10_t", "curandStateMRG32k3a_t"}) {
    INFO(state);
    REQUIRE(wharf(folder, {"cuda", "together.cu", "--out", "o", std::string("--compile=-DSTATE=") + state}).exit_code == 0);
    const auto kernels = read_json(folder / "o/result.json")["kernels"];
    const auto warp_instructions = [&](int kernel) { return kernels.at(kernel)["warp_instructions"].get<std::int64_t>(); };
    CHECK(warp_instructions(1) - warp_instructions(0) <= 5 * 3000);
  }
}

TEST_CASE("a generator that Wharf lacks and cuRAND's host functions are refused by name, with what there is instead") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("sobol.cu", "#include <curand_kernel.h>\n__global__ void k(curandStateSobol32_t* state) {}\nint main() {}\n");
  const Ended sobol = wharf(folder, {"cuda", "sobol.cu"});
  CHECK(sobol.exit_code == 2);
  CHECK_THAT(sobol.output, Contains("sobol.cu:2:19: error: 'curandStateSobol32_t' is unavailable: Wharf does not have this generator; use "
                                    "XORWOW (curandState), Philox (curandStatePhilox4_32_10_t) or MRG32k3a (curandStateMRG32k3a_t)"));
  folder.file("host.cu", "#include <curand.h>\nint main() {}\n");
  const Ended host = wharf(folder, {"cuda", "host.cu"});
  CHECK(host.exit_code == 2);
  CHECK_THAT(host.output, Contains("curand.h belongs to cuRAND: Wharf has its device functions alone, in curand_kernel.h"));
}

TEST_CASE("LR-2: accesses take cache operators, cache policies, and the properties of pointers") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const auto name = GENERATE(as<std::string>{}, "cache_operators", "access_properties");
  const std::string program = WHARF_SOURCE_DIR "/tests/cuda/programs/" + name + ".cu";
  for (const std::vector<std::string>& run : {std::vector<std::string>{"cuda", program, "--functional", "--check", "bounds,race"},
                                              {"cuda", program, "--set", "l2.hints=true", "--verify"}}) {
    const Ended ended = wharf(folder, run);
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(": PASS"));
  }
}

TEST_CASE("a kernel that launches a kernel does not compile, and the message says what to do") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("nested.cu",
              "__global__ void k(void* child) { cudaLaunchDevice(child, cudaGetParameterBuffer(64, 8), dim3(1), dim3(32), 0, 0); }\n"
              "int main() {}\n");
  const Ended ended = wharf(folder, {"cuda", "nested.cu"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("kernels cannot launch kernels here; launch from the host"));
}

TEST_CASE("a kernel's attributes name the architecture that its code was compiled for, by which CUB chooses block sizes") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("architecture.cu",
              "#include <cstdio>\n__global__ void k(int* out) {\n#if defined(__CUDA_ARCH__)\n  *out = __CUDA_ARCH__;\n#endif\n}\n"
              "int main() { int* out; cudaMallocManaged(&out, 4); k<<<1, 1>>>(out); cudaDeviceSynchronize(); cudaFuncAttributes of_k;\n"
              "  cudaFuncGetAttributes(&of_k, k); std::printf(\"%d and %d\\n\", of_k.ptxVersion, *out); }\n");
  for (const std::string version : {"70", "80", "90"}) {
    const Ended ended = wharf(folder, {"cuda", "architecture.cu", "--functional",
                                       "--set=cuda.compute_capability=" + version.substr(0, 1) + "." + version.substr(1)});
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(version + " and " + version + "0\n"));
  }
}

TEST_CASE("CU-52: a block starts whose registers are estimated too high for an SM of 65,536, and for fewer with -maxrregcount") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  // The values live at once. An SM of `private` with 32,768 registers has 32 for each of 1024 threads, one of ampere_a100 64.
  folder.file("values.cu",
              "#include <cstdio>\n__global__ void k(float* p) {\n  float values[VALUES];\n  p += threadIdx.x;\n"
              "#pragma unroll\n  for (int i = 0; i < VALUES; ++i) values[i] = p[i * 1024];\n  __syncthreads();\n#pragma unroll\n"
              "  for (int i = 0; i < VALUES; ++i) p[i * 1024] = values[i] * values[(i + 1) % VALUES];\n}\n"
              "int main() { float* p; cudaMalloc(&p, VALUES * 4096); cudaMemset(p, 0, VALUES * 4096); k<<<1, 1024>>>(p);\n"
              "  std::puts(cudaGetErrorName(cudaDeviceSynchronize())); }\n");
  const auto run = [&](const std::string& values, const std::string& config, const std::string& option) {
    return wharf(folder, {"cuda", "values.cu", "--functional", "--config", config, "--compile=-DVALUES=" + values, "--compile=" + option})
        .output;
  };
  CHECK_THAT(run("40", "private", "-O3"), Contains("was refused: too many resources"));
  CHECK_THAT(run("40", "private", "-maxrregcount=32"), Contains("cudaSuccess") && !Contains("refused"));
  const std::string taken = "kernel k is taken to need 64 registers per thread, the most with which its blocks of 1024 threads fit an SM";
  CHECK_THAT(run("80", "gpus/ampere_a100", "-O3"), Contains("cudaSuccess") && Contains(taken) && !Contains("refused"));
  CHECK_THAT(run("80", "gpus/ampere_a100", "-maxrregcount=64"), Contains("cudaSuccess") && !Contains("registers"));
}

}  // namespace wharf::cli
