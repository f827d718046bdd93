#pragma once
// Device variables of internal linkage (in an unnamed namespace, or of an unnamed type) in clang's intermediate code before its optimisation. The
// host reads and writes them by their symbols, but clang 14 knows that of `static` ones only: it would take the others to keep their initial
// value, and remove those that kernels only write.

#include <string>

namespace wharf::cuda {

/// Returns the module, a text of LLVM 14 or later, with all `__device__` and `__constant__` variables of internal linkage kept and initialised
/// from outside. Variables local to functions stay as they are: the host cannot name them.
std::string with_host_access(const std::string& module);

}  // namespace wharf::cuda
