#include "model/network/rate/rate_counters.h"

namespace wharf::network {

using stats::Unit;

RateCounters::RateCounters(stats::Registry& registry, const std::string& prefix, unsigned inputs, unsigned outputs, unsigned latency)
    : group(registry, prefix),
      packets(group, "packets", "packets taken from the network interfaces", Unit::count),
      flits(group, "flits", "flits of these packets", Unit::flits),
      bytes(group, "bytes", "bytes of these flits", Unit::bytes),
      ejected_packets(group, "ejected.packets", "packets taken by their destinations", Unit::count),
      ejected_flits(group, "ejected.flits", "flits of these packets", Unit::flits),
      packet_latency_sum(group, "packet_latency_sum", "queued at the network interface to taken by the destination, summed", Unit::cycles),
      network_latency_sum(group, "network_latency_sum", "through the source's port to taken by the destination, summed", Unit::cycles),
      refused_source(group, "refused.source", "packet at the interface: behind others, its port busy, or its destination's queue full",
                     Unit::cycles),
      refused_destination(group, "refused.destination", "packet at its destination: the port busy, or the destination takes nothing",
                          Unit::cycles),
      packet_latency(group, "packet_latency", "queued at the network interface to taken by the destination", Unit::cycles),
      network_latency(group, "network_latency", "through the source's port to taken by the destination", Unit::cycles) {
  for (unsigned i = 0; i < inputs; ++i) inputs_.emplace_back(registry, prefix + ".input_link", i);
  for (unsigned o = 0; o < outputs; ++o) outputs_.emplace_back(registry, prefix + ".output_link", o);

  group.law("packets == ejected.packets", [this] { return packets.value() == ejected_packets.value(); });
  group.law("flits == ejected.flits", [this] { return flits.value() == ejected_flits.value(); });
  group.law("flits == sum of input_link.flits", [this] { return flits.value() == sum(inputs_); });
  group.law("flits == sum of output_link.flits", [this] { return flits.value() == sum(outputs_); });
  group.law("network_latency_sum == latency * packets + refused.destination", [this, latency] {
    return network_latency_sum.value() == latency * packets.value() + beyond_latency + refused_destination.value();
  });
  group.law("packet_latency_sum == network_latency_sum + refused.source",
            [this] { return packet_latency_sum.value() == network_latency_sum.value() + refused_source.value(); });
}

std::uint64_t RateCounters::sum(const Ports& ports) {
  std::uint64_t sum = 0;
  for (const PortCounters& port : ports) sum += port.flits();
  return sum;
}

}  // namespace wharf::network
