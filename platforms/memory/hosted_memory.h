#pragma once
// A GPU's memory system whose cores are another simulator's: a frame with a MemoryPort in each SM's place, and the stimulus that gives it
// kernel boundaries. wharf_memory.h is its face in C.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/frame/gpu_params.h"
#include "platforms/memory/memory_port.h"
#include "platforms/simulation.h"

namespace wharf {

/// Kernels without CTAs, each given when asked for.
class BoundaryStimulus final : public Stimulus {
 public:
  void add() { ++left_; }
  void close() { open_ = false; }
  bool given() const { return left_ == 0; }

  const KernelLaunch* next_kernel() override;
  bool waiting() const override { return open_; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t) override { return {}; }

 private:
  KernelLaunch kernel_;
  unsigned left_ = 1;
  bool open_ = true;
};

class HostedMemory {
 public:
  using OnAnswer = std::function<void(const MemoryPort::Answer&)>;
  /// Binds an initiator of the host's own above core `core`, and returns true; false where offer() is to make its requests.
  using BindCore = std::function<bool(unsigned core, tlm::tlm_target_socket<>& entry)>;

  /// Elaborates the machine, up to the end of its first kernel boundary, which is the host's cycle 0. Initiators of the host's own must not
  /// begin before. Throws InputError for what cannot be hosted, and for a second one in a process.
  HostedMemory(const GpuParams& params, RunOptions options, OnAnswer on_answer, const BindCore& bind_core = {});
  ~HostedMemory();

  const GpuParams& params() const { return params_; }
  unsigned transaction_bytes() const { return params_.transaction == TransactionUnit::line ? kLineBytes : kSectorBytes; }
  /// The host's cycle: core cycles since the end of the first kernel boundary.
  Cycle cycle() const;
  std::uint64_t in_flight() const { return in_flight_; }

  /// As wharf_memory_try_request() has it, of the bytes [address, address + bytes). Throws InputError for a request that is wrong.
  bool offer(unsigned core, Access access, Address address, std::uint32_t bytes, std::uint64_t tag);
  /// Returns false where it stopped at an answer before `to`. Throws SimulationError.
  bool advance(Cycle to);
  /// False where requests are in flight.
  bool kernel_boundary();
  /// Runs to the last answer and the last write that drains, where time ends, and checks the laws.
  void finish();
  /// The counts from cycle 0 to the present one.
  Interval counted();
  const stats::Registry& statistics() const { return simulation_.statistics(); }

 private:
  bool deliver();
  void step(Cycle most);
  void pass_boundary();

  const GpuParams params_;
  const OnAnswer on_answer_;
  BoundaryStimulus stimulus_;
  Simulation simulation_;
  std::vector<MemoryPort::Answer> answers_;  // not delivered
  std::vector<std::unique_ptr<MemoryPort>> ports_;  // [core]; null where the host has bound its own
  Cycle begin_ = 0;                          // the core cycle that is the host's 0
  stats::Snapshot begin_counts_;
  std::optional<Interval> end_;              // all that was counted, when finished
  std::uint64_t in_flight_ = 0;
};

}  // namespace wharf
