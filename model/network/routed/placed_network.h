#pragma once
// Networks of routers from their tables: what mesh, ring and butterfly have in common, as networks of L2 traffic and beside them.

#include <cstdint>
#include <vector>

#include "model/network/added_network.h"
#include "model/network/routed/routed_params.h"
#include "policies/routing/topology.h"

namespace wharf::network {

/// A network of routers, and the nodes of its endpoints.
struct PlacedNetwork {
  routing::Topology topology;
  RouterParams router;
  std::vector<std::uint16_t> nodes;  // [endpoint]
};

/// A ring of so many nodes, or several rings of equal size; whoever places endpoints on it names their nodes.
PlacedNetwork ring_of(unsigned nodes, const RingParams& keys, unsigned rings = 1);
/// A butterfly with each of the endpoints on the node of its number.
PlacedNetwork butterfly_of(unsigned endpoints, const ButterflyParams& keys);
/// Endpoints on the nodes of their numbers.
std::vector<std::uint16_t> in_order(unsigned endpoints);

AddedNetwork make_placed(const NetworkOptions& options, const PlacedNetwork& placed);
/// The same for L2 traffic, with the hops between any two endpoints.
AddedNetwork make_with_hops(const NetworkOptions& options, const PlacedNetwork& placed);

}  // namespace wharf::network
