#pragma once
// What launches have beyond grid and block: access-policy windows of L2, thread-block clusters, cooperation.

#include <optional>
#include <string>

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// Why a launch cannot run: what the API returns, and a sentence with value, rule and remedy. No error: it can.
struct LaunchRefusal {
  cudaError_t error = cudaSuccess;
  std::string reason;
};

/// The attributes of cudaLaunchKernelExC that have an effect.
struct LaunchAttributes {
  std::optional<cudaAccessPolicyWindow> window;  // none: that of the stream
  std::optional<dim3> cluster;                   // none: that of the kernel
  bool cooperative = false;
};

/// Sets `attributes` that the launch has. Commands run in the order of submission, each alone, so that most need nothing. Refuses one that a launch does not have or
/// Wharf does not know, with cudaErrorInvalidValue.
LaunchRefusal read_attributes(const DeviceDescription& device, const cudaLaunchConfig_t& config, LaunchAttributes& attributes);

/// Returns cudaErrorInvalidValue for a window that a device cannot have.
cudaError_t check_window(const DeviceDescription& device, const cudaAccessPolicyWindow& window);

/// What to send before a launch. The pending reset is part of it.
LaunchAttributesRecord attributes_record(const Session& session, const cudaAccessPolicyWindow& window, const dim3& cluster);

}  // namespace wharf::cuda::runtime
