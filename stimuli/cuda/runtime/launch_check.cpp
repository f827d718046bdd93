#include "stimuli/cuda/runtime/launch_check.h"

#include <algorithm>

#include "stimuli/cuda/runtime/occupancy.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint64_t kLongestGridX = 0x7fffffff, kLongestGridYZ = 65535, kLongestBlockXY = 1024, kLongestBlockZ = 64;
constexpr std::uint64_t kKib = 1024;

std::string text(std::uint64_t number) { return std::to_string(number); }
std::string text(const dim3& size) { return text(size.x) + " x " + text(size.y) + " x " + text(size.z); }
std::string text_of_bytes(std::uint64_t bytes) {
  return bytes != 0 && bytes % kKib == 0 ? text(bytes / kKib) + " KiB" : text(bytes) + " B";
}

std::uint64_t count_of(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }
bool is_same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// The first side that is 0 or too long.
LaunchRefusal check_sides(const dim3& grid, const dim3& block) {
  const struct {
    const char* name;
    std::uint64_t value, most;
  } sides[] = {{"grid.x", grid.x, kLongestGridX},     {"grid.y", grid.y, kLongestGridYZ},    {"grid.z", grid.z, kLongestGridYZ},
               {"block.x", block.x, kLongestBlockXY}, {"block.y", block.y, kLongestBlockXY}, {"block.z", block.z, kLongestBlockZ}};
  for (const auto& [name, value, most] : sides)
    if (value < 1 || value > most)
      return {cudaErrorInvalidConfiguration,
              std::string(name) + " is " + text(value) + "; use 1 to " + text(most) + (value == 0 ? ", and call kernels with <<<>>>" : "")};
  return {};
}

/// Dynamic shared memory of a launch has a limit of its own, which the program may raise.
LaunchRefusal check_dynamic_shared(const DeviceDescription& device, const Kernel& kernel, std::uint64_t asked) {
  const std::uint64_t fixed = kernel.description.static_shared_bytes, raised = kernel.dynamic_shared_limit;
  const std::uint64_t limit = raised != 0 ? raised : device.shared_bytes_per_cta - std::min(device.shared_bytes_per_cta, fixed);
  if (asked <= limit) return {};
  const std::uint64_t most = device.shared_bytes_per_cta_optin - std::min(device.shared_bytes_per_cta_optin, fixed);
  std::string reason = text_of_bytes(asked) + " of dynamic shared memory";
  if (fixed != 0) reason += " beside " + text_of_bytes(fixed) + " of static";
  reason += "; use at most " + text_of_bytes(limit);
  if (most > limit) reason += ", or " + text_of_bytes(most) + " with cudaFuncAttributeMaxDynamicSharedMemorySize";
  return {cudaErrorInvalidValue, reason};
}

/// Threads, registers and shared memory of a block against those of an SM.
LaunchRefusal check_resources(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads, const CtaNeeds& needs) {
  const std::uint64_t bound = kernel.description.threads_per_cta;
  if (threads > bound)
    return {cudaErrorLaunchOutOfResources,
            text(threads) + " threads per block exceed the " + text(bound) + " of the kernel's __launch_bounds__; use smaller blocks"};
  if (needs.registers > device.registers_per_sm)
    return {cudaErrorLaunchOutOfResources, text(threads) + " threads take " + text(needs.registers) + " registers; an SM has " +
                                               text(device.registers_per_sm) +
                                               "; use smaller blocks, or fewer registers by __launch_bounds__ or -maxrregcount"};
  if (needs.shared_bytes > device.shared_bytes_per_sm)
    return {cudaErrorLaunchOutOfResources, text_of_bytes(needs.shared_bytes) + " of shared memory per block; an SM has " +
                                               text_of_bytes(device.shared_bytes_per_sm) + "; use less"};
  if (needs.threads > device.threads_per_sm)
    return {cudaErrorLaunchOutOfResources,
            text(needs.threads) + " threads in whole warps; an SM has places for " + text(device.threads_per_sm) + "; use smaller blocks"};
  return {};
}

/// The CTAs of a cooperative launch, and of one cluster, run at a time. `resident`: CTAs that an SM holds.
LaunchRefusal check_places(const DeviceDescription& device, const dim3& grid, bool cooperative, const dim3& cluster,
                           std::uint64_t resident) {
  const std::uint64_t size = count_of(cluster);
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    return {cudaErrorInvalidClusterSize, "clusters of " + text(cluster) + " CTAs do not divide the grid of " + text(grid) +
                                             "; make each side of the grid a multiple of the cluster's"};
  const std::uint64_t clusters = size > 1 ? resident_clusters(device, resident, size) : resident * device.sms;
  if (clusters == 0) {
    const std::uint64_t sms = *std::max_element(device.gpc_sms.begin(), device.gpc_sms.end());
    return {cudaErrorInvalidClusterSize, "clusters of " + text(size) + " CTAs fit no GPC; the largest has " + text(sms) + " SMs with " +
                                             (device.packs_clusters ? text(resident) + " CTAs each" : "one CTA of a cluster each") +
                                             "; use smaller clusters"};
  }
  if (const std::uint64_t ctas = count_of(grid); cooperative && ctas > clusters * size)
    return {cudaErrorCooperativeLaunchTooLarge, "a cooperative grid of " + text(ctas) + " CTAs; the GPU holds " + text(clusters * size) +
                                                    " at a time, " + text(resident) + " per SM; launch fewer"};
  return {};
}

/// A cluster that is not of one CTA.
LaunchRefusal check_cluster_size(const DeviceDescription& device, const Kernel& kernel, const dim3& cluster) {
  if (device.gpc_sms.empty())
    return {cudaErrorNotSupported,
            "clusters of " + text(cluster) +
                " CTAs need compute capability 9.0 and SMs that share their memory; choose such a machine, as cluster/h100 is"};
  const std::uint32_t most = largest_cluster(device, kernel);
  std::uint64_t ctas = 1;
  for (const std::uint32_t side : {cluster.x, cluster.y, cluster.z})
    ctas = side <= most ? std::min<std::uint64_t>(ctas * side, most + 1) : most + 1;
  if (ctas >= 1 && ctas <= most) return {};
  std::string reason = "clusters of " + text(cluster) + " CTAs; use 1 to " + text(most);
  if (most < device.largest_cluster)
    reason += ", or with cudaFuncAttributeNonPortableClusterSizeAllowed to " + text(device.largest_cluster);
  return {cudaErrorInvalidClusterSize, reason};
}

}  // namespace

LaunchRefusal find_cluster(const DeviceDescription& device, const Kernel& kernel, const std::optional<dim3>& asked, dim3& cluster) {
  const dim3 required = required_cluster(kernel);
  const bool requires_one = required.x != 0 || required.y != 0 || required.z != 0;
  cluster = asked.value_or(requires_one ? required : dim3(1, 1, 1));
  if (!asked && !requires_one && kernel.needs_cluster)
    return {cudaErrorInvalidClusterSize, "the launch sets no cluster, which cudaFuncAttributeClusterDimMustBeSet asks for"};
  if (requires_one && !is_same(cluster, required))
    return {cudaErrorInvalidClusterSize, "clusters of " + text(cluster) + " CTAs where the kernel requires " + text(required)};
  return is_same(cluster, dim3(1, 1, 1)) ? LaunchRefusal{} : check_cluster_size(device, kernel, cluster);
}

LaunchRefusal check_launch(Session& session, const Kernel& kernel, const cudaLaunchConfig_t& config, const LaunchAttributes& attributes,
                           dim3& cluster) {
  const DeviceDescription& device = session.channel.device();
  if (!is_stream(session, config.stream)) return {cudaErrorInvalidResourceHandle, "its stream does not exist, or is destroyed"};
  if (LaunchRefusal refusal = check_sides(config.gridDim, config.blockDim); refusal.error != cudaSuccess) return refusal;
  const std::uint64_t threads = count_of(config.blockDim), shared_bytes = config.dynamicSmemBytes;
  if (threads > device.threads_per_cta)
    return {cudaErrorInvalidConfiguration, text(threads) + " threads per block; use at most " + text(device.threads_per_cta)};
  if (LaunchRefusal refusal = check_dynamic_shared(device, kernel, shared_bytes); refusal.error != cudaSuccess) return refusal;
  const CtaNeeds needs = needs_of_cta(device, kernel, threads, shared_bytes);
  if (LaunchRefusal refusal = check_resources(device, kernel, threads, needs); refusal.error != cudaSuccess) return refusal;
  if (LaunchRefusal refusal = find_cluster(device, kernel, attributes.cluster, cluster); refusal.error != cudaSuccess) return refusal;
  return check_places(device, config.gridDim, attributes.cooperative, cluster, resident_ctas(device, needs));
}

}  // namespace wharf::cuda::runtime
