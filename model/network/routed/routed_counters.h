#pragma once
// What a network of routers counts, the laws between the counts, and the metrics of common section 12 that follow from them.

#include <string>
#include <vector>

#include "model/network/link_counters.h"
#include "policies/routing/topology.h"

namespace wharf::network {

/// Counters under `prefix` ("net.request"); the busy cycles of the links between routers under `prefix`.link, those of the links to the
/// nodes under `prefix`.output_link. All latencies and waits are in cycles of the network's clock.
class RoutedCounters {
 public:
  RoutedCounters(stats::Registry& registry, const std::string& prefix, const routing::Topology& topology);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // taken from the network interfaces
  stats::Counter hops, flit_hops;                 // of these packets, of their flits
  stats::Counter ejected_packets, ejected_flits;  // taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum, unloaded_latency_sum;
  stats::Histogram packet_latency, network_latency, hops_of;

  stats::Counter& link(unsigned router, unsigned output) { return *by_output_[router * ports_ + output]; }

 private:
  void declare_laws(const routing::Topology& topology);

  unsigned ports_;
  LinkCounters links_, outputs_;
  std::vector<stats::Counter*> by_output_;  // [router][output]
};

/// The means and utilisations, and the links in the table `links`, of the network under `prefix`. `cycles_metric`: the counter of the
/// network's clock cycles ("net.cycles").
void derive_routed_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric,
                           const routing::Topology& topology);

}  // namespace wharf::network
