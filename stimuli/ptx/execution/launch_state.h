#pragma once
// What all warps of a launch share, and what the warps of a CTA share.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

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

class Checks;
class CtaChecks;
struct LaunchChecks;

/// How launches are executed beside what programs ask for.
struct ExecutionOptions {
  Checks* checks = nullptr;      // null for none
  bool poisons = false;          // fresh memory holds kPoison, not 0
  bool returns_faults = false;   // a fault ends its launch, not the run
};
inline constexpr std::byte kPoison{0xCD};

struct LaunchState {
  static constexpr std::size_t kLargestPooled = std::size_t{1} << 20;  // bytes
  const Program& program;
  DeviceMemory& memory;
  const Textures& textures;
  const FunctionCode& kernel;
  LaunchRequest request;
  KernelResources resources;
  std::vector<std::byte> rows;       // Bank::launch
  std::uint32_t yield_after = 4096;  // warp instructions of one split while others wait (CU-50)
  std::map<std::string, std::uint64_t>& warnings;
  std::vector<Printed> printed;
  std::uint64_t finished_ctas = 0;
  ExecutionOptions options = {};
  std::shared_ptr<LaunchChecks> checks = nullptr;
  std::exception_ptr fault = nullptr;  // the ThreadFault that has ended the launch, under ExecutionOptions::returns_faults
  std::pmr::unsynchronized_pool_resource pool{{0, kLargestPooled}};  // of registers and parameters

  std::uint32_t shared_bytes() const {
    return request.dynamic_shared_bytes == 0 ? resources.static_shared_bytes
                                             : resources.dynamic_shared_offset + request.dynamic_shared_bytes;
  }
};

/// Contributions to the barriers with a reduction (CU-47). A warp is at most one use of a barrier ahead of another, so that two are kept.
class BarrierVotes {
 public:
  struct Votes {
    std::uint64_t use = 0;
    std::uint32_t count = 0;
    bool all = true, any = false;
  };
  /// Use `use` of barrier `number`; begins it where it is new.
  Votes& of(std::uint32_t number, std::uint64_t use) {
    Votes& votes = votes_[number][use & 1];
    if (votes.use != use) votes = {use, 0, true, false};
    return votes;
  }
  static constexpr std::uint32_t kBarriers = 16;

 private:
  std::array<std::array<Votes, 2>, kBarriers> votes_{};
};

struct CtaState {
  LaunchState& launch;
  std::uint64_t number = 0;
  Dim3 index;
  std::vector<std::byte> shared;
  BarrierVotes votes;
  unsigned running_warps = 0;
  std::shared_ptr<CtaChecks> checks = nullptr;
};

}  // namespace wharf::ptx
