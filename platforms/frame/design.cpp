#include "platforms/frame/design.h"

#include "platforms/frame/gpu_params.h"

namespace wharf {

std::uint32_t Design::caches(const GpuParams& gpu) const { return gpu.single_l1 ? 1 : gpu.sms; }

}  // namespace wharf
