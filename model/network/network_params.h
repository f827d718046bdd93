#pragma once
// The choice of networks, and the parameters that all networks share (common section 5).

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/network/crossbar/crossbar_params.h"
#include "model/network/network_catalogue_logic.h"
#include "model/network/rate/rate_params.h"
#include "model/network/routed/routed_params.h"

namespace wharf {

/// The network that carries messages between SMs.
enum class PeerNetwork { same, via_slices, ring, rings, butterfly, ideal };

struct NetworkParams {
  /// The machine to connect, set by the owner of this group; not keys.
  std::uint32_t sms = 80, slices = 32;
  bool between_sms = false;
  std::uint32_t cluster_sms = 0;  // SMs send only within their cluster; 0: all SMs form one cluster

  std::string topology = "crossbar";
  PeerNetwork peer = PeerNetwork::same;
  std::uint32_t interface_packets = 2;
  network::CrossbarParams crossbar;
  network::RateParams rate;
  network::MeshParams mesh;
  network::RingParams ring, request_ring;
  network::ButterflyParams butterfly;

  /// True where SMs are on one side and slices on the other: the crossbar, the rate model and added networks.
  bool is_two_sided() const { return topology != "mesh" && topology != "ring" && topology != "butterfly"; }

  void bind(config::Binder& b) {
    b.policy("topology", topology, network_catalogue_names(), "the networks that carry requests to L2 and replies, one per direction");
    b.choice("peer", peer,
             {{"same", PeerNetwork::same},
              {"via_slices", PeerNetwork::via_slices},
              {"ring", PeerNetwork::ring},
              {"rings", PeerNetwork::rings},
              {"butterfly", PeerNetwork::butterfly},
              {"ideal", PeerNetwork::ideal}},
             "what carries messages between SMs: the networks of L2 traffic; the crossbars of L2 traffic, by way of the slice that owns "
             "the line (SL-30); a separate network (SL-31); one ring for requests and one for answers (ATA-O29); or nothing, in zero "
             "cycles (SL-33)");
    b.ineffective_unless(between_sms, "peer", "this platform sends nothing from SM to SM");
    b.integer("interface_packets", interface_packets, config::Unit::count, "packets that a network interface holds before the first buffer",
              1, 64);
    b.ineffective_unless(topology == "crossbar" || !is_two_sided(), "interface_packets",
                         topology == "rate" ? "the queues of topology rate are network.rate.queue" : "the topology has queues of its own");
    b.group("crossbar", crossbar, "the crossbar of each direction");
    b.ineffective_unless(topology == "crossbar", "crossbar", "topology is not crossbar");
    b.group("rate", rate, "the network of each direction, whose ports pass a number of bytes per cycle (morpheus section 2.4)");
    b.ineffective_unless(topology == "rate", "rate", "topology is not rate");
    b.group("mesh", mesh, "the mesh of each direction");
    b.ineffective_unless(topology == "mesh", "mesh", "topology is not mesh");
    b.group("ring", ring, "the ring of each direction, or the one between SMs, or the one for answers between SMs");
    b.ineffective_unless(topology == "ring" || peers_on(PeerNetwork::ring) || peers_on(PeerNetwork::rings), "ring",
                         "neither topology nor peer is ring, or peer: rings");
    b.group("request_ring", request_ring, "the ring for requests between SMs");
    b.ineffective_unless(peers_on(PeerNetwork::rings), "request_ring", "peer is not rings");
    b.group("butterfly", butterfly, "the butterfly of each direction, or the one between SMs");
    b.ineffective_unless(topology == "butterfly" || peers_on(PeerNetwork::butterfly), "butterfly",
                         "neither topology nor peer is butterfly");
    check(b);
  }

 private:
  bool peers_on(PeerNetwork network) const { return between_sms && peer == network; }

  void check(config::Binder& b) const {
    const std::uint32_t nodes = sms + slices;
    const std::string sided = topology == "crossbar" ? "crossbar" : topology == "rate" ? "rate-model network" : "network";
    b.require(!between_sms || !is_two_sided() || peer != PeerNetwork::same, "peer",
              "is same, and a " + sided + " of SMs and slices has no way from one SM to another",
              "choose peer: via_slices, ring, rings, butterfly or ideal, or topology: mesh, ring or butterfly");
    b.require(!peers_on(PeerNetwork::via_slices) || topology == "crossbar", "peer", "is via_slices without a crossbar",
              "choose peer: same, which is shorter, or topology: crossbar");
    b.require(!peers_on(PeerNetwork::via_slices) || crossbar.virtual_channels >= 3, "crossbar",
              "has fewer virtual channels than the three classes of peer: via_slices", "set crossbar.virtual_channels: 3 or more");
    if (topology == "mesh") {
      b.require(nodes % mesh.columns == 0, "mesh",
                "has rows of " + std::to_string(mesh.columns) + ", which " + std::to_string(nodes) + " SMs and slices do not fill",
                "choose mesh.columns, sms, channels or slices_per_channel to match");
      b.require(nodes <= 256, "mesh", "has more than 256 nodes", "choose fewer SMs or slices");
      check_slice_nodes(b, nodes);
    }
    const auto power = [](std::uint64_t base, std::uint32_t exponent) {
      std::uint64_t n = 1;
      for (std::uint32_t i = 0; i < exponent && n < 1'000'000; ++i) n *= base;
      return n;
    };
    const std::uint64_t fly = power(butterfly.radix, butterfly.stages);
    if (topology == "butterfly" || peers_on(PeerNetwork::butterfly)) {
      const std::uint32_t needed = topology == "butterfly" ? nodes : sms;
      b.require(fly >= needed && fly <= 256, "butterfly",
                "has radix^stages = " + std::to_string(fly) + " nodes for " + std::to_string(needed) + " endpoints",
                "choose radix and stages so that there are enough, and no more than 256");
    }
  }

  void check_slice_nodes(config::Binder& b, std::uint32_t nodes) const {
    std::vector<std::uint32_t> sorted = mesh.slice_nodes;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    b.require(sorted.empty() || (sorted.size() == slices && distinct && sorted.back() < nodes), "mesh",
              "has slice_nodes that are not " + std::to_string(slices) + " different nodes below " + std::to_string(nodes),
              "name one node for each L2 slice, or leave slice_nodes out");
  }
};

}  // namespace wharf
