#pragma once
// What a rate-model network counts, under the names that crossbars use, and the laws between the counts.

#include <cstdint>
#include <deque>
#include <string>

#include "model/base/stats/stats.h"
#include "model/network/rate/rate_params.h"

namespace wharf::network {

/// Counters of one direction, under `prefix` ("net.request"); those of its ports under `prefix`.input_link and `prefix`.output_link. All
/// latencies and waits are in cycles of the network's clock.
class RateCounters {
 public:
  RateCounters(stats::Registry& registry, const std::string& prefix, unsigned inputs, unsigned outputs, unsigned latency);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;  // taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum;
  stats::Counter refused_source, refused_destination;
  stats::Histogram packet_latency, network_latency;

  /// One port: whole cycles that its packets have taken, and their flits.
  class Port {
   public:
    Port(stats::Registry& registry, const std::string& prefix, unsigned instance);
    /// `ticks`: what the packet takes, in parts of a cycle of which there are `per_cycle`.
    void pass(std::uint64_t ticks, std::uint32_t per_cycle, unsigned flits) {
      rest_ += ticks;
      busy_ += rest_ / per_cycle;
      rest_ %= per_cycle;
      flits_ += flits;
    }
    std::uint64_t flits() const { return flits_.value(); }

   private:
    stats::Group group_;
    stats::Counter busy_, flits_;
    std::uint64_t rest_ = 0;
  };
  Port& input(unsigned port) { return inputs_[port]; }
  Port& output(unsigned port) { return outputs_[port]; }

 private:
  using Ports = std::deque<Port>;  // because counters must not move once they are registered
  static std::uint64_t sum(const Ports& ports);
  Ports inputs_, outputs_;
};

}  // namespace wharf::network
