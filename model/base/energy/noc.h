#pragma once
// Area, static power and dynamic energy of networks on chip (common section 14), for any combination of switches and links.
//
//   X = sum of [a N M + b (N + M)] over the switches + l times the sum of the links' mm, relative to an 80 x 32 crossbar for requests and
//   one for replies.
//
// Not modelled: depth of buffers and number of virtual channels (all points of the source are 4 x 4).

#include <string>
#include <vector>

#include "model/base/energy/energy_params.h"

namespace wharf::energy {

/// How far the links of a network reach; the parameters give the length in mm.
enum class Reach { chip, cluster, router };

/// Switches of one size in one direction, with the links at their ports.
struct NocNetwork {
  std::string counters;                            // prefix of the network's counters: "net.request"
  unsigned switches = 0, inputs = 0, outputs = 0;  // 0 switches: links only
  unsigned links = 0;
  Reach reach = Reach::chip;
  unsigned flit_bytes = 32;
  // Switches and links that a flit crosses: a fixed number per flit, and a number per hop.
  unsigned switches_a_flit = 0, links_a_flit = 0, switches_a_hop = 0, links_a_hop = 0;
};

/// `count` parallel crossbars, with a link at each port. A crossbar with one input and one output counts as a link without a switch.
NocNetwork crossbars(std::string counters, unsigned count, unsigned inputs, unsigned outputs, unsigned flit_bytes, Reach reach);
/// A network of routers with a link at each output. Links to nodes are too short to count, unless they are as long as the others
/// (`node_links`: routing::Topology::last_link_is_hop).
NocNetwork routers(std::string counters, unsigned count, unsigned ports, bool node_links, unsigned flit_bytes);

/// Sum over all networks of a machine, both directions; the 80 x 32 crossbars of requests and replies together are 1.
double relative_area(const NocParams& params, const std::vector<NocNetwork>& networks);
double relative_static_power(const NocParams& params, const std::vector<NocNetwork>& networks);

/// Traffic of a network, from its counters.
struct NocTraffic {
  double flits = 0, flit_hops = 0, bytes = 0;
};

/// Crossings of switches and links by that traffic, and the energy of each, before NocParams::dyn_scale.
struct NocDynamic {
  double switch_passes = 0, switch_pj = 0;
  double link_passes = 0, link_pj = 0;
};
NocDynamic dynamic_of(const NocParams& params, const NocNetwork& network, const NocTraffic& traffic);

}  // namespace wharf::energy
