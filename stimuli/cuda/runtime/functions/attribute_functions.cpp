// Attributes of streams, launches with attributes, and the occupancy of thread-block clusters.

#include "stimuli/cuda/runtime/kernels.h"
#include "stimuli/cuda/runtime/launch_attributes.h"
#include "stimuli/cuda/runtime/launch_check.h"
#include "stimuli/cuda/runtime/occupancy.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

/// Calls copy(member of `stored`, member of `value`) for the attribute. Programs built for CUDA 11.0 to 11.7 have a union of 32 bytes, so
/// that only the attribute's own member may be touched. Returns cudaErrorInvalidValue for an attribute that a stream does not have.
template <class Value, class Copy>
cudaError_t copy_attribute(StreamAttributes& stored, cudaLaunchAttributeID attribute, Value& value, Copy copy) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      copy(stored.window, value.accessPolicyWindow);
      break;
    case cudaLaunchAttributeSynchronizationPolicy:
      copy(stored.synchronization, value.syncPolicy);
      break;
    case cudaLaunchAttributePriority:
      copy(stored.priority, value.priority);
      break;
    case cudaLaunchAttributeMemSyncDomainMap:
      copy(stored.domains, value.memSyncDomainMap);
      break;
    case cudaLaunchAttributeMemSyncDomain:
      copy(stored.domain, value.memSyncDomain);
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// The kernel behind `stub`, and the CTAs of the launch that an SM holds at once.
const Kernel* find_resident(Session& s, const void* stub, const cudaLaunchConfig_t& config, std::uint64_t& resident, cudaError_t& error) {
  const Kernel* kernel = find_kernel(s, stub, error);
  if (kernel == nullptr) return nullptr;
  const DeviceDescription& device = s.channel.device();
  const std::uint64_t threads = std::uint64_t{config.blockDim.x} * config.blockDim.y * config.blockDim.z;
  const bool fits = threads <= std::min(kernel->description.threads_per_cta, device.threads_per_cta);
  resident = fits ? resident_ctas(device, *kernel, threads, config.dynamicSmemBytes) : 0;
  return kernel;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value) {
  return api_call("cudaStreamSetAttribute", [&](Session& s) {
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    if (value == nullptr) return cudaErrorInvalidValue;
    if (attribute == cudaLaunchAttributeAccessPolicyWindow && check_window(s.channel.device(), value->accessPolicyWindow) != cudaSuccess)
      return cudaErrorInvalidValue;
    return copy_attribute(attributes_of(s, stream), attribute, *value, [](auto& stored, const auto& given) { stored = given; });
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value) {
  return api_call("cudaStreamGetAttribute", [&](Session& s) {
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    if (value == nullptr) return cudaErrorInvalidValue;
    return copy_attribute(attributes_of(s, stream), attribute, *value, [](const auto& stored, auto& given) { given = stored; });
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return api_call("cudaStreamCopyAttributes", [&](Session& s) {
    if (!is_stream(s, to) || !is_stream(s, from)) return cudaErrorInvalidResourceHandle;
    attributes_of(s, to) = attributes_of(s, from);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
  return api_call("cudaLaunchKernelExC", [&](Session& s) {
    if (config == nullptr) return cudaErrorInvalidValue;
    return launch(s, stub, *config, arguments);
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* stub, const cudaLaunchConfig_t* config) {
  return api_call("cudaOccupancyMaxActiveClusters", [&](Session& s) {
    if (clusters == nullptr || config == nullptr) return cudaErrorInvalidValue;
    LaunchAttributes attributes;
    std::uint64_t resident = 0;
    cudaError_t error = read_attributes(s.channel.device(), *config, attributes).error;
    if (error != cudaSuccess) return error;
    const Kernel* kernel = find_resident(s, stub, *config, resident, error);
    if (kernel == nullptr) return error;
    const DeviceDescription& device = s.channel.device();
    if (device.gpc_sms.empty()) return cudaErrorNotSupported;
    if (!attributes.cluster && required_cluster(*kernel).x == 0) return cudaErrorInvalidClusterSize;
    dim3 cluster;
    error = find_cluster(device, *kernel, attributes.cluster, cluster).error;
    if (error == cudaSuccess)
      *clusters = static_cast<int>(resident_clusters(device, resident, std::uint64_t{cluster.x} * cluster.y * cluster.z));
    return error;
  });
}
// The cluster of `config` is ignored, as CUDA has it.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* ctas, const void* stub, const cudaLaunchConfig_t* config) {
  return api_call("cudaOccupancyMaxPotentialClusterSize", [&](Session& s) {
    if (ctas == nullptr || config == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    std::uint64_t resident = 0;
    const Kernel* kernel = find_resident(s, stub, *config, resident, error);
    if (kernel == nullptr) return error;
    const DeviceDescription& device = s.channel.device();
    if (device.gpc_sms.empty()) return cudaErrorNotSupported;
    const dim3 required = required_cluster(*kernel);
    std::uint32_t size = required.x * required.y * required.z;
    if (size == 0)
      for (size = largest_cluster(device, *kernel); size > 1 && resident_clusters(device, resident, size) == 0;) --size;
    *ctas = static_cast<int>(size);
    return cudaSuccess;
  });
}

WHARF_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
WHARF_ALIAS(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);
WHARF_ALIAS(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);
WHARF_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
}
