#include "model/network/hierarchical/hierarchical_counters.h"

namespace wharf::network {

using stats::Unit;

HierarchicalCounters::HierarchicalCounters(stats::Registry& registry, const std::string& prefix, const std::vector<Links>& tiers,
                                           unsigned latency)
    : group(registry, prefix),
      packets(group, "packets", "packets taken from the network interfaces", Unit::count),
      flits(group, "flits", "flits of these packets", Unit::flits),
      bytes(group, "bytes", "bytes of these flits", Unit::bytes),
      ejected_packets(group, "ejected.packets", "packets taken by their destinations", Unit::count),
      ejected_flits(group, "ejected.flits", "flits of these packets", Unit::flits),
      packet_latency_sum(group, "packet_latency_sum", "queued at the network interface to taken by the destination, summed", Unit::cycles),
      network_latency_sum(group, "network_latency_sum", "first byte injected to taken by the destination, summed", Unit::cycles),
      serialised(group, "serialised", "last bytes behind the first ones", Unit::cycles),
      refused_source(group, "refused.source", "packet at the interface: behind others, its link busy, or the queue behind the link full",
                     Unit::cycles),
      refused_credit(group, "refused.credit", "packet at the interface, its SM has no credits left for the slice", Unit::cycles),
      refused_queue(group, "refused.queue", "first in its queue, since the queue behind its next link was full", Unit::cycles),
      refused_arbitration(group, "refused.arbitration", "in a queue: behind others, or its next link taken by another packet",
                          Unit::cycles),
      refused_ejection(group, "refused.ejection", "packet at its destination, which takes nothing", Unit::cycles),
      packet_latency(group, "packet_latency", "queued at the network interface to taken by the destination", Unit::cycles),
      network_latency(group, "network_latency", "first byte injected to taken by the destination", Unit::cycles) {
  unsigned first = 0;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    for (unsigned n = 0; n < tiers[i].count; ++n) by_number_.push_back(&links_.emplace_back(registry, prefix + "." + tiers[i].tier, n));
    tier_laws(tiers[i], first, i == 0 ? 0 : first - tiers[i - 1].count, first + tiers[i].count);
    first += tiers[i].count;
  }
  group.law("packets == ejected.packets", [this] { return packets.value() == ejected_packets.value(); });
  group.law("flits == ejected.flits", [this] { return flits.value() == ejected_flits.value(); });
  group.law("network_latency_sum == latency * packets + serialised + refused.{queue + arbitration + ejection}", [this, latency] {
    return network_latency_sum.value() ==
           latency * packets.value() + serialised.value() + refused_queue.value() + refused_arbitration.value() + refused_ejection.value();
  });
  group.law("packet_latency_sum == network_latency_sum + refused.{source + credit}",
            [this] { return packet_latency_sum.value() == network_latency_sum.value() + refused_source.value() + refused_credit.value(); });
}

/// `first`, `before` and `next` are the numbers of the first link of the tier and of its neighbours.
void HierarchicalCounters::tier_laws(const Links& tier, unsigned first, unsigned before, unsigned next) {
  const std::string name = tier.tier;
  group.law("packets, bytes == sums of " + name + ".packets, bytes", [this, first, count = tier.count] {
    std::uint64_t packets_sum = 0, bytes_sum = 0;
    for (unsigned n = first; n < first + count; ++n) {
      packets_sum += by_number_[n]->packets.value();
      bytes_sum += by_number_[n]->bytes.value();
    }
    return packets_sum == packets.value() && bytes_sum == bytes.value();
  });
  if (tier.joins.empty()) return;
  group.law("bytes of a link == sum over the links of " + name + " that it joins",
            [this, first, joins = tier.joins, joined = tier.joins_next ? next : before] {
              std::vector<std::uint64_t> sums(by_number_.size());
              for (unsigned n = 0; n < joins.size(); ++n) sums[joined + joins[n]] += by_number_[first + n]->bytes.value();
              for (const std::uint16_t join : joins)
                if (sums[joined + join] != by_number_[joined + join]->bytes.value()) return false;
              return true;
            });
}

HierarchicalCounters::Link::Link(stats::Registry& registry, const std::string& prefix, unsigned instance)
    : port(registry, prefix, instance),
      packets(port.group(), "packets", "packets that passed", Unit::count),
      bytes(port.group(), "bytes", "bytes of these packets", Unit::bytes),
      wait(port.group(), "wait", "packets ready for the link until it takes them", Unit::cycles) {}

}  // namespace wharf::network
