#include "platforms/cli/cuda/toolchain.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/compiler/device_math_bitcode.h"
#include "stimuli/cuda/compiler/nvcc_compiler.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

// The one that is tested comes first.
constexpr const char* kClangs[] = {"clang++-14", "clang++-15", "clang++-16", "clang++-17",
                                   "clang++-18", "clang++-19", "clang++-20", "clang++"};

/// The file that a shell would start; empty where there is none.
std::string find_in_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / program;
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file)) return fs::absolute(file).string();
  }
  return {};
}

std::string find_clang() {
  for (const char* name : kClangs)
    if (const std::string found = find_in_path(name); !found.empty()) return found;
  throw InputError("clang, which compiles CUDA programs, is missing; install it with: apt-get install clang");
}

}  // namespace

fs::path cuda_runtime_folder() {
  const fs::path installed = project_root() / "stimuli/cuda/lib";
  const fs::path folder = fs::exists(installed / "libcudart.so") ? installed : fs::path(WHARF_CUDA_RUNTIME_DIR);
  if (!fs::exists(folder / "libcudart.so")) throw InputError(folder.string() + ": contains no libcudart.so; build or install Wharf again");
  return folder;
}

cuda::Toolchain cuda_toolchain() {
  cuda::Toolchain tools;
  tools.clang = find_clang();
  tools.headers = (project_root() / "stimuli/cuda/include").string();
  tools.runtime_folder = cuda_runtime_folder().string();
  tools.device_math = cuda::device_math_bitcode(tools.clang, project_root(), cuda::cache_folder());
  return tools;
}

void compile_program(const std::vector<std::string>& sources, const std::vector<std::string>& options, const fs::path& program) {
  std::vector<std::string> arguments = options;
  arguments.insert(arguments.end(), sources.begin(), sources.end());
  arguments.insert(arguments.end(), {"-o", program.string()});
  cuda::NvccCompiler compiler(cuda_toolchain());
  const int failed = compiler.run(cuda::parse_nvcc_options(arguments));
  for (const std::string& note : compiler.notes()) fmt::print(std::cerr, "wharf: {}\n", note);
  if (failed != 0) throw InputError(join(sources) + ": does not compile; see the compiler's messages above");
}

}  // namespace wharf::cli
