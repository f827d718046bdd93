#pragma once
// Interface of an executor of a program's commands: it receives modules and memory operations, and answers queries about kernels. Launches
// are pulled (command_source.h).

#include <cstdint>
#include <string>

#include "stimuli/cuda/recording/device_memory.h"
#include "stimuli/cuda/recording/queries.h"
#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

class CommandListener {
 public:
  virtual ~CommandListener() = default;

  /// A module is loaded; its texts form one group that is linked. Reserve variables with memory.reserve_for_module() and write their
  /// initial values. Throws InputError for PTX that is wrong.
  virtual void on_module(const ModuleRecord& module, DeviceMemory& memory) = 0;
  /// Returns false where the module has no such kernel.
  virtual bool describe_kernel(std::uint32_t module, const std::string& kernel, KernelDescription& description) = 0;
  /// Returns false where the module has no such variable.
  virtual bool place_variable(std::uint32_t module, const std::string& variable, VariablePlace& place) = 0;

  virtual void on_function(const FunctionRecord&) {}
  virtual void on_variable(const VariableRecord&) {}
  virtual void on_texture(const TextureRecord&) {}
  virtual void on_allocate(const AllocateRecord&) {}
  /// Called before the memory's contents are gone.
  virtual void on_release(const AllocateRecord&) {}
  /// The host has changed these bytes, by a copy, a fill, or its own stores to managed or pinned memory. The memory holds the new contents.
  virtual void on_write(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void on_read(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void on_bind_texture(const BindTextureRecord&) {}
  virtual void on_unbind_texture(const UnbindTextureRecord&) {}
  virtual void on_limit(const LimitRecord&) {}
  virtual void on_region(bool /*open*/) {}
  virtual void on_refused_launch(const RefusedLaunchRecord&) {}
  virtual void on_statistics(const StatisticsRecord&) {}
  /// Simulated time since the program's start, for events (CU-22).
  virtual double simulated_seconds() { return 0; }
};

}  // namespace wharf::cuda
