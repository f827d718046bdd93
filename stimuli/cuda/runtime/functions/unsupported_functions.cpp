// Functions of the API without an implementation: each ends the program with its name and exit code 2, and never returns (CU-17).

#include <string>

#include "stimuli/cuda/runtime/channel.h"

namespace {

[[noreturn]] void refuse(const char* function, int tier) {
  const std::string name = function;
  const bool is_of_graphs = name.rfind("cudaGraph", 0) == 0 && name.rfind("cudaGraphics", 0) != 0;
  wharf::cuda::runtime::end_program(
      name + " is not supported (tier " + std::to_string(tier) + "); " +
      (is_of_graphs
           ? "graphs have nodes for kernels, copies, fills, host functions, events and child graphs, each with its cudaGraphAdd function"
           : "docs/howto-cuda.md says which functions are not"));
}

}  // namespace

extern "C" {
#define WHARF_UNSUPPORTED(function, tier) \
  void function() { refuse(#function, tier); }
#include "stimuli/cuda/runtime/functions/unsupported_functions.inc"
#undef WHARF_UNSUPPORTED
}
