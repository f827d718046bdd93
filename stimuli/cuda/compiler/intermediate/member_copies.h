#pragma once
// Copies of structures in clang's intermediate code before its optimisation, member by member. Of a float4 whose x changes, clang 14 keeps the
// rest as a copy of 12 bytes, which no register holds: it goes through local memory. As members it stays in registers, and what remains to be
// copied is joined again to accesses of 16 bytes.

#include <string>

namespace wharf::cuda {

/// Returns the module, a text of LLVM 14 or later, with copies of structures of at most 16 scalar members replaced by loads of all members
/// and stores of all. What clang does not describe by members (arrays, unions, bit-fields, classes with bases) stays as it is.
std::string with_member_copies(const std::string& module);

}  // namespace wharf::cuda
