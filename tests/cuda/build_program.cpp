#include "tests/cuda/build_program.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace wharf::cuda::test {
namespace {

const std::string kSource = WHARF_SOURCE_DIR;
const std::string kFlags =
    " --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-sdk-version=11.2 -O3 -std=gnu++14 -I" + kSource +
    "/stimuli/cuda/include -include cuda_runtime.h -Wall ";

void run(const std::string& command) {
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

}  // namespace

std::string runtime_folder() { return WHARF_CUDART_DIR; }
std::string build_folder() { return WHARF_CUDA_TEST_DIR; }

std::string build_program(const std::string& name) {
  static std::set<std::string> built;
  const std::string base = build_folder() + "/" + name;
  if (!built.insert(name).second) return base;
  std::filesystem::create_directories(build_folder());
  std::string source = kSource + "/stimuli/cuda/programs/" + name + ".cu";
  if (!std::filesystem::exists(source)) source = kSource + "/tests/cuda/programs/" + name + ".cu";
  run("clang++-14 -x cuda --cuda-device-only -S" + kFlags + "-Xclang -target-feature -Xclang +ptx72 " + source + " -o " + base + ".ptx");
  run("clang++-14 -x cuda --cuda-host-only -c" + kFlags + "-Xclang -fcuda-include-gpubinary -Xclang " + base + ".ptx " + source + " -o " + base +
      ".o");
  run("c++ " + base + ".o -L" + runtime_folder() + " -lcudart -o " + base);
  return base;
}

}  // namespace wharf::cuda::test
