#pragma once
// The counters of a rate-model network, under the names that crossbars use, and the laws between them.

#include <cstdint>
#include <deque>
#include <string>

#include "model/base/stats/stats.h"
#include "model/network/rate/rate_params.h"

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

  /// One port: the whole cycles that its packets have occupied, and their flits.
  class Port {
   public:
    Port(stats::Registry& registry, const std::string& prefix, unsigned instance);
    /// A packet occupies the port for `ticks` / `per_cycle` cycles.
    void pass(std::uint64_t ticks, std::uint32_t per_cycle, unsigned flits) {
      rest_ += ticks;
      busy_ += rest_ / per_cycle;
      rest_ %= per_cycle;
      flits_ += flits;
    }
    std::uint64_t flits() const { return flits_.value(); }
    template <class File>
    void archive(File& file) {
      file(rest_);
    }

   private:
    stats::Group group_;
    stats::Counter busy_, flits_;
    std::uint64_t rest_ = 0;
  };
  Port& input(unsigned port) { return inputs_[port]; }
  Port& output(unsigned port) { return outputs_[port]; }
  /// Archives the parts of cycles that the ports' counters have not counted yet (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    for (Ports* ports : {&inputs_, &outputs_})
      for (Port& port : *ports) file(port);
  }

 private:
  using Ports = std::deque<Port>;  // deques, because registered counters must not move
  static std::uint64_t sum(const Ports& ports);
  Ports inputs_, outputs_;
};

}  // namespace wharf::network
