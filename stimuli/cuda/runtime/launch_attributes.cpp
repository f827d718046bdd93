#include "stimuli/cuda/runtime/launch_attributes.h"

namespace wharf::cuda::runtime {

LaunchRefusal read_attributes(const DeviceDescription& device, const cudaLaunchConfig_t& config, LaunchAttributes& attributes) {
  if (config.numAttrs != 0 && config.attrs == nullptr)
    return {cudaErrorInvalidValue, "attrs is null where numAttrs is " + std::to_string(config.numAttrs)};
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = config.attrs[i].val;
    switch (config.attrs[i].id) {
      case cudaLaunchAttributeAccessPolicyWindow:
        if (check_window(device, value.accessPolicyWindow) != cudaSuccess)
          return {cudaErrorInvalidValue, "its access-policy window is not valid; use at most " +
                                             std::to_string(device.largest_window_bytes) +
                                             " B, a hit ratio of 0 to 1, and no persisting misses"};
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
        return {cudaErrorInvalidValue, "attribute " + std::to_string(config.attrs[i].id) + " is not one of a launch; leave it out"};
    }
  }
  return {};
}

cudaError_t check_window(const DeviceDescription& device, const cudaAccessPolicyWindow& window) {
  const bool is_ratio = window.hitRatio >= 0 && window.hitRatio <= 1;  // not a NaN
  const bool has_properties = window.hitProp >= cudaAccessPropertyNormal && window.hitProp <= cudaAccessPropertyPersisting &&
                              (window.missProp == cudaAccessPropertyNormal || window.missProp == cudaAccessPropertyStreaming);
  const bool fits = window.num_bytes <= device.largest_window_bytes &&
                    window.num_bytes <= ~std::uint64_t{0} - reinterpret_cast<std::uint64_t>(window.base_ptr);
  return is_ratio && has_properties && fits ? cudaSuccess : cudaErrorInvalidValue;
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
