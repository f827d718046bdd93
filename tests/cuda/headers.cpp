// The headers: programs written for nvcc compile with them.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "model/base/error.h"
#include "stimuli/cuda/compiler/missing_headers.h"
#include "tests/cuda/build_program.h"

using namespace wharf::cuda;
using namespace wharf::cuda::test;

namespace {

std::string ptx_of(const std::string& name, const std::vector<std::string>& options = {}) {
  NvccCompiler compiler(toolchain());
  std::vector<std::string> arguments = {"-c",    std::string(WHARF_SOURCE_DIR) + "/tests/cuda/programs/" + name + ".cu",
                                        "-o",    build_folder() + "/" + name + ".o",
                                        "-Wall", "-Werror"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  REQUIRE(compiler.run(parse_nvcc_options(arguments)) == 0);
  return compiler.modules().at(0).text;
}

}  // namespace

TEST_CASE("A program may include every old header, behind C++ headers, in each C++ standard") {
  const std::string standard = GENERATE(as<std::string>{}, "c++14", "gnu++14", "c++17", "gnu++20");
  const std::string ptx = ptx_of("headers", {"-std=" + standard});
  CHECK(ptx.find(".global .texref vectors") != std::string::npos);
  CHECK(ptx.find("tex.2d.v4.f32.f32") != std::string::npos);
  CHECK(ptx.find("shfl.sync.idx") != std::string::npos);
  CHECK(ptx.find("atom.shared.cas") != std::string::npos);
  CHECK(ptx.find("vprintf") != std::string::npos);
  CHECK(ptx.find("__assertfail") != std::string::npos);
}

TEST_CASE("A macro of one letter, from -D or the program, changes nothing in the headers") {
  const std::string source = build_folder() + "/letters.cu";
  std::ofstream(source) << "#define n 3\n#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cuComplex.h>\n"
                           "#include <cuda_fp16.h>\n#include <curand_kernel.h>\n__global__ void k(float* data) { data[0] = N + n; }\n";
  for (const char letter : std::string("FNPTabcfirsvwxyz")) {
    INFO(letter);
    NvccCompiler compiler(toolchain());
    CHECK(compiler.run(parse_nvcc_options(
              {"-c", source, "-o", build_folder() + "/letters.o", "-DN=1024", std::string("-D") + letter + "=1024"})) == 0);
    CHECK(compiler.modules().at(0).text.find("1149263872") != std::string::npos);  // 1027.0F: the program's macros have their values again
  }
}

TEST_CASE("Device code of another file is refused by name unless it is relocatable") {
  const auto compile = [](const std::string& text, const std::string& option) {
    const std::string source = build_folder() + "/relocatable.cu";
    std::ofstream(source) << text;
    NvccCompiler compiler(toolchain());
    try {
      return std::to_string(compiler.run(parse_nvcc_options({"-c", option, source, "-o", build_folder() + "/relocatable.o"})));
    } catch (const wharf::InputError& error) {
      return std::string(error.what());
    }
  };
  const std::string whole =
      "__device__ int twice(int a) { return 2 * a; }\n"
      "__global__ void k(int* p) { extern __shared__ int s[]; s[0] = twice(*p); printf(\"%d\", s[0]); assert(s[0]); }\n";
  const std::string calls = "extern __device__ int twice(int);\n__global__ void k(int* p) { *p = twice(*p); }\n";
  const std::string reads = "extern __device__ int table[];\n__global__ void k(int* p) { *p = table[*p]; }\n";
  const std::string pairs = "extern __device__ double2 both(int);\n__global__ void k(double2* p) { *p = both(1); }\n";
  for (const std::string& text : {whole, calls, reads, pairs}) CHECK(compile(text, "-rdc=true") == "0");
  CHECK(compile(whole, "-rdc=false") == "0");
  const std::string file = "wharf nvcc: " + build_folder() + "/relocatable.cu: the device code uses ",
                    remedy = " of another file; compile with -dc or -rdc=true";
  CHECK(compile(calls, "-rdc=false") == file + "_Z5twicei" + remedy);
  CHECK(compile(reads, "-rdc=false") == file + "table" + remedy);
  CHECK(compile(pairs, "-rdc=false") == file + "_Z4bothi" + remedy);
}

TEST_CASE("A missing header names its library once and the remedy, and an unknown one is left to the compiler") {
  const std::string rule =
      "app.o: app.cu /usr/include/thrust/fake.h \\\n thrust/sort.h cub/cub.cuh cublas_v2.h \\\n cuda/std/tuple mine.h curand.h torch/types.h\n";
  CHECK(notes_on_missing_headers(rule) ==
        std::vector<std::string>{
            "thrust/sort.h belongs to Thrust and CUB: install them with: apt-get install libthrust-dev libcub-dev",
            "cublas_v2.h belongs to cuBLAS: Wharf does not have it; replace the calls by kernels of your own",
            "cuda/std/tuple belongs to libcu++: Wharf has its atomic objects, barriers, pipelines and access properties; install the rest "
            "with: apt-get install libcu++-dev",
            "curand.h belongs to cuRAND: Wharf has its device functions alone, in curand_kernel.h; draw the numbers in kernels of your own",
            "torch/types.h belongs to PyTorch: call the kernels from a main() of your own",
        });
}

TEST_CASE("Option -maxrregcount bounds the registers of kernels without launch bounds") {
  const std::string source = build_folder() + "/bounded.cu";
  std::ofstream(source) << "__global__ void none() {}\n__global__ void plain(int* p, char c) { *p = c; }\n"
                           "__global__ __launch_bounds__(64) void bounded(int* p) { *p = 1; }\n";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({"-c", source, "-o", build_folder() + "/bounded.o", "-maxrregcount=40"})) == 0);
  const std::string ptx = compiler.modules().at(0).text;
  const auto directives = [&](const std::string& kernel) {
    const std::size_t end = ptx.find(")\n", ptx.find(".entry " + kernel)) + 2;
    return ptx.substr(end, ptx.find('{', end) - end);
  };
  CHECK(directives("_Z4nonev") == ".maxnreg 40\n");
  CHECK(directives("_Z5plainPic") == ".maxnreg 40\n");
  CHECK(directives("_Z7boundedPi") == ".maxntid 64, 1, 1\n");
}

TEST_CASE("Device mathematics leaves no call behind") {
  for (const std::string program : {"headers", "groups_and_halves", "asynchronous", "random_numbers"}) {
    INFO(program);
    CHECK(ptx_of(program).find("__nv_") == std::string::npos);
  }
}

TEST_CASE("A program with every function of half and bfloat16 compiles without a warning in each C++ standard") {
  const std::string standard = GENERATE(as<std::string>{}, "gnu++14", "c++17", "gnu++20");
  CHECK(ptx_of("float16_names", {"-std=" + standard}).find("cvt.rm.bf16.f64") != std::string::npos);
}

TEST_CASE("A program that draws random numbers compiles without a warning in each C++ standard") {
  const std::string standard = GENERATE(as<std::string>{}, "c++11", "c++14", "gnu++20");
  const std::string ptx = ptx_of("random_numbers", {"-std=" + standard});
  CHECK(ptx.find(".b8 _ZZL17wharf_jump_xorwow") != std::string::npos);
}

TEST_CASE("A program that includes the random numbers and draws none has no table of them") {
  const std::string source = build_folder() + "/no_draw.cu";
  std::ofstream(source) << "#include <curand_kernel.h>\n__global__ void k(curandState* states) { states->weyl = 0; }\n";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({"-c", source, "-o", build_folder() + "/no_draw.o"})) == 0);
  CHECK(compiler.modules().at(0).text.find("wharf_") == std::string::npos);
}

TEST_CASE("A host file in C++ computes with half and bfloat16, also with other types and when both headers are included") {
  const std::string source = build_folder() + "/float16_host.cpp";
  std::ofstream(source) << "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                           "int main() {\n"
                           "  __half half = __float2half_ru(1.0f);\n"
                           "  __nv_bfloat16 bfloat = 3ull;\n"
                           "  half += half;\n"
                           "  ++bfloat;\n"
                           "  const float sum = half * 0.5f + (bfloat + 1);\n"
                           "  const __half2 pair(half, half);\n"
                           "  return sum == 6 && pair == __hadd2(pair, __half2(0, 0)) && half < __half(3) ? 0 : 1;\n"
                           "}\n";
  const std::string program = build_folder() + "/float16_host";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({source, "-o", program, "-Wall", "-Werror"})) == 0);
  CHECK(std::system(program.c_str()) == 0);
}

TEST_CASE("Every example program compiles without a warning") {
  for (const char* name : {"bfs", "cluster_histogram", "histogram", "matrix_multiplication", "n_body", "persisting_window", "reduction",
                           "scan", "spmv", "stencil", "streams_and_events", "texture_filter", "transpose", "vector_addition", "wmma_gemm"})
    build_program(name);
}
