#include "stimuli/spmd/warp_fiber.h"

#include <utility>

namespace wharf::spmd {

WarpFiber::WarpFiber(const Kernel& kernel, const Translation& translation, std::shared_ptr<Cta> cta, unsigned number,
                     std::shared_ptr<StackPool> stacks, std::shared_ptr<FinishedCtas> finished_ctas)
    : cta_(std::move(cta)),
      stacks_(std::move(stacks)),
      finished_ctas_(std::move(finished_ctas)),
      warp_(kernel, translation, cta_, number) {}

WarpFiber::~WarpFiber() {
  if (!inside_) return;
  {
    const FiberSwitch guard(stack_, nullptr);  // destroying a coroutine unwinds its stack
    inside_ = {};
  }
  end_fiber(stack_);
}

const WarpInstruction* WarpFiber::peek() {
  if (!started_) {
    // The coroutine and its stack are created on the first peek(), so that a waiting CTA costs nothing.
    started_ = true;
    const auto stack = stacks_->acquire();
    stack_ = {static_cast<std::byte*>(stack.sp) - stack.size, stack.size};
    begin_fiber(stack_);
    inside_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), PooledStack{stacks_},
                                    [this](boost::context::fiber&& outside) { return warp_.run(std::move(outside), error_); });
    resume();
  }
  return ended_ ? nullptr : &warp_.instruction();
}

void WarpFiber::advance() {
  if (peek() != nullptr) resume();
}

void WarpFiber::resume() {
  {
    const FiberSwitch guard(stack_, nullptr);
    inside_ = std::move(inside_).resume();
  }
  if (inside_) return;
  end_fiber(stack_);
  ended_ = true;
  if (--cta_->running_warps == 0) ++*finished_ctas_;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace wharf::spmd
