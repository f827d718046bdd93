#pragma once
// The image of a module, as a program registers it: our container (CU-2), a fat binary of nvcc (CU-4), or plain PTX, told by its first
// bytes.

#include <string_view>
#include <vector>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

/// The PTX texts of an image: all of a container's, the best of a fat binary's. Throws InputError, which begins with `name`, for an image
/// that is damaged or has no PTX.
std::vector<PtxText> read_module_image(std::string_view image, const std::string& name);

}  // namespace wharf::cuda
