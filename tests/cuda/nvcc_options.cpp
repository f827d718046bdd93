// `wharf nvcc`: its options, its commands, its repairs of sources, and its refusals.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/base/error.h"
#include "stimuli/cuda/compiler/device_link.h"
#include "stimuli/cuda/compiler/source_repairs.h"
#include "stimuli/cuda/modules/kernel_signature.h"
#include "tests/cuda/build_program.h"

using namespace wharf;
using namespace wharf::cuda;
using namespace wharf::cuda::test;
using Catch::Matchers::Contains;

namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }

std::string file(const std::string& name, const std::string& text) {
  std::filesystem::create_directories(build_folder());
  std::ofstream(build_folder() + "/" + name) << text;
  return build_folder() + "/" + name;
}

}  // namespace

TEST_CASE("Options are read as nvcc spells them: joined, separate, with an equals sign, long with one dash or two") {
  const NvccOptions options = parse_nvcc_options({"-O2",
                                                  "-Iinclude",
                                                  "-I",
                                                  "a,b",
                                                  "-DN=3",
                                                  "-D",
                                                  "F(x)=x,1",
                                                  "--define-macro=M=2",
                                                  "-L/lib",
                                                  "-lm",
                                                  "--library",
                                                  "z",
                                                  "-std=c++17",
                                                  "-Xcompiler",
                                                  "-fopenmp,-Wall",
                                                  "--compiler-options=-fPIC",
                                                  "-Xlinker",
                                                  "-rpath,/x",
                                                  "-arch=sm_80",
                                                  "-gencode",
                                                  "arch=compute_70,code=sm_70",
                                                  "-maxrregcount=32",
                                                  "--fmad=false",
                                                  "-ftz=true",
                                                  "-g",
                                                  "-G",
                                                  "-lineinfo",
                                                  "app.cu",
                                                  "main.cpp",
                                                  "old.c",
                                                  "more.o",
                                                  "-o",
                                                  "app",
                                                  "-ccbin",
                                                  "g++",
                                                  "-m64",
                                                  "-use_fast_math"});
  CHECK(options.optimisation == "-O2");
  CHECK(options.preprocessor == Words{"-I", "include", "-I", "a", "-I", "b", "-D", "N=3", "-D", "F(x)=x,1", "-D", "M=2"});
  CHECK(options.linker == Words{"-L/lib", "-lm", "-lz", "-Wl,-rpath", "-Wl,/x"});
  CHECK(options.standard == "c++17");
  CHECK(options.host_compiler == Words{"-fopenmp", "-Wall", "-fPIC"});
  CHECK(options.register_limit == 32);
  CHECK_FALSE(options.contract);
  CHECK(options.flush_subnormals);
  CHECK(options.fast_math);
  CHECK(options.debug);
  CHECK(options.output == "app");
  CHECK(options.host_compiler_program == "g++");
  CHECK(options.architecture == 80);
  CHECK(options.ignored == Words{"-gencode arch=compute_70,code=sm_70", "-lineinfo"});
  REQUIRE(options.inputs.size() == 4);
  CHECK(options.inputs[0].language == Language::cuda);
  CHECK(options.inputs[1].language == Language::cpp);
  CHECK(options.inputs[2].language == Language::c);
  CHECK(options.inputs[3].language == Language::object);
  CHECK(parse_nvcc_options({"-x", "cu", "kernel.cpp"}).inputs[0].language == Language::cuda);
  CHECK(parse_nvcc_options({"a.cu", "-lcudart_static", "-lcuda", "-lnvToolsExt"}).linker.empty());
  CHECK(parse_nvcc_options({"-Xptxas", "-v,-dlcm=cg", "a.cu"}).report_registers);
  CHECK(parse_nvcc_options({"-dc", "a.cu"}).action == NvccOptions::Action::compile);
  CHECK(parse_nvcc_options({"-dc", "a.cu"}).relocatable);
  CHECK(parse_nvcc_options({"-dw", "a.cu"}).action == NvccOptions::Action::compile);
  CHECK_FALSE(parse_nvcc_options({"-dw", "a.cu"}).relocatable);
  CHECK(parse_nvcc_options({"-rdc=true", "a.cu"}).action == NvccOptions::Action::link);
  CHECK(parse_nvcc_options({"-rdc=true", "a.cu"}).relocatable);
  CHECK_FALSE(parse_nvcc_options({"-rdc=false", "a.cu"}).relocatable);
  CHECK(parse_nvcc_options({"-dlink", "a.o"}).action == NvccOptions::Action::device_link);
  CHECK(parse_nvcc_options({"-MD", "-MF", "a.d", "-c", "a.cu"}).dependencies == Words{"-MD", "-MF", "a.d"});
}

TEST_CASE("Relocatable objects that no object has linked are found in the list of nm, each once") {
  const std::string call = "                 U __cudaRegisterLinkedBinary_", definition = "0000000000000060 T __cudaRegisterLinkedBinary_";
  CHECK(unlinked_objects("\na.o:\n0000000000000000 T main\n                 U printf\n").empty());
  CHECK(unlinked_objects("\nb.o:\n" + call + "_nv_2\n\na.o:\n" + call + "_nv_1\n" + call + "_nv_2\n") == Words{"_nv_2", "_nv_1"});
  CHECK(unlinked_objects(call + "_nv_2\n" + call + "_nv_1\n" + definition + "_nv_2\n") == Words{"_nv_1"});
  CHECK(unlinked_objects("__cudaRegisterLinkedBinary_x\n " + std::string("__cudaRegisterLinkedBinary_y\n")).empty());
}

TEST_CASE("A private variable has one name in relocatable PTX, and lines keep their numbers") {
  CHECK(with_private_names(".visible .global .u32 x = 1;\nld.global.u32 %r1, [x];\n") ==
        ".visible .global .u32 x = 1;\nld.global.u32 %r1, [x];\n");
  CHECK(with_private_names(
            ".extern .global .u32 x;\n.visible .global .u32 x__static__5e = 1;\n.global .u32 xx;\nld.global.u32 %r1, [x+4];\n") ==
        "\n.visible .global .u32 x__static__5e = 1;\n.global .u32 xx;\nld.global.u32 %r1, [x__static__5e+4];\n");
  for (const char* name : {"_ZL3own", "_ZN5spaceL3ownE", "_ZN12_GLOBAL__N_16Holder5valueE"}) {
    const std::string ptx = std::string(".visible .global .u32 ") + name + "__static__5e;\n";
    CHECK(with_private_names(ptx) == ptx);
  }
  CHECK(with_private_names(".extern .global .u32 _ZN6HolderIiE5valueE;\n.visible .global .u32 _ZN6HolderIiE5valueE__static__5e = 2;\n"
                           "ld.global.u32 %r1, [_ZN6HolderIiE5valueE__static__5e];\n") ==
        "\n.weak .global .u32 _ZN6HolderIiE5valueE = 2;\nld.global.u32 %r1, [_ZN6HolderIiE5valueE];\n");
}

TEST_CASE("What cannot be honoured is refused by name, with the remedy") {
  const auto message = [](const Words& arguments) {
    try {
      parse_nvcc_options(arguments);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message({"-cubin", "a.cu"}) == "wharf nvcc: -cubin cannot be honoured; there is no machine code; use -ptx");
  CHECK(message({"-dlink", "a.o", "b.cu"}) == "wharf nvcc: -dlink: b.cu is not an object file; compile it with -dc first");
  CHECK_THAT(message({"-m32", "a.cu"}), Contains("only 64-bit programs"));
  CHECK_THAT(message({"a.cu", "-lcudadevrt"}), Contains("kernels cannot launch kernels"));
  CHECK_THAT(message({"a.ptx"}), Contains("wharf run --ptx"));
  CHECK(message({"--frobnicate", "a.cu"}) == "wharf nvcc: option '--frobnicate' is not known; `wharf nvcc --help` lists the options");
  CHECK(message({"a.cu", "-o"}) == "wharf nvcc: option '-o' needs a value");
  CHECK(message({"-fmad=maybe", "a.cu"}) == "wharf nvcc: -fmad=maybe: 'maybe' is neither true nor false");
  CHECK(message({"-maxrregcount=many", "a.cu"}) == "wharf nvcc: -maxrregcount: 'many' is not a number");
  CHECK(message({"-maxrregcount=4294967296", "a.cu"}) == "wharf nvcc: -maxrregcount: '4294967296' is not a number");
  CHECK(message({}) == "wharf nvcc: no input file; name a .cu, .cpp, .c or .o file");
  CHECK_THAT(message({"-c", "a.cu", "b.cu", "-o", "x"}), Contains("-o x names one file, but 2 sources are compiled"));
  CHECK_THAT(message({"-cudart", "none", "a.cu"}), Contains("a program needs the runtime library"));
  CHECK(message({"-cudart=static", "a.cu"}).empty());
}

TEST_CASE("Limits of registers that no thread can have become those that nvcc takes, with a message") {
  const auto limit = [](const std::string& asked) {
    const NvccOptions options = parse_nvcc_options({"-maxrregcount=" + asked, "a.cu"});
    return std::make_pair(options.register_limit, options.notes.empty() ? "" : options.notes.at(0));
  };
  CHECK(limit("0") == std::make_pair(0u, std::string()));  // none
  CHECK(limit("1") == std::make_pair(24u, std::string("-maxrregcount=1 counts as 24, the fewest registers that nvcc gives a thread")));
  CHECK(limit("23").first == 24);
  CHECK(limit("24") == std::make_pair(24u, std::string()));
  CHECK(limit("255") == std::make_pair(255u, std::string()));
  CHECK(limit("256") == std::make_pair(0u, std::string("-maxrregcount=256 has no effect: a thread has at most 255 registers")));
}

TEST_CASE("The commands follow the options") {
  const Toolchain tools = {"clang++-14", "/h", "/m.bc", "/r"};
  NvccOptions options = parse_nvcc_options({"-use_fast_math", "-O1", "app.cu"});
  CommandLine device = device_command(tools, options, "app.cu", "app.cu", "app.ll");
  for (const char* word : {"--cuda-device-only", "-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero", "/m.bc", "-std=gnu++17",
                           "-O1", "-gline-tables-only", "--cuda-path=/nonexistent", "+ptx72"})
    CHECK(has(device, word));
  CHECK_FALSE(has(device, "-ffast-math"));  // it would give up NaNs and the order of sums, which nvcc keeps
  CommandLine ptx = ptx_command(tools, options, "app.ll", "app.ptx");
  for (const char* word : {"-O1", "+ptx72", "-nvptx-fma-level=2", "-nvptx-prec-divf32=0", "-nvptx-prec-sqrtf32=0"}) CHECK(has(ptx, word));
  CHECK_FALSE(has(host_command(tools, options, "app.cu", "app.cu", "c", "o"), "-ffast-math"));
  options = parse_nvcc_options({"-fmad=false", "-prec-div=false", "app.cu"});
  device = device_command(tools, options, "/elsewhere/copy.cu", "dir/app.cu", "app.ll");
  ptx = ptx_command(tools, options, "app.ll", "app.ptx");
  CHECK(has(device, "-ffp-contract=off"));
  for (const char* word : {"-nvptx-fma-level=0", "-nvptx-prec-divf32=0"}) CHECK(has(ptx, word));
  CHECK_FALSE(has(ptx, "-nvptx-prec-sqrtf32=0"));
  CHECK(has(device, "dir"));  // the copy finds includes next to the original
  CHECK(link_command(tools, options, {"a.o"}, "app") ==
        Words{"clang++-14", "a.o", "-L/r", "-lcudart", "-Wl,-rpath,/r", "-lm", "-o", "app"});
  CHECK(to_text({"a b", "it's", "-O3"}) == "'a b' 'it'\\''s' -O3");
}

TEST_CASE("Launch brackets with blanks are joined, and nothing else is") {
  const RepairedSource launch = repair_source("// << <\nk << < g, b >> > (x); int y = a >> 2 > 1;\nm <<< 1, 2 >>> ();");
  CHECK(launch.text == "// << <\nk <<< g, b >>> (x); int y = a >> 2 > 1;\nm <<< 1, 2 >>> ();");
  REQUIRE(launch.repairs.size() == 2);
  CHECK(launch.repairs[0].line == 2);
  CHECK(repair_source("k < << g, b >>> (x)").text == "k <<< g, b >>> (x)");
  for (const char* untouched : {"vector<vector<vector<int> > > v;", "friend S& operator<< <T>(S&);", "\"<< < >> >\"", "R\"(<< <)\"",
                                "a << 1 < b", "'<' << '<' << x", "/* << <", "\"open"})
    CHECK(repair_source(untouched).text == untouched);
}

TEST_CASE("alignas behind __shared__ becomes an attribute, and no other one does") {
  const RepairedSource tile = repair_source("__shared__ alignas(16) int a[4]; __shared__ int alignas_b; struct alignas(8) C {};");
  CHECK(tile.text == "__shared__ __align__(16) int a[4]; __shared__ int alignas_b; struct alignas(8) C {};");
  CHECK(tile.repairs.size() == 1);
  CHECK(repair_source("__shared__ alignas").text == "__shared__ __align__");
}

TEST_CASE("The size of a kernel's clusters moves into its body, and no other body gets it") {
  const auto repaired = [](const char* text) { return repair_source(text).text; };
  const auto pragma = [](const std::string& x, const std::string& y, const std::string& z) {
    return "{ asm volatile(\".pragma \\\"wharf cluster %0 %1 %2\\\";\" : : \"n\"(" + x + "), \"n\"(" + y + "), \"n\"(" + z + "));";
  };
  CHECK(repaired("__global__ void __cluster_dims__(2, 1, 1) k(int a = f({})) { {} }") ==
        "__global__ void  k(int a = f({})) " + pragma("2", " 1", " 1") + " {} }");
  CHECK(repaired("__cluster_dims__(N * (2 + 1)) __global__ void k();\nvoid g() {}") == " __global__ void k();\nvoid g() {}");
  CHECK(repaired("__global__ void __cluster_dims__(\n4)\nk() {}") == "__global__ void \n\nk() " + pragma("4", "1", "1") + "}");
  for (const char* untouched :
       {"#define __cluster_dims__(...)", "int __cluster_dims__;", "__cluster_dims__(1, 2", "__cluster_dims__(1,2,3,4) {}"})
    CHECK(repaired(untouched) == untouched);
}

TEST_CASE("A special register in asm with operands gets its second percent sign") {
  CHECK(repair_source("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));").text == "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));");
  CHECK(repair_source("asm volatile(\"a\\n\" \"mov.u32 %0, %smid;\" : \"=r\"(x));").text ==
        "asm volatile(\"a\\n\" \"mov.u32 %0, %%smid;\" : \"=r\"(x));");
  for (const char* untouched :
       {"asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));", "asm(\"mov.u32 r, %laneid;\");", "printf(\"%laneid\");", "asm(", "asm"})
    CHECK(repair_source(untouched).text == untouched);
}

TEST_CASE("A source with repairs compiles, and errors name the original's lines") {
  const std::string source =
      file("brackets.cu",
           "__global__ void k(int* x) { asm(\"mov.u32 %0, %laneid;\" : \"=r\"(*x)); }\nint main() {\n  k << <1, 32>> >(nullptr);\n}\n");
  NvccCompiler compiler(toolchain());
  CHECK(compiler.run(parse_nvcc_options({source, "-o", build_folder() + "/brackets"})) == 0);
  REQUIRE(compiler.notes().size() == 3);
  CHECK(compiler.notes()[1] == source + ":3: `<< <` written as `<<<`");
  CHECK(compiler.modules()[0].path == source);
  CHECK_THAT(compiler.modules()[0].flags, Contains("--cuda-gpu-arch=sm_70"));
}

TEST_CASE("PTX alone, objects of several languages, and a failing compiler") {
  const std::string kernel = file(
      "part.cu", "__global__ void k() {}\nextern \"C\" int from_c(void);\nint from_cpp();\nint main() { return from_c() + from_cpp(); }\n");
  const std::string c = file("part.c",
                             "#include <cuda_runtime.h>\nint from_c(void) { float4 f = make_float4(1, 2, 3, 4); struct cudaDeviceProp p; "
                             "return (int)(f.x + sizeof p * 0); }\n");
  const std::string cpp =
      file("other.cpp", "#include <cuda_runtime.h>\n__host__ __device__ int from_cpp() { dim3 d(2); return static_cast<int>(d.x) - 3; }\n");
  NvccCompiler compiler(toolchain());
  const std::string base = build_folder() + "/parts";
  CHECK(compiler.run(parse_nvcc_options({"-ptx", kernel, "-o", base + ".ptx"})) == 0);
  std::ostringstream ptx;
  ptx << std::ifstream(base + ".ptx").rdbuf();
  CHECK(kernels_of(ptx.str()) == Words{"_Z1kv"});
  CHECK(compiler.run(parse_nvcc_options({"-c", c, "-o", base + "_c.o"})) == 0);
  CHECK(compiler.run(parse_nvcc_options({kernel, cpp, base + "_c.o", "-o", base})) == 0);
  CHECK(compiler.run(parse_nvcc_options({cpp, c, "-ccbin", "g++", kernel, "-o", base})) == 0);
  const std::string wrong = file("wrong.cu", "#error stop\n");
  CHECK(compiler.run(parse_nvcc_options({wrong, "-o", base, "-w"})) == 1);
  CHECK_THROWS_WITH(compiler.run(parse_nvcc_options({"/nonexistent.cu"})), Contains("/nonexistent.cu: cannot be read"));
  NvccCompiler missing({"clang-that-is-missing", "", "", ""});
  CHECK_THROWS_WITH(missing.run(parse_nvcc_options({kernel})), Contains("install clang 14 or newer"));
}
