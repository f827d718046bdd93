#pragma once
// Applies records to the device memory and tells the listener: the part that running programs and recordings share.

#include <cstdint>
#include <string_view>

#include "stimuli/cuda/recording/command_listener.h"

namespace wharf::cuda {

class CommandInterpreter {
 public:
  /// Both must outlive the interpreter.
  CommandInterpreter(DeviceMemory& memory, CommandListener& listener) : memory_(memory), listener_(listener) {}

  DeviceMemory& memory() { return memory_; }
  CommandListener& listener() { return listener_; }

  // Each throws DamagedRecord for what no program could have sent, and lets the listener's errors through.
  void apply(const ModuleRecord& module);  // `ptx` is filled
  void apply(const FunctionRecord& function);
  void apply(const VariableRecord& variable);
  void apply(const TextureRecord& texture);
  void apply(const AllocateRecord& allocation);
  void apply(const ReleaseRecord& release);
  /// The memory already holds what these have written (the program did it, or store() did).
  void apply(const WriteRecord& write);
  void apply(const FillRecord& fill);
  void apply(const CopyRecord& copy);
  void apply(const ReadRecord& read);
  void apply(const BindTextureRecord& bind);
  void apply(const UnbindTextureRecord& unbind);
  void apply(const LimitRecord& limit);
  void apply(const RegionRecord& region);
  void apply(const StatisticsRecord& statistics);
  void apply(const RefusedLaunchRecord& launch);
  /// The attributes of the next launch.
  void apply(const LaunchAttributesRecord& attributes);
  void apply(const CooperativeLaunchRecord& cooperative);
  /// The size of the next launch.
  void apply(const LaunchSizeRecord& size);
  /// The error of the next launch.
  void apply(const LaunchErrorRecord& error);
  /// Checks a launch against the kernel's description, and gives it its attributes, size and error.
  void check(LaunchRecord& launch);

  /// Does to the memory what the program did: for recordings.
  void store(const WriteRecord& write);
  void store(const FillRecord& fill);
  void store(const CopyRecord& copy);
  /// Hash of the bytes that the program reads.
  std::uint64_t hash_of(const ReadRecord& read) const;

 private:
  void expect_memory(std::uint64_t address, std::uint64_t bytes, const char* what) const;
  void expect_module(std::uint32_t module) const;

  DeviceMemory& memory_;
  CommandListener& listener_;
  std::uint32_t modules_ = 0;
  // Of the next launch.
  LaunchAttributesRecord attributes_;
  LaunchSizeRecord size_;
  LaunchErrorRecord error_;
  bool cooperative_ = false;
};

}  // namespace wharf::cuda
