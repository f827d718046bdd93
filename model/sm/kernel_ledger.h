#pragma once
// What each running kernel has done on all SMs, and its accesses in flight. SMs keep the ledger if kernels run together; the front end
// reads it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "model/base/access.h"
#include "model/base/host/islands.h"
#include "model/base/types.h"

namespace wharf {

/// The counts of a kernel. Each matches the counter of that name in SmCounters, so that the sum over kernels is the SMs' total.
enum class KernelCount : std::uint8_t {
  warp_instructions,
  thread_instructions,
  loads,
  stores,
  atomics,
  shared_accesses,
  shared_conflict_cycles,
  barriers,
  ctas,
  warp_cycles,
  round_trips,
  round_trip_sum,
  sectors,
  sectors_own_l1,
  sectors_other_l1,
  by_l1,
  by_peer,
  by_home,
  by_l2,
  by_ellc,
  by_dram,  // load transactions by their server, in the order of ServedBy
};
inline constexpr unsigned kKernelCounts = 21;
/// Their names in metrics of the group `sm`.
inline constexpr const char* kKernelCountNames[kKernelCounts] = {
    "warp_instructions", "thread_instructions",    "loads",          "stores",         "atomics",
    "shared.accesses",   "shared.conflict_cycles", "barriers",       "ctas",           "warp_cycles",
    "round_trips",       "round_trip_sum",         "sectors.loaded", "sectors.own_l1", "sectors.other_l1",
    "served_by.l1",      "served_by.peer",         "served_by.home", "served_by.l2",   "served_by.ellc",
    "served_by.dram"};

using KernelCounts = std::array<std::uint64_t, kKernelCounts>;

class KernelLedger {
 public:
  /// A running kernel occupies a place until it has ended.
  explicit KernelLedger(unsigned places) : places_(places) {}

  void start(unsigned place) { places_[place] = {}; }

  void add(unsigned place, KernelCount count, std::uint64_t n = 1) {
    const Islands::Lock lock(mutex_);
    places_[place].counts[static_cast<unsigned>(count)] += n;
  }
  void sent(unsigned place) {
    const Islands::Lock lock(mutex_);
    ++places_[place].in_flight;
  }
  /// The answer arrives in cycle `at`.
  void answered(unsigned place, Cycle at) {
    const Islands::Lock lock(mutex_);
    Place& kernel = places_[place];
    --kernel.in_flight;
    kernel.answered_to = std::max(kernel.answered_to, at);
  }
  /// A load transaction is answered after `trip` cycles.
  void answered_load(unsigned place, Cycle trip, ServedBy server) {
    add(place, KernelCount::round_trips);
    add(place, KernelCount::round_trip_sum, trip);
    if (server != ServedBy::none)
      add(place, static_cast<KernelCount>(static_cast<unsigned>(KernelCount::by_l1) + static_cast<unsigned>(server) - 1));
  }

  const KernelCounts& counts(unsigned place) const { return places_[place].counts; }
  /// True if no access of the kernel is in flight and its last answer arrived before `now`. The result does not depend on the order in
  /// which blocks act at `now`.
  bool idle_before(unsigned place, Cycle now) const { return places_[place].in_flight == 0 && places_[place].answered_to < now; }

 private:
  struct Place {
    KernelCounts counts{};
    std::uint64_t in_flight = 0;  // accesses
    Cycle answered_to = 0;        // arrival of the last answer
  };
  std::mutex mutex_;
  std::vector<Place> places_;
};

}  // namespace wharf
