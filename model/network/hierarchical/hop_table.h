#pragma once
// How long a message takes between two SMs of a GPC: it depends on their places, not on their ranks in a cluster.

#include <cstdint>
#include <vector>

#include "model/network/hierarchical/hierarchy.h"
#include "model/network/hierarchical/hop_params.h"

namespace wharf::network {

/// Cycles from one SM to another, [from][to], as the network between them has to take: one less than the hop, because leaving an SM is its
/// first cycle. 0 if the SMs are in different GPCs.
std::vector<std::uint16_t> hop_table(const HopParams& keys, const HierarchicalParams& params, const Hierarchy& hierarchy);

}  // namespace wharf::network
