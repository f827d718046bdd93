#pragma once
// The events of the coming cycles, by cycle. Storage is fixed: adding and taking events neither allocates nor checks.

#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf::network {

template <class Event>
class EventWheel {
 public:
  /// No event may lie more than `ahead` cycles after the oldest one not taken, and at most `events` in one cycle.
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
  /// Visits and removes the events of this cycle. `visit` may add events to other cycles.
  template <class Visit>
  void pop_events(Cycle cycle, Visit&& visit) {
    const std::size_t slot = cycle & mask_;
    const Event* const first = &places_[slot * events_];
    const Event* const end = first + counts_[slot];
    for (const Event* event = first; event != end; ++event) visit(*event);
    counts_[slot] = 0;
  }
  template <class File>
  void archive(File& file) {
    file.elements(counts_);
    file.elements(places_);
  }

 private:
  std::size_t events_;
  Cycle mask_ = 0;
  std::vector<std::uint32_t> counts_;  // [slot]
  std::vector<Event> places_;          // [slot][event]
};

}  // namespace wharf::network
