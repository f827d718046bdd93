#pragma once
// What launches have beyond grid and block: access-policy windows of L2, and thread-block clusters.

#include <optional>

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// The attributes of cudaLaunchKernelExC that have an effect.
struct LaunchAttributes {
  std::optional<cudaAccessPolicyWindow> window;  // none: that of the stream
  std::optional<dim3> cluster;                   // none: that of the kernel
  bool cooperative = false;
};

/// Commands run in the order of submission, each alone, so that most attributes need nothing. Returns cudaErrorInvalidValue for one that a
/// launch does not have or Wharf does not know.
cudaError_t read_attributes(const DeviceDescription& device, const cudaLaunchConfig_t& config, LaunchAttributes& attributes);

/// Returns cudaErrorInvalidValue for a window that a device cannot have.
cudaError_t check_window(const DeviceDescription& device, const cudaAccessPolicyWindow& window);

/// The cluster of a launch, of one CTA where neither the launch nor the kernel asks for one. Returns cudaErrorInvalidClusterSize where both
/// do and differ, where the kernel needs one, or for one of impossible size; cudaErrorNotSupported where the device has no clusters.
cudaError_t find_cluster(const DeviceDescription& device, const Kernel& kernel, const std::optional<dim3>& asked, dim3& cluster);
/// Most CTAs of a cluster of this kernel.
std::uint32_t largest_cluster(const DeviceDescription& device, const Kernel& kernel);
/// Clusters of `size` CTAs that the device holds at once, if an SM holds `resident` CTAs.
std::uint64_t resident_clusters(const DeviceDescription& device, std::uint64_t resident, std::uint64_t size);

/// What to send before a launch. The pending reset is part of it.
LaunchAttributesRecord attributes_record(const Session& session, const cudaAccessPolicyWindow& window, const dim3& cluster);

}  // namespace wharf::cuda::runtime
