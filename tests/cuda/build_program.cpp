#include "tests/cuda/build_program.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

namespace wharf::cuda::test {
namespace {

const std::string kSource = WHARF_SOURCE_DIR;
}  // namespace

Toolchain toolchain() { return {"clang++-14", kSource + "/stimuli/cuda/include", WHARF_CUDA_DEVICE_MATH, runtime_folder()}; }
std::string runtime_folder() { return WHARF_CUDART_DIR; }
std::string build_folder() { return WHARF_CUDA_TEST_DIR; }

std::string build_program(const std::string& name) {
  static std::set<std::string> built;
  const std::string base = build_folder() + "/" + name;
  if (!built.insert(name).second) return base;
  std::filesystem::create_directories(build_folder());
  std::string source = kSource + "/stimuli/cuda/programs/" + name + ".cu";
  if (!std::filesystem::exists(source)) source = kSource + "/tests/cuda/programs/" + name + ".cu";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({source, "-o", base, "-Wall", "-Werror"})) == 0);
  return base;
}

}  // namespace wharf::cuda::test
