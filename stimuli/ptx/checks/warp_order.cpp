// Clocks of warps.
#include "stimuli/ptx/checks/warp_order.h"

#include <algorithm>

#include "model/base/warp_instruction.h"

namespace wharf::ptx {

WarpOrder::WarpOrder(unsigned warps)
    : running_(warps), clocks_(warps, Clock(warps, 0)), fenced_(warps, Clock(warps, 0)), released_(warps, 0) {
  for (unsigned warp = 0; warp < warps; ++warp) clocks_[warp][warp] = 1;
}

void WarpOrder::join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

BarrierArrival WarpOrder::arrive(const BarrierArrival& arrival) {
  std::vector<BarrierArrival>& arrived = arrived_[arrival.number];
  arrived.push_back(arrival);
  const BarrierArrival first = arrived.front();
  open_if_complete(arrival.number);
  return first;
}

void WarpOrder::open_if_complete(std::uint32_t number) {
  std::vector<BarrierArrival>& arrived = arrived_[number];
  if (arrived.empty()) return;
  const std::uint32_t threads = arrived.front().threads;
  const std::size_t expected = threads == 0 ? running_ : std::min<std::size_t>(running_, threads / kLanes);
  if (arrived.size() < expected) return;
  Clock joined(clocks_.size(), 0);
  for (const BarrierArrival& one : arrived) join(joined, clocks_[one.warp]);
  for (const BarrierArrival& one : arrived) {
    if (one.waits) clocks_[one.warp] = joined;
    ++clocks_[one.warp][one.warp];
  }
  arrived.clear();
}

void WarpOrder::end_warp() {
  --running_;
  for (std::uint32_t number = 0; number < arrived_.size(); ++number) open_if_complete(number);
}

void WarpOrder::fence(unsigned warp) {
  fenced_[warp] = clocks_[warp];
  ++clocks_[warp][warp];
}

}  // namespace wharf::ptx
