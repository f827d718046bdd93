#pragma once
// What the load/store unit of recent SMs adds to one queue (MG-6): a queue and an address unit for each scheduler, in front of a part that
// all schedulers share, and a path of limited width from the L1 to the registers.

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "model/sm/lsu/lsu_params.h"

namespace wharf {

class SubcoreLsu {
 public:
  SubcoreLsu(const LsuParams& params, unsigned schedulers);

  /// From when the scheduler's queue has a place; kNever as long as an instruction that is still to leave must leave first.
  Cycle open_from(unsigned scheduler) const { return next_place(schedulers_[scheduler]).free_from; }
  /// An instruction enters the queue, which has a place. The shared part can take it from cycle `ready` on. `name` is the caller's.
  void enter(unsigned scheduler, std::uint16_t name, Cycle ready);
  /// The cycle from which the shared part may take an instruction; kNever if none waits.
  Cycle next() const;
  /// The shared part takes the next instruction, of each scheduler in turn. Requires next() <= now.
  std::uint16_t take(Cycle now);

  /// `bytes` have come from the L1, the first of them `spread` cycles ago, the last in cycle `now`. Returns the cycle in which the registers
  /// have them. Called in order of `now`.
  Cycle pass(std::uint32_t bytes, std::uint32_t spread, Cycle now);

  bool idle() const;
  /// Called while it is idle.
  template <class File>
  void archive(File& file) {
    for (Scheduler& scheduler : schedulers_) file(scheduler.places, scheduler.entered, scheduler.taken, scheduler.address_free);
    file(turn_, shared_free_, return_free_);
  }

 private:
  struct Place {
    Cycle free_from = 0;
    Cycle ready = 0;
    std::uint16_t name = 0;
  };
  struct Scheduler {
    std::vector<Place> places;  // a ring
    std::uint64_t entered = 0, taken = 0;
    Cycle address_free = 0;  // from when its address unit takes an instruction
  };
  static const Place& next_place(const Scheduler& scheduler) { return scheduler.places[scheduler.entered % scheduler.places.size()]; }
  Cycle next(const Scheduler& scheduler) const;

  const LsuParams params_;
  std::vector<Scheduler> schedulers_;
  std::uint32_t turn_ = 0;  // the scheduler that goes first
  Cycle shared_free_ = 0;   // from when the shared part takes an instruction
  Cycle return_free_ = 0;   // from when the path to the registers is free, in cycles / return_bytes
};

}  // namespace wharf
