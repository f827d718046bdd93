// Adds up the resources of a kernel over its call graph.
#include "stimuli/ptx/program/kernel_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "stimuli/ptx/lanes/moves.h"

namespace wharf::ptx {

namespace {

constexpr std::uint32_t kLeastStack = 1024;  // bytes per thread, CUDA's default
constexpr std::uint32_t kRegistersPerSm = 65536, kMostPerThread = 255, kLeastPerThread = 16, kGranule = 8;

class CallGraph {
 public:
  CallGraph(const Program& program, const FunctionCode& kernel) : program_(program) { visit(kernel, 0); }

  const std::vector<const FunctionCode*>& functions() const { return reached_; }
  bool recurses() const { return recurses_; }
  std::uint32_t live_registers(const FunctionCode& function) {
    known_.clear();
    return deepest(function, &FunctionCode::live_registers, &FunctionCode::live_at_calls);
  }
  std::uint32_t local_bytes(const FunctionCode& function) {
    known_.clear();
    return deepest(function, &FunctionCode::local_bytes, &FunctionCode::local_bytes);
  }

 private:
  void visit(const FunctionCode& function, unsigned depth) {
    constexpr unsigned kDeepest = 1000;
    if (depth > kDeepest)
      throw InputError(fmt::format("function {}: calls are nested deeper than {} functions; nest them less", function.name, kDeepest));
    recurses_ |= std::find(callers_.begin(), callers_.end(), &function) != callers_.end();
    if (std::find(reached_.begin(), reached_.end(), &function) != reached_.end()) return;
    reached_.push_back(&function);
    callers_.push_back(&function);
    for (const std::uint32_t callee : callees_of(function)) visit(program_.functions()[callee], depth + 1);
    callers_.pop_back();
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
  std::vector<const FunctionCode*> reached_, callers_;  // callers_: of the function that is visited
  bool recurses_ = false;
  std::map<const FunctionCode*, std::uint32_t> known_;
};

constexpr std::uint32_t kSpare = 2;  // registers of a thread that no value has

std::uint32_t registers_of(std::uint32_t live) { return round_up(std::max(kLeastPerThread, live + kSpare), kGranule); }

/// The most registers per thread that the directives of a kernel allow.
std::uint32_t register_limit(const FunctionCode& kernel) {
  std::uint32_t limit = kMostPerThread;
  if (kernel.most_registers != 0) limit = std::min(limit, kernel.most_registers);
  const std::uint64_t threads = kernel.required_threads.x != 0 ? kernel.required_threads.count()
                                : kernel.most_threads.x != 0   ? kernel.most_threads.count()
                                                               : 0;
  if (threads != 0) {
    const std::uint64_t resident = threads * std::max(kernel.least_ctas_per_sm, 1u);
    limit = std::min(limit, static_cast<std::uint32_t>(kRegistersPerSm / std::max<std::uint64_t>(resident, 1)) / kGranule * kGranule);
  }
  return limit;
}

std::uint32_t bounded_registers(const FunctionCode& kernel, std::uint32_t live) {
  return std::max(kLeastPerThread, std::min(registers_of(live), register_limit(kernel)));
}

/// Places the shared variables that the functions use, in the order of their declarations; dynamic ones share the place behind the others.
void lay_out_shared(const Program& program, const FunctionCode& kernel, const std::vector<const FunctionCode*>& functions,
                    KernelResources& resources) {
  resources.shared_offsets.assign(program.shared_variables().size(), kNone);
  for (const FunctionCode* function : functions)
    for (const std::uint32_t index : function->shared_variables) resources.shared_offsets[index] = 0;
  std::uint64_t end = 0;
  std::uint32_t dynamic_alignment = 16;
  const auto for_each_used = [&](bool dynamic, auto visit) {
    for (std::uint32_t i = 0; i < resources.shared_offsets.size(); ++i) {
      const SharedVariable& variable = program.shared_variables()[i];
      if (resources.shared_offsets[i] != kNone && (variable.bytes == 0) == dynamic) visit(i, variable);
    }
  };
  for_each_used(false, [&](std::uint32_t i, const SharedVariable& variable) {
    resources.shared_offsets[i] = round_up(static_cast<std::uint32_t>(end), std::max(variable.alignment, 1u));
    end = resources.shared_offsets[i] + variable.bytes;
    if (end > kWindowBytes)
      throw InputError(fmt::format("kernel {} needs more than {} bytes of shared memory; use less", kernel.name, kWindowBytes));
  });
  for_each_used(
      true, [&](std::uint32_t, const SharedVariable& variable) { dynamic_alignment = std::max(dynamic_alignment, variable.alignment); });
  resources.static_shared_bytes = static_cast<std::uint32_t>(end);
  resources.dynamic_shared_offset = round_up(resources.static_shared_bytes, dynamic_alignment);
  for_each_used(true, [&](std::uint32_t i, const SharedVariable&) { resources.shared_offsets[i] = resources.dynamic_shared_offset; });
}

}  // namespace

std::uint32_t registers_for_loads(const FunctionCode& function, std::uint32_t live) {
  constexpr std::uint32_t kThreadsPerSm = 2048;
  const std::uint32_t free = std::max(registers_of(live), kRegistersPerSm / kThreadsPerSm);
  return std::max(live, std::min(free, std::max(kLeastPerThread, register_limit(function))) - kSpare);
}

KernelResources kernel_resources(const Program& program, const FunctionCode& kernel) {
  CallGraph graph(program, kernel);
  for (const FunctionCode* function : graph.functions())
    if (!function->error.empty())
      throw InputError(fmt::format("{}\n    in function {}, which kernel {} reaches", function->error, function->name, kernel.name));
  KernelResources resources;
  lay_out_shared(program, kernel, graph.functions(), resources);
  resources.registers_per_thread = bounded_registers(kernel, graph.live_registers(kernel));
  resources.local_bytes = graph.local_bytes(kernel);
  resources.stack_bytes = std::max(kLeastStack, resources.local_bytes);
  resources.recurses = graph.recurses();
  return resources;
}

}  // namespace wharf::ptx
