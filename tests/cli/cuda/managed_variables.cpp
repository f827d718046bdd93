// __managed__ variables, which the host's code and kernels access as one memory.

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// Variables of each kind, which a constructor, main(), a kernel and functions of the API change.
const char* const kVariables = R"(#include <cstdio>
struct Pair { int a; float b; };
__device__ __managed__ int words[64] = {1, 2, 3};
__managed__ Pair pair = {4, 0.5f};
static __managed__ long own;
namespace inner { __device__ __managed__ unsigned char byte = 7; }
template <class T> struct Holder { static __managed__ T value; };
template <class T> __managed__ T Holder<T>::value = 20;
template <class T> __managed__ T variable = 5;
__device__ int plain = 3;
struct Early { Early() { words[1] = 30; } } early;
template <class T> __global__ void change(int* passed) {
  if (threadIdx.x == 0) { pair.a += own; pair.b *= 2; ++inner::byte; Holder<T>::value += plain; variable<T> *= 2; passed[1] += 100; }
  words[threadIdx.x + 2] += threadIdx.x;
}
int* chosen(int c) { return c ? words + 5 : &pair.a; }
int main(int count, char**) {
  words[4] = 40, own = 1000 * count;
  for (int& word : words) ++word;
  change<int><<<1, 32>>>(words);
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d; %d %g; %d %d %d; ", words[0], words[1], words[4], words[33], pair.a, pair.b, inner::byte, Holder<int>::value,
              variable<int>);
  std::printf("%d %d; ", *chosen(count), *chosen(count - 1));
  const Pair replaced = {1, 1};
  Pair read;
  void* address;
  cudaPointerAttributes attributes;
  cudaMemcpyToSymbol(pair, &replaced, sizeof replaced);
  cudaMemset(words, 0, sizeof words);
  change<int><<<1, 32>>>(words);
  cudaMemcpy(&read, &pair, sizeof read, cudaMemcpyDefault);
  cudaGetSymbolAddress(&address, words);
  cudaPointerGetAttributes(&attributes, &words[63]);
  std::printf("%d %d; %d %d\n", read.a, words[33], address == words && attributes.devicePointer == &words[63],
              attributes.type == cudaMemoryTypeManaged);
}
)";
// words[1] = 30 of the constructor + 1 + 100 of the kernel; words[4] = 40 + 1 + 2, words[33] = 0 + 1 + 31; pair.a = 4 + 1000, then 1 + 1000.
const std::string kOutput = "2 131 43 32; 1004 1; 8 23 10; 4 1004; 1001 31; 1 1\n";

}  // namespace

TEST_CASE("CU-14: managed variables of each kind are one memory for host code, kernels and calls, and a recording has the same cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("app.cu", kVariables);
  for (const char* options : {"-O3", "-O0", "-g", "-rdc=true"}) {
    const Ended ended =
        wharf(folder, {"cuda", "app.cu", "--functional", "--check=bounds,init,race,sync", "--compile=" + std::string(options)});
    INFO(options << ": " << ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(kOutput));
  }
  REQUIRE(wharf(folder, {"cuda", "app.cu", "--record", "app.wcr", "--out", "live"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:app.wcr", "--out", "replayed"}).exit_code == 0);
  const auto kernels = read_json(folder / "live/result.json")["kernels"];
  CHECK(kernels.size() == 2);
  CHECK(kernels == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-14: a managed variable of another file is one, even where host code alone uses it, and the rule of -MD names the object") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("shared values.h",
              "struct Values { int list[8]; Values* next; };\nextern __device__ __managed__ Values values;\nint sum();\n");
  folder.file("device.cu",
              "#include \"shared values.h\"\n__device__ __managed__ Values values = {{1, 2, 3}, nullptr};\n"
              "__global__ void k() { values.next->list[threadIdx.x] *= 10; }\nvoid launch() { k<<<1, 8>>>(); cudaDeviceSynchronize(); }\n");
  folder.file(
      "host.cu",
      "#include \"shared values.h\"\n#include <cstdio>\nvoid launch();\nint main() {\n  values.list[7] = 4;\n  values.next = "
      "&values;\n  launch();\n  int sum = 0;\n  for (int value : values.list) sum += value;\n  std::printf(\"sum %d\\n\", sum);\n}\n");
  for (const char* name : {"device", "host"}) {
    const Ended ended = wharf(folder, {"nvcc", "-dc", "-MD", std::string(name) + ".cu", "-o", std::string(name) + ".o"});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    std::ostringstream rule;
    rule << std::ifstream(folder / (std::string(name) + ".d")).rdbuf();
    CHECK_THAT(rule.str(), Catch::StartsWith(std::string(name) + ".o:") && Contains("shared\\ values.h"));
  }
  REQUIRE(wharf(folder, {"nvcc", "device.o", "host.o", "-o", "app"}).exit_code == 0);
  const Ended ended = wharf(folder, {"cuda", "./app", "--functional", "--check=bounds,init,race,sync"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("sum 100\n"));
}

TEST_CASE("CU-59: CTAs that race for a managed variable are found as in memory of cudaMallocManaged") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string rest = " = blockIdx.x; }\nint main() {\n  int* p = nullptr;\n";
  folder.file("variable.cu",
              "__managed__ int x;\n__global__ void k(int*) { x" + rest + "  k<<<2, 1>>>(p);\n  return cudaDeviceSynchronize();\n}\n");
  folder.file("memory.cu", "\n__global__ void k(int* x) { *x" + rest +
                               "  cudaMallocManaged(&p, 4);\n  k<<<2, 1>>>(p);\n  return cudaDeviceSynchronize();\n}\n");
  for (const char* name : {"variable", "memory"}) {
    const Ended ended = wharf(folder, {"cuda", std::string(name) + ".cu", "--functional", "--check=race"});
    INFO(ended.output);
    CHECK(ended.exit_code == 1);
    CHECK_THAT(ended.output, Contains("check race: 1 finding;") && Contains("another CTA accesses the same bytes in this kernel"));
  }
}

TEST_CASE("CU-14: a constant that holds the address of a managed variable is refused with both names") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const auto message_of = [&folder](const std::string& text) {
    folder.file("app.cu", "__managed__ int values[4];\n" + text);
    const Ended ended = wharf(folder, {"nvcc", "app.cu", "-o", "app"});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(
      message_of("namespace n { int* second = &values[1]; }\nint main() {}\n"),
      Contains("wharf nvcc: app.cu: the initial value of n::second holds the address of the __managed__ variable values, which is known "
               "when the program runs; assign it there"));
  CHECK_THAT(message_of("int main(int c, char**) { int* both[] = {values, &values[1]}; return both[c] == nullptr; }\n"),
             Contains("holds the address of the __managed__ variable values"));
}

TEST_CASE("CU-14: the host reads and writes variables in unnamed namespaces and of unnamed types, also those that kernels only write") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("app.cu", R"(#include <cstdio>
namespace { __device__ int written; __constant__ int five = 5; __managed__ float both[2]; }
__device__ struct { int a, b; } pair;
__global__ void k() { written = five + 1; pair.b = 2; both[1] = 1.5f; }
int main() {
  const int nine = 9;
  int read = 0;
  decltype(pair) copy;
  std::printf("%d ", cudaMemcpyToSymbol(five, &nine, sizeof nine));
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d %d ", cudaMemcpyFromSymbol(&read, written, sizeof read), cudaMemcpyFromSymbol(&copy, pair, sizeof copy));
  std::printf("%d %d %g\n", read, copy.b, both[1]);
}
)");
  for (const char* options : {"--compile=-O3", "--compile=-rdc=true"}) {
    const Ended ended = wharf(folder, {"cuda", "app.cu", "--functional", options});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains("0 0 0 10 2 1.5\n"));
  }
}

}  // namespace wharf::cli
