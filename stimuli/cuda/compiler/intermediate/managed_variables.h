#pragma once
// Managed variables in the host's part of a CUDA source. clang 14 knows them in HIP alone.

#include <string>

namespace wharf::cuda {

/// In the text of the host's module before its optimisation, makes each variable of the section "wharf_managed" (include/wharf/qualifiers.h)
/// a pointer, and each use of the variable one of what it points to, as nvcc does. __cudaRegisterManagedVar sets the pointers, before the
/// constructors of the source's own objects run. Throws InputError, which begins with `path`, where an initial value holds the address of a
/// managed variable.
std::string with_managed_pointers(const std::string& module, const std::string& path);

}  // namespace wharf::cuda
