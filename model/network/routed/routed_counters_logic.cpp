#include "model/network/link_table.h"
#include "model/network/routed/routed_counters.h"

namespace wharf::network {
namespace {

using stats::Unit;

/// Both kinds of links by instance number: those between routers in the order of RoutedCounters, those to nodes by node.
struct PlacedLinks {
  std::vector<LinkEnds> between_routers, to_nodes;
};

PlacedLinks place_links(const routing::Topology& topology) {
  PlacedLinks placed;
  placed.to_nodes.resize(topology.nodes);
  for (unsigned r = 0; r < topology.routers; ++r)
    for (unsigned o = 0; o < topology.ports; ++o) {
      const routing::Link& to = topology.link(r, o);
      const routing::Position& here = topology.positions[r];
      const std::string from = "router " + std::to_string(r), target = std::to_string(to.target);
      if (to.kind == routing::Link::Kind::router) {
        const routing::Position& neighbour = topology.positions[to.target];
        placed.between_routers.push_back({from, "router " + target, here.x, here.y, neighbour.x, neighbour.y});
      } else if (to.kind == routing::Link::Kind::node) {
        placed.to_nodes[to.target] = {from, "node " + target, here.x, here.y, here.x, here.y};
      }
    }
  return placed;
}

}  // namespace

RoutedCounters::RoutedCounters(stats::Registry& registry, const std::string& prefix, const routing::Topology& topology)
    : group(registry, prefix),
      packets(group, "packets", "packets injected by the network interfaces", Unit::count),
      flits(group, "flits", "flits of these packets", Unit::flits),
      bytes(group, "bytes", "bytes of these flits", Unit::bytes),
      hops(group, "hops", "hops on the way of these packets, summed", Unit::count),
      flit_hops(group, "flit_hops", "hops on the way of these flits, summed", Unit::count),
      ejected_packets(group, "ejected.packets", "packets ejected at their destinations", Unit::count),
      ejected_flits(group, "ejected.flits", "flits of these packets", Unit::flits),
      packet_latency_sum(group, "packet_latency_sum", "queued at the network interface to tail ejected, summed", Unit::cycles),
      network_latency_sum(group, "network_latency_sum", "head injected to tail ejected, summed", Unit::cycles),
      unloaded_latency_sum(group, "unloaded_latency_sum", "latency of these packets in an empty network, summed", Unit::cycles),
      packet_latency(group, "packet_latency", "queued at the network interface to tail ejected", Unit::cycles),
      network_latency(group, "network_latency", "head injected to tail ejected", Unit::cycles),
      hops_of(group, "hops_of", "hops of a packet", Unit::count),
      ports_(topology.ports),
      by_output_(topology.links.size()) {
  for (unsigned r = 0; r < topology.routers; ++r)
    for (unsigned o = 0; o < topology.ports; ++o) {
      const routing::Link& to = topology.link(r, o);
      if (to.kind == routing::Link::Kind::none) continue;
      const bool node = to.kind == routing::Link::Kind::node;
      LinkCounters& links = node ? outputs_ : links_;
      const std::string between = " from router " + std::to_string(r) + (node ? " to node " : " to router ") + std::to_string(to.target);
      const unsigned instance = node ? to.target : static_cast<unsigned>(links.size());
      by_output_[r * topology.ports + o] = &links.add(registry, prefix + (node ? ".output_link" : ".link"), instance, between);
    }
  declare_laws(topology);
}

void RoutedCounters::declare_laws(const routing::Topology& topology) {
  group.law("packets == ejected.packets", [this] { return packets.value() == ejected_packets.value(); });
  group.law("flits == ejected.flits", [this] { return flits.value() == ejected_flits.value(); });
  group.law("flits == sum of output_link.busy", [this] { return flits.value() == outputs_.sum(); });
  group.law("flit_hops == sum of link.busy, and of output_link.busy where it counts as a hop",
            [this, last = topology.last_link_is_hop] { return flit_hops.value() == links_.sum() + (last ? outputs_.sum() : 0); });
  group.law("packet_latency_sum >= network_latency_sum >= unloaded_latency_sum", [this] {
    return packet_latency_sum.value() >= network_latency_sum.value() && network_latency_sum.value() >= unloaded_latency_sum.value();
  });
}

void derive_routed_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric,
                           const routing::Topology& topology) {
  using stats::View;
  const auto mean_of = [&](const char* name, const char* sum, const char* help, Unit unit) {
    registry.derived(prefix + "." + name, help, unit,
                     [packets = prefix + ".packets", sum = prefix + "." + sum](const View& v) { return v.ratio(sum, packets); });
  };
  mean_of("packet_latency", "packet_latency_sum", "queued at the network interface to tail ejected, mean of the packets", Unit::cycles);
  mean_of("network_latency", "network_latency_sum", "head injected to tail ejected, mean of the packets", Unit::cycles);
  mean_of("mean_hops", "hops", "hops of a packet, mean", Unit::ratio);

  const auto utilisation = [&](const char* name, const char* links, const char* help, auto busy_of) {
    registry.derived(prefix + "." + name, help, Unit::ratio, [busy = prefix + links, cycles = cycles_metric, busy_of](const View& v) {
      const std::uint64_t total = v.max(cycles);
      return total == 0 || !v.has(busy) ? 0.0 : busy_of(v, busy) / static_cast<double>(total);
    });
  };
  utilisation("link_utilisation.min", ".link.busy", "busy cycles / cycles of the least used link between routers",
              [](const View& v, const std::string& busy) { return static_cast<double>(v.min(busy)); });
  utilisation(
      "link_utilisation.mean", ".link.busy", "busy cycles / cycles, mean of the links between routers",
      [](const View& v, const std::string& busy) { return static_cast<double>(v.sum(busy)) / static_cast<double>(v.instances(busy)); });
  utilisation("link_utilisation.max", ".link.busy", "busy cycles / cycles of the most used link between routers",
              [](const View& v, const std::string& busy) { return static_cast<double>(v.max(busy)); });
  utilisation("output_utilisation.max", ".output_link.busy", "busy cycles / cycles of the most used link to a node",
              [](const View& v, const std::string& busy) { return static_cast<double>(v.max(busy)); });

  const PlacedLinks placed = place_links(topology);
  for (const auto& [kind, links] : {std::pair{".link", placed.between_routers}, std::pair{".output_link", placed.to_nodes}})
    declare_links(registry, prefix, kind, cycles_metric, [links = links](unsigned instance) { return links.at(instance); });
}

}  // namespace wharf::network
