#pragma once
// A listener without an executor: it identifies kernels by their signatures, and a test computes their results in C++.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/cuda/modules/kernel_signature.h"
#include "stimuli/cuda/recording/command_listener.h"
#include "stimuli/cuda/recording/command_source.h"

namespace wharf::cuda::test {

class StubDevice : public CommandListener {
 public:
  void on_module(const ModuleRecord& module, DeviceMemory& memory) override {
    memory_ = &memory;
    modules.push_back(module);
  }
  void on_function(const FunctionRecord& function) override { functions.push_back(function); }
  void on_variable(const VariableRecord& variable) override {
    variables.push_back(variable);
    places[variable.name] = {memory_->reserve_for_module(variable.bytes, 16), variable.bytes};
  }
  void on_allocate(const AllocateRecord& allocation) override { allocations.push_back(allocation); }
  void on_release(const AllocateRecord& allocation) override { releases.push_back(allocation); }
  void on_write(std::uint64_t address, std::uint64_t bytes) override { writes.emplace_back(address, bytes); }
  void on_read(std::uint64_t address, std::uint64_t bytes) override { reads.emplace_back(address, bytes); }
  void on_bind_texture(const BindTextureRecord& bind) override { textures.push_back(bind); }
  void on_limit(const LimitRecord& limit) override { limits.push_back(limit); }
  void on_region(bool open) override { regions.push_back(open); }
  void on_statistics(const StatisticsRecord& statistics) override {
    for (const CallCount& call : statistics.calls) calls[call.function] = call.calls;
  }
  bool describe_kernel(std::uint32_t module, const std::string& kernel, KernelDescription& description) override {
    description = described;
    for (const PtxText& ptx : modules.at(module).ptx)
      if (read_signature(ptx.text, kernel, description)) return true;
    return false;
  }
  bool place_variable(std::uint32_t, const std::string& variable, VariablePlace& place) override {
    const auto found = places.find(variable);
    if (found == places.end()) return false;
    place = found->second;
    return true;
  }
  void on_refused_launch(const RefusedLaunchRecord& launch) override { refused.push_back(launch); }
  double simulated_seconds() override { return seconds; }

  std::vector<ModuleRecord> modules;
  std::vector<FunctionRecord> functions;
  std::vector<VariableRecord> variables;
  std::map<std::string, VariablePlace> places;
  std::vector<AllocateRecord> allocations, releases;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> writes, reads;
  std::vector<BindTextureRecord> textures;
  std::vector<LimitRecord> limits;
  std::vector<RefusedLaunchRecord> refused;
  KernelDescription described;  // of each kernel, but for its parameters
  std::vector<bool> regions;
  std::map<std::string, std::uint64_t> calls;
  double seconds = 0;

 private:
  DeviceMemory* memory_ = nullptr;
};

/// Serves the source to its end, with `execute` for every launch.
inline std::vector<LaunchRecord> serve(CommandSource& source, const std::function<LaunchResult(const LaunchRecord&)>& execute) {
  std::vector<LaunchRecord> launches;
  while (const LaunchRecord* launch = source.next_launch()) {
    launches.push_back(*launch);
    source.complete_launch(execute(*launch));
  }
  return launches;
}

/// The argument at `offset` of the parameter block.
template <class T>
T argument(const LaunchRecord& launch, std::size_t offset) {
  T value;
  launch.arguments.copy(reinterpret_cast<char*>(&value), sizeof value, offset);
  return value;
}

/// What the kernel of vector_addition.cu computes.
inline LaunchResult add(const LaunchRecord& launch) {
  const auto* a = argument<const float*>(launch, 0);
  const auto* b = argument<const float*>(launch, 8);
  auto* sum = argument<float*>(launch, 16);
  for (int i = 0; i < argument<int>(launch, 24); ++i) sum[i] = a[i] + b[i];
  return {};
}

}  // namespace wharf::cuda::test
