#pragma once
// What a CUDA program is told of the GPU: its configuration (CU-23).

#include <string>

#include "platforms/frame/gpu_params.h"
#include "stimuli/cuda/recording/queries.h"

namespace wharf::cli {

/// `name`: of the configuration.
cuda::DeviceDescription describe_device(const GpuParams& gpu, const std::string& name);

}  // namespace wharf::cli
