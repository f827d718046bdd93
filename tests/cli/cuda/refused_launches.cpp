// Launches that the machine does not take, from the user's view: the program gets CUDA's error, and a warning says why.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

}  // namespace

TEST_CASE("launches that are refused are counted as warnings, in the run and in a replay, whether the program asks for the error or not") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("refused.cu",
              "__global__ void k(int* p) { *p = 1; }\nint main() { int* p; cudaMalloc(&p, 4); k<<<2, 2048>>>(p); k<<<2, 2048>>>(p); "
              "k<<<1, 32, 1 << 20>>>(p); k<<<1, 32>>>(p); return cudaDeviceSynchronize() != cudaSuccess; }\n");
  const Ended ended = wharf(folder, {"cuda", "refused.cu", "--out", "o", "--record", "r.wcr"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  const std::string threads =
      "a launch of k with 2 x 1 x 1 CTAs of 2048 x 1 x 1 threads and 0 B of dynamic shared memory was refused: "
      "invalid configuration argument: block.x is 2048; use 1 to 1024";
  CHECK_THAT(ended.output, Contains("warning: " + threads + " (2 times)"));
  CHECK_THAT(ended.output,
             Contains("32 x 1 x 1 threads and 1048576 B of dynamic shared memory was refused: invalid argument: 1024 KiB of dynamic "
                      "shared memory; use at most 48 KiB (1 time)"));
  CHECK(read_json(folder / "o/result.json")["run"]["front_end.kernels"] == 1);
  const std::string replayed = wharf(folder, {"run", "private", "--stimulus", "cuda:r.wcr"}).output, refused = " was refused";
  const std::size_t at = threads.find(refused) + refused.size();
  CHECK_THAT(replayed, Contains("warning: " + threads.substr(0, at) + " when it was recorded" + threads.substr(at) + " (2 times)"));
  // Of programs that end for that reason, and that launch nothing else.
  const std::string begin = "__global__ void k(int* p) { *p = 1; }\nint main() { k<<<2, 2048>>>(nullptr); ";
  folder.file("checks.cu", begin + "if (cudaGetLastError() != cudaSuccess) return 3; }\n");
  folder.file("only.cu", begin + "}\n");
  for (const char* program : {"checks.cu", "only.cu"})
    for (const char* mode : {"--functional", "--verify"}) {
      INFO(program << ' ' << mode);
      CHECK_THAT(wharf(folder, {"cuda", program, mode}).output, Contains("warning: a launch of k with 2 x 1 x 1 CTAs of 2048"));
    }
  CHECK_THAT(wharf(folder, {"cuda", "only.cu"}).output,
             Contains("only.cu: its only launch was refused, so nothing was measured; the warnings name the reasons and the remedies\n"));
  folder.file("twice.cu", begin + "k<<<0, 1>>>(nullptr); }\n");
  CHECK_THAT(wharf(folder, {"cuda", "twice.cu"}).output, Contains("twice.cu: all 2 launches were refused") && !Contains("--functional"));
}

TEST_CASE("kernels with __cluster_dims__ that do not fit are refused with CUDA's error, and the program goes on, on each machine") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("dims.cu", R"(#include <cstdio>
__global__ void __cluster_dims__(4, 1, 1) k() {}
__global__ void __cluster_dims__(16, 1, 1) large() {}
void report(const char* what) { std::printf("%s %d\n", what, cudaGetLastError()); }
int main() {
  void* none[] = {nullptr};
  k<<<8, 32>>>();
  report("whole");
  k<<<6, 32>>>();
  report("parts");
  large<<<16, 32>>>();
  report("large");
  cudaLaunchCooperativeKernel(k, 8, 32, none);
  report("cooperative");
  cudaLaunchCooperativeKernel(k, 4300, 32, none);
  report("too many");
  cudaFuncSetAttribute(k, cudaFuncAttributeRequiredClusterWidth, 2);
  report("set width");
  cudaLaunchAttribute two = {};
  two.id = cudaLaunchAttributeClusterDimension;
  two.val.clusterDim.x = 2, two.val.clusterDim.y = 1, two.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8, config.blockDim = 32, config.attrs = &two, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, k);
  report("another");
  config.numAttrs = 0;
  int clusters = -1, ctas = -1;
  cudaOccupancyMaxActiveClusters(&clusters, k, &config);
  report("occupancy");
  cudaOccupancyMaxPotentialClusterSize(&ctas, k, &config);
  std::printf("%d clusters of %d\n", clusters, ctas);
}
)");
  const auto run_on = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"cuda", "dims.cu"};
    all.insert(all.end(), words.begin(), words.end());
    const Ended ended = wharf(folder, all);
    CHECK(ended.exit_code == 0);
    return ended.output;
  };
  // 132 SMs hold 32 CTAs each, so 1056 clusters of 4.
  const std::string with =
      "whole 0\nparts 912\nlarge 912\ncooperative 0\ntoo many 720\nset width 800\nanother 912\noccupancy 0\n1056 clusters of 4\n";
  const std::string h100 = run_on({"--config", "cluster/h100"});
  CHECK_THAT(h100,
             Contains(with) && Contains("a launch of k with 6 x 1 x 1 CTAs of 32 x 1 x 1 threads and 0 B of dynamic shared memory was "
                                        "refused: cluster misconfiguration: clusters of 4 x 1 x 1 CTAs do not divide the grid of "
                                        "6 x 1 x 1; make each side of the grid a multiple of the cluster's"));
  CHECK_THAT(h100, Contains("clusters of 16 x 1 x 1 CTAs; use 1 to 8, or with cudaFuncAttributeNonPortableClusterSizeAllowed to 16") &&
                       Contains("the GPU holds 4224 at a time, 32 per SM") &&
                       Contains("clusters of 2 x 1 x 1 CTAs where the kernel requires 4 x 1 x 1"));
  CHECK_THAT(run_on({"--config", "cluster/h100", "--functional"}), Contains(with));
  const std::string elsewhere = run_on({"--functional"});
  CHECK_THAT(elsewhere,
             Contains("whole 801\nparts 801\nlarge 801\ncooperative 801\ntoo many 801\nset width 800\nanother 912\noccupancy 801\n"));
  CHECK_THAT(elsewhere, Contains("choose such a machine, as cluster/h100 is"));
  CHECK_THAT(run_on({"--config", "cluster/h100", "--set", "front_end.nonportable_clusters=false"}),
             Contains("clusters of 16 x 1 x 1 CTAs; use 1 to 8 (1 time)"));
}

TEST_CASE("a cluster that fits no group of SMs is refused, and fits where its blocks may share an SM") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("wide.cu",
              "#include <cstdio>\n__global__ void __cluster_dims__(8, 1, 1) k() {}\n"
              "int main() { k<<<8, 32>>>(); std::printf(\"error %d\\n\", cudaGetLastError()); }\n");
  const auto run_on = [&](const std::string& policy) {
    return wharf(folder, {"cuda", "wide.cu", "--set", "platform=cluster", "--set", "network.peer=cluster", "--set",
                          "cuda.compute_capability=9.0", "--set", "sms=4", "--set", "front_end.cluster_policy=" + policy, "--functional"})
        .output;
  };
  CHECK_THAT(run_on("spread"), Contains("error 912") && Contains("clusters of 8 CTAs fit no GPC; the largest has 4 SMs with one CTA of a "
                                                                 "cluster each; use smaller clusters"));
  CHECK_THAT(run_on("pack"), Contains("error 0"));
}

}  // namespace wharf::cli
