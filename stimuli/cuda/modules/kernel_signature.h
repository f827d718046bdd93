#pragma once
// The parameters of a kernel, read from the head of its `.entry` in PTX, without parsing the rest.

#include <string>
#include <string_view>
#include <vector>

#include "stimuli/cuda/recording/queries.h"

namespace wharf::cuda {

/// The names of the kernels that a PTX text defines, in order.
std::vector<std::string> kernels_of(std::string_view ptx);

/// Fills `parameters` and `parameter_bytes` (CU-24): each parameter at the next multiple of its alignment. Returns false where the text
/// does not define the kernel, or its head cannot be read.
bool read_signature(std::string_view ptx, std::string_view kernel, KernelDescription& description);

}  // namespace wharf::cuda
