#include "platforms/cli/cuda/device_description.h"

#include <algorithm>

#include "model/base/cluster_member.h"

namespace wharf::cli {

cuda::DeviceDescription describe_device(const GpuParams& gpu, const std::string& name) {
  constexpr std::uint32_t kKhzPerMhz = 1000, kBits = 8, kTransfersPerClock = 2;
  constexpr std::uint64_t kKib = 1024, kWithoutAsking = 48 * kKib;       // what a CTA gets without cudaFuncSetAttribute
  constexpr std::uint64_t kLargestWindow = 128 * kKib * kKib;            // about that of GPUs of compute capability 8.0
  constexpr std::uint32_t kFirstWithClusters = 9, kPortableCluster = 8;  // compute capability; CTAs
  cuda::DeviceDescription device;
  device.name = "Wharf " + name;
  device.compute_major = gpu.cuda.compute_major();
  device.compute_minor = gpu.cuda.compute_minor();
  device.memory_bytes = gpu.cuda.memory_mib * kKib * kKib;
  device.sms = gpu.sms;
  device.clock_khz = gpu.clock_mhz.core * kKhzPerMhz;
  device.threads_per_sm = gpu.sm.threads;
  device.ctas_per_sm = gpu.sm.ctas;
  device.threads_per_cta = std::min(gpu.sm.threads, device.threads_per_cta);
  device.registers_per_sm = device.registers_per_cta = gpu.sm.registers;
  device.shared_bytes_per_sm = gpu.sm.shared_kib * kKib;
  device.shared_bytes_reserved = gpu.sm.shared_reserved_bytes;
  device.shared_bytes_per_cta_optin = device.shared_bytes_per_sm - std::min(device.shared_bytes_per_sm, device.shared_bytes_reserved);
  device.shared_bytes_per_cta = std::min(kWithoutAsking, device.shared_bytes_per_cta_optin);
  device.l2_bytes = gpu.slices() * gpu.l2.slice_kib * kKib;
  device.persisting_l2_bytes = gpu.l2.hints ? device.l2_bytes / gpu.l2.ways * gpu.l2.persisting_ways() : 0;
  device.largest_window_bytes = device.persisting_l2_bytes != 0 ? kLargestWindow : 0;
  if (device.compute_major >= kFirstWithClusters && gpu.facts().runs_clusters)
    for (const SmGroups::Group& gpc : gpu.gpcs()) device.gpc_sms.push_back(gpc.size);
  device.largest_cluster = gpu.front_end.nonportable_clusters ? kMostClusterCtas : kPortableCluster;
  device.packs_clusters = gpu.front_end.cluster_policy == ClusterPolicy::pack;
  // The vendor counts two transfers a clock: bandwidth = 2 * clock * width.
  device.memory_bus_bits = gpu.channels * gpu.dram.bytes_per_clock * kBits / kTransfersPerClock;
  device.memory_clock_khz = gpu.clock_mhz.dram * kKhzPerMhz;
  return device;
}

}  // namespace wharf::cli
