#include "policies/cta_scheduler/distributed.h"

namespace wharf {

void DistributedCtas::start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) {
  // floor(i T / X) = i floor(T / X) + floor(i (T mod X) / X), which cannot overflow for any T.
  const std::uint64_t sms = eligible.size();
  const auto first = [&](std::uint64_t i) { return i * (ctas / sms) + i * (ctas % sms) / sms; };
  blocks_.clear();
  for (std::uint64_t i = 0; i < sms; ++i) blocks_.push_back({eligible[i], first(i), first(i + 1)});
  turn_ = 0;
}

std::optional<CtaScheduler::Dispatch> DistributedCtas::next(const Room& room) {
  for (std::size_t step = 0; step < blocks_.size(); ++step) {
    const std::size_t candidate = (turn_ + step) % blocks_.size();
    Block& block = blocks_[candidate];
    if (block.next == block.end || room[block.sm] == 0) continue;
    turn_ = candidate + 1;
    return Dispatch{block.sm, block.next++};
  }
  turn_ = 0;
  return std::nullopt;
}

}  // namespace wharf
