#include "stimuli/cuda/runtime/kernels.h"

#include <algorithm>
#include <cstring>

#include "stimuli/cuda/runtime/streams.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint64_t kLongestGridX = 0x7fffffff, kLongestGridYZ = 65535, kLongestBlockXY = 1024, kLongestBlockZ = 64;
constexpr std::uint64_t kWarp = 32, kRegisterGranule = 256;

std::uint64_t dynamic_shared_limit(const DeviceDescription& device, const Kernel& kernel) {
  const std::uint64_t limit = kernel.dynamic_shared_limit != 0 ? kernel.dynamic_shared_limit : device.shared_bytes_per_cta;
  const std::uint64_t fixed = kernel.description.static_shared_bytes;
  if (kernel.dynamic_shared_limit != 0) return limit;
  return limit > fixed ? limit - fixed : 0;
}

bool is_valid(const dim3& grid, const dim3& block) {
  const auto in = [](std::uint64_t value, std::uint64_t most) { return value >= 1 && value <= most; };
  return in(grid.x, kLongestGridX) && in(grid.y, kLongestGridYZ) && in(grid.z, kLongestGridYZ) && in(block.x, kLongestBlockXY) &&
         in(block.y, kLongestBlockXY) && in(block.z, kLongestBlockZ);
}

LaunchRecord launch_record(const Kernel& kernel, const LaunchConfiguration& configuration, void** arguments) {
  const auto& [grid, block, shared_bytes, stream] = configuration;
  LaunchRecord record;
  record.module = kernel.record.module;
  record.kernel = kernel.record.name;
  record.grid[0] = grid.x, record.grid[1] = grid.y, record.grid[2] = grid.z;
  record.block[0] = block.x, record.block[1] = block.y, record.block[2] = block.z;
  record.shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  record.stream = stream_number(stream);
  record.arguments.resize(kernel.description.parameter_bytes);
  for (std::size_t i = 0; i < kernel.description.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.description.parameters[i];
    std::memcpy(record.arguments.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return record;
}

}  // namespace

Kernel* find_kernel(Session& session, const void* stub, cudaError_t& error) {
  const auto found = session.kernels.find(stub);
  if (found == session.kernels.end()) {
    error = cudaErrorInvalidDeviceFunction;
    return nullptr;
  }
  Kernel& kernel = found->second;
  if (!kernel.described) {
    int code = 0;
    if (!session.channel.ask(RecordKind::kernel_query, kernel.record, kernel.description, code)) {
      error = static_cast<cudaError_t>(code);
      return nullptr;
    }
    kernel.described = true;
  }
  return &kernel;
}

namespace {

/// Returns why the device cannot run such a launch, or cudaSuccess with the dimensions of its clusters.
cudaError_t check_launch(Session& session, const Kernel& kernel, const LaunchConfiguration& configuration,
                         const LaunchAttributes& attributes, dim3& cluster) {
  const auto& [grid, block, shared_bytes, stream] = configuration;
  if (!is_stream(session, stream)) return cudaErrorInvalidResourceHandle;
  if (!is_valid(grid, block)) return cudaErrorInvalidConfiguration;
  const DeviceDescription& device = session.channel.device();
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads > device.threads_per_cta) return cudaErrorInvalidConfiguration;
  if (shared_bytes > dynamic_shared_limit(device, kernel)) return cudaErrorInvalidValue;
  const auto resident = static_cast<std::uint64_t>(resident_ctas(device, kernel, threads, shared_bytes));
  if (threads > kernel.description.threads_per_cta || resident == 0) return cudaErrorLaunchOutOfResources;
  const cudaError_t error = find_cluster(device, kernel, attributes.cluster, cluster);
  if (error != cudaSuccess) return error;
  const std::uint64_t ctas = std::uint64_t{cluster.x} * cluster.y * cluster.z;
  const bool divides = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
  if (!divides || (ctas > 1 && resident_clusters(device, resident, ctas) == 0)) return cudaErrorInvalidClusterSize;
  const std::uint64_t held = ctas > 1 ? resident_clusters(device, resident, ctas) * ctas : resident * device.sms;
  if (attributes.cooperative && std::uint64_t{grid.x} * grid.y * grid.z > held) return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

cudaError_t refuse(Session& session, const Kernel* kernel, const LaunchConfiguration& configuration, cudaError_t error) {
  const auto& [grid, block, shared_bytes, stream] = configuration;
  session.channel.send(RecordKind::refused_launch, RefusedLaunchRecord{kernel != nullptr ? kernel->record.name : "",
                                                                       {grid.x, grid.y, grid.z},
                                                                       {block.x, block.y, block.z},
                                                                       shared_bytes,
                                                                       cudaGetErrorString(error)});
  return error;
}

}  // namespace

cudaError_t launch(Session& session, const void* stub, const LaunchConfiguration& configuration, void** arguments,
                   const LaunchAttributes& attributes) {
  cudaError_t error = cudaSuccess;
  const Kernel* kernel = find_kernel(session, stub, error);
  dim3 cluster;
  if (kernel != nullptr) error = check_launch(session, *kernel, configuration, attributes, cluster);
  if (error != cudaSuccess) return refuse(session, kernel, configuration, error);

  const LaunchRecord record = launch_record(*kernel, configuration, arguments);
  const LaunchAttributesRecord extended =
      attributes_record(session, attributes.window.value_or(attributes_of(session, configuration.stream).window), cluster);
  if (extended.acts()) session.channel.send(RecordKind::launch_attributes, extended);
  session.resets_persisting = false;
  if (attributes.cooperative) session.channel.send(RecordKind::cooperative_launch, CooperativeLaunchRecord{});
  return static_cast<cudaError_t>(session.channel.send(RecordKind::launch, record));
}

int resident_ctas(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads, std::size_t shared_bytes) {
  if (threads == 0) return 0;
  const std::uint64_t warps = (threads + kWarp - 1) / kWarp;
  std::uint64_t ctas = std::min<std::uint64_t>(device.ctas_per_sm, device.threads_per_sm / (warps * kWarp));
  const std::uint64_t warp_registers = (kernel.description.registers * kWarp + kRegisterGranule - 1) / kRegisterGranule * kRegisterGranule;
  if (warp_registers != 0) ctas = std::min<std::uint64_t>(ctas, device.registers_per_sm / (warp_registers * warps));
  const std::uint64_t shared = kernel.description.static_shared_bytes + shared_bytes;
  if (shared != 0) ctas = std::min<std::uint64_t>(ctas, device.shared_bytes_per_sm / (shared + device.shared_bytes_reserved));
  return static_cast<int>(ctas);
}

}  // namespace wharf::cuda::runtime
