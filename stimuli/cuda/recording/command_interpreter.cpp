#include "stimuli/cuda/recording/command_interpreter.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "model/base/cluster_member.h"
#include "model/base/hash.h"

namespace wharf::cuda {
namespace {

/// Warp instructions of a launch: more than any computer executes, and so few that sums do not overflow.
constexpr std::uint64_t kLongestLaunch = std::uint64_t{1} << 48;

}  // namespace

void CommandInterpreter::apply(const ModuleRecord& module) {
  if (module.module != modules_) throw DamagedRecord(fmt::format("module {} follows module {}", module.module, modules_));
  ++modules_;
  listener_.on_module(module, memory_);
}

void CommandInterpreter::apply(const FunctionRecord& function) {
  expect_module(function.module);
  listener_.on_function(function);
}

void CommandInterpreter::apply(const VariableRecord& variable) {
  expect_module(variable.module);
  listener_.on_variable(variable);
}

void CommandInterpreter::apply(const TextureRecord& texture) {
  expect_module(texture.module);
  listener_.on_texture(texture);
}

void CommandInterpreter::apply(const AllocateRecord& allocation) {
  memory_.allocate(allocation);
  listener_.on_allocate(allocation);
}

void CommandInterpreter::apply(const ReleaseRecord& release) {
  const AllocateRecord* allocation = memory_.find_below(release.address);
  if (allocation != nullptr && allocation->address == release.address) listener_.on_release(*allocation);
  memory_.release(release.address);
}

void CommandInterpreter::apply(const WriteRecord& write) {
  expect_memory(write.address, write.bytes, "writes");
  listener_.on_write(write.address, write.bytes);
}

void CommandInterpreter::apply(const FillRecord& fill) {
  expect_memory(fill.address, fill.bytes, "fills");
  listener_.on_write(fill.address, fill.bytes);
}

void CommandInterpreter::apply(const CopyRecord& copy) {
  expect_memory(copy.from, copy.bytes, "copies from");
  expect_memory(copy.to, copy.bytes, "copies to");
  listener_.on_write(copy.to, copy.bytes);
}

void CommandInterpreter::apply(const ReadRecord& read) {
  expect_memory(read.address, read.bytes, "reads");
  listener_.on_read(read.address, read.bytes);
}

void CommandInterpreter::apply(const BindTextureRecord& bind) {
  if (bind.object == 0) expect_module(bind.module);
  const TextureView& view = bind.view;
  if (view.width == 0 || view.width > kMemorySpan || view.height > kMemorySpan || view.depth > kMemorySpan || view.pitch > kMemorySpan)
    throw DamagedRecord("a texture has impossible sizes");
  const std::uint64_t rows = std::max<std::uint64_t>(view.height, 1) * std::max<std::uint64_t>(view.depth, 1);
  std::uint64_t bits = 0, bytes = 0;
  for (const std::uint32_t channel : view.channel_bits) bits += channel;
  const bool linear = view.shape == TextureShape::linear;
  if (__builtin_mul_overflow(linear ? bits / 8 : view.pitch, linear ? view.width : rows, &bytes))
    throw DamagedRecord("a texture has impossible sizes");
  // The last row of pitched memory need not be padded.
  const std::uint64_t row = view.width * (bits / 8);
  if (view.shape == TextureShape::pitched && row <= view.pitch) bytes -= view.pitch - row;
  if (!linear && row > view.pitch) throw DamagedRecord("a texture's rows overlap");
  expect_memory(view.address, bytes, "binds a texture to");
  listener_.on_bind_texture(bind);
}

void CommandInterpreter::apply(const UnbindTextureRecord& unbind) { listener_.on_unbind_texture(unbind); }
void CommandInterpreter::apply(const LimitRecord& limit) { listener_.on_limit(limit); }
void CommandInterpreter::apply(const RegionRecord& region) { listener_.on_region(region.open); }
void CommandInterpreter::apply(const RefusedLaunchRecord& launch) { listener_.on_refused_launch(launch); }
void CommandInterpreter::apply(const StatisticsRecord& statistics) { listener_.on_statistics(statistics); }

void CommandInterpreter::apply(const LaunchAttributesRecord& attributes) {
  const auto& [x, y, z] = attributes.cluster;
  if (x - 1 >= kMostClusterCtas || y - 1 >= kMostClusterCtas || z - 1 >= kMostClusterCtas || x * y * z > kMostClusterCtas)
    throw DamagedRecord(fmt::format("a launch has clusters of {} x {} x {} CTAs", x, y, z));
  if (attributes.window_bytes > ~attributes.window_base) throw DamagedRecord("an access-policy window exceeds the address space");
  if (!(attributes.hit_ratio >= 0 && attributes.hit_ratio <= 1))
    throw DamagedRecord("an access-policy window has a hit ratio outside of 0 to 1");
  if (attributes.on_hit > AccessProperty::persisting || attributes.on_miss > AccessProperty::streaming)
    throw DamagedRecord("an access-policy window has an unknown property");
  attributes_ = attributes;
}

void CommandInterpreter::apply(const CooperativeLaunchRecord&) { cooperative_ = true; }

void CommandInterpreter::apply(const LaunchSizeRecord& size) {
  if (size.warp_instructions > kLongestLaunch)
    throw DamagedRecord(fmt::format("a launch has {} warp instructions", size.warp_instructions));
  size_ = size;
}

void CommandInterpreter::apply(const LaunchErrorRecord& error) { error_ = error; }

void CommandInterpreter::check(LaunchRecord& launch) {
  launch.attributes = std::exchange(attributes_, {});
  launch.warp_instructions = std::exchange(size_, {}).warp_instructions;
  launch.cooperative = std::exchange(cooperative_, false);
  launch.error = std::exchange(error_, {}).error;
  expect_module(launch.module);
  KernelDescription description;
  if (!listener_.describe_kernel(launch.module, launch.kernel, description))
    throw DamagedRecord(fmt::format("the program launches a kernel that module {} does not have", launch.module));
  if (launch.arguments.size() != description.parameter_bytes)
    throw DamagedRecord(fmt::format("kernel {} is launched with {} bytes of arguments, but has {}", launch.kernel, launch.arguments.size(),
                                    description.parameter_bytes));
  std::uint64_t threads = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.block[i] == 0 || launch.block[i] > 1024 || launch.grid[i] > 0x7fffffff ||
        (i > 0 && launch.grid[i] > 65535))
      throw DamagedRecord(fmt::format("kernel {} is launched with an impossible grid or block", launch.kernel));
    threads *= launch.block[i];
    if (launch.grid[i] % launch.attributes.cluster[i] != 0)
      throw DamagedRecord(fmt::format("kernel {} is launched with clusters that do not divide its grid", launch.kernel));
  }
  if (threads > 1024)
    throw DamagedRecord(fmt::format("kernel {} is launched with {} threads per CTA, at most 1024 are possible", launch.kernel, threads));
}

void CommandInterpreter::store(const WriteRecord& write) {
  expect_memory(write.address, write.bytes, "writes");
  if (write.data.size() != write.bytes) throw DamagedRecord(fmt::format("a write of {} bytes holds {}", write.bytes, write.data.size()));
  std::memcpy(DeviceMemory::at(write.address), write.data.data(), write.bytes);
}

void CommandInterpreter::store(const FillRecord& fill) {
  expect_memory(fill.address, fill.bytes, "fills");
  std::memset(DeviceMemory::at(fill.address), fill.value, fill.bytes);
}

void CommandInterpreter::store(const CopyRecord& copy) {
  expect_memory(copy.from, copy.bytes, "copies from");
  expect_memory(copy.to, copy.bytes, "copies to");
  std::memmove(DeviceMemory::at(copy.to), DeviceMemory::at(copy.from), copy.bytes);
}

std::uint64_t CommandInterpreter::hash_of(const ReadRecord& read) const {
  expect_memory(read.address, read.bytes, "reads");
  return hash64({reinterpret_cast<const char*>(DeviceMemory::at(read.address)), read.bytes});
}

void CommandInterpreter::expect_memory(std::uint64_t address, std::uint64_t bytes, const char* what) const {
  if (!memory_.contains(address, bytes))
    throw DamagedRecord(fmt::format("the program {} {} bytes at {:#x}, outside every allocation", what, bytes, address));
}

void CommandInterpreter::expect_module(std::uint32_t module) const {
  if (module >= modules_) throw DamagedRecord(fmt::format("module {} is used, but {} are registered", module, modules_));
}

}  // namespace wharf::cuda
