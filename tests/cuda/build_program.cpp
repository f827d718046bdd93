#include "tests/cuda/build_program.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <set>

#include "stimuli/cuda/compiler/device_math_bitcode.h"

namespace wharf::cuda::test {
namespace {

const std::string kSource = WHARF_SOURCE_DIR;

/// A folder for this process alone, because concurrent tests build the same programs. Removed at its end.
struct BuildFolder {
  BuildFolder() : path(std::string(WHARF_CUDA_TEST_DIR) + "/" + std::to_string(getpid())) { std::filesystem::create_directories(path); }
  ~BuildFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  const std::string path;
};

}  // namespace

Toolchain toolchain() {
  return {WHARF_CLANG, kSource + "/stimuli/cuda/include", device_math_bitcode(WHARF_CLANG, kSource, WHARF_CUDA_TEST_DIR), runtime_folder()};
}
std::string runtime_folder() { return WHARF_CUDART_DIR; }
std::string build_folder() {
  static const BuildFolder folder;
  return folder.path;
}

std::string build_program(const std::string& name) {
  static std::set<std::string> built;
  const std::string base = build_folder() + "/" + name;
  if (!built.insert(name).second) return base;
  std::string source = kSource + "/stimuli/cuda/programs/" + name + ".cu";
  if (!std::filesystem::exists(source)) source = kSource + "/tests/cuda/programs/" + name + ".cu";
  NvccCompiler compiler(toolchain());
  REQUIRE(compiler.run(parse_nvcc_options({source, "-o", base, "-Wall", "-Werror"})) == 0);
  return base;
}

}  // namespace wharf::cuda::test
