#pragma once
// Area, static power and dynamic energy of networks on chip (common section 14), for whatever switches and links a machine is built of.
//
//   X = sum of [a N M + b (N + M)] over the switches + l times the sum of the links' mm, relative to an 80 x 32 crossbar for requests and
//   one for replies. Not modelled: depth of buffers and number of virtual channels (the source's points are all of 4 x 4).

#include <string>
#include <vector>

#include "model/base/energy/energy_params.h"

namespace wharf::energy {

/// How far the links of a network go; how many mm that is stands in the parameters.
enum class Reach { chip, cluster, router };

/// Switches of one size that work in one direction, and the links at their ports.
struct NocNetwork {
  std::string counters;                            // prefix of what it counts: "net.request"
  unsigned switches = 0, inputs = 0, outputs = 0;  // 0 switches: nothing but links
  unsigned links = 0;
  Reach reach = Reach::chip;
  unsigned flit_bytes = 32;
  // What a flit passes on its way: so much, and so much for each hop.
  unsigned switches_a_flit = 0, links_a_flit = 0, switches_a_hop = 0, links_a_hop = 0;
};

/// `count` crossbars beside each other, a link at each port. One of a single input and output is a link and no switch.
NocNetwork crossbars(std::string counters, unsigned count, unsigned inputs, unsigned outputs, unsigned flit_bytes, Reach reach);
/// A network of routers with a link at each output, but none worth counting to a node, unless that one is as long as any other
/// (`node_links`: routing::Topology::last_link_is_hop).
NocNetwork routers(std::string counters, unsigned count, unsigned ports, bool node_links, unsigned flit_bytes);

/// Of all networks of a machine, both directions; the 80 x 32 crossbars of requests and replies are 1.
double relative_area(const NocParams& params, const std::vector<NocNetwork>& networks);
double relative_static_power(const NocParams& params, const std::vector<NocNetwork>& networks);

/// What a network has carried, by its counters.
struct NocTraffic {
  double flits = 0, flit_hops = 0, bytes = 0;
};

/// Events of that traffic by switches and links, and what each costs, before NocParams::dyn_scale.
struct NocDynamic {
  double switch_passes = 0, switch_pj = 0;
  double link_passes = 0, link_pj = 0;
};
NocDynamic dynamic_of(const NocParams& params, const NocNetwork& network, const NocTraffic& traffic);

}  // namespace wharf::energy
