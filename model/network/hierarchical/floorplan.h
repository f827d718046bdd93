#pragma once
// Places of GPCs and slices on the chip: an SM's requests to near slices take fewer cycles than those to far ones (modern_gpus section 3,
// MG-13).
//
// GPCs lie in a row over the width of their part of the chip, the n-th of N at (n + 1/2) / N, and so do groups of kOutputsPerQueue slices.
// A request to a slice at distance d of its GPC takes round(k (d - mean d)) cycles more than without a floorplan, and those of the TPCs of a
// GPC in turn 0, -1 and +1 more, in every second GPC 0, +1 and -1. The mean is that of all pairs of an SM and a slice to which it sends, so
// that a floorplan changes the mean latency by parts of a cycle only. k makes `offset_spread` the difference between the farthest and the
// nearest pair.
//
// Requests alone take the offset of both ways. All packets of a queue have the same one, so they keep their order.

#include <cstdint>
#include <vector>

#include "model/network/hierarchical/hierarchical_params.h"
#include "model/network/hierarchical/hierarchy.h"

namespace wharf::network {

class Floorplan {
 public:
  struct Chip {
    unsigned sms, slices;
    unsigned near_sms = 0;  // that many SMs send to the first half of the slices, the others to the second; 0: all to all
  };
  /// Throws InputError if a link's latency is less than what the nearest packets save.
  Floorplan(const HierarchicalParams& params, const Hierarchy& hierarchy, const Chip& chip);

  /// Cycles that packets from a GPC to a group of slices, and those of a TPC, take more than without a floorplan.
  int of_gpc(unsigned gpc, unsigned group) const { return of_gpc_[gpc * groups_ + group]; }
  int of_tpc(unsigned tpc) const { return of_tpc_[tpc]; }
  /// The least of these, of GPCs or TPCs; 0 for other tiers.
  int least_of(Tier tier) const { return tier == Tier::gpc ? least_of_gpcs_ : tier == Tier::tpc ? least_of_tpcs_ : 0; }

 private:
  void place_gpcs(const HierarchicalParams& params, const Hierarchy& hierarchy, const Chip& chip);
  void place_tpcs(const Hierarchy& hierarchy);

  unsigned groups_;
  std::vector<int> of_gpc_;  // [GPC][group]; 0 where the GPC sends nothing
  std::vector<int> of_tpc_;  // [TPC]
  int least_of_gpcs_ = 0, least_of_tpcs_ = 0;
};

}  // namespace wharf::network
