// Device code in several files, compiled with -dc or -rdc=true and linked (CU-6).

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// Both files have kernels, a template kernel, and a private function and a private variable of the same names. a.cu uses definitions of
/// b.cu.
void write_sources(const TemporaryFolder& folder) {
  folder.file("common.h",
              "template <class T>\n__global__ void fill(T* x, T value) { *x += value; }\n"
              "static __device__ int own = SEED;\nstatic __device__ __noinline__ int helper(int x) { return x * SEED + own; }\n");
  folder.file(
      "a.cu",
      "#define SEED 3\n#include \"common.h\"\n#include <cstdio>\nextern __device__ int counter;\nextern __constant__ float table[4];\n"
      "__device__ float twice(float);\nvoid change_in_b(int value);\nint launch_in_b();\n"
      "__global__ void first(float* x) { x[0] = twice(x[0]) + table[2] + counter + 1000 * helper(2); }\n"
      "int main() {\n  float* x;\n  cudaMallocManaged(&x, sizeof *x);\n  *x = 3;\n  const int count = 100, value = 4;\n"
      "  cudaMemcpyToSymbol(counter, &count, sizeof count);\n  cudaMemcpyToSymbol(own, &value, sizeof value);\n  change_in_b(7);\n"
      "  fill<<<1, 1>>>(x, 0.5f);\n  first<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n  std::printf(\"%g %d\\n\", *x, "
      "launch_in_b());\n}\n");
  folder.file(
      "b.cu",
      "#define SEED 5\n#include \"common.h\"\n__device__ int counter = 7;\n__constant__ float table[4] = {1, 2, 3, 4};\n"
      "__device__ float twice(float x) { return 2 * x * table[1] + counter; }\n__global__ void second(int* x) { *x += helper(2); }\n"
      "void change_in_b(int value) { cudaMemcpyToSymbol(own, &value, sizeof value); }\n"
      "int launch_in_b() {\n  int* x;\n  cudaMallocManaged(&x, sizeof *x);\n  *x = 0;\n  fill<<<1, 1>>>(x, 10000);\n  second<<<1, "
      "1>>>(x);\n"
      "  cudaDeviceSynchronize();\n  return *x;\n}\n");
}
// twice(3.5) = 114, table[2] = 3, counter = 100, helper(2) = 2 * 3 + 4 in a.cu and 2 * 5 + 7 in b.cu.
const std::string kExpected = "10217 10017\n";

void compile(const TemporaryFolder& folder, const std::string& name) {
  const Ended ended = wharf(folder, {"nvcc", "-dc", name + ".cu", "-o", name + ".o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
}
void compile(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  folder.file(name + ".cu", text);
  compile(folder, name);
}

void check_output(const TemporaryFolder& folder, const std::string& program) {
  const Ended ended = wharf(folder, {"cuda", program, "--functional"});
  INFO(program << ": " << ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains(kExpected));
}

/// The message of a run of the program linked from a.o and b.o.
std::string message_of_linked(const TemporaryFolder& folder) {
  REQUIRE(wharf(folder, {"nvcc", "a.o", "b.o", "-o", "app"}).exit_code == 0);
  const Ended ended = wharf(folder, {"cuda", "./app", "--functional"});
  CHECK(ended.exit_code == 2);
  return ended.output;
}

}  // namespace

TEST_CASE("CU-6: a kernel uses functions and variables of another file, and what is private stays so") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  write_sources(folder);
  compile(folder, "a");
  compile(folder, "b");
  REQUIRE(wharf(folder, {"nvcc", "a.o", "b.o", "-o", "linked"}).exit_code == 0);
  check_output(folder, "./linked");
  const Ended listed = wharf(folder, {"cuda", "inspect", "linked"});
  INFO(listed.output);
  CHECK(listed.exit_code == 0);
  CHECK_THAT(listed.output, Contains("first") && Contains("second") && Contains("yes") && !Contains("  no\n"));
  REQUIRE(wharf(folder, {"nvcc", "-rdc=true", "b.cu", "a.cu", "-o", "at_once"}).exit_code == 0);
  check_output(folder, "./at_once");
  REQUIRE(std::system(("cd " + folder.path().string() + " && ar rc b.a b.o").c_str()) == 0);
  REQUIRE(wharf(folder, {"nvcc", "a.o", "b.a", "-o", "of_archive"}).exit_code == 0);
  check_output(folder, "./of_archive");
  folder.file("script.a", "/* GNU ld script */\nGROUP ( -lm )\n");
  REQUIRE(wharf(folder, {"nvcc", "a.o", "b.o", "script.a", "-o", "with_script"}).exit_code == 0);
  check_output(folder, "./with_script");
  REQUIRE(wharf(folder, {"nvcc", "-dlink", "a.o", "b.o", "-o", "device.o"}).exit_code == 0);
  REQUIRE(wharf(folder, {"nvcc", "a.o", "b.o", "device.o", "-o", "in_two_steps"}).exit_code == 0);
  check_output(folder, "./in_two_steps");
}

TEST_CASE("CU-6: a recording of a program of several files replays with the same cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  write_sources(folder);
  REQUIRE(wharf(folder, {"nvcc", "-rdc=true", "a.cu", "b.cu", "-o", "app"}).exit_code == 0);
  REQUIRE(wharf(folder, {"cuda", "./app", "--record", "app.wcr", "--out", "live"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:app.wcr", "--out", "replayed"}).exit_code == 0);
  const auto kernels = read_json(folder / "live/result.json")["kernels"];
  CHECK(kernels.size() == 4);
  CHECK(kernels == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-6: a private variable that device code has met before the host is one variable") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("one.cu",
              "#include <cstdio>\nstatic __device__ int own = 3;\n__global__ void k(int* x) { *x = own; }\nint main() {\n  int* x;\n"
              "  cudaMallocManaged(&x, sizeof *x);\n  const int value = 9;\n  cudaMemcpyToSymbol(own, &value, sizeof value);\n"
              "  k<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n  std::printf(\"value %d\\n\", *x);\n}\n");
  const Ended ended = wharf(folder, {"nvcc", "-rdc=true", "one.cu", "-o", "one"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(wharf(folder, {"cuda", "./one", "--functional"}).output, Contains("value 9\n"));
}

TEST_CASE("CU-6: a static member of a class template is one variable of all files") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("holder.h",
              "template <class T> struct Holder { static __device__ T value; };\n"
              "template <class T> __device__ T Holder<T>::value = 20;\nvoid set(int value);\n");
  folder.file("set.cu",
              "#include \"holder.h\"\n__global__ void add() { Holder<int>::value += 100; }\nvoid set(int value) {\n"
              "  cudaMemcpyToSymbol(Holder<int>::value, &value, sizeof value);\n  add<<<1, 1>>>();\n}\n");
  folder.file("print.cu",
              "#include \"holder.h\"\n#include <cstdio>\n__global__ void print() { printf(\"value %d\\n\", Holder<int>::value); }\n"
              "int main() {\n  print<<<1, 1>>>();\n  set(9);\n  print<<<1, 1>>>();\n  cudaDeviceSynchronize();\n}\n");
  const Ended ended = wharf(folder, {"nvcc", "-rdc=true", "set.cu", "print.cu", "-o", "app"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(wharf(folder, {"cuda", "./app", "--functional"}).output, Contains("value 20\nvalue 109\n"));
}

TEST_CASE("CU-6: a name that no linked file defines is refused with all its users, and one that two define with both places") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string end = "int main() {}\n";
  compile(folder, "a",
          "__device__ int missing(int);\n__global__ void first(int* x) { *x = missing(*x); }\n__global__ void second(int* x) { *x = "
          "missing(2); }\n" +
              end);
  compile(folder, "b", "extern __device__ int lost;\n__global__ void third(int* x) { *x = lost; }\n");
  CHECK_THAT(message_of_linked(folder), Contains("the 2 linked modules lack 2 of the definitions that they use:") &&
                                            Contains("'_Z7missingi': used at a.ptx:") && Contains(" in '_Z5firstPi', a.ptx:") &&
                                            Contains(" in '_Z6secondPi'\n") && Contains("'lost': used at b.ptx:") &&
                                            Contains(" in '_Z5thirdPi'\nlink the file that defines each"));
  compile(folder, "a", "__device__ __noinline__ int both(int x) { return x; }\n__global__ void first(int* x) { *x = both(*x); }\n" + end);
  compile(folder, "b", "__device__ __noinline__ int both(int x) { return x + 1; }\n__global__ void second(int* x) { *x = both(*x); }\n");
  CHECK_THAT(message_of_linked(folder), Contains("b.ptx:") && Contains("function '_Z4bothi' is defined twice, first at a.ptx:"));
}

TEST_CASE("CU-6: without -dc or -rdc=true device code of another file is refused, and -dlink takes objects alone") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("a.cu", "__device__ int other(int);\n__global__ void first(int* x) { *x = other(*x); }\n");
  const Ended alone = wharf(folder, {"nvcc", "-c", "a.cu"});
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, Contains("a.cu: the device code uses _Z5otheri of another file; compile with -dc or -rdc=true"));
  const Ended source = wharf(folder, {"nvcc", "-dlink", "a.cu"});
  CHECK(source.exit_code == 2);
  CHECK_THAT(source.output, Contains("-dlink: a.cu is not an object file; compile it with -dc first"));
  const Ended missing = wharf(folder, {"nvcc", "-dlink", "none.o"});
  CHECK(missing.exit_code != 0);
}

}  // namespace wharf::cli
