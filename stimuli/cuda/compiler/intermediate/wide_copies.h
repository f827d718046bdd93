#pragma once
// Copies and fills of a known size in clang's intermediate code, by accesses as wide as their alignment allows, 16 bytes at most, as nvcc
// makes them. clang 14 makes two accesses of 8 bytes of a float4, which write every sector in parts, and a loop over single bytes of what has
// more than 128 bytes.

#include <string>

namespace wharf::cuda {

/// Returns the module, a text of LLVM 14 or later, with llvm.memcpy and llvm.memset of at most 512 bytes replaced where clang's accesses
/// would be narrower. Other calls and what is not understood stay as they are.
std::string with_wide_copies(const std::string& module);

}  // namespace wharf::cuda
