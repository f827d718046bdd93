#include "stimuli/cuda/compiler/missing_headers.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace wharf::cuda {
namespace {

struct Library {
  std::vector<std::string> prefixes;  // of its headers
  const char* name;
  const char* remedy;
};

const std::vector<Library>& libraries() {
  constexpr const char* kReplace = "Wharf does not have it; replace the calls by kernels of your own";
  static const std::vector<Library> all = {
      {{"thrust/", "cub/"}, "Thrust and CUB", "install them with: apt-get install libthrust-dev libcub-dev"},
      {{"cuda/std/", "cuda/latch", "cuda/semaphore", "nv/target"},
       "libcu++",
       "Wharf has its atomic objects, barriers, pipelines and access properties; install the rest with: apt-get install libcu++-dev"},
      {{"cutlass/", "cute/"}, "CUTLASS", "name its folder with -I; instructions that Wharf lacks are reported when the kernel is launched"},
      {{"torch/", "ATen/", "c10/", "pybind11/"}, "PyTorch", "call the kernels from a main() of your own"},
      {{"helper_"}, "NVIDIA's samples", "name the samples' folder Common with -I"},
      {{"cublas"}, "cuBLAS", kReplace},
      {{"cusparse"}, "cuSPARSE", kReplace},
      {{"cusolver"}, "cuSOLVER", kReplace},
      {{"cufft"}, "cuFFT", kReplace},
      {{"curand"}, "cuRAND", "Wharf has its device functions alone, in curand_kernel.h; draw the numbers in kernels of your own"},
      {{"cudnn"}, "cuDNN", kReplace},
      {{"nccl"}, "NCCL", kReplace},
      {{"nvrtc"}, "NVRTC", kReplace},
  };
  return all;
}

}  // namespace

std::vector<std::string> notes_on_missing_headers(const std::string& rule) {
  std::vector<std::string> notes;
  std::set<const Library*> named;
  std::istringstream words(rule);
  for (std::string word; words >> word;) {
    for (const Library& library : libraries()) {
      const auto begins = [&](const std::string& prefix) { return word.rfind(prefix, 0) == 0; };
      if (std::none_of(library.prefixes.begin(), library.prefixes.end(), begins) || !named.insert(&library).second) continue;
      notes.push_back(fmt::format("{} belongs to {}: {}", word, library.name, library.remedy));
    }
  }
  return notes;
}

}  // namespace wharf::cuda
