#pragma once
// A warp of an SPMD kernel as a WarpStream: a coroutine that is suspended between the emission of an instruction and its issue.

#include <atomic>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <memory>

#include "stimuli/spmd/stack_pool.h"
#include "stimuli/spmd/warp.h"
#include "stimuli/stimulus.h"

namespace wharf::spmd {

using FinishedCtas = std::atomic<std::uint64_t>;  // several threads may advance warps

class WarpFiber final : public WarpStream {
 public:
  /// The kernel must outlive the stream. `finished_ctas` is incremented when the last warp of the CTA ends.
  WarpFiber(const Kernel& kernel, const Translation& translation, std::shared_ptr<Cta> cta, unsigned number,
            std::shared_ptr<StackPool> stacks, std::shared_ptr<FinishedCtas> finished_ctas);
  ~WarpFiber() override;
  WarpFiber(const WarpFiber&) = delete;
  WarpFiber& operator=(const WarpFiber&) = delete;

  /// Both rethrow an exception of the kernel (SimulationError for an access outside its array).
  const WarpInstruction* peek() override;
  void advance() override;
  void pass_over_compute(std::uint64_t& executed) override { warp_.pass_over_compute(executed); }

 private:
  void resume();

  std::shared_ptr<Cta> cta_;
  std::shared_ptr<StackPool> stacks_;
  std::shared_ptr<FinishedCtas> finished_ctas_;
  Warp warp_;
  boost::context::fiber inside_;
  StackBounds stack_;
  std::exception_ptr error_;
  bool started_ = false, ended_ = false;
};

}  // namespace wharf::spmd
