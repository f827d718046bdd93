#pragma once
// Where everything stands in a two-stage network between X cores and L slices with Y places between (dc_l1 sections 5 to 7): DC-L1 nodes, or
// the converged ports of CDXBar. The one description from which networks, routes, capacities and checks are made.
//
//   Z clusters of N = X / Z cores and M = Y / Z nodes. NoC#1: Z crossbars N x M. A line's home is one of the M nodes of the requester's cluster.
//   PrY is Z = Y (M = 1, a node for N cores), ShY is Z = 1 (M = Y).
//   NoC#2, where the home says which slices may own the line: M crossbars Z x O with O = L / M, the nodes of one home index and their slices;
//   else, and with one cluster, a single crossbar Y x L.

#include <string>
#include <string_view>

#include "model/base/bits.h"

namespace wharf {

struct DcL1Geometry {
  unsigned cores = 80, nodes = 40, clusters = 10, slices = 32;
  bool homes_own_slices = true;  // the home map is slice_range

  unsigned cores_per_cluster() const { return cores / clusters; }
  unsigned nodes_per_cluster() const { return nodes / clusters; }
  bool partitioned() const { return homes_own_slices && clusters > 1; }
  /// Slices that a node can reach.
  unsigned slices_per_node() const { return partitioned() ? slices / nodes_per_cluster() : slices; }
  /// Cores with a way of their own to a node of their own.
  bool direct_links() const { return cores_per_cluster() == 1 && nodes_per_cluster() == 1; }
  unsigned home_bits() const { return ceil_log2(nodes_per_cluster()); }
  /// Copies of one line in all nodes.
  unsigned most_copies() const { return clusters; }

  struct Crossbars {
    unsigned count, inputs, outputs;  // of the request network; the reply network is the transpose
  };
  Crossbars noc1() const { return {clusters, cores_per_cluster(), nodes_per_cluster()}; }
  Crossbars noc2() const {
    return partitioned() ? Crossbars{nodes_per_cluster(), clusters, slices_per_node()} : Crossbars{1, nodes, slices};
  }
  /// Times the peak bandwidth of the L1s is less than 128 B a core cycle and core (dc_l1 section 7, no headers): a node delivers a flit in
  /// `link_cycles` core cycles of the source's accounting, `flit_bytes` wide.
  double bandwidth_drop(unsigned flit_bytes, double link_cycles) const { return 128.0 / flit_bytes * link_cycles * cores / nodes; }

  unsigned cluster_of(unsigned core) const { return core / cores_per_cluster(); }
  /// The node with home index `home` of the core's cluster (DC-18).
  unsigned node_of(unsigned core, unsigned home) const { return cluster_of(core) * nodes_per_cluster() + home; }
  unsigned home_of(unsigned node) const { return node % nodes_per_cluster(); }
  bool reaches(unsigned node, unsigned slice) const { return !partitioned() || slice / slices_per_node() == home_of(node); }

  // Endpoints. NoC#1: cores, then nodes. NoC#2: nodes in the order of its crossbars, then slices.
  unsigned upper_port(unsigned node) const { return cores + node; }
  unsigned lower_port(unsigned node) const { return partitioned() ? home_of(node) * clusters + node / nodes_per_cluster() : node; }
  unsigned slice_port(unsigned slice) const { return nodes + slice; }

  /// What is wrong with it, and what to do, each a clause; the first is empty where it is legal.
  struct Mistake {
    std::string what, remedy;
  };
  Mistake mistake() const {
    const auto number = [](unsigned n) { return std::to_string(n); };
    const std::string shape = number(nodes) + " nodes in " + number(clusters) + " clusters for " + number(cores) + " SMs";
    if (cores % clusters != 0 || nodes % clusters != 0)
      return {"makes " + shape + ": clusters are not equal", "choose clusters that divide both the SMs and the nodes"};
    if (nodes > cores) return {"makes " + shape + ": more nodes than SMs", "choose at most one node an SM"};
    if (partitioned() && slices % nodes_per_cluster() != 0)
      return {"makes " + shape + ", and the " + number(nodes_per_cluster()) + " homes of a cluster do not divide the " + number(slices) +
                  " L2 slices: no crossbar of NoC#2 could join a home to its slices",
              "choose nodes / clusters that divides the slices, or home_map: chunk_mod, which needs the full crossbar"};
    return {};
  }
};

}  // namespace wharf
