#include "stimuli/cuda/runtime/launch_attributes.h"

#include <algorithm>

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint32_t kPortableCluster = 8;

bool is_same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

cudaError_t read_attributes(const DeviceDescription& device, const cudaLaunchConfig_t& config, LaunchAttributes& attributes) {
  if (config.numAttrs != 0 && config.attrs == nullptr) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = config.attrs[i].val;
    switch (config.attrs[i].id) {
      case cudaLaunchAttributeAccessPolicyWindow:
        if (const cudaError_t error = check_window(device, value.accessPolicyWindow); error != cudaSuccess) return error;
        attributes.window = value.accessPolicyWindow;
        break;
      case cudaLaunchAttributeClusterDimension:
        attributes.cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
        break;
      case cudaLaunchAttributeCooperative:
        attributes.cooperative = value.cooperative != 0;
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
        break;
      default:
        return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

cudaError_t check_window(const DeviceDescription& device, const cudaAccessPolicyWindow& window) {
  const bool is_ratio = window.hitRatio >= 0 && window.hitRatio <= 1;  // not a NaN
  const bool has_properties = window.hitProp >= cudaAccessPropertyNormal && window.hitProp <= cudaAccessPropertyPersisting &&
                              (window.missProp == cudaAccessPropertyNormal || window.missProp == cudaAccessPropertyStreaming);
  const bool fits = window.num_bytes <= device.largest_window_bytes &&
                    window.num_bytes <= ~std::uint64_t{0} - reinterpret_cast<std::uint64_t>(window.base_ptr);
  return is_ratio && has_properties && fits ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t find_cluster(const DeviceDescription& device, const Kernel& kernel, const std::optional<dim3>& asked, dim3& cluster) {
  const dim3& required = kernel.required_cluster;
  const bool requires_one = required.x != 0 || required.y != 0 || required.z != 0;
  if (!asked && !requires_one) {
    cluster = dim3(1, 1, 1);
    return kernel.needs_cluster ? cudaErrorInvalidClusterSize : cudaSuccess;
  }
  cluster = asked.value_or(required);
  if (requires_one && !is_same(cluster, required)) return cudaErrorInvalidClusterSize;
  if (is_same(cluster, dim3(1, 1, 1))) return cudaSuccess;
  if (device.gpc_sms.empty()) return cudaErrorNotSupported;
  std::uint64_t ctas = 1;
  for (const std::uint32_t side : {cluster.x, cluster.y, cluster.z}) {
    ctas *= side;
    if (ctas == 0 || ctas > largest_cluster(device, kernel)) return cudaErrorInvalidClusterSize;
  }
  return cudaSuccess;
}

std::uint32_t largest_cluster(const DeviceDescription& device, const Kernel& kernel) {
  return kernel.allows_large_clusters ? device.largest_cluster : std::min(device.largest_cluster, kPortableCluster);
}

std::uint64_t resident_clusters(const DeviceDescription& device, std::uint64_t resident, std::uint64_t size) {
  std::uint64_t clusters = 0;
  for (const std::uint32_t sms : device.gpc_sms)
    if (device.packs_clusters || sms >= size) clusters += sms * resident / size;
  return clusters;
}

LaunchAttributesRecord attributes_record(const Session& session, const cudaAccessPolicyWindow& window, const dim3& cluster) {
  LaunchAttributesRecord record;
  record.cluster[0] = cluster.x, record.cluster[1] = cluster.y, record.cluster[2] = cluster.z;
  if (window.num_bytes != 0) {
    record.window_base = reinterpret_cast<std::uint64_t>(window.base_ptr);
    record.window_bytes = window.num_bytes;
    record.hit_ratio = window.hitRatio;
    record.on_hit = static_cast<AccessProperty>(window.hitProp);
    record.on_miss = static_cast<AccessProperty>(window.missProp);
  }
  const auto limit = session.limits.find(cudaLimitPersistingL2CacheSize);
  if (limit != session.limits.end()) record.persisting_limit = limit->second;
  record.resets_persisting = session.resets_persisting;
  return record;
}

}  // namespace wharf::cuda::runtime
