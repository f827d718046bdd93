#include "model/base/energy/noc.h"

#include <utility>

namespace wharf::energy {
namespace {

constexpr double kFittedFlitBytes = 32.0;  // flit width of the networks to which the coefficients are fitted
constexpr double kDirections = 2.0;        // the baseline has one crossbar per direction

double length_of(const NocParams& params, Reach reach) {
  switch (reach) {
    case Reach::cluster:
      return params.link_mm.cluster;
    case Reach::router:
      return params.link_mm.router;
    default:
      return params.link_mm.chip;
  }
}

double width_of(const NocNetwork& network) { return network.flit_bytes / kFittedFlitBytes; }

/// `crosspoint_width`: factor by which the flit's width scales the crosspoints; ports and links scale with the width itself.
double relative(const NocParams& params, const NocCoefficients& fit, const NocNetwork& network, double crosspoint_width) {
  const double n = network.inputs, m = network.outputs, width = width_of(network);
  const double switches = network.switches * (fit.crosspoint * n * m * crosspoint_width + fit.port * (n + m) * width);
  return (switches + fit.link_mm * network.links * length_of(params, network.reach) * width) / kDirections;
}

}  // namespace

NocNetwork crossbars(std::string counters, unsigned count, unsigned inputs, unsigned outputs, unsigned flit_bytes, Reach reach) {
  NocNetwork made{std::move(counters), count, inputs, outputs, count * (inputs + outputs), reach, flit_bytes, 1, 2, 0, 0};
  if (inputs != 1 || outputs != 1) return made;
  made.switches = made.switches_a_flit = 0;
  made.links = count;
  made.links_a_flit = 1;
  return made;
}

NocNetwork routers(std::string counters, unsigned count, unsigned ports, bool node_links, unsigned flit_bytes) {
  // A flit crosses one switch per hop, and also the last switch if the link to the node is not a hop.
  const unsigned last = node_links ? 0 : 1;
  return {std::move(counters), count, ports, ports, count * (ports - last), Reach::router, flit_bytes, last, 0, 1, 1};
}

double relative_area(const NocParams& params, const std::vector<NocNetwork>& networks) {
  double sum = 0.0;
  for (const NocNetwork& network : networks) sum += relative(params, params.area, network, width_of(network) * width_of(network));
  return sum;
}

double relative_static_power(const NocParams& params, const std::vector<NocNetwork>& networks) {
  double sum = 0.0;
  for (const NocNetwork& network : networks) sum += relative(params, params.leakage, network, width_of(network));
  return sum;
}

NocDynamic dynamic_of(const NocParams& params, const NocNetwork& network, const NocTraffic& traffic) {
  const double width = width_of(network);
  return {network.switches_a_flit * traffic.flits + network.switches_a_hop * traffic.flit_hops,
          (params.switch_pj + params.switch_port_pj * (network.inputs + network.outputs)) * width,
          network.links_a_flit * traffic.flits + network.links_a_hop * traffic.flit_hops,
          params.link_pj_per_mm * length_of(params, network.reach) * width};
}

}  // namespace wharf::energy
