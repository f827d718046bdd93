#pragma once
// Compiles the CUDA programs that the tests run.

#include <string>

#include "stimuli/cuda/compiler/nvcc_compiler.h"

namespace wharf::cuda::test {

/// Compiles stimuli/cuda/programs/NAME.cu, or tests/cuda/programs/NAME.cu, once per process and returns the program's path. Fails the test
/// if clang refuses it.
std::string build_program(const std::string& name);
/// The headers, mathematics and runtime of this build.
Toolchain toolchain();
/// The folder of libcudart.
std::string runtime_folder();
/// The folder that build_program() writes to.
std::string build_folder();

}  // namespace wharf::cuda::test
