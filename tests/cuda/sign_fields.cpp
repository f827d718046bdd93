// Fields of 64 bits that reach beyond the sign.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stimuli/cuda/compiler/intermediate/sign_fields.h"
#include "tests/cuda/build_program.h"

using namespace wharf::cuda;
using namespace wharf::cuda::test;
using Catch::Matchers::Contains;

TEST_CASE("A field that reaches beyond the sign becomes a shift and a mask, in no inline assembly, and other fields stay") {
  CHECK(with_sign_fields("\tbfe.u64 \t%rd3, %rd1, 63, 3;\n\tbfe.u64 \t%rd4, %rd2, 40, 32;\n") ==
        "\tshr.s64 \t%rd3, %rd1, 63;\n\tand.b64  \t%rd3, %rd3, 7;\n\tshr.s64 \t%rd4, %rd2, 40;\n\tand.b64  \t%rd4, %rd4, 4294967295;\n");
  const std::string assembly = "\t// begin inline asm\n\tbfe.u64 %rd3, %rd1, 63, 3;\n\t// end inline asm\n";
  for (const std::string& same : {std::string("\tbfe.u64 \t%rd3, %rd1, 61, 3;\n"), std::string("\tbfe.u64 \t%rd3, %rd1, %r1, 3;\n"),
                                  std::string("\tbfe.s64 \t%rd3, %rd1, 63, 3;\n"), std::string("\tbfe.u64"), assembly})
    CHECK(with_sign_fields(same) == same);
  CHECK(with_sign_fields(assembly + "\tbfe.u64 \t%rd3, %rd1, 63, 3;\n" + assembly) ==
        assembly + "\tshr.s64 \t%rd3, %rd1, 63;\n\tand.b64  \t%rd3, %rd3, 7;\n" + assembly);
}

TEST_CASE("A feedback by the sign of 64 bits has all bits of the polynomial, not the lowest alone") {
  const std::string base = build_folder() + "/sign_fields";
  std::filesystem::create_directories(build_folder());
  std::ofstream(base + ".cu") << "__global__ void step(long long* a) { *a = (*a << 1) ^ (*a < 0 ? 7 : 0); }\n";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({"-ptx", base + ".cu", "-o", base + ".ptx"})) == 0);
  std::ostringstream ptx;
  ptx << std::ifstream(base + ".ptx").rdbuf();
  CHECK_THAT(ptx.str(), Contains(", 63;") && !Contains("63, 3;"));
}
