#pragma once
// The size of a kernel's thread-block clusters, where a text trace has it only at its CTAs.

#include <string>

#include "stimuli/traces/kernel_header.h"

namespace wharf::traces {

/// CTAs of a cluster in each dimension. Reads the file at `path` up to the CTA that settles it: the first one beyond the first cluster in each
/// dimension of the grid, in a file that lists its CTAs in linear order. Mistakes are left to the reader of the CTAs.
Dim3 cluster_of_text(const std::string& path, const KernelHeader& header);

}  // namespace wharf::traces
