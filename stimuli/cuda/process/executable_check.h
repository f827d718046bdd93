#pragma once
// Looks into a program's file before it is started: does it use a CUDA runtime that we can stand in for (CU-4)?

#include <string>

namespace wharf::cuda {

/// Throws InputError, which begins with the path, for a program that was linked with the static runtime, or that is no 64-bit ELF file for
/// this machine. A script (`#!`) passes, because the programs that it starts cannot be checked.
void check_executable(const std::string& path);

}  // namespace wharf::cuda
