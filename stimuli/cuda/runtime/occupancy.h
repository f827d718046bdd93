#pragma once
// How many CTAs and thread-block clusters the device holds at a time.

#include <cstdint>

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// What a CTA takes of an SM. Its registers are those that a launch takes (stimuli/ptx/fitted_registers.h).
struct CtaNeeds {
  std::uint64_t threads = 0;  // of whole warps
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;  // with those that the device reserves
};
CtaNeeds needs_of_cta(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads, std::uint64_t dynamic_shared_bytes);

/// Threads of the largest CTA of the kernel whose estimated registers an SM has. A launch may take fewer registers (ptx::fitted_registers).
std::uint64_t largest_cta(const DeviceDescription& device, const Kernel& kernel);

/// CTAs with these needs that an SM holds at once; 0 where none fits.
std::uint64_t resident_ctas(const DeviceDescription& device, const CtaNeeds& needs);
/// CTAs of `threads` threads that an SM holds at once.
std::uint64_t resident_ctas(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads,
                            std::uint64_t dynamic_shared_bytes);
/// Clusters of `size` CTAs that the device holds at once, if an SM holds `resident` CTAs.
std::uint64_t resident_clusters(const DeviceDescription& device, std::uint64_t resident, std::uint64_t size);

/// The size of the kernel's clusters, by its source or cudaFuncSetAttribute; sides are 0 where neither says one.
dim3 required_cluster(const Kernel& kernel);
/// Most CTAs of a cluster of this kernel.
std::uint32_t largest_cluster(const DeviceDescription& device, const Kernel& kernel);

}  // namespace wharf::cuda::runtime
