#include <algorithm>

#include "model/sm/lsu/subcore_lsu.h"

namespace wharf {

SubcoreLsu::SubcoreLsu(const LsuParams& params, unsigned schedulers) : params_(params), schedulers_(schedulers) {
  for (Scheduler& scheduler : schedulers_) scheduler.places.resize(params.subcore_queue);
}

void SubcoreLsu::enter(unsigned index, std::uint16_t name, Cycle ready) {
  Scheduler& scheduler = schedulers_[index];
  scheduler.places[scheduler.entered++ % scheduler.places.size()] = {kNever, ready, name};
}

Cycle SubcoreLsu::next(const Scheduler& scheduler) const {
  if (scheduler.taken == scheduler.entered) return kNever;
  return std::max({scheduler.places[scheduler.taken % scheduler.places.size()].ready, scheduler.address_free, shared_free_});
}

Cycle SubcoreLsu::next() const {
  Cycle first = kNever;
  for (const Scheduler& scheduler : schedulers_) first = std::min(first, next(scheduler));
  return first;
}

std::uint16_t SubcoreLsu::take(Cycle now) {
  const auto count = static_cast<std::uint32_t>(schedulers_.size());
  while (next(schedulers_[turn_]) > now) turn_ = (turn_ + 1) % count;
  Scheduler& scheduler = schedulers_[turn_];
  turn_ = (turn_ + 1) % count;
  Place& place = scheduler.places[scheduler.taken++ % scheduler.places.size()];
  place.free_from = now + params_.address_cycles;
  scheduler.address_free = now + params_.address_interval;
  shared_free_ = now + params_.shared_interval;
  return place.name;
}

Cycle SubcoreLsu::pass(std::uint32_t bytes, std::uint32_t spread, Cycle now) {
  const std::uint32_t per_cycle = params_.return_bytes;
  return_free_ = std::max(std::max((now - spread) * per_cycle, return_free_) + bytes, now * per_cycle + 1);
  const Cycle end = (return_free_ + per_cycle - 1) / per_cycle;
  constexpr std::uint32_t kCalibrated = kLanes * 4;  // bytes whose way is part of the L1's latency
  return std::max(now, end - (kCalibrated + per_cycle - 1) / per_cycle);
}

bool SubcoreLsu::idle() const {
  return std::all_of(schedulers_.begin(), schedulers_.end(), [](const Scheduler& s) { return s.taken == s.entered; });
}

}  // namespace wharf
