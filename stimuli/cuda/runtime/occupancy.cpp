#include "stimuli/cuda/runtime/occupancy.h"

#include <algorithm>

#include "stimuli/ptx/fitted_registers.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint64_t kWarp = 32, kRegisterGranule = 256;
constexpr std::uint32_t kPortableCluster = 8;

std::uint64_t warp_registers(std::uint64_t per_thread) {
  return (per_thread * kWarp + kRegisterGranule - 1) / kRegisterGranule * kRegisterGranule;
}

}  // namespace

CtaNeeds needs_of_cta(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads, std::uint64_t dynamic_shared_bytes) {
  const std::uint64_t registers = ptx::fitted_registers(kernel.description.registers, threads);
  const std::uint64_t warps = (threads + kWarp - 1) / kWarp;
  const std::uint64_t shared = kernel.description.static_shared_bytes + dynamic_shared_bytes;
  return {warps * kWarp, warp_registers(registers) * warps, shared != 0 ? shared + device.shared_bytes_reserved : 0};
}

std::uint64_t largest_cta(const DeviceDescription& device, const Kernel& kernel) {
  const std::uint64_t warps = device.registers_per_sm / std::max<std::uint64_t>(warp_registers(kernel.description.registers), 1);
  return std::min<std::uint64_t>({kernel.description.threads_per_cta, device.threads_per_cta, warps * kWarp});
}

std::uint64_t resident_ctas(const DeviceDescription& device, const CtaNeeds& needs) {
  if (needs.threads == 0) return 0;
  std::uint64_t ctas = std::min<std::uint64_t>(device.ctas_per_sm, device.threads_per_sm / needs.threads);
  if (needs.registers != 0) ctas = std::min(ctas, device.registers_per_sm / needs.registers);
  if (needs.shared_bytes != 0) ctas = std::min(ctas, device.shared_bytes_per_sm / needs.shared_bytes);
  return ctas;
}

std::uint64_t resident_ctas(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads,
                            std::uint64_t dynamic_shared_bytes) {
  return resident_ctas(device, needs_of_cta(device, kernel, threads, dynamic_shared_bytes));
}

std::uint64_t resident_clusters(const DeviceDescription& device, std::uint64_t resident, std::uint64_t size) {
  std::uint64_t clusters = 0;
  for (const std::uint32_t sms : device.gpc_sms)
    if (device.packs_clusters || sms >= size) clusters += sms * resident / size;
  return clusters;
}

dim3 required_cluster(const Kernel& kernel) {
  const auto& [x, y, z] = kernel.description.required_cluster;
  return x != 0 ? dim3(x, y, z) : kernel.required_cluster;
}

std::uint32_t largest_cluster(const DeviceDescription& device, const Kernel& kernel) {
  return kernel.allows_large_clusters ? device.largest_cluster : std::min(device.largest_cluster, kPortableCluster);
}

}  // namespace wharf::cuda::runtime
