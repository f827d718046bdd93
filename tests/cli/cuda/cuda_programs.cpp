// wharf cuda and wharf nvcc, from the user's view. Without clang, only the refusals are tested.

#include <catch2/catch.hpp>
#include <filesystem>
#include <tuple>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// One thread writes 1 to `place`, then executes `end`.
std::string program_text(const std::string& place, const std::string& end) {
  return "#include <cstdlib>\n__global__ void one(int* x) { " + place +
         " = 1; }\nint main() {\n  int* x;\n  cudaMalloc(&x, 4);\n  one<<<1, 1>>>(x);\n" + "  cudaDeviceSynchronize();\n" + end + "\n}\n";
}

}  // namespace

TEST_CASE("CU-13: a source is compiled and run, and the program's output comes first, then the result") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", kPrograms + "vector_addition.cu", "--out", "o", "--verify", "--", "1000"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(ended.output.find("vector addition:") < ended.output.find("private, program:"));
  const auto result = read_json(folder / "o/result.json");
  CHECK(result["cuda"]["exit_code"] == 0);
  CHECK(result["cuda"]["kernels"].at(0)["grid"] == std::vector<int>{4, 1, 1});
  CHECK(result["inputs"]["program_hash"].get<std::string>().size() == 16);
}

TEST_CASE("CU-15: a recording has the cycles of the run that has made it") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"cuda", kPrograms + "transpose.cu", "--out", "live", "--record", "t.wcr", "--", "64"}).exit_code == 0);
  const Ended replayed = wharf(folder, {"run", "private", "--stimulus", "cuda:t.wcr", "--out", "replayed"});
  INFO(replayed.output);
  REQUIRE(replayed.exit_code == 0);
  CHECK(read_json(folder / "live/result.json")["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-15: with several configurations a program runs once and is compared by its recording") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", kPrograms + "vector_addition.cu", "--config", "private,ata", "--out", "o", "--", "1000"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(ended.output.find("vector addition:") == ended.output.rfind("vector addition:"));
  CHECK(fs::exists(folder / "o/vector_addition.wcr"));
  CHECK(fs::exists(folder / "o/report.html"));
  CHECK(read_json(folder / "o/compare.json").dump().find("ata") != std::string::npos);
}

TEST_CASE("CU-23: cuda.memory_mib and cuda.compute_capability are what a program reads of its device") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("limits.cu",
              "#include <cstdio>\nint main() {\n  cudaDeviceProp p;\n  cudaGetDeviceProperties(&p, 0);\n"
              "  std::printf(\"%d.%d, %zu MiB\\n\", p.major, p.minor, p.totalGlobalMem >> 20);\n}\n");
  const Ended ended =
      wharf(folder, {"cuda", "limits.cu", "--functional", "--set", "cuda.memory_mib=640", "--set", "cuda.compute_capability=8.6"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("8.6, 640 MiB"));
}

TEST_CASE("device code sees the compute capability of the GPU, or that of -arch, as __CUDA_ARCH__") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("arch.cu",
              "#include <cstdio>\n__global__ void k() {\n#if __CUDA_ARCH__ >= 800\n"
              "  printf(\"lane %d: sum %d\\n\", threadIdx.x, __reduce_add_sync(0xffffffffu, int(threadIdx.x)));\n#else\n"
              "  printf(\"old\\n\");\n#endif\n}\nint main() { k<<<1, 32>>>(); cudaDeviceSynchronize(); }\n");
  const auto output = [&folder](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"cuda", "arch.cu", "--functional"});
    return wharf(folder, arguments).output;
  };
  CHECK_THAT(output({}), Contains("old"));
  CHECK_THAT(output({"--config", "gpus/hopper_h100"}), Contains("lane 31: sum 496"));
  CHECK_THAT(output({"--config", "gpus/hopper_h100", "--compile=-arch=sm_70"}), Contains("old"));
  CHECK_THAT(output({"--compile=-arch=sm_90a"}), Contains("lane 0: sum 496"));
  CHECK_THAT(output({"--compile=-arch=all"}), Contains("-arch all has no effect") && Contains("old"));
}

TEST_CASE("LR-3: a program's window keeps its table in L2 while a stream passes, under a limit, and a recording has the same cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::vector<std::string> hints = {"--set", "l2.slice_kib=32", "--set", "l2.hints=true", "--set", "l2.persisting_fraction=0.5"};
  const auto run_with = [&](std::vector<std::string> words, const std::string& out) {
    words.insert(words.begin() + 3, {"--out", out, "--verify"});
    words.insert(words.begin() + 3, hints.begin(), hints.end());
    const Ended ended = wharf(folder, words);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return ended.output;
  };
  const std::string program = kPrograms + "persisting_window.cu";
  const std::string kept = run_with({"cuda", program, "--record=w.wcr", "--", "512", "4096"}, "kept"),
                    idle = run_with({"cuda", program, "--record=i.wcr", "--", "512", "4096", "0"}, "idle");
  CHECK_THAT(kept, Contains("L2 keeps up to 524288 bytes of the table") && !Contains("window has no effect"));
  CHECK_THAT(idle, Contains("window has no effect") && Contains("cudaLimitPersistingL2CacheSize"));
  const auto of_run = [&](const std::string& out, const char* metric) {
    return read_json(folder / out / "result.json")["run"][metric].get<double>();
  };
  CHECK(of_run("kept", "l2.misses") < 0.9 * of_run("idle", "l2.misses"));
  CHECK(of_run("kept", "l2.persisting.misses") == 4096);  // each row once
  run_with({"run", "private", "--stimulus=cuda:w.wcr"}, "replayed");
  const auto kernels = [&](const std::string& out) { return read_json(folder / out / "result.json")["kernels"]; };
  CHECK(kernels("replayed") == kernels("kept"));
}

TEST_CASE("LR-2: pointers with properties keep a table in the L2 of an H100 while a stream passes") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const auto misses = [&](const char* percent, const char* annotates) {
    const Ended ended =
        wharf(folder, {"cuda", kPrograms + "persisting_window.cu", "--config", "gpus/hopper_h100", "--set", "l2.slice_kib=20", "--set",
                       "l2.hints=true", "--set", "l2.persisting_fraction=0.5", "--verify", "--", "512", "4096", percent, annotates});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / "out/cuda/result.json")["run"]["l2.misses"].get<double>();
  };
  CHECK(misses("100", "1") < 0.9 * misses("0", "0"));
}

TEST_CASE("CU-24: cudaLaunchKernelEx starts clusters where the machine and its compute capability have them, and fails elsewhere") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file(
      "clusters.cu",
      "#include <cstdio>\n__global__ void one(int* x) { x[blockIdx.x] = 1; }\nint main() {\n  int* x;\n  cudaMalloc(&x, 64);\n"
      "  cudaLaunchAttribute two = {};\n  two.id = cudaLaunchAttributeClusterDimension;\n"
      "  two.val.clusterDim.x = 2, two.val.clusterDim.y = 1, two.val.clusterDim.z = 1;\n"
      "  cudaLaunchConfig_t config = {};\n  config.gridDim = 4, config.blockDim = 32;\n  config.attrs = &two, config.numAttrs = 1;\n"
      "  std::printf(\"error %d\\n\", cudaLaunchKernelEx(&config, one, x));\n}\n");
  const auto run_on = [&](const std::string& config, const std::string& capability) {
    return wharf(folder, {"cuda", "clusters.cu", "--config", config, "--set", "cuda.compute_capability=" + capability, "--out", "o"})
        .output;
  };
  CHECK_THAT(run_on("cluster/h100", "9.0"), Contains("error 0\n"));
  CHECK_THAT(run_on("cluster/h100", "8.0"), Contains("error 801\n"));
  CHECK_THAT(run_on("private", "9.0"), Contains("error 801\n"));
}

TEST_CASE(
    "a program whose blocks count in each other's shared memory is right on a GPU with clusters, and its recording has the same cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = kPrograms + "cluster_histogram.cu";
  const Ended live = wharf(
      folder, {"cuda", program, "--config", "cluster/h100", "--verify", "--record", "c.wcr", "--out", "live", "--", "8192", "256", "4"});
  INFO(live.output);
  REQUIRE(live.exit_code == 0);
  CHECK_THAT(live.output, Contains("cluster histogram: PASS"));
  REQUIRE(wharf(folder, {"run", "cluster/h100", "--stimulus", "cuda:c.wcr", "--verify", "--out", "replayed"}).exit_code == 0);
  CHECK(read_json(folder / "live/result.json")["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
  const Ended checked =
      wharf(folder, {"cuda", program, "--config", "cluster/h100", "--functional", "--check", "init,race", "--", "8192", "256", "4"});
  CHECK(checked.exit_code == 0);
  CHECK_THAT(checked.output, Contains("init: nothing found") && Contains("race: nothing found"));
  const Ended elsewhere = wharf(folder, {"run", "private", "--stimulus", "cuda:c.wcr", "--out", "o"});
  CHECK(elsewhere.exit_code == 2);
  CHECK_THAT(elsewhere.output, Contains("clusters of 4 CTAs need SMs that share their memory; set platform: cluster"));
}

TEST_CASE("a kernel with __cluster_dims__ runs in clusters of that size where it is launched without attributes") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("dims.cu",
              "#include <cooperative_groups.h>\n#include <cstdio>\nconstexpr int kSize = 4;\n"
              "__global__ void __cluster_dims__(kSize, 1, 1) k() {\n"
              "  if (threadIdx.x == 0) printf(\"rank %u of %u\\n\", cooperative_groups::this_cluster().block_rank(),\n"
              "                               cooperative_groups::this_cluster().num_blocks());\n}\n"
              "int main() { k<<<8, 32>>>(); return cudaDeviceSynchronize(); }\n");
  const Ended ended = wharf(folder, {"cuda", "dims.cu", "--config", "cluster/h100", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("rank 0 of 4") && Contains("rank 3 of 4") && !Contains("rank 4"));
}

TEST_CASE("the blocks of a cooperative launch meet, live and replayed, and a GPU that does not hold them all refuses it") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = kPrograms + "persistent_stencil.cu";
  const Ended live = wharf(folder, {"cuda", program, "--verify", "--record", "p.wcr", "--out", "live", "--", "64", "64", "3"});
  INFO(live.output);
  REQUIRE(live.exit_code == 0);
  CHECK_THAT(live.output, Contains("persistent stencil: PASS"));
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:p.wcr", "--verify", "--out", "replayed"}).exit_code == 0);
  CHECK(read_json(folder / "live/result.json")["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
  const Ended checked = wharf(folder, {"cuda", program, "--functional", "--check", "init,race", "--", "64", "64", "3"});
  CHECK(checked.exit_code == 0);
  CHECK_THAT(checked.output, Contains("PASS") && Contains("init: nothing found") && Contains("race: nothing found"));
  const Ended small = wharf(folder, {"run", "private", "--stimulus", "cuda:p.wcr", "--set", "sms=14", "--set", "sm.ctas=2", "--out", "o"});
  CHECK(small.exit_code == 2);
  CHECK_THAT(small.output,
             Contains("a cooperative launch of 320 CTAs, of which the GPU holds 28 at a time; launch fewer, or run it on a machine"));
}

TEST_CASE("a grid that is not launched cooperatively says so, and its barrier ends the program") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("alone.cu",
              "#include <cooperative_groups.h>\n#include <cstdio>\n"
              "__global__ void k() {\n  const auto grid = cooperative_groups::this_grid();\n"
              "  if (grid.thread_rank() == 0) printf(\"valid %d\\n\", grid.is_valid());\n  grid.sync();\n}\n"
              "int main() { k<<<2, 32>>>(); return cudaDeviceSynchronize(); }\n");
  const Ended ended = wharf(folder, {"cuda", "alone.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code != 0);
  CHECK_THAT(ended.output, Contains("kernel k, block (0,0,0) thread (0,0,0): trap: this_grid() cannot synchronise") &&
                               Contains("launch k with cudaLaunchCooperativeKernel"));
  folder.file("trap.cu", "__global__ void k() { __trap(); }\nint main() { k<<<2, 32>>>(); return cudaDeviceSynchronize(); }\n");
  CHECK_THAT(wharf(folder, {"cuda", "trap.cu", "--functional"}).output, Contains("thread (0,0,0): trap: the program ends itself\n"));
}

TEST_CASE("CU-57: the kernels that --only, --skip or --sample select are timed as in the recording, and the others executed without time") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file(
      "three.cu",
      "#include <cstdio>\n__global__ void one(int* x) { x[threadIdx.x] += 1; }\n__global__ void two(int* x) { x[threadIdx.x] *= 2; }\n"
      "int main() {\n  int* x;\n  int y[32];\n  cudaMalloc(&x, sizeof y);\n  cudaMemset(x, 0, sizeof y);\n  one<<<1, 32>>>(x);\n"
      "  two<<<1, 32>>>(x);\n  one<<<1, 32>>>(x);\n  cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);\n"
      "  std::printf(\"result %d\\n\", y[31]);\n  return 0;\n}\n");
  REQUIRE(wharf(folder, {"nvcc", "-o", "three", "three.cu"}).exit_code == 0);
  const Ended live = wharf(folder, {"cuda", "./three", "--only", "two", "--record", "three.wcr", "--out", "live"});
  INFO(live.output);
  REQUIRE(live.exit_code == 0);
  CHECK_THAT(live.output, Contains("result 3") && Contains("a kernel that is not selected was executed without timing"));
  CHECK(read_json(folder / "live/result.json")["cuda"]["untimed_launches"] == 2);
  CHECK(read_json(folder / "live/result.json")["inputs"]["stimulus"] == "program:./three:two");
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:three.wcr:2", "--out", "replayed"}).exit_code == 0);
  CHECK(read_json(folder / "live/result.json")["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
  for (const auto& [option, value, kernels] :
       {std::tuple{"--skip", "1", 2u}, std::tuple{"--sample", "1/2", 2u}, std::tuple{"--only", "3:warm", 1u}}) {
    REQUIRE(wharf(folder, {"cuda", "./three", option, value, "--out", "o"}).exit_code == 0);
    CHECK(read_json(folder / "o/result.json")["kernels"].size() == kernels);
  }
  const auto refused = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"cuda", "./three"});
    const Ended ended = wharf(folder, options);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused({"--only", "4"}), Contains("there is no kernel 4; the list has the kernels 1 to 3"));
  CHECK_THAT(refused({"--only", "tow"}), Contains("none of the 3 kernels has a name like 'tow'"));
  CHECK_THAT(refused({"--only", "3-2"}), Contains("3-2 runs backwards"));
  CHECK_THAT(refused({"--sample", "3"}), Contains("'3' is not a sample; write, for example, 1/10"));
  CHECK_THAT(refused({"--skip", "1", "--only", "2"}), Contains("each selects the kernels that are timed; give one"));
  CHECK_THAT(refused({"--functional", "--only", "2"}),
             Contains("--functional does not time any kernel; leave out --only, --skip and --sample"));
  CHECK_THAT(refused({"--explain", "--only", "2:warm"}), Contains("leave out :warm"));
}

TEST_CASE("CU-23: with several configurations a line says whose grids the program has, where the numbers of SMs differ") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("few.yaml", "extends: private\nsms: 4\n");
  folder.file("same.yaml", "extends: private\nl1: {ways: 8}\n");
  const Ended few =
      wharf(folder, {"cuda", kPrograms + "vector_addition.cu", "--config", "private,few.yaml", "--skip", "0", "--out", "o", "--", "1000"});
  INFO(few.output);
  CHECK(few.exit_code == 0);
  CHECK_THAT(few.output, Contains(" SMs of private, but these configurations have other numbers of SMs: 4 of few.yaml") &&
                             Contains("vector_addition.wcr:1-"));
  const Ended equal =
      wharf(folder, {"cuda", kPrograms + "vector_addition.cu", "--config", "private,same.yaml", "--out", "p", "--", "1000"});
  CHECK_THAT(equal.output, !Contains("the program chose its grids"));
}

TEST_CASE("with --functional a program executes without timing and without a result") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"cuda", kPrograms + "reduction.cu", "--functional", "--", "1000"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("warp instructions, without timing"));
  CHECK_FALSE(fs::exists(folder / "out/cuda/result.json"));
}

TEST_CASE("CU-58: a functional run prints the warnings of its kernels") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("beside.cu", program_text("x[0] = x[-1] + 1; __threadfence(); *x", "  return 0;"));
  const Ended ended = wharf(folder, {"cuda", "beside.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("warning: ") && Contains("beside.cu:2: kernel one loads bytes") && Contains("(1 time)"));
}

TEST_CASE("CU-63: a program's own exit code is in the result, and Wharf's is 1") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("three.cu", program_text("*x", "  return 3;"));
  const Ended ended = wharf(folder, {"cuda", "three.cu", "--out", "o"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("ended with exit code 3"));
  CHECK(read_json(folder / "o/result.json")["cuda"]["exit_code"] == 3);
  CHECK(wharf(folder, {"cuda", "three.cu", "--functional"}).exit_code == 1);
  folder.file("minus.cu", program_text("*x", "  return -1;"));
  CHECK_THAT(wharf(folder, {"cuda", "minus.cu", "--functional"}).output, Contains("ended with exit code 255"));
}

TEST_CASE("CU-13: a program that crashes ends the run with what was measured") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("crash.cu", program_text("*x", "  std::abort();"));
  const Ended ended = wharf(folder, {"cuda", "crash.cu", "--out", "o"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("was ended by signal 6 (Aborted)"));
  CHECK(read_json(folder / "o/result.json")["cuda"]["exit_code"] == 134);
}

TEST_CASE("CU-58: an access outside is named with the source line, the thread and the allocation") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("outside.cu", program_text("x[1000]", "  return 0;"));
  const Ended ended = wharf(folder, {"cuda", "outside.cu"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("outside.cu:2: kernel") && Contains("block (0,0,0) thread (0,0,0): global store of 4 bytes at") &&
                               Contains("allocation 1 (cudaMalloc of 4 bytes)"));
}

TEST_CASE("CU-28: recursion takes the stack that the program asks for, and a full stack names function, size and remedy") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("deep.cu", R"(#include <cstdio>
#include <cstdlib>
__device__ __noinline__ int sum(int n, const int* x) {
  int a[8];
  for (int i = 0; i < 8; ++i) a[i] = x[i] + n;
  return n == 0 ? 0 : a[x[0]] + sum(n - 1, x);
}
__global__ void k(int* x, int n) { x[8] = sum(n, x); }
int main(int, char** words) {
  int *x, result = 0;
  cudaMalloc(&x, 36);
  cudaMemset(x, 0, 36);
  cudaDeviceSetLimit(cudaLimitStackSize, std::atoi(words[1]));
  k<<<1, 1>>>(x, 100);
  cudaMemcpy(&result, x + 8, 4, cudaMemcpyDeviceToHost);
  std::printf("sum %d\n", result);
}
)");
  const Ended full = wharf(folder, {"cuda", "deep.cu", "--functional", "--", "2048"});
  CHECK(full.exit_code == 1);
  CHECK_THAT(full.output,
             Contains("kernel k, block (0,0,0) thread (0,0,0): the stack of 2048 bytes is full in function sum; recurse less, or "
                      "raise cudaLimitStackSize by cudaDeviceSetLimit"));
  CHECK_THAT(wharf(folder, {"cuda", "deep.cu", "--functional", "--", "65536"}).output, Contains("sum 5050\n"));
}

TEST_CASE("what a program has written before a kernel fails is not lost where its output is no terminal") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("lost.cu",
              "#include <cstdio>\n__global__ void k(int* p) { p[1 << 28] = 1; }\nint main() { int* p; cudaMalloc(&p, 64); "
              "std::puts(\"before the kernel\"); k<<<1, 1>>>(p); cudaDeviceSynchronize(); std::puts(\"behind\"); }\n");
  const Ended ended = wharf(folder, {"cuda", "lost.cu", "--functional"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("before the kernel") && Contains("global store of 4 bytes") && !Contains("behind"));
}

TEST_CASE("sources that do not compile, and programs that call what is not supported, are bad input") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("wrong.cu", "int main() { return nothing; }\n");
  const Ended wrong = wharf(folder, {"cuda", "wrong.cu"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, Contains("wrong.cu:1:") && Contains("wrong.cu: does not compile"));
  folder.file("sorts.cu", "#include <thrust_of_nobody/sort.h>\n#include <cublas_v2.h>\n#include \"cublasXt.h\"\nint main() {}\n");
  const Ended sorts = wharf(folder, {"cuda", "sorts.cu"});
  CHECK(sorts.exit_code == 2);
  CHECK_THAT(sorts.output, Contains("sorts.cu:1:10: fatal error: 'thrust_of_nobody/sort.h' file not found"));
  CHECK_THAT(sorts.output, Contains("wharf: sorts.cu: cublas_v2.h belongs to cuBLAS: ") && !Contains("cublasXt.h belongs"));
  folder.file("idle.cu", "int main() { return 0; }\n");
  const Ended idle = wharf(folder, {"cuda", "idle.cu"});
  CHECK(idle.exit_code == 2);
  CHECK_THAT(idle.output, Contains("launched no kernel"));
}

TEST_CASE("CU-62: wharf nvcc compiles in steps as a Makefile asks, and the program runs") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const Ended compiled =
      wharf(folder, {"nvcc", "-O3", "-arch=sm_70", "-Xptxas", "-v", "-c", "-o", "v.o", kPrograms + "vector_addition.cu"});
  INFO(compiled.output);
  REQUIRE(compiled.exit_code == 0);
  CHECK_THAT(compiled.output, Contains("ptxas info    : Used"));
  REQUIRE(wharf(folder, {"nvcc", "-o", "v", "v.o"}).exit_code == 0);
  CHECK(wharf(folder, {"cuda", "./v", "--", "1000"}).exit_code == 0);
  const Ended listed = wharf(folder, {"cuda", "inspect", "v"});
  CHECK(listed.exit_code == 0);
  CHECK_THAT(listed.output, Contains("add") && Contains("yes"));
  const Ended refused = wharf(folder, {"nvcc", "--no-such-option", "v.o"});
  CHECK(refused.exit_code == 2);
}

TEST_CASE("missing and wrong arguments are reported before anything runs") {
  const TemporaryFolder folder;
  const auto refused = [&folder](const std::vector<std::string>& arguments) {
    const Ended ended = wharf(folder, arguments);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused({"cuda"}), Contains("name a program or its .cu files"));
  CHECK_THAT(refused({"cuda", "none.cu"}), Contains("none.cu: there is no such file"));
  folder.file("a.cu", program_text("*x", "  return 0;"));
  CHECK_THAT(refused({"cuda", "a.cu", "--config", "nonsense"}), Contains("nonsense"));
  CHECK_THAT(refused({"cuda", "a.cu", "--config", "private,ata", "--functional"}), Contains("--functional"));
  CHECK_THAT(refused({"cuda", "--channel", "77,78"}), Contains("77,78 does not name open descriptors"));
  CHECK_THAT(refused({"cuda", built_program(), "4096"}), Contains("write the program's own arguments after --"));
  const Ended dry = wharf(folder, {"cuda", "a.cu", "--dry-run", "--", "--dry-run"});
  CHECK(dry.exit_code == 0);
  CHECK_THAT(dry.output, Contains("nothing was run"));
  Program without_clang(folder, {"PATH=/nonexistent", built_program(), "cuda", "a.cu"}, "/usr/bin/env");
  const Ended missing = without_clang.wait();
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.output, Contains("install it with: apt-get install clang"));
}

}  // namespace wharf::cli
