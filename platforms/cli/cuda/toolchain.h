#pragma once
// Finds what CUDA programs are compiled with and run on: clang, our headers, the device's mathematics and the runtime library.

#include <filesystem>
#include <string>

#include "stimuli/cuda/compiler/clang_commands.h"

namespace wharf::cli {

/// The folder of libcudart.so. Throws InputError where it was not built.
std::filesystem::path cuda_runtime_folder();

/// The clang in PATH, and Wharf's own files for it. Throws InputError where clang is missing, with the package to install.
cuda::Toolchain cuda_toolchain();

/// Compiles sources and objects to a program. Throws InputError where the compiler, which has printed why, refuses them.
void compile_program(const std::vector<std::string>& sources, const std::vector<std::string>& options,
                     const std::filesystem::path& program);

}  // namespace wharf::cli
