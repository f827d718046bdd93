#pragma once
// What a crossbar counts, the laws between the counts, and the metrics of common section 12 that follow from them.

#include <cstdint>
#include <string>

#include "model/base/stats/stats.h"
#include "model/network/link_counters.h"

namespace wharf::network {

/// Counters of one crossbar, under `prefix` ("net.request"); the busy cycles of its links under `prefix`.input_link and
/// `prefix`.output_link. All latencies and waits are in cycles of the network's clock.
class CrossbarCounters {
 public:
  /// `instance`: which of several crossbars with this prefix, or stats::Group::kOnly. `latency` enters the law of the waits.
  CrossbarCounters(stats::Registry& registry, const std::string& prefix, int instance, unsigned inputs, unsigned outputs, unsigned latency);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;  // taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum;
  stats::Counter refused_credit, refused_vc;                            // of packets at their network interface
  stats::Counter refused_queue, refused_arbitration, refused_ejection;  // of packets in the input buffers
  stats::Histogram packet_latency, network_latency;

  stats::Counter& input_link(unsigned port) { return inputs_[port]; }
  stats::Counter& output_link(unsigned port) { return outputs_[port]; }

 private:
  LinkCounters inputs_, outputs_;
};

/// The means and utilisations, and the links in the table `links`, of the networks of ports under `prefix`, once however many instances there
/// are. `cycles_metric`: the counter of the network's clock cycles ("net.cycles").
void derive_port_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric);

}  // namespace wharf::network
