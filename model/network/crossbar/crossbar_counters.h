#pragma once
// The counters of a crossbar, the laws between them, and the metrics of common section 12 that follow.

#include <cstdint>
#include <string>

#include "model/base/stats/stats.h"
#include "model/network/link_counters.h"

namespace wharf::network {

/// Counters of one crossbar under `prefix` ("net.request"); the busy cycles of its links are under `prefix`.input_link and
/// `prefix`.output_link. Latencies and waits are in cycles of the network's clock.
class CrossbarCounters {
 public:
  /// `instance` distinguishes crossbars with the same prefix, or is stats::Group::kOnly. `latency` enters the law of the waits.
  CrossbarCounters(stats::Registry& registry, const std::string& prefix, int instance, unsigned inputs, unsigned outputs, unsigned latency);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // of packets taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;  // of packets taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum;
  stats::Counter refused_credit, refused_vc;                            // of packets at their network interface
  stats::Counter refused_queue, refused_arbitration, refused_ejection;  // of packets in the input buffers
  stats::Histogram packet_latency, network_latency;

  stats::Counter& input_link(unsigned port) { return inputs_[port]; }
  stats::Counter& output_link(unsigned port) { return outputs_[port]; }

 private:
  LinkCounters inputs_, outputs_;
};

/// Adds the means, the utilisations and the rows of the table `links` for networks with ports under `prefix`, once for all instances.
/// `cycles_metric` is the counter of the network's clock cycles ("net.cycles").
void derive_port_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric);

}  // namespace wharf::network
