#pragma once
// Positions in a two-stage network between X SMs and L slices with Y places between them (dc_l1 sections 5 to 7). The places are DC-L1
// nodes, or the converged ports of CDXBar. Networks, routes, capacities and checks are all derived from this description.
//
//   Z clusters of N = X / Z SMs and M = Y / Z nodes. NoC#1: Z crossbars N x M. A line's home is one of the M nodes in the requester's
//   cluster.
//   PrY is Z = Y (M = 1, one node for N SMs), ShY is Z = 1 (M = Y).
//   NoC#2, if the home determines which slices may own the line: M crossbars Z x O with O = L / M. Each connects the nodes of one home
//   index to their slices.
//   NoC#2 otherwise, and with one cluster: a single crossbar Y x L.

#include <algorithm>
#include <string>
#include <string_view>

#include "model/base/bits.h"
#include "model/network/sm_groups.h"

namespace wharf {

struct DcL1Geometry {
  unsigned cores = 80, nodes = 40, clusters = 10, slices = 32;
  bool homes_own_slices = true;  // the home map is slice_range
  // [cluster]. They are equal, unless clusters are GPCs with a node at each SM.
  SmGroups sms_of = SmGroups::of(cores, std::max(1u, cores / clusters)), nodes_of = SmGroups::of(nodes, std::max(1u, nodes / clusters));

  unsigned cores_per_cluster() const { return cores / clusters; }
  unsigned nodes_per_cluster() const { return nodes / clusters; }
  bool partitioned() const { return homes_own_slices && clusters > 1; }
  /// Number of slices that a node can reach.
  unsigned slices_per_node() const { return partitioned() ? slices / nodes_per_cluster() : slices; }
  /// True if each SM has its own node and its own link to it.
  bool direct_links() const { return cores_per_cluster() == 1 && nodes_per_cluster() == 1; }
  unsigned home_bits() const { return ceil_log2(nodes_per_cluster()); }
  /// Upper bound on the copies of one line in all nodes.
  unsigned most_copies() const { return clusters; }

  struct Crossbars {
    unsigned count, inputs, outputs;  // of the request network; the reply network is transposed
  };
  Crossbars noc1() const { return {clusters, cores_per_cluster(), nodes_per_cluster()}; }
  Crossbars noc2() const {
    return partitioned() ? Crossbars{nodes_per_cluster(), clusters, slices_per_node()} : Crossbars{1, nodes, slices};
  }
  /// Factor by which the peak bandwidth of the L1s is below 128 B per core cycle and SM (dc_l1 section 7, without headers). A node delivers
  /// one flit of `flit_bytes` in `link_cycles` core cycles, as the source counts them.
  double bandwidth_drop(unsigned flit_bytes, double link_cycles) const { return 128.0 / flit_bytes * link_cycles * cores / nodes; }

  unsigned cluster_of(unsigned core) const { return sms_of.number_of(core); }
  /// The node with home index `home` in the SM's cluster (DC-18).
  unsigned node_of(unsigned core, unsigned home) const { return nodes_of[cluster_of(core)].first + home; }
  unsigned home_of(unsigned node) const { return node - nodes_of.around(node).first; }
  bool reaches(unsigned node, unsigned slice) const { return !partitioned() || slice / slices_per_node() == home_of(node); }

  // Endpoints. NoC#1: SMs, then nodes. NoC#2: nodes in the order of its crossbars, then slices.
  unsigned upper_port(unsigned node) const { return cores + node; }
  unsigned lower_port(unsigned node) const { return partitioned() ? home_of(node) * clusters + nodes_of.number_of(node) : node; }
  unsigned slice_port(unsigned slice) const { return nodes + slice; }

  /// What is wrong with the geometry and how to fix it, each a clause. `what` is empty if the geometry is legal.
  struct Mistake {
    std::string what, remedy;
  };
  Mistake mistake() const {
    const auto number = [](unsigned n) { return std::to_string(n); };
    const std::string shape = number(nodes) + " nodes in " + number(clusters) + " clusters for " + number(cores) + " SMs";
    if (sms_of.count() != clusters || nodes_of.count() != clusters)
      return {"makes " + shape + ": clusters are not equal", "choose clusters that divide both the SMs and the nodes"};
    if (nodes > cores) return {"makes " + shape + ": more nodes than SMs", "choose at most one node per SM"};
    if (partitioned() && slices % nodes_per_cluster() != 0)
      return {"makes " + shape + ", and the " + number(nodes_per_cluster()) + " homes of a cluster do not divide the " + number(slices) +
                  " L2 slices: no crossbar of NoC#2 could join a home to its slices",
              "choose nodes / clusters that divides the slices, or home_map: chunk_mod, which needs the full crossbar"};
    return {};
  }
};

}  // namespace wharf
