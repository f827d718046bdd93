#include "stimuli/cuda/device/ptx_device.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "model/base/text.h"
#include "stimuli/cuda/device/texture_view.h"
#include "stimuli/cuda/modules/kernel_signature.h"
#include "stimuli/ptx/program/kernel_resources.h"

namespace wharf::cuda {
namespace {

const char* name_of(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::pinned:
      return "cudaMallocHost";
    case AllocationKind::managed:
      return "cudaMallocManaged";
    case AllocationKind::array:
      return "cudaMallocArray";
    case AllocationKind::device:
      break;
  }
  return "cudaMalloc";
}

/// The cudaError that a GPU reports.
int error_of(ptx::FaultKind kind) {
  constexpr int kIllegalAddress = 700, kLaunchTimeout = 702, kAssert = 710, kMisalignedAddress = 716, kLaunchFailure = 719;
  switch (kind) {
    case ptx::FaultKind::address:
      return kIllegalAddress;
    case ptx::FaultKind::alignment:
      return kMisalignedAddress;
    case ptx::FaultKind::assertion:
      return kAssert;
    case ptx::FaultKind::endless:
      return kLaunchTimeout;
    case ptx::FaultKind::other:
      break;
  }
  return kLaunchFailure;
}

Eviction eviction_of(AccessProperty property) {
  switch (property) {
    case AccessProperty::streaming:
      return Eviction::first;
    case AccessProperty::persisting:
      return Eviction::last;
    case AccessProperty::normal:
      break;
  }
  return Eviction::normal;
}

/// The name of the PTX of `app.cu` in messages.
std::string ptx_name(const std::string& source) {
  return source.empty() ? "the module" : std::filesystem::path(source).replace_extension(".ptx").string();
}

/// `.target sm_80` as 80; 0 where the text has none.
std::uint32_t virtual_architecture(const std::string& text) {
  unsigned architecture = 0;
  const std::size_t at = text.find(".target sm_");
  if (at != std::string::npos) std::sscanf(text.c_str() + at, ".target sm_%u", &architecture);
  return architecture;
}

}  // namespace

PtxDevice::PtxDevice(DeviceMemory& memory, bool replays)
    : memory_({kMemoryBase, DeviceMemory::at(kMemoryBase), kMemorySpan,
               [&memory](std::uint64_t bytes, std::uint64_t alignment) { return memory.reserve_for_module(bytes, alignment); }}),
      replays_(replays) {}

void PtxDevice::on_module(const ModuleRecord& module, DeviceMemory&) {
  groups_.push_back({module.ptx, link_modules(module.ptx, memory_, options_.program)});
}

bool PtxDevice::describe_kernel(std::uint32_t module, const std::string& kernel, KernelDescription& description) {
  if (module >= groups_.size()) return false;
  const Group& group = groups_[module];
  const ptx::FunctionCode* function = group.program->find_function(kernel);
  const auto text = std::find_if(group.texts.begin(), group.texts.end(),
                                 [&](const PtxText& one) { return read_signature(one.text, kernel, description); });
  if (function == nullptr || !function->is_kernel || text == group.texts.end()) return false;
  description.virtual_architecture = virtual_architecture(text->text);
  if (const std::uint64_t most = function->most_threads.count(); most != 0)
    description.threads_per_cta = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, description.threads_per_cta));
  const Dim3& cluster = function->required_cluster;
  description.required_cluster[0] = cluster.x, description.required_cluster[1] = cluster.y, description.required_cluster[2] = cluster.z;
  if (!function->error.empty()) return true;  // said when it is launched
  const ptx::KernelResources resources = ptx::kernel_resources(*group.program, *function);
  description.registers = resources.registers_per_thread;
  description.static_shared_bytes = resources.static_shared_bytes;
  description.local_bytes = resources.local_bytes;
  return true;
}

bool PtxDevice::place_variable(std::uint32_t module, const std::string& variable, VariablePlace& place) {
  if (module >= groups_.size()) return false;
  const Address address = groups_[module].program->find_variable(variable);
  if (address == 0) return false;
  place = {address, memory_.find(address)->bytes};
  return true;
}

void PtxDevice::on_allocate(const AllocateRecord& allocation) {
  memory_.place({static_cast<unsigned>(allocation.number), allocation.address, allocation.bytes,
                 fmt::format("{} of {} bytes", name_of(allocation.kind), allocation.bytes)});
  if (options_.poisons) std::fill_n(memory_.at(allocation.address), memory_.find(allocation.address)->reach(), ptx::kPoison);
  // Stores of the host to pinned and managed memory that change nothing are not seen, so that its bytes count as written.
  const bool is_host_visible = allocation.kind == AllocationKind::pinned || allocation.kind == AllocationKind::managed;
  if (checks_ != nullptr && !is_host_visible) checks_->expect_writes(allocation.address, allocation.bytes);
}

void PtxDevice::on_write(std::uint64_t address, std::uint64_t bytes) {
  if (checks_ != nullptr) checks_->write(address, bytes);
}

void PtxDevice::use(const DeviceOptions& options) {
  options_ = options;
  if (!options.checks.empty()) checks_ = std::make_unique<ptx::Checks>(options.checks);
}

void PtxDevice::on_release(const AllocateRecord& allocation) { memory_.free(allocation.address); }

/// The handle that `tex` instructions use for a texture object, or for a reference of a module.
std::uint64_t PtxDevice::handle_of(std::uint64_t object, std::uint32_t module, const std::string& reference) const {
  if (object != 0) return object;
  const Address address = module < groups_.size() ? groups_[module].program->find_variable(reference) : 0;
  if (address == 0) throw DamagedRecord(fmt::format("module {} has no texture reference {}", module, reference));
  return address;
}

void PtxDevice::on_bind_texture(const BindTextureRecord& bind) {
  textures_[handle_of(bind.object, bind.module, bind.name)] = texture_of(bind.view);
}

void PtxDevice::on_unbind_texture(const UnbindTextureRecord& unbind) {
  textures_.erase(handle_of(unbind.object, unbind.module, unbind.name));
}

void PtxDevice::on_limit(const LimitRecord& limit) {
  constexpr std::uint32_t kStackSize = 0;               // cudaLimitStackSize
  constexpr std::uint64_t kMostLocalBytes = 512 << 10;  // of a thread, on all GPUs
  if (limit.limit == kStackSize) stack_limit_ = static_cast<std::uint32_t>(std::min(limit.value, kMostLocalBytes));
}

void PtxDevice::on_refused_launch(const RefusedLaunchRecord& launch) {
  ++refused_launches_;
  const auto& [kernel, grid, block, shared_bytes, reason] = launch;
  ++warnings_[fmt::format(
      "a launch of {} with {} x {} x {} CTAs of {} x {} x {} threads and {} B of dynamic shared memory was refused{}: {}",
      kernel.empty() ? "an unknown kernel" : readable_name(kernel), grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes,
      replays_ ? " when it was recorded" : "", reason)];
}

void PtxDevice::on_statistics(const StatisticsRecord& statistics) {
  for (const CallCount& call : statistics.calls) calls_[call.function] += call.calls;
}

ptx::KernelExecution& PtxDevice::begin_launch(const LaunchRecord& launch) {
  const auto dimensions = [](const std::uint32_t(&d)[3]) { return Dim3{d[0], d[1], d[2]}; };
  const auto* bytes = reinterpret_cast<const std::byte*>(launch.arguments.data());
  ptx::LaunchRequest request{
      launch.kernel, dimensions(launch.grid), dimensions(launch.block), launch.shared_bytes, {bytes, bytes + launch.arguments.size()}};
  const LaunchAttributesRecord& attributes = launch.attributes;
  request.cluster = dimensions(attributes.cluster);
  request.l2_window = {attributes.window_base, attributes.window_bytes, attributes.hit_ratio, eviction_of(attributes.on_hit),
                       eviction_of(attributes.on_miss)};
  request.resets_persisting = attributes.resets_persisting;
  request.persisting_limit = attributes.persisting_limit;
  request.stack_limit = stack_limit_;
  if (launch.cooperative) request.grid_workspace = grid_workspace();
  const ptx::ExecutionOptions options{checks_.get(), options_.poisons, options_.returns_faults || launch.error != 0, gpu_};
  const ptx::Program& program = *groups_[launch.module].program;
  kernel_ = std::make_unique<ptx::KernelExecution>(program, memory_, textures_, std::move(request), launches_++, warnings_, options);
  count_launch(kernel_->launch(), launch.module);
  return *kernel_;
}

/// A barrier leaves it ready for the next one, so that all launches share it.
Address PtxDevice::grid_workspace() {
  constexpr std::uint64_t kBytes = 8;
  if (grid_workspace_ == 0) grid_workspace_ = memory_.allocate(kBytes, "the workspace of cooperative launches");
  return grid_workspace_;
}

void PtxDevice::count_launch(const KernelLaunch& launch, std::uint32_t module) {
  const auto tuple_of = [](const Dim3& d) { return std::make_tuple(d.x, d.y, d.z); };
  const std::string name = readable_name(launch.name);
  const auto found = std::find_if(launched_.begin(), launched_.end(), [&](const LaunchedKernel& one) {
    return one.name == name && one.module == module && tuple_of(one.grid) == tuple_of(launch.grid) &&
           tuple_of(one.block) == tuple_of(launch.block) && one.shared_bytes == launch.shared_bytes;
  });
  if (found != launched_.end())
    ++found->launches;
  else
    launched_.push_back({name, module, launch.grid, launch.block, launch.registers_per_thread, launch.shared_bytes, 1});
}

std::string PtxDevice::place_of(const LaunchedKernel& kernel, std::uint32_t pc) const {
  const ptx::Program& program = *groups_[kernel.module].program;
  const std::uint32_t index = pc / ptx::Program::kBytesPerInstruction;
  return index < program.code().size() ? program.place_of(index) : std::string();
}

LaunchResult PtxDevice::end_launch() {
  LaunchResult result{0, kernel_->output(), kernel_->warp_instructions()};
  if (kernel_->fault() != nullptr) {
    try {
      std::rethrow_exception(kernel_->fault());
    } catch (const ptx::ThreadFault& fault) {
      result.error = error_of(fault.kind());
      faults_.emplace_back(fault.what());
    }
  }
  kernel_.reset();
  return result;
}

std::unique_ptr<ptx::Program> link_modules(const std::vector<PtxText>& texts, ptx::DeviceMemory& memory, const ptx::Options& options) {
  std::vector<ptx::Module> parsed;
  for (const PtxText& text : texts) parsed.push_back(ptx::parse_module({ptx_name(text.path), text.text}));
  return std::make_unique<ptx::Program>(std::move(parsed), memory, options);
}

}  // namespace wharf::cuda
