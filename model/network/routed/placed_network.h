#pragma once
// Builds networks of routers from their tables. Mesh, ring and butterfly share this code, for L2 traffic and for messages between SMs.

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

/// A ring of `nodes` nodes, or `rings` rings of equal size with that many nodes in total. The caller names the nodes of the endpoints.
PlacedNetwork ring_of(unsigned nodes, const RingParams& keys, unsigned rings = 1);
/// A butterfly; each endpoint is at the node with its number.
PlacedNetwork butterfly_of(unsigned endpoints, const ButterflyParams& keys);
/// Returns a placement of each endpoint at the node with its number.
std::vector<std::uint16_t> in_order(unsigned endpoints);

AddedNetwork make_placed(const NetworkOptions& options, const PlacedNetwork& placed);
/// Makes a network of L2 traffic, with the hops between any two endpoints.
AddedNetwork make_with_hops(const NetworkOptions& options, const PlacedNetwork& placed);

}  // namespace wharf::network
