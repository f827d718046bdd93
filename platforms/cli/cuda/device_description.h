#pragma once
// The description of the GPU that a CUDA program receives, from its configuration (CU-23).

#include <string>

#include "platforms/frame/gpu_params.h"
#include "stimuli/cuda/recording/queries.h"

namespace wharf::cli {

/// `name`: of the configuration.
cuda::DeviceDescription describe_device(const GpuParams& gpu, const std::string& name);

}  // namespace wharf::cli
