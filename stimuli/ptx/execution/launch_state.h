#pragma once
// What all warps of a launch share, and what the warps of a CTA share.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stimuli/ptx/execution/barrier_state.h"
#include "stimuli/ptx/memory/device_memory.h"
#include "stimuli/ptx/memory/textures.h"
#include "stimuli/ptx/program/kernel_resources.h"
#include "stimuli/ptx/program/program.h"
#include "stimuli/stimulus.h"

namespace wharf::ptx {

/// A launch as the runtime asks for it.
struct LaunchRequest {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments;  // laid out as the kernel's parameters are
};

/// Text that kernels print, sorted when the kernel ends (CU-45).
struct Printed {
  std::uint64_t cta = 0;
  std::uint32_t thread = 0;
  std::uint64_t sequence = 0;
  std::string text;
};

struct LaunchState {
  const Program& program;
  DeviceMemory& memory;
  const Textures& textures;
  const FunctionCode& kernel;
  LaunchRequest request;
  KernelResources resources;
  std::vector<std::byte> rows;  // Bank::launch
  const RunningGpu* gpu;        // nullptr: the run has no time
  std::map<std::string, std::uint64_t>& warnings;
  std::vector<Printed> printed;
  std::uint64_t finished_ctas = 0;

  std::uint32_t shared_bytes() const {
    return request.dynamic_shared_bytes == 0 ? resources.static_shared_bytes
                                             : resources.dynamic_shared_offset + request.dynamic_shared_bytes;
  }
};

struct CtaState {
  CtaState(LaunchState& launch, std::uint64_t number, unsigned warps)
      : launch(launch), number(number), sm(launch.gpu == nullptr ? 0 : launch.gpu->sm_of_cta()), barriers(warps) {}

  LaunchState& launch;
  std::uint64_t number;
  std::uint32_t sm;
  Dim3 index;
  std::vector<std::byte> shared;
  BarrierState barriers;
};

}  // namespace wharf::ptx
