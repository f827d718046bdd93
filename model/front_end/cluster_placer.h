#pragma once
// Finds places for the CTAs of a thread-block cluster: all in one GPC, the one with the most free places (modern_gpus section 4).

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/front_end/front_end_params.h"

namespace wharf {

class ClusterPlacer {
 public:
  /// An SM that takes CTAs: those that it runs, and how many more of the cluster fit.
  struct Sm {
    std::uint32_t number, running, room;
  };

  explicit ClusterPlacer(ClusterPolicy policy) : policy_(policy) {}

  /// The SM of each CTA of a cluster of `size`, by rank; empty if no GPC has places for all of them. `gpcs`: the SMs of each.
  std::vector<std::uint32_t> place(std::uint32_t size, std::vector<std::vector<Sm>> gpcs) const {
    const std::vector<Sm>* best = nullptr;
    std::uint32_t most = 0;
    for (const std::vector<Sm>& gpc : gpcs) {
      std::uint32_t free = 0, usable = 0;
      for (const Sm& sm : gpc) {
        free += sm.room;
        usable += places(sm);
      }
      if (usable >= size && free > most) best = &gpc, most = free;
    }
    if (best == nullptr) return {};
    std::vector<Sm> order = *best;
    std::stable_sort(order.begin(), order.end(), [](const Sm& a, const Sm& b) { return a.running < b.running; });
    std::vector<std::uint32_t> sms;
    for (const Sm& sm : order) {
      const std::uint32_t here = std::min(places(sm), size - static_cast<std::uint32_t>(sms.size()));
      sms.insert(sms.end(), here, sm.number);
    }
    return sms;
  }

 private:
  /// How many CTAs of the cluster `sm` may take.
  std::uint32_t places(const Sm& sm) const { return policy_ == ClusterPolicy::spread ? std::min(sm.room, 1u) : sm.room; }

  ClusterPolicy policy_;
};

}  // namespace wharf
