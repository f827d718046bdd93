#pragma once
// The kernels of PTX modules and what they need of an SM.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cli {

struct ListedKernel {
  std::string name;  // as programmers write it, without parameters
  std::string mangled;
  std::string source;  // of the module
  std::uint32_t registers_per_thread = 0, shared_bytes = 0, stack_bytes = 0;
  std::string error;  // why it cannot run; empty where it can
};

/// The kernels of a group of modules that are linked, in order. Throws InputError where they cannot be linked.
std::vector<ListedKernel> kernels_of(const std::vector<cuda::PtxText>& modules);

/// An instruction of PTX that cannot run.
struct UnsupportedInstruction {
  std::string place;  // app.ptx:123:5
  std::string text;   // "cp.async.ca.shared.global is not supported (tier 2), in kernel gemm<float>, app.cu:41"
};

/// All of them, in order. Throws InputError where the modules cannot be linked.
std::vector<UnsupportedInstruction> unsupported_instructions(const std::vector<cuda::PtxText>& modules);

/// As `ptxas -v` prints them (CU-52).
void print_registers(const std::vector<cuda::PtxText>& modules, std::ostream& out);

}  // namespace wharf::cli
