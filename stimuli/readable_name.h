#pragma once
// Names of kernels for messages.

#include <string>

namespace wharf {

/// `gemm<float>` of `_Z4gemmIfEvPKT_S2_PS0_i`; a name that is not mangled stays as it is.
std::string readable_name(const std::string& kernel);

}  // namespace wharf
