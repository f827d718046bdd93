// Launches by both protocols of CU-4, attributes of kernels, occupancy.

#include "stimuli/cuda/runtime/kernels.h"
#include "stimuli/cuda/runtime/occupancy.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t set_attribute(const DeviceDescription& device, Kernel& kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;  // the machine's split of L1 is fixed
  if (value < 0) return cudaErrorInvalidValue;
  const auto number = static_cast<std::uint32_t>(value);
  const bool sets_cluster = attribute >= cudaFuncAttributeRequiredClusterWidth && attribute <= cudaFuncAttributeRequiredClusterDepth;
  if (sets_cluster && kernel.description.required_cluster[0] != 0) return cudaErrorNotPermitted;  // its source has set it
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (std::uint64_t{number} + kernel.description.static_shared_bytes > device.shared_bytes_per_cta_optin) return cudaErrorInvalidValue;
      kernel.dynamic_shared_limit = number;
      return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
      kernel.needs_cluster = number != 0;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
      kernel.required_cluster.x = number;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterHeight:
      kernel.required_cluster.y = number;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterDepth:
      kernel.required_cluster.z = number;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      kernel.allows_large_clusters = number != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:  // front_end.cluster_policy decides
      return number <= cudaClusterSchedulingPolicyLoadBalancing ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  return api_call("__cudaPushCallConfiguration", [&](Session& s) {
    s.configurations.push_back({grid, block, shared_bytes, stream});
    return cudaSuccess;
  });
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  return api_call("__cudaPopCallConfiguration", [&](Session& s) {
    if (s.configurations.empty()) {  // a kernel called as a function: the stub launches all the same, and that is refused
      *grid = *block = dim3(0, 0, 0);
      *shared_bytes = 0;
      *static_cast<cudaStream_t*>(stream) = nullptr;
      return cudaErrorMissingConfiguration;
    }
    const LaunchConfiguration configuration = s.configurations.back();
    s.configurations.pop_back();
    *grid = configuration.grid;
    *block = configuration.block;
    *shared_bytes = configuration.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = configuration.stream;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return api_call("cudaLaunchKernel", [&](Session& s) {
    return launch(s, stub, {grid, block, shared_bytes, stream, nullptr, 0}, arguments);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return api_call("cudaLaunchCooperativeKernel", [&](Session& s) {
    cudaLaunchAttribute cooperative = {};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    return launch(s, stub, {grid, block, shared_bytes, stream, &cooperative, 1}, arguments);
  });
}

// nvcc 13: the stub first asks for a handle of the kernel, then launches that. The stub's address serves as the handle.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  return api_call("__cudaGetKernel", [&](Session& s) {
    if (s.kernels.find(stub) == s.kernels.end()) return cudaErrorInvalidDeviceFunction;
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(stub));
    return cudaSuccess;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return api_call("__cudaLaunchKernel", [&](Session& s) {
    return launch(s, kernel, {grid, block, shared_bytes, stream, nullptr, 0}, arguments);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  return api_call("cudaFuncGetAttributes", [&](Session& s) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Kernel* kernel = find_kernel(s, stub, error);
    if (kernel == nullptr) return error;
    const KernelDescription& description = kernel->description;
    const DeviceDescription& device = s.channel.device();
    *attributes = {};
    attributes->sharedSizeBytes = description.static_shared_bytes;
    attributes->constSizeBytes = description.constant_bytes;
    attributes->localSizeBytes = description.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(largest_cta(device, *kernel));
    attributes->numRegs = static_cast<int>(description.registers);
    attributes->ptxVersion = static_cast<int>(description.virtual_architecture);
    attributes->binaryVersion = static_cast<int>(device.compute_major * 10 + device.compute_minor);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(
        kernel->dynamic_shared_limit != 0 ? kernel->dynamic_shared_limit : device.shared_bytes_per_cta - description.static_shared_bytes);
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  return api_call("cudaFuncSetAttribute", [&](Session& s) {
    cudaError_t error = cudaSuccess;
    Kernel* kernel = find_kernel(s, stub, error);
    if (kernel == nullptr) return error;
    return set_attribute(s.channel.device(), *kernel, attribute, value);
  });
}

// Hints about L1 and banks: the machine's configuration decides.
cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
  return api_call("cudaFuncSetCacheConfig",
                  [&](Session& s) { return s.kernels.count(stub) != 0 ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig) {
  return api_call("cudaFuncSetSharedMemConfig",
                  [&](Session& s) { return s.kernels.count(stub) != 0 ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads, size_t shared_bytes) {
  return api_call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Session& s) {
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Kernel* kernel = find_kernel(s, stub, error);
    if (kernel == nullptr) return error;
    const auto count = static_cast<std::uint64_t>(threads);
    const bool fits = count <= std::min(kernel->description.threads_per_cta, s.channel.device().threads_per_cta);
    *blocks = fits ? static_cast<int>(resident_ctas(s.channel.device(), *kernel, count, shared_bytes)) : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads, size_t shared_bytes,
                                                                   unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, threads, shared_bytes);
}

WHARF_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
WHARF_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
WHARF_ALIAS(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);
}
