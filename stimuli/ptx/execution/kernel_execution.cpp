// Prepares launches and opens CTAs.
#include "stimuli/ptx/execution/kernel_execution.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/error.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/program/special_registers.h"
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

KernelExecution::KernelExecution(const Program& program, DeviceMemory& memory, const Textures& textures, LaunchRequest request,
                                 std::uint64_t number, Warnings& warnings, ExecutionOptions options)
    : state_{program, memory, textures, find_kernel(program, request.kernel), std::move(request), {}, {}, warnings, {}, 0, options} {
  check_geometry();
  state_.resources = kernel_resources(program, state_.kernel);
  if (state_.request.arguments.size() < state_.kernel.argument_bytes)
    throw InputError(fmt::format("kernel {}: {} bytes of arguments are given; its parameters have {}", state_.kernel.name,
                                 state_.request.arguments.size(), state_.kernel.argument_bytes));
  if (std::uint64_t{state_.resources.dynamic_shared_offset} + state_.request.dynamic_shared_bytes > kWindowBytes)
    throw InputError(
        fmt::format("kernel {}: {} bytes of dynamic shared memory; use less", state_.kernel.name, state_.request.dynamic_shared_bytes));
  fill_rows(number);
  launch_.name = state_.kernel.name;
  launch_.grid = state_.request.grid;
  launch_.block = state_.request.block;
  launch_.registers_per_thread = state_.resources.registers_per_thread;
  launch_.shared_bytes = state_.shared_bytes();
  launch_.local_offsets = true;
  if (options.checks != nullptr) state_.checks = std::make_shared<LaunchChecks>(*options.checks);
}

void KernelExecution::check_geometry() const {
  const Dim3 &grid = state_.request.grid, &block = state_.request.block;
  const std::string& name = state_.kernel.name;
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
}

void KernelExecution::fill_rows(std::uint64_t number) {
  const auto variables = static_cast<std::uint32_t>(state_.program.shared_variables().size());
  state_.rows.resize(shared_address_row(variables, true) + kRow64);
  const auto fill32 = [&](std::size_t offset, auto value_of) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t value = value_of(lane);
      std::memcpy(&state_.rows[offset + lane * sizeof value], &value, sizeof value);
    }
  };
  const auto row = [&](LaunchRow which, auto value_of) { fill32(static_cast<std::size_t>(which) * kRow32, value_of); };
  const auto same = [&](LaunchRow which, std::uint32_t value) { row(which, [value](unsigned) { return value; }); };
  const Dim3 &grid = state_.request.grid, &block = state_.request.block;
  same(LaunchRow::ntid_x, block.x);
  same(LaunchRow::ntid_y, block.y);
  same(LaunchRow::ntid_z, block.z);
  same(LaunchRow::nctaid_x, grid.x);
  same(LaunchRow::nctaid_y, grid.y);
  same(LaunchRow::nctaid_z, grid.z);
  same(LaunchRow::nwarpid, static_cast<std::uint32_t>((block.count() + kLanes - 1) / kLanes));
  same(LaunchRow::nsmid, state_.options.gpu == nullptr ? 1 : state_.options.gpu->sms());
  same(LaunchRow::gridid, static_cast<std::uint32_t>(number));
  row(LaunchRow::laneid, [](unsigned lane) { return lane; });
  row(LaunchRow::lanemask_eq, [](unsigned lane) { return 1u << lane; });
  row(LaunchRow::lanemask_lt, [](unsigned lane) { return (1u << lane) - 1; });
  row(LaunchRow::lanemask_le, [](unsigned lane) { return (1u << lane) | ((1u << lane) - 1); });
  row(LaunchRow::lanemask_ge, [](unsigned lane) { return ~((1u << lane) - 1); });
  row(LaunchRow::lanemask_gt, [](unsigned lane) { return ~((1u << lane) - 1) & ~(1u << lane); });
  same(LaunchRow::dynamic_smem_size, state_.request.dynamic_shared_bytes);
  same(LaunchRow::total_smem_size, state_.shared_bytes());
  for (std::uint32_t i = 0; i < variables; ++i) {
    const std::uint32_t offset = state_.resources.shared_offsets[i];
    fill32(shared_address_row(i, false), [offset](unsigned) { return offset; });
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t wide = offset;
      std::memcpy(&state_.rows[shared_address_row(i, true) + lane * sizeof wide], &wide, sizeof wide);
    }
  }
}

std::vector<std::unique_ptr<WarpStream>> KernelExecution::open_cta(std::uint64_t cta) {
  const Dim3& grid = state_.request.grid;
  const unsigned count = launch_.warps_per_cta();
  auto shared = std::make_shared<CtaState>(state_, cta, count);
  shared->index = {static_cast<std::uint32_t>(cta % grid.x), static_cast<std::uint32_t>(cta / grid.x % grid.y),
                   static_cast<std::uint32_t>(cta / grid.x / grid.y)};
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
