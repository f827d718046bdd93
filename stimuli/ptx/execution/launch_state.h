#pragma once
// State that all warps of a launch share, and state that the warps of a CTA share.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model/base/cluster_member.h"
#include "model/base/cluster_order.h"
#include "model/base/host/islands.h"
#include "stimuli/ptx/execution/barrier_state.h"
#include "stimuli/ptx/execution/progress/launch_progress.h"
#include "stimuli/ptx/memory/device_memory.h"
#include "stimuli/ptx/memory/shared_pool.h"
#include "stimuli/ptx/memory/textures.h"
#include "stimuli/ptx/program/kernel_resources.h"
#include "stimuli/ptx/program/program.h"
#include "stimuli/ptx/program/special_registers.h"
#include "stimuli/stimulus.h"

namespace wharf::ptx {

/// A launch as the runtime asks for it.
struct LaunchRequest {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments;  // laid out as the kernel's parameters are
  Dim3 cluster = {};                 // CTAs of a thread-block cluster
  // As in KernelLaunch.
  L2Window l2_window = {};
  bool resets_persisting = false;
  std::uint64_t persisting_limit = KernelLaunch().persisting_limit;
  std::uint32_t stack_limit = 0;  // bytes per thread that recursive functions may take; 0: CUDA's default
  // Of a cooperative launch: two words of global memory by which its CTAs meet. 0: it is none.
  Address grid_workspace = 0;
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

/// Options for executing launches, which programs do not choose.
struct ExecutionOptions {
  Checks* checks = nullptr;         // null for none
  bool poisons = false;             // fresh memory holds kPoison, not 0
  bool returns_faults = false;      // a fault ends its launch, not the run
  const RunningGpu* gpu = nullptr;  // asked for clocks and SMs (CU-51); null: clocks count instructions, and all CTAs are on SM 0
};
inline constexpr std::byte kPoison{0xCD};

struct CtaState;

/// The CTAs of a cluster by rank; null: not open yet, or ended.
using ClusterCtas = std::array<CtaState*, kMostClusterCtas>;

struct LaunchState {
  static constexpr std::size_t kLargestPooled = std::size_t{1} << 20;  // bytes
  const Program& program;
  DeviceMemory& memory;
  const Textures& textures;
  const FunctionCode& kernel;
  LaunchRequest request;
  KernelResources resources;
  std::vector<std::byte> rows;       // Bank::launch
  std::vector<std::byte> warp_rows;  // Bank::warp of each warp of a CTA
  std::map<std::string, std::uint64_t>& warnings;
  std::vector<Printed> printed;
  std::atomic<std::uint64_t> finished_ctas = 0, warp_instructions = 0;  // the latter of warps that have ended
  ExecutionOptions options = {};
  std::shared_ptr<LaunchChecks> checks = nullptr;
  std::exception_ptr fault = nullptr;  // the ThreadFault that has ended the launch, under ExecutionOptions::returns_faults
  SharedPool pool{kLargestPooled};     // of registers and parameters
  LaunchProgress progress = {};
  std::mutex warning = {};

  std::uint64_t opened_cluster = ~std::uint64_t{0};  // the last one of which a CTA has been opened, and its CTAs
  std::shared_ptr<ClusterCtas> opened_ctas = nullptr;

  void warn(const std::string& text) {
    const Islands::Lock lock(warning);
    ++warnings[text];
  }
  ClusterOrder order() const { return {request.grid, request.cluster}; }
  std::uint32_t shared_bytes() const {
    return request.dynamic_shared_bytes == 0 ? resources.static_shared_bytes
                                             : resources.dynamic_shared_offset + request.dynamic_shared_bytes;
  }
};

struct CtaState {
  /// `cta`: its linear number. The CTAs of a cluster are made one after the other.
  CtaState(LaunchState& launch, std::uint64_t cta, unsigned warps);
  ~CtaState() { (*cluster)[rank] = nullptr; }
  CtaState(const CtaState&) = delete;
  CtaState& operator=(const CtaState&) = delete;

  LaunchState& launch;
  std::uint64_t number;
  Dim3 index;
  std::shared_ptr<ClusterCtas> cluster;
  unsigned rank = 0;                                      // in its cluster
  alignas(64) std::array<std::byte, kCtaRowsBytes> rows;  // Bank::cta
  std::vector<std::byte> shared;
  BarrierState barriers;
  std::shared_ptr<CtaChecks> checks = nullptr;
};

}  // namespace wharf::ptx
