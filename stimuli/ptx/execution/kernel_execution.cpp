// Prepares launches and opens CTAs.
#include "stimuli/ptx/execution/kernel_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/base/error.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/execution/special_rows.h"
#include "stimuli/ptx/fitted_registers.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/text/ptx_error.h"

namespace wharf::ptx {

namespace {

const FunctionCode& find_kernel(const Program& program, const std::string& name) {
  const FunctionCode* const found = program.find_function(name);
  if (found != nullptr && found->is_kernel) return *found;
  std::string kernels;
  for (const FunctionCode& function : program.functions())
    if (function.is_kernel) kernels += (kernels.empty() ? "" : ", ") + function.name;
  throw InputError(fmt::format("kernel {} {}; the program has {}", quoted(name),
                               found != nullptr ? "is a device function" : "does not exist", kernels.empty() ? "no kernels" : kernels));
}

}  // namespace

CtaState::CtaState(LaunchState& launch, std::uint64_t cta, unsigned warps) : launch(launch), number(cta), barriers(warps) {
  const ClusterOrder order = launch.order();
  index = index_in(order.grid, cta);
  rank = order.rank_of(index);
  const std::uint64_t own = order.cluster_of(index);
  if (std::exchange(launch.opened_cluster, own) != own) launch.opened_ctas = std::make_shared<ClusterCtas>();
  cluster = launch.opened_ctas;
  (*cluster)[rank] = this;
}

KernelExecution::KernelExecution(const Program& program, DeviceMemory& memory, const Textures& textures, LaunchRequest request,
                                 std::uint64_t number, Warnings& warnings, ExecutionOptions options)
    : state_{program, memory, textures, find_kernel(program, request.kernel), std::move(request), {}, {}, {}, warnings, {}, 0, 0, options} {
  check_geometry();
  state_.resources = kernel_resources(program, state_.kernel);
  if (state_.resources.recurses) state_.resources.stack_bytes = std::max(state_.resources.stack_bytes, state_.request.stack_limit);
  if (state_.request.arguments.size() < state_.kernel.argument_bytes)
    throw InputError(fmt::format("kernel {}: {} bytes of arguments are given; its parameters have {}", state_.kernel.readable_name,
                                 state_.request.arguments.size(), state_.kernel.argument_bytes));
  if (std::uint64_t{state_.resources.dynamic_shared_offset} + state_.request.dynamic_shared_bytes > kWindowBytes)
    throw InputError(fmt::format("kernel {}: {} bytes of dynamic shared memory; use less", state_.kernel.readable_name,
                                 state_.request.dynamic_shared_bytes));
  state_.rows = launch_rows(state_, number);
  state_.warp_rows = warp_rows(state_.request.block);
  launch_.name = state_.kernel.name;
  launch_.grid = state_.request.grid;
  launch_.block = state_.request.block;
  launch_.cluster = state_.request.cluster;
  launch_.cooperative = state_.request.grid_workspace != 0;
  launch_.l2_window = state_.request.l2_window;
  launch_.resets_persisting = state_.request.resets_persisting;
  launch_.persisting_limit = state_.request.persisting_limit;
  const std::uint32_t estimate = state_.resources.registers_per_thread;
  launch_.registers_per_thread = fitted_registers(estimate, launch_.block.count());
  if (launch_.registers_per_thread != estimate)
    ++warnings[fmt::format(
        "kernel {} is taken to need {} registers per thread, the most with which its blocks of {} threads fit an SM; the "
        "estimate is {}",
        state_.kernel.readable_name, launch_.registers_per_thread, launch_.block.count(), estimate)];
  launch_.shared_bytes = state_.shared_bytes();
  launch_.local_offsets = true;
  launch_.place_in_files = [&program](std::uint32_t pc) { return program.place_of(pc / Program::kBytesPerInstruction); };
  if (options.checks != nullptr) state_.checks = std::make_shared<LaunchChecks>(*options.checks);
}

void KernelExecution::check_geometry() {
  const Dim3 &grid = state_.request.grid, &block = state_.request.block;
  const std::string& name = state_.kernel.readable_name;
  constexpr std::uint64_t kMostThreads = 1024, kMostCtas = std::uint64_t{1} << 40;
  if (grid.count() == 0 || block.count() == 0)
    throw InputError(fmt::format("kernel {}: a dimension of grid or block is 0; use 1 or more", name));
  if (block.x > kMostThreads || block.y > kMostThreads || block.z > kMostThreads || block.count() > kMostThreads)
    throw InputError(fmt::format("kernel {}: a block of {} x {} x {} threads; at most 1024 are possible", name, block.x, block.y, block.z));
  if (std::uint64_t{grid.x} * grid.y > kMostCtas || grid.count() > kMostCtas)
    throw InputError(fmt::format("kernel {}: the grid has more than 2^40 CTAs", name));
  const Dim3 &most = state_.kernel.most_threads, &required = state_.kernel.required_threads;
  if (most.x != 0 && block.count() > most.count())
    throw InputError(fmt::format("kernel {}: a block of {} threads exceeds its .maxntid of {}; launch smaller blocks", name, block.count(),
                                 most.count()));
  if (required.x != 0 && block.count() != required.count())
    throw InputError(fmt::format("kernel {}: a block of {} threads where .reqntid wants {}", name, block.count(), required.count()));
  check_cluster();
}

void KernelExecution::check_cluster() {
  const Dim3 &grid = state_.request.grid, &required = state_.kernel.required_cluster;
  Dim3& cluster = state_.request.cluster;
  const std::string& name = state_.kernel.readable_name;
  const auto text = [](const Dim3& size) { return fmt::format("{} x {} x {}", size.x, size.y, size.z); };
  if (required.count() != 0 && cluster.count() == 1) cluster = required;
  if (required.count() != 0 && cluster != required)
    throw InputError(fmt::format("kernel {}: clusters of {} CTAs where .reqnctapercluster wants {}", name, text(cluster), text(required)));
  if (cluster.count() == 0 || cluster.count() > kMostClusterCtas)
    throw InputError(fmt::format("kernel {}: clusters of {} CTAs; use 1 to {}", name, cluster.count(), kMostClusterCtas));
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    throw InputError(fmt::format("kernel {}: clusters of {} CTAs do not divide the grid of {}; make the grid a multiple", name,
                                 text(cluster), text(grid)));
}

std::vector<std::unique_ptr<WarpStream>> KernelExecution::open_cta(std::uint64_t cta) {
  const unsigned count = launch_.warps_per_cta();
  auto shared = std::make_shared<CtaState>(state_, cta, count);
  fill_cta_rows(*shared);
  shared->shared.resize(state_.shared_bytes(), state_.options.poisons ? kPoison : std::byte{0});
  if (state_.checks != nullptr) shared->checks = std::make_shared<CtaChecks>(*state_.checks, *shared, count);
  std::vector<std::unique_ptr<WarpStream>> warps;
  warps.reserve(count);
  for (unsigned i = 0; i < count; ++i) warps.push_back(std::make_unique<PtxWarp>(shared, i));
  return warps;
}

double KernelExecution::progress() const { return static_cast<double>(state_.finished_ctas) / static_cast<double>(launch_.grid.count()); }

std::string KernelExecution::output() const {
  std::vector<const Printed*> order;
  for (const Printed& printed : state_.printed) order.push_back(&printed);
  std::sort(order.begin(), order.end(), [](const Printed* a, const Printed* b) {
    return std::make_tuple(a->cta, a->thread, a->sequence) < std::make_tuple(b->cta, b->thread, b->sequence);
  });
  std::string text;
  for (const Printed* printed : order) text += printed->text;
  return text;
}

}  // namespace wharf::ptx
