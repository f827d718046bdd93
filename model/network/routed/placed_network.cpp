#include "model/network/routed/placed_network.h"

#include <algorithm>
#include <numeric>

#include "model/network/routed/routed_counters.h"
#include "model/network/routed/routed_network.h"

namespace wharf::network {

namespace {

/// The number of connected outputs of the router that has the most. All routers are built alike; those at an edge leave some outputs
/// unused.
unsigned ports_of(const routing::Topology& topology) {
  unsigned most = 0;
  for (unsigned r = 0; r < topology.routers; ++r) {
    unsigned used = 0;
    for (unsigned o = 0; o < topology.ports; ++o) used += topology.link(r, o).kind != routing::Link::Kind::none ? 1 : 0;
    most = std::max(most, used);
  }
  return most;
}

/// Adds one socket per endpoint and class.
void add_ports(std::vector<RoutedNetwork::Port>& ports, EndpointRange endpoints, unsigned traffic_class) {
  for (unsigned e = endpoints.first; e < endpoints.first + endpoints.count; ++e) {
    const bool exists = std::any_of(ports.begin(), ports.end(), [&](const RoutedNetwork::Port& port) {
      return port.endpoint == e && port.traffic_class == traffic_class;
    });
    if (!exists) ports.push_back({e, traffic_class});
  }
}

}  // namespace

PlacedNetwork ring_of(unsigned nodes, const RingParams& keys, unsigned rings) {
  routing::Shape shape;
  shape.nodes = nodes;
  shape.rings = rings;
  shape.bidirectional = keys.bidirectional;
  return {routing::ring(shape), keys, {}};
}

PlacedNetwork butterfly_of(unsigned endpoints, const ButterflyParams& keys) {
  routing::Shape shape;
  shape.radix = keys.radix;
  shape.stages = keys.stages;
  return {routing::butterfly(shape), keys, in_order(endpoints)};
}

std::vector<std::uint16_t> in_order(unsigned endpoints) {
  std::vector<std::uint16_t> nodes(endpoints);
  std::iota(nodes.begin(), nodes.end(), std::uint16_t{0});
  return nodes;
}

AddedNetwork make_placed(const NetworkOptions& options, const PlacedNetwork& placed) {
  RoutedNetwork::Plan plan;
  plan.topology = placed.topology;
  plan.router = placed.router;
  plan.nodes = placed.nodes;
  plan.interface_packets = options.params.interface_packets;
  plan.classes = options.classes.count;
  plan.class_of = options.classes.of;
  for (const TrafficEnds& ends : options.traffics) {
    const unsigned traffic_class = plan.class_of[static_cast<unsigned>(ends.traffic)];
    add_ports(plan.inputs, ends.from, traffic_class);
    add_ports(plan.outputs, ends.to, traffic_class);
  }
  AddedNetwork made{std::make_unique<RoutedNetwork>(options.name, plan, options.prefix, options.clock, options.registry),
                    placed.router.flit_bytes};
  derive_routed_metrics(options.registry, options.prefix, "net.cycles", placed.topology);
  made.shapes.push_back(energy::routers(options.prefix, placed.topology.routers, ports_of(placed.topology),
                                        placed.topology.last_link_is_hop, placed.router.flit_bytes));
  return made;
}

AddedNetwork make_with_hops(const NetworkOptions& options, const PlacedNetwork& placed) {
  AddedNetwork made = make_placed(options, placed);
  for (const std::uint16_t from : placed.nodes)
    for (const std::uint16_t to : placed.nodes) made.hops.push_back(static_cast<std::uint8_t>(placed.topology.hops(from, to)));
  return made;
}

}  // namespace wharf::network
