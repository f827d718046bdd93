#pragma once
// An SPMD workload as a Stimulus: it runs the kernels in order, with one coroutine per warp of each CTA that the front end opens.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/self_checking.h"
#include "stimuli/spmd/image_history.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/stack_pool.h"
#include "stimuli/spmd/warp.h"
#include "stimuli/spmd/warp_fiber.h"
#include "stimuli/spmd/workload.h"
#include "stimuli/stimulus.h"

namespace wharf::spmd {

class SpmdStimulus final : public Stimulus, public SelfChecking {
 public:
  /// `make` allocates the workload's arrays in the memory passed to it.
  SpmdStimulus(const Translation& translation, const std::function<std::unique_ptr<Workload>(Memory&)>& make);

  const KernelLaunch* next_kernel() override;
  const KernelLaunch* next_concurrent(const RunningStreams& running) override;
  void open_kernel(const KernelLaunch& kernel) override;
  bool runs_apart() const override { return true; }
  bool waiting() const override { return workload_->waiting(); }
  bool leave_out_ctas() override { return workload_->has_fixed_launches(); }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;
  bool contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const override;
  bool store(Address address, const std::byte* from, std::size_t count) override;
  void keep_history() override { history_ = std::make_unique<ImageHistory>(memory_); }
  bool archive(Archive& file) override;
  double progress() const override;
  bool check_results(std::string& why) const override;

  /// The functional image, for tests that tamper with it.
  Memory& memory() { return memory_; }

 private:
  /// A kernel that has started. It stays until another kernel of its stream starts, or all kernels have drained.
  struct Started {
    const Kernel* kernel;
    KernelLaunch launch;
    std::shared_ptr<FinishedCtas> finished_ctas;
  };
  Started& start(const Kernel& kernel);

  Memory memory_;
  Translation translation_;
  std::unique_ptr<Workload> workload_;
  std::shared_ptr<StackPool> stacks_ = std::make_shared<StackPool>();
  std::vector<std::unique_ptr<Started>> started_;
  const Started* open_ = nullptr;    // whose CTAs open_cta() opens
  std::shared_ptr<Cluster> opened_;  // of the CTA opened last
  std::uint64_t launched_ = 0;       // kernels, including those of started_
  bool complete_ = false;
  std::unique_ptr<ImageHistory> history_;  // null: nothing will be saved
};

}  // namespace wharf::spmd
