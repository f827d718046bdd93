// Copies and fills in clang's intermediate code, and what becomes of them in PTX.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stimuli/cuda/compiler/intermediate/member_copies.h"
#include "stimuli/cuda/compiler/intermediate/wide_copies.h"
#include "tests/cuda/build_program.h"

using namespace wharf::cuda;
using namespace wharf::cuda::test;
using Catch::Matchers::Contains;

namespace {

/// A line of code that calls for a copy between pointers of this alignment.
std::string copy_of(const std::string& bytes, unsigned alignment, const std::string& is_volatile = "false") {
  const std::string pointer = "i8* noundef nonnull align " + std::to_string(alignment) + " dereferenceable(16) %";
  return "  tail call void @llvm.memcpy.p0i8.p0i8.i64(" + pointer + "15, " + pointer + "13, i64 " + bytes + ", i1 " + is_volatile +
         "), !dbg !32, !tbaa.struct !34\n";
}

/// The instructions on memory of the PTX of a kernel with this body, without their registers.
std::string accesses_of(const std::string& body, const std::vector<std::string>& options = {}) {
  const std::string base = build_folder() + "/wide", source = base + ".cu";
  std::filesystem::create_directories(build_folder());
  std::ofstream(source) << "struct Odd { double d[17]; }; struct alignas(16) Pack { short s[20]; };\n"
                           "template <class T> __device__ void copy(void* to, const void* from) { *(T*)to = *(const T*)from; }\n"
                           "__global__ void kernel(char* to, const char* from) { "
                        << body << " }\n";
  NvccCompiler compiler(toolchain());
  std::vector<std::string> arguments = {"-ptx", source, "-o", base + ".ptx"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  REQUIRE(compiler.run(parse_nvcc_options(arguments)) == 0);
  std::ifstream ptx(base + ".ptx");
  std::string all;
  for (std::string line; std::getline(ptx, line);)
    for (const char* access : {"ld.global", "st.global", "ld.shared", "st.shared", "ld.local", "st.local"})
      if (const std::size_t at = line.find(access); at != std::string::npos)
        all += line.substr(at, line.find_first_of(" \t", at) - at) + " ";
  return all;
}

}  // namespace

TEST_CASE("A copy of 16 aligned bytes becomes one load and one store, which keep the place in the source") {
  CHECK(with_wide_copies(copy_of("16", 16)) ==
        "  %wide.1 = bitcast i8* %13 to <4 x i32>*, !dbg !32\n"
        "  %wide.2 = load <4 x i32>, <4 x i32>* %wide.1, align 16, !dbg !32\n"
        "  %wide.3 = bitcast i8* %15 to <4 x i32>*, !dbg !32\n"
        "  store <4 x i32> %wide.2, <4 x i32>* %wide.3, align 16, !dbg !32\n");
}

TEST_CASE("Opaque pointers of newer compilers, address spaces and constant expressions are read") {
  CHECK(with_wide_copies("  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 16 getelementptr (i8, ptr addrspace(3) @tile, i64 16), "
                         "ptr addrspace(1) align 32 %g, i64 20, i1 false)\n") ==
        "  %wide.1 = load <4 x i32>, ptr addrspace(1) %g, align 32\n"
        "  store <4 x i32> %wide.1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 16), align 16\n"
        "  %wide.2 = getelementptr inbounds i8, ptr addrspace(1) %g, i64 16\n"
        "  %wide.3 = load i32, ptr addrspace(1) %wide.2, align 16\n"
        "  %wide.4 = getelementptr inbounds i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 16), i64 16\n"
        "  store i32 %wide.3, ptr addrspace(3) %wide.4, align 16\n");
}

TEST_CASE("Calls that clang translates as well, that are not of a known size, or that must not be merged stay as they are") {
  for (const std::string& call :
       {copy_of("16", 8), copy_of("8", 16), copy_of("128", 8), copy_of("%n", 16), copy_of("16", 16, "true"), copy_of("528", 16),
        std::string("declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1 immarg)\n"),
        std::string("  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %a\n"), std::string("  call void @llvm.memset.element(i8 0)\n"),
        std::string("  call void @llvm.memset.p0i8.i64(i8* align 16 %a, i8 %byte, i64 16, i1 false)\n")})
    CHECK(with_wide_copies(call) == call);
  CHECK(with_wide_copies(copy_of("129", 8)) != copy_of("129", 8));
}

TEST_CASE("A copy that names scalar members loads all of them and stores all") {
  const std::string metadata =
      "!34 = !{i64 0, i64 4, !36, i64 8, i64 8, !38, i64 16, i64 1, !40}\n!36 = !{!37, !37, i64 0}\n!37 = !{!\"float\", !41, i64 0}\n"
      "!38 = !{!39, !39, i64 0}\n!39 = !{!\"long\", !41, i64 0}\n!40 = !{!41, !41, i64 0}\n!41 = !{!\"omnipotent char\", !42, i64 0}\n";
  const std::string copied = with_member_copies(copy_of("24", 16) + metadata);
  CHECK_THAT(copied, Contains(" = load float, float* %member.1, align 16, !dbg !32\n") &&
                         Contains(" = load i64, i64* %member.4, align 8,") && Contains(" = load i8, i8* %member.7, align 16,") &&
                         Contains("store float %member.2, float* %member.9, align 16, !dbg !32\n") && !Contains("memcpy") &&
                         Contains(metadata));
  CHECK(copied.find("load i8") < copied.find("store float"));
  for (const char* other : {"!34 = !{i64 0, i64 4, !36, i64 0, i64 4, !36}\n",   // a union
                            "!34 = !{i64 0, i64 16, !36}\n",                     // an array
                            "!34 = !{i64 2, i64 4, !36}\n",                      // packed
                            "!34 = !{i64 0, i64 4, !36, i64 24, i64 4, !36}\n",  // beyond the end
                            ""})
    CHECK(with_member_copies(copy_of("24", 16) + other) == copy_of("24", 16) + other);
}

TEST_CASE("A structure of which a part changes stays in registers, and goes out in one piece") {
  const std::string at = "[threadIdx.x]", wide = "ld.global.v4.f32 st.global.v4.f32 ";
  CHECK(accesses_of("float4 v = ((const float4*)from)" + at + "; v.x *= 2; ((float4*)to)" + at + " = v;") == wide);
  CHECK(accesses_of("float4 v = ((const float4*)from)" + at + "; v.w = 1; ((float4*)to)" + at + " = v;") ==
        "ld.global.v2.f32 ld.global.f32 st.global.v4.f32 ");  // nobody needs the old w
  CHECK(accesses_of("uchar4 v = ((const uchar4*)from)" + at + "; v.x++; ((uchar4*)to)" + at + " = v;").find("local") == std::string::npos);
  CHECK(accesses_of("short4 v = ((const short4*)from)" + at + "; v.y++; ((short4*)to)" + at + " = v;") ==
        "ld.global.v4.u16 st.global.v4.u16 ");
  const std::string swap = accesses_of(
      "float4* a = (float4*)to; float4 x = a[0], y = a[1]; if (x.x > y.x) { float4 t = x; x = y; y = t; } "
      "a[0] = x; a[1] = y;");
  CHECK(swap == "ld.global.v4.f32 ld.global.v4.f32 st.global.v4.f32 st.global.v4.f32 ");
  const std::string chosen = accesses_of("float4 v = *(const float4*)(from + 16); float4 w = threadIdx.x < 7 ? ((const float4*)from)" + at +
                                         " : v; *(float4*)to = w;");
  CHECK(chosen.find("local") == std::string::npos);
}

TEST_CASE("A float4 may be copied to an array of another type and read there") {
  CHECK(accesses_of("short part[8]; *(float4*)part = *(const float4*)from; part[3] += part[0]; *(float4*)to = *(float4*)part;")
            .find("local") == std::string::npos);
}

TEST_CASE("Structures are copied and filled by accesses as wide as their alignment") {
  CHECK(accesses_of("copy<float4>(to, from);") == "ld.global.v4.f32 st.global.v4.f32 ");
  CHECK(accesses_of("copy<double2>(to, from);") == "ld.global.v2.f64 st.global.v2.f64 ");
  CHECK(accesses_of("copy<float2>(to, from);") == "ld.global.v2.f32 st.global.v2.f32 ");
  CHECK(accesses_of("copy<Pack>(to, from);") ==
        "ld.global.v4.u32 st.global.v4.u32 ld.global.v4.u32 st.global.v4.u32 ld.global.v4.u32 st.global.v4.u32 ");
  std::string words;
  for (unsigned i = 0; i < 17; ++i) words += "ld.global.u64 st.global.u64 ";
  CHECK(accesses_of("copy<Odd>(to, from);") == words);
  CHECK(accesses_of("*(float4*)to = float4{};") == "st.global.v4.f32 ");
  CHECK(accesses_of("*(float4*)to = make_float4(0, 0, 0, 0);", {"-O1"}).find("u64") == std::string::npos);
  CHECK(accesses_of("__shared__ float4 tile[32]; tile[threadIdx.x] = *(const float4*)from; __syncthreads(); *(float4*)to = "
                    "tile[threadIdx.x ^ 1];") == "ld.global.v4.f32 st.shared.v4.f32 ld.shared.v4.f32 st.global.v4.f32 ");
}

TEST_CASE("Multiplications and additions are contracted unless -fmad=false, in two steps of compilation as in one") {
  const auto arithmetic_of = [](const std::vector<std::string>& options) {
    accesses_of("float* f = (float*)to; f[2] = f[0] * f[1] + 2.5f; f[3] = f[4] / f[5];", options);
    std::ostringstream ptx;
    ptx << std::ifstream(build_folder() + "/wide.ptx").rdbuf();
    return ptx.str();
  };
  CHECK_THAT(arithmetic_of({}), Contains("fma.rn.f32") && Contains("div.rn.f32"));
  CHECK_THAT(arithmetic_of({"-fmad=false"}), Contains("mul.rn.f32") && Contains("add.rn.f32") && !Contains("fma.rn.f32"));
  CHECK_THAT(arithmetic_of({"-use_fast_math"}), Contains("fma.rn.ftz.f32") && Contains("div.approx.ftz.f32"));
  CHECK(accesses_of("float* f = (float*)to; f[1] = f[0] == f[0] ? 1 : 2;", {"-use_fast_math"}) == "ld.global.f32 st.global.f32 ");
  CHECK_THAT(arithmetic_of({"-prec-div=false"}), Contains("div.approx.f32") || Contains("div.full.f32"));
}
