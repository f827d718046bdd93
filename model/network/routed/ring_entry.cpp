// The ring as an entry of the catalogue, and the keys of rings between SMs.

#include "model/network/routed/placed_network.h"
#include "policies/routing/node_map.h"

namespace wharf {
namespace {

using network::RingKeys;

AddedNetwork make_ring(const NetworkOptions& options) {
  const unsigned sms = options.sms(), slices = options.slices(), nodes = sms + slices;
  network::PlacedNetwork placed = network::ring_of(nodes, options.params.of<RingKeys>().ring);
  placed.nodes = routing::endpoint_nodes(sms, routing::slice_nodes(nodes, 1, slices));
  return network::make_with_hops(options, placed);
}

void bind_ring(config::Binder& b, NetworkParams& params) {
  const bool rings = params.peers_on(PeerNetwork::rings);
  auto& keys = params.of<RingKeys>();
  b.group("ring", keys.ring, "the ring of each direction, or the one between SMs, or the one for answers between SMs");
  b.ineffective_unless(params.topology == "ring" || params.peers_on(PeerNetwork::ring) || rings, "ring",
                       "neither topology nor peer is ring, or peer: rings");
  b.group("request_ring", keys.request_ring, "the ring for requests between SMs");
  b.ineffective_unless(rings, "request_ring", "peer is not rings");
}

}  // namespace

NetworkEntry ring_network() {
  NetworkEntry entry{"ring", "routers in a circle, a node each", make_ring};
  entry.keys = [] { return std::any(RingKeys()); };
  entry.bind = bind_ring;
  entry.two_sided = false;
  entry.queues_elsewhere = nullptr;
  entry.work = {0.35, 1.0};
  entry.slice_bytes = [](const NetworkParams& params) -> double { return params.of<RingKeys>().ring.flit_bytes; };
  return entry;
}

}  // namespace wharf
