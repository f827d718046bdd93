#include "stimuli/cuda/compiler/device_math_bitcode.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "stimuli/cuda/compiler/nvcc_compiler.h"

namespace wharf::cuda {
namespace fs = std::filesystem;

namespace {

/// Names the clang, by the file behind its name, and what it compiles.
std::string key_of(const std::string& clang, const fs::path& sources) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::ostringstream text;
  std::error_code error;
  text << fs::canonical(clang, error).string() << fs::file_size(clang, error);
  for (const fs::path& file : files) text << std::ifstream(file).rdbuf();
  return hash_text(text.str());
}

}  // namespace

std::string device_math_bitcode(const std::string& clang, const fs::path& root, const fs::path& folder) {
  const fs::path sources = root / "stimuli/cuda/device_math";
  std::error_code error;
  if (!fs::is_directory(sources, error)) throw InputError(sources.string() + ": is missing; install Wharf again");
  const fs::path bitcode = folder / ("device_math-" + key_of(clang, sources) + ".bc");
  if (fs::exists(bitcode, error)) return bitcode;
  fs::create_directories(folder, error);
  const std::string fresh = fmt::format("{}.{}", bitcode.string(), getpid());
  const int failed = run_command({clang,
                                  "--target=nvptx64-nvidia-cuda",
                                  "-Xclang",
                                  "-target-cpu",
                                  "-Xclang",
                                  "sm_70",
                                  "-Xclang",
                                  "-target-feature",
                                  "-Xclang",
                                  "+ptx72",
                                  "-x",
                                  "c++",
                                  "-std=c++17",
                                  "-O2",
                                  "-fno-exceptions",
                                  "-fno-rtti",
                                  "-fno-math-errno",
                                  "-ffp-contract=off",
                                  "-nogpulib",
                                  "-I",
                                  root.string(),
                                  "-emit-llvm",
                                  "-c",
                                  (sources / "device_math.cpp").string(),
                                  "-o",
                                  fresh});
  if (failed != 0)
    throw InputError(
        fmt::format("{} cannot compile the device's mathematics to {}; see its message above; check that the folder is writable, and use "
                    "clang 14 or newer with the NVPTX target",
                    clang, bitcode.string()));
  fs::rename(fresh, bitcode);  // at once: another process may do the same
  return bitcode;
}

fs::path cache_folder() {
  const auto value = [](const char* name) -> std::string { return std::getenv(name) == nullptr ? "" : std::getenv(name); };
  if (const std::string cache = value("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "wharf";
  if (const std::string home = value("HOME"); !home.empty()) return fs::path(home) / ".cache/wharf";
  return fs::temp_directory_path() / fmt::format("wharf-{}", getuid());
}

}  // namespace wharf::cuda
