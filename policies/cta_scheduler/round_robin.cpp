#include "policies/cta_scheduler/round_robin.h"

#include "model/base/archive.h"

namespace wharf {

std::optional<CtaScheduler::Dispatch> RoundRobinCtas::next(const Room& room) {
  if (next_cta_ == ctas_) return std::nullopt;
  for (std::size_t step = 0; step < eligible_.size(); ++step) {
    const std::size_t candidate = (turn_ + step) % eligible_.size();
    if (room[eligible_[candidate]] == 0) continue;
    turn_ = candidate + 1;
    return Dispatch{eligible_[candidate], next_cta_++};
  }
  if (!continues_) turn_ = 0;  // all SMs are full: of those that free a slot next, the lowest is served first
  return std::nullopt;
}

bool RoundRobinCtas::archive(Archive& file) {
  file(turn_);
  return true;
}

}  // namespace wharf
