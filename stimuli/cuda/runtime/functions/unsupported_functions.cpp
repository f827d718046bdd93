// Functions of the API without an implementation: each ends the program with its name and exit code 2, and never returns (CU-17).

#include <string>

#include "stimuli/cuda/runtime/channel.h"

namespace {

std::string remedy_of(const std::string& function) {
  if (function.rfind("cudaGraph", 0) == 0 && function.rfind("cudaGraphics", 0) != 0)
    return "graphs have nodes for kernels, copies, fills, host functions, events and child graphs, each with its cudaGraphAdd function";
  return "docs/howto-cuda.md says which functions are not";
}

[[noreturn]] void refuse(const std::string& function) {
  wharf::cuda::runtime::end_program(function + " is not supported; " + remedy_of(function));
}

}  // namespace

extern "C" {
#define WHARF_UNSUPPORTED(function) \
  void function() { refuse(#function); }
#include "stimuli/cuda/runtime/functions/unsupported_functions.inc"
#undef WHARF_UNSUPPORTED
}
