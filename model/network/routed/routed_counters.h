#pragma once
// The counters of a network of routers, the laws between them, and the metrics of common section 12 that follow.

#include <string>
#include <vector>

#include "model/network/link_counters.h"
#include "policies/routing/topology.h"

namespace wharf::network {

/// Counters under `prefix` ("net.request"); the busy cycles of links between routers are under `prefix`.link, those of links to nodes under
/// `prefix`.output_link. Latencies and waits are in cycles of the network's clock.
class RoutedCounters {
 public:
  RoutedCounters(stats::Registry& registry, const std::string& prefix, const routing::Topology& topology);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // of packets taken from the network interfaces
  stats::Counter hops, flit_hops;                 // of these packets, and of their flits
  stats::Counter ejected_packets, ejected_flits;  // of packets taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum, unloaded_latency_sum;
  stats::Histogram packet_latency, network_latency, hops_of;

  stats::Counter& link(unsigned router, unsigned output) { return *by_output_[router * ports_ + output]; }

 private:
  void declare_laws(const routing::Topology& topology);

  unsigned ports_;
  LinkCounters links_, outputs_;
  std::vector<stats::Counter*> by_output_;  // [router][output]
};

/// Adds the means, the utilisations and the rows of the table `links` for the network under `prefix`. `cycles_metric` is the counter of the
/// network's clock cycles ("net.cycles").
void derive_routed_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric,
                           const routing::Topology& topology);

}  // namespace wharf::network
