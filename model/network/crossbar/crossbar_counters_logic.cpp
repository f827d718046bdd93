#include <algorithm>

#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/link_table.h"

namespace wharf::network {
namespace {

using stats::Unit;

}  // namespace

CrossbarCounters::CrossbarCounters(stats::Registry& registry, const std::string& prefix, int instance, unsigned inputs, unsigned outputs,
                                   unsigned latency)
    : group(registry, prefix, instance),
      packets(group, "packets", "packets injected by the network interfaces", Unit::count),
      flits(group, "flits", "flits of these packets", Unit::flits),
      bytes(group, "bytes", "bytes of these flits", Unit::bytes),
      ejected_packets(group, "ejected.packets", "packets ejected at their destinations", Unit::count),
      ejected_flits(group, "ejected.flits", "flits of these packets", Unit::flits),
      packet_latency_sum(group, "packet_latency_sum", "queued at the network interface to tail ejected, summed", Unit::cycles),
      network_latency_sum(group, "network_latency_sum", "head injected to tail ejected, summed", Unit::cycles),
      refused_credit(group, "refused.credit", "packet at the interface, its virtual channel's buffer full", Unit::cycles),
      refused_vc(group, "refused.vc", "packet at the interface, the link carries another virtual channel", Unit::cycles),
      refused_queue(group, "refused.queue", "head behind another packet of its virtual channel", Unit::cycles),
      refused_arbitration(group, "refused.arbitration", "head first in its channel, input or output port taken by another packet",
                          Unit::cycles),
      refused_ejection(group, "refused.ejection", "head first in its channel, its output's ejection buffer full", Unit::cycles),
      packet_latency(group, "packet_latency", "queued at the network interface to tail ejected", Unit::cycles),
      network_latency(group, "network_latency", "head injected to tail ejected", Unit::cycles) {
  const int nth = std::max(instance, 0);
  for (unsigned i = 0; i < inputs; ++i) inputs_.add(registry, prefix + ".input_link", static_cast<unsigned>(nth) * inputs + i);
  for (unsigned o = 0; o < outputs; ++o) outputs_.add(registry, prefix + ".output_link", static_cast<unsigned>(nth) * outputs + o);

  group.law("packets == ejected.packets", [this] { return packets.value() == ejected_packets.value(); });
  group.law("flits == ejected.flits", [this] { return flits.value() == ejected_flits.value(); });
  group.law("flits == sum of input_link.busy", [this] { return flits.value() == inputs_.sum(); });
  group.law("flits == sum of output_link.busy", [this] { return flits.value() == outputs_.sum(); });
  group.law("network_latency_sum == latency * packets + flits - packets + refused.{queue + arbitration + ejection}", [this, latency] {
    return network_latency_sum.value() == latency * packets.value() + flits.value() - packets.value() + refused_queue.value() +
                                              refused_arbitration.value() + refused_ejection.value();
  });
}

void derive_port_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric) {
  derive_link_metrics(
      registry, prefix, cycles_metric,
      {{".input_link", [](unsigned port) { return LinkEnds{"input " + std::to_string(port), "switch", port, 0, port, 0}; }},
       {".output_link", [](unsigned port) { return LinkEnds{"switch", "output " + std::to_string(port), port, 1, port, 1}; }}});
}

}  // namespace wharf::network
