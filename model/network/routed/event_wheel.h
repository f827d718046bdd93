#pragma once
// What is to happen in the coming cycles, by cycle. Its places are fixed: nothing is allocated, and nothing checked, while events come and go.

#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf::network {

template <class Event>
class EventWheel {
 public:
  /// No event lies more than `ahead` cycles after the oldest that has not been taken; at most `events` lie in one cycle.
  EventWheel(Cycle ahead, std::size_t events) : events_(events) {
    while (mask_ < ahead) mask_ = 2 * mask_ + 1;
    counts_.resize(mask_ + 1);
    places_.resize((mask_ + 1) * events);
  }

  void add(Cycle cycle, const Event& event) {
    const std::size_t slot = cycle & mask_;
    places_[slot * events_ + counts_[slot]++] = event;
  }
  bool any(Cycle cycle) const { return counts_[cycle & mask_] != 0; }
  void clear(Cycle cycle) { counts_[cycle & mask_] = 0; }
  /// Visits what lies in this cycle and takes it out. `visit` may add to other cycles.
  template <class Visit>
  void take(Cycle cycle, Visit&& visit) {
    const std::size_t slot = cycle & mask_;
    const Event* const first = &places_[slot * events_];
    const Event* const end = first + counts_[slot];
    for (const Event* event = first; event != end; ++event) visit(*event);
    counts_[slot] = 0;
  }

 private:
  std::size_t events_;
  Cycle mask_ = 0;
  std::vector<std::uint32_t> counts_;  // [slot]
  std::vector<Event> places_;          // [slot][event]
};

}  // namespace wharf::network
