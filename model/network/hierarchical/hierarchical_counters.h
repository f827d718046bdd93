#pragma once
// The counters of a hierarchical crossbar, and the laws between them (modern_gpus section 3).

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/hierarchical/hierarchical_params.h"
#include "model/network/ports.h"

namespace wharf::network {

/// Counters of one direction under `prefix` ("net.request"); those of the links of a tier are under `prefix`.<tier>. Latencies and waits
/// are in cycles of the network's clock.
class HierarchicalCounters {
 public:
  /// The links of one tier, in the order of a packet's way.
  struct Links {
    const char* tier;
    unsigned count;
    std::vector<std::uint16_t> joins;  // [link]: the link that all its packets come from or go to; empty: there is no such link
    bool joins_next = false;           // `joins` numbers links of the next tier; false: of the tier before
  };
  /// `latency` is that of an unloaded packet's first byte.
  HierarchicalCounters(stats::Registry& registry, const std::string& prefix, const std::vector<Links>& tiers, unsigned latency);

  stats::Group group;
  stats::Counter packets, flits, bytes;           // of packets taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;  // of packets taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum, serialised;
  stats::Counter refused_source, refused_credit;  // at the network interface
  stats::Counter refused_queue, refused_arbitration, refused_ejection;
  stats::Histogram packet_latency, network_latency;

  class Link {
   public:
    Link(stats::Registry& registry, const std::string& prefix, unsigned instance);
    PortCounters port;
    stats::Counter packets, bytes, wait;
  };
  /// Links are numbered through all tiers.
  Link& link(unsigned number) { return *by_number_[number]; }
  /// Archives the parts of cycles that the links' counters have not counted yet (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    for (Link* link : by_number_) file(link->port);
  }

 private:
  void tier_laws(const Links& tier, unsigned first, unsigned before, unsigned next);

  std::deque<Link> links_;        // a deque, because registered counters must not move
  std::vector<Link*> by_number_;  // indexing a deque takes a division
};

}  // namespace wharf::network
