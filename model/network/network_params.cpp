#include "model/network/network_params.h"

namespace wharf {

NetworkParams::NetworkParams() {
  for (const NetworkEntry& entry : network_entries())
    if (entry.keys != nullptr) keys_.push_back(entry.keys());
}

void NetworkParams::bind(config::Binder& b) {
  b.policy("topology", topology, network_catalogue_names(), "the networks that carry requests to L2 and replies, one per direction");
  b.choice("peer", peer,
           {{"same", PeerNetwork::same},
            {"via_slices", PeerNetwork::via_slices},
            {"ring", PeerNetwork::ring},
            {"rings", PeerNetwork::rings},
            {"butterfly", PeerNetwork::butterfly},
            {"ideal", PeerNetwork::ideal},
            {"cluster", PeerNetwork::cluster}},
           "what carries messages between SMs. same: the networks of L2 traffic. via_slices: the crossbars of L2 traffic, through the "
           "slice that owns the line (SL-30). ring, butterfly: a separate network (SL-31). rings: one ring for requests and one for "
           "answers (ATA-O29). ideal: no network, zero cycles (SL-33). cluster: the SM-to-SM network of each GPC (modern_gpus section 4)");
  b.ineffective_unless(between_sms, "peer", "this platform sends nothing from SM to SM");
  b.group("cluster", cluster, "the SM-to-SM network of each GPC (modern_gpus section 4)");
  b.ineffective_unless(peers_on(PeerNetwork::cluster), "cluster", "network.peer is not cluster, or nothing is sent from SM to SM");
  b.integer("interface_packets", interface_packets, config::Unit::count, "packets that a network interface holds before the first buffer",
            1, 64);
  const char* const elsewhere = entry().queues_elsewhere;
  b.ineffective_unless(elsewhere == nullptr, "interface_packets", elsewhere == nullptr ? "" : elsewhere);
  for (const NetworkEntry& each : network_entries())
    if (each.bind != nullptr) each.bind(b, *this);
  b.require(!peers_on(PeerNetwork::same) || !entry().two_sided, "peer",
            std::string("is same, and topology ") + entry().name + " has no way from one SM to another",
            "choose peer: via_slices, ring, rings, butterfly, ideal or cluster, or topology: mesh, ring or butterfly");
  b.require(!peers_on(PeerNetwork::via_slices) || entry().can_use_slices, "peer", "is via_slices, but the topology is not crossbar",
            "choose peer: same, which is shorter, or topology: crossbar");
}

}  // namespace wharf
