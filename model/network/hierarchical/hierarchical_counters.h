#pragma once
// The counters of a hierarchical crossbar, and the laws between them (modern_gpus section 3).

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/hierarchical/copied_replies.h"
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
    unsigned latency;                  // network cycles that the first byte of a packet takes over a link
    std::vector<std::uint16_t> joins;  // [link]: the link that all its packets come from or go to; empty: there is no such link
    bool joins_next = false;           // `joins` numbers links of the next tier; false: of the tier before
  };
  using Amount = CopiedReplies::Amount;
  /// What the links of one tier take away, requests that do not pass them because they have joined others, or what they add behind
  /// themselves, copies of replies.
  struct Change {
    std::size_t tier;  // place in `tiers`
    unsigned links;
    std::function<Amount(unsigned link)> amount;
  };
  enum class Changes { take_away, add };
  /// `distances`: packets may take longer than their links' latencies, by what add_distance() gets.
  HierarchicalCounters(stats::Registry& registry, const std::string& prefix, const std::vector<Links>& tiers, bool distances, Changes kind,
                       std::vector<Change> changes);
  void add_distance(std::uint32_t cycles) { *distance_ += cycles; }

  stats::Group group;
  stats::Counter packets, flits, bytes;                                // of packets taken from the network interfaces
  stats::Counter ejected_packets, ejected_flits;                       // of packets taken by the destinations
  stats::Counter packet_latency_sum, network_latency_sum, serialised;  // a joined request counts until it joins, a copied reply from then
  stats::Counter refused_source, refused_credit;                       // at the network interface
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
  void direction_laws(const std::vector<Links>& tiers);
  void tier_laws(const std::vector<Links>& tiers, std::size_t tier, unsigned first);
  /// The changes at all links in front of `tiers` tiers, and, if they take away, at those of the next tier.
  Amount changed(std::size_t tiers) const;
  /// `amount`, of packets that came from their sources, after a change.
  std::uint64_t after(std::uint64_t amount, std::uint64_t change) const {
    return kind_ == Changes::take_away ? amount - change : amount + change;
  }

  const Changes kind_;
  const std::vector<Change> changes_;
  std::unique_ptr<stats::Counter> distance_;  // null: there are no distances
  std::deque<Link> links_;                    // a deque, because registered counters must not move
  std::vector<Link*> by_number_;              // indexing a deque takes a division
};

}  // namespace wharf::network
