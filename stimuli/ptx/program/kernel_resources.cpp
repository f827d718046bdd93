// Adds up the resources of a kernel over its call graph.
#include "stimuli/ptx/program/kernel_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/base/error.h"

namespace wharf::ptx {

namespace {

constexpr std::uint32_t kLeastStack = 1024;  // bytes per thread, CUDA's default
constexpr std::uint32_t kRegistersPerSm = 65536, kMostPerThread = 255, kLeastPerThread = 16, kGranule = 8;

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

class CallGraph {
 public:
  CallGraph(const Program& program, const FunctionCode& kernel) : program_(program) { visit(kernel); }

  const std::vector<const FunctionCode*>& functions() const { return reached_; }
  std::uint32_t live_registers(const FunctionCode& function) {
    known_.clear();
    return deepest(function, &FunctionCode::live_registers, &FunctionCode::live_at_calls);
  }
  std::uint32_t stack_bytes(const FunctionCode& function) {
    known_.clear();
    return deepest(function, &FunctionCode::local_bytes, &FunctionCode::local_bytes);
  }

 private:
  void visit(const FunctionCode& function) {
    if (std::find(reached_.begin(), reached_.end(), &function) != reached_.end()) return;
    reached_.push_back(&function);
    for (const std::uint32_t callee : callees_of(function)) visit(program_.functions()[callee]);
  }

  /// An indirect call may reach every function that can run.
  std::vector<std::uint32_t> callees_of(const FunctionCode& function) const {
    std::vector<std::uint32_t> callees = function.callees;
    if (!function.calls_indirectly) return callees;
    for (std::uint32_t i = 0; i < program_.functions().size(); ++i)
      if (!program_.functions()[i].is_kernel && program_.functions()[i].error.empty()) callees.push_back(i);
    return callees;
  }

  /// The most that a chain of calls needs: `own` of its last function, `across` of those before. A recursive call counts as none.
  std::uint32_t deepest(const FunctionCode& function, std::uint32_t FunctionCode::*own, std::uint32_t FunctionCode::*across) {
    const auto [it, fresh] = known_.try_emplace(&function, 0);
    if (!fresh) return it->second;
    std::uint32_t most = function.*own;
    for (const std::uint32_t callee : callees_of(function))
      most = std::max(most, function.*across + deepest(program_.functions()[callee], own, across));
    return known_[&function] = most;
  }

  const Program& program_;
  std::vector<const FunctionCode*> reached_;
  std::map<const FunctionCode*, std::uint32_t> known_;
};

std::uint32_t bounded_registers(const FunctionCode& kernel, std::uint32_t live) {
  constexpr std::uint32_t kSpare = 2;
  std::uint32_t registers = round_up(std::max(kLeastPerThread, live + kSpare), kGranule);
  std::uint32_t limit = kMostPerThread;
  if (kernel.most_registers != 0) limit = std::min(limit, kernel.most_registers);
  const std::uint64_t threads = kernel.required_threads.x != 0 ? kernel.required_threads.count()
                                : kernel.most_threads.x != 0   ? kernel.most_threads.count()
                                                               : 0;
  if (threads != 0) {
    const std::uint64_t resident = threads * std::max(kernel.least_ctas_per_sm, 1u);
    limit = std::min(limit, static_cast<std::uint32_t>(kRegistersPerSm / std::max<std::uint64_t>(resident, 1)) / kGranule * kGranule);
  }
  return std::max(kLeastPerThread, std::min(registers, limit));
}

}  // namespace

KernelResources kernel_resources(const Program& program, const FunctionCode& kernel) {
  CallGraph graph(program, kernel);
  KernelResources resources;
  resources.shared_offsets.assign(program.shared_variables().size(), kNone);
  std::uint32_t dynamic_alignment = 16;
  std::vector<std::uint32_t> dynamic;
  for (const FunctionCode* function : graph.functions()) {
    if (!function->error.empty())
      throw InputError(fmt::format("{}\n    in function {}, which kernel {} reaches", function->error, function->name, kernel.name));
    for (const std::uint32_t index : function->shared_variables) {
      const SharedVariable& variable = program.shared_variables()[index];
      if (resources.shared_offsets[index] != kNone) continue;
      resources.shared_offsets[index] = 0;
      if (variable.bytes == 0) {
        dynamic.push_back(index);
        dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
        continue;
      }
      resources.shared_offsets[index] = round_up(resources.static_shared_bytes, std::max(variable.alignment, 1u));
      resources.static_shared_bytes = resources.shared_offsets[index] + static_cast<std::uint32_t>(variable.bytes);
    }
  }
  resources.dynamic_shared_offset = round_up(resources.static_shared_bytes, dynamic_alignment);
  for (const std::uint32_t index : dynamic) resources.shared_offsets[index] = resources.dynamic_shared_offset;
  resources.registers_per_thread = bounded_registers(kernel, graph.live_registers(kernel));
  resources.stack_bytes = std::max(kLeastStack, graph.stack_bytes(kernel));
  return resources;
}

}  // namespace wharf::ptx
