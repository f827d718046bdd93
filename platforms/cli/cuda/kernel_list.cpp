#include "platforms/cli/cuda/kernel_list.h"

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "stimuli/cuda/device/ptx_device.h"
#include "stimuli/ptx/program/kernel_resources.h"

namespace wharf::cli {

std::vector<ListedKernel> kernels_of(const std::vector<cuda::PtxText>& modules) {
  constexpr std::uint64_t kForVariables = std::uint64_t{4} << 30;
  ptx::DeviceMemory memory(kForVariables);
  const std::unique_ptr<ptx::Program> program = cuda::link_modules(modules, memory);
  std::vector<ListedKernel> kernels;
  for (const ptx::FunctionCode& function : program->functions()) {
    if (!function.is_kernel) continue;
    ListedKernel& kernel = kernels.emplace_back();
    kernel.name = cuda::readable_name(function.name);
    kernel.mangled = function.name;
    kernel.source = modules[function.module].path;
    try {
      const ptx::KernelResources resources = ptx::kernel_resources(*program, function);
      kernel.registers_per_thread = resources.registers_per_thread;
      kernel.shared_bytes = resources.static_shared_bytes;
      kernel.stack_bytes = resources.stack_bytes;
    } catch (const InputError& error) {
      kernel.error = error.what();
    }
  }
  return kernels;
}

void print_registers(const std::vector<cuda::PtxText>& modules, std::ostream& out) {
  for (const cuda::PtxText& module : modules) {
    for (const ListedKernel& kernel : kernels_of({module})) {
      fmt::print(out, "ptxas info    : Compiling entry function '{}' for 'sm_70'\n", kernel.mangled);
      if (kernel.error.empty())
        fmt::print(out, "ptxas info    : Used {} registers, {} bytes smem, {} bytes stack frame\n", kernel.registers_per_thread, kernel.shared_bytes,
                   kernel.stack_bytes);
      else
        fmt::print(out, "wharf nvcc: {}\n", kernel.error);
    }
  }
}

}  // namespace wharf::cli
