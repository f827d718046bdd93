#include "stimuli/kernels/device_kernel.h"

#include <stdexcept>

#include "stimuli/kernels/kernels.h"

namespace wharf::spmd {

std::size_t DeviceArguments::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
    if (name == kernel_.parameters[i].name) return i;
  throw std::logic_error(std::string(kernel_.name) + " has no parameter " + std::string(name));
}

void DeviceArguments::require(bool holds, std::string_view name, const std::string& why) const {
  if (!holds) throw BadArgument{index_of(name), false, std::string(name) + ' ' + why};
}

void DeviceArguments::require_elements(std::string_view name, std::uint64_t least) const {
  const std::size_t index = index_of(name);
  const std::uint64_t elements = values_[index].elements;
  if (elements >= least) return;
  throw BadArgument{index, true,
                    std::string(name) + " has " + std::to_string(elements) + " elements and needs at least " + std::to_string(least)};
}

const std::vector<DeviceKernel>& device_kernels() {
  static const std::vector<DeviceKernel> kernels = {gemm_kernel(), spmv_kernel(), bfs_visit_kernel(), bfs_advance_kernel()};
  return kernels;
}

const DeviceKernel* find_device_kernel(std::string_view name) {
  for (const DeviceKernel& kernel : device_kernels())
    if (name == kernel.name) return &kernel;
  return nullptr;
}

const Kernel* DeviceWorkload::next() {
  if (running_) {
    running_ = false;
    if (drained) drained();
  }
  if (!pending_) return nullptr;
  pending_ = false;
  running_ = true;
  return &kernel_;
}

}  // namespace wharf::spmd
