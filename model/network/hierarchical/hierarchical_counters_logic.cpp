#include "model/network/hierarchical/hierarchical_counters.h"

#include <utility>

namespace wharf::network {

using stats::Unit;

HierarchicalCounters::HierarchicalCounters(stats::Registry& registry, const std::string& prefix, const std::vector<Links>& tiers,
                                           bool distances, Changes kind, std::vector<Change> changes)
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
      network_latency(group, "network_latency", "first byte injected to taken by the destination", Unit::cycles),
      kind_(kind),
      changes_(std::move(changes)) {
  if (distances)
    distance_ = std::make_unique<stats::Counter>(group, "distance", "cycles that packets took longer to their slices than to the nearest",
                                                 Unit::cycles);
  unsigned first = 0;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    for (unsigned n = 0; n < tiers[i].count; ++n) by_number_.push_back(&links_.emplace_back(registry, prefix + "." + tiers[i].tier, n));
    tier_laws(tiers, i, first);
    first += tiers[i].count;
  }
  direction_laws(tiers);
}

HierarchicalCounters::Amount HierarchicalCounters::changed(std::size_t tiers) const {
  Amount sum;
  for (const Change& change : changes_) {
    if (change.tier + (kind_ == Changes::take_away ? 0u : 1u) > tiers) continue;
    for (unsigned link = 0; link < change.links; ++link) {
      const Amount amount = change.amount(link);
      sum.packets += amount.packets;
      sum.bytes += amount.bytes;
    }
  }
  return sum;
}

void HierarchicalCounters::direction_laws(const std::vector<Links>& tiers) {
  // Of an unloaded packet's first byte. A joined request does not take the links from those that merge on, a copied reply only these.
  const std::size_t all = tiers.size();
  std::vector<unsigned> latency_from(all + 1);
  for (std::size_t i = all; i-- > 0;) latency_from[i] = latency_from[i + 1] + tiers[i].latency;
  group.law("packets == ejected.packets", [this, all] { return after(packets.value(), changed(all).packets) == ejected_packets.value(); });
  group.law("flits == ejected.flits",
            [this, all] { return after(flits.value(), changed(all).bytes / kPortFlitBytes) == ejected_flits.value(); });
  group.law("network_latency_sum == latency * packets + serialised + distance + refused.{queue + arbitration + ejection}",
            [this, latency_from] {
              std::uint64_t latency = latency_from[0] * packets.value();
              for (const Change& change : changes_)
                for (unsigned link = 0; link < change.links; ++link)
                  latency = after(latency, latency_from[change.tier] * change.amount(link).packets);
              return network_latency_sum.value() == latency + serialised.value() + (distance_ == nullptr ? 0 : distance_->value()) +
                                                        refused_queue.value() + refused_arbitration.value() + refused_ejection.value();
            });
  group.law("packet_latency_sum == network_latency_sum + refused.{source + credit}",
            [this] { return packet_latency_sum.value() == network_latency_sum.value() + refused_source.value() + refused_credit.value(); });
}

/// `first` is the number of the first link of the tier.
void HierarchicalCounters::tier_laws(const std::vector<Links>& tiers, std::size_t number, unsigned first) {
  const Links& tier = tiers[number];
  const std::string name = tier.tier;
  group.law("packets, bytes == sums of " + name + ".packets, bytes", [this, first, count = tier.count, number] {
    std::uint64_t packets_sum = 0, bytes_sum = 0;
    for (unsigned n = first; n < first + count; ++n) {
      packets_sum += by_number_[n]->packets.value();
      bytes_sum += by_number_[n]->bytes.value();
    }
    const Amount change = changed(number);
    return packets_sum == after(packets.value(), change.packets) && bytes_sum == after(bytes.value(), change.bytes);
  });
  if (tier.joins.empty()) return;
  const std::size_t joined_tier = tier.joins_next ? number + 1 : number - 1;
  const unsigned joined = tier.joins_next ? first + tier.count : first - tiers[joined_tier].count;
  group.law("bytes of a link == sum over the links of " + name + " that it joins", [this, first, joins = tier.joins, joined, joined_tier] {
    std::vector<std::uint64_t> sums(by_number_.size());
    for (unsigned n = 0; n < joins.size(); ++n) sums[joined + joins[n]] += by_number_[first + n]->bytes.value();
    for (const std::uint16_t join : joins) {
      std::uint64_t expected = by_number_[joined + join]->bytes.value();
      for (const Change& change : changes_)
        if (change.tier == joined_tier) expected += change.amount(join).bytes;
      if (sums[joined + join] != expected) return false;
    }
    return true;
  });
}

HierarchicalCounters::Link::Link(stats::Registry& registry, const std::string& prefix, unsigned instance)
    : port(registry, prefix, instance),
      packets(port.group(), "packets", "packets that passed", Unit::count),
      bytes(port.group(), "bytes", "bytes of these packets", Unit::bytes),
      wait(port.group(), "wait", "packets ready for the link until it takes them", Unit::cycles) {}

}  // namespace wharf::network
