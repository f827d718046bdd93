#include "platforms/cli/cuda/kernel_list.h"

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/cuda/device/ptx_device.h"
#include "stimuli/ptx/program/kernel_resources.h"
#include "stimuli/ptx/table/refused.h"

namespace wharf::cli {

namespace {

constexpr std::uint64_t kForVariables = std::uint64_t{4} << 30;

std::string spelling(const ptx::Statement& statement) {
  std::string text(statement.opcode);
  for (const std::string_view word : statement.words) text += '.' + std::string(word);
  return text;
}

void add_unsupported(const ptx::Module& module, const ptx::Function& function, std::vector<UnsupportedInstruction>& all) {
  for (const ptx::Statement& statement : function.statements) {
    ptx::Form form;
    if (ptx::find_instruction(statement.opcode, statement.words, form) != nullptr) continue;
    const unsigned tier = ptx::tier_of(statement.opcode);
    const auto file = module.files.find(statement.source.file);
    const char* what = tier == 1 ? "is not a supported form" : tier == 0 ? "is not an instruction" : "is not supported";
    all.push_back({fmt::format("{}:{}:{}", module.source->file, statement.place.line, statement.place.column),
                   fmt::format("{} {}{}, in {} {}{}", spelling(statement), what, tier > 1 ? fmt::format(" (tier {})", tier) : "",
                               function.is_kernel ? "kernel" : "function", readable_name(std::string(function.name)),
                               file == module.files.end() ? "" : fmt::format(", {}:{}", file->second, statement.source.line))});
  }
}

}  // namespace

std::vector<UnsupportedInstruction> unsupported_instructions(const std::vector<cuda::PtxText>& modules) {
  ptx::DeviceMemory memory(kForVariables);
  const std::unique_ptr<ptx::Program> program = cuda::link_modules(modules, memory);
  std::vector<UnsupportedInstruction> all;
  for (const ptx::FunctionCode& code : program->functions()) {
    if (code.error.empty()) continue;
    const ptx::Module& module = program->module_of(code);
    for (const ptx::Function& function : module.functions)
      if (function.is_defined && function.name == code.name) add_unsupported(module, function, all);
  }
  return all;
}

std::vector<ListedKernel> kernels_of(const std::vector<cuda::PtxText>& modules) {
  ptx::DeviceMemory memory(kForVariables);
  const std::unique_ptr<ptx::Program> program = cuda::link_modules(modules, memory);
  std::vector<ListedKernel> kernels;
  for (const ptx::FunctionCode& function : program->functions()) {
    if (!function.is_kernel) continue;
    ListedKernel& kernel = kernels.emplace_back();
    kernel.name = function.readable_name;
    kernel.mangled = function.name;
    kernel.source = modules[function.module].path;
    try {
      const ptx::KernelResources resources = ptx::kernel_resources(*program, function);
      kernel.registers_per_thread = resources.registers_per_thread;
      kernel.shared_bytes = resources.static_shared_bytes;
      kernel.stack_bytes = resources.local_bytes;
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
        fmt::print(out, "ptxas info    : Used {} registers, {} bytes smem, {} bytes stack frame\n", kernel.registers_per_thread,
                   kernel.shared_bytes, kernel.stack_bytes);
      else
        fmt::print(out, "wharf nvcc: {}\n", kernel.error);
    }
  }
}

}  // namespace wharf::cli
