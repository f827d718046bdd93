#pragma once
// The counters of a rate-model network, under the names that crossbars use, and the laws between them.

#include <cstdint>
#include <deque>
#include <string>

#include "model/base/stats/stats.h"
#include "model/network/ports.h"

namespace wharf::network {

/// Counters of one direction under `prefix` ("net.request"); those of its ports are under `prefix`.input_link and `prefix`.output_link.
/// Latencies and waits are in cycles of the network's clock.
class RateCounters {
 public:
  RateCounters(stats::Registry& registry, const std::string& prefix, unsigned inputs, unsigned outputs, unsigned latency);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // of packets taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;  // of packets taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum;
  stats::Counter refused_source, refused_destination;
  stats::Histogram packet_latency, network_latency;
  std::uint64_t beyond_latency = 0;  // cycles that packets took longer than the shortest way, summed

  PortCounters& input(unsigned port) { return inputs_[port]; }
  PortCounters& output(unsigned port) { return outputs_[port]; }
  /// Archives the parts of cycles that the ports' counters have not counted yet (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    for (Ports* ports : {&inputs_, &outputs_})
      for (PortCounters& port : *ports) file(port);
    file(beyond_latency);
  }

 private:
  using Ports = std::deque<PortCounters>;  // deques, because registered counters must not move
  static std::uint64_t sum(const Ports& ports);
  Ports inputs_, outputs_;
};

}  // namespace wharf::network
