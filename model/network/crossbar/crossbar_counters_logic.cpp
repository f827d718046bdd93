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
  using stats::View;
  const auto mean_of = [&](const char* name, const char* help) {
    registry.derived(prefix + "." + name, help, Unit::cycles,
                     [packets = prefix + ".packets", sum = prefix + "." + name + "_sum"](const View& v) { return v.ratio(sum, packets); });
  };
  mean_of("packet_latency", "queued at the network interface to tail ejected, mean of the packets");
  mean_of("network_latency", "head injected to tail ejected, mean of the packets");

  struct Links {
    std::string in, out, cycles;
    double over_cycles(const View& v, double busy) const {
      const std::uint64_t total = v.max(cycles);
      return total == 0 ? 0.0 : busy / static_cast<double>(total);
    }
  };
  const Links links{prefix + ".input_link.busy", prefix + ".output_link.busy", cycles_metric};
  registry.derived(prefix + ".link_utilisation.min", "busy cycles / cycles of the least used link", Unit::ratio, [links](const View& v) {
    return links.over_cycles(v, static_cast<double>(std::min(v.min(links.in), v.min(links.out))));
  });
  registry.derived(prefix + ".link_utilisation.mean", "busy cycles / cycles, mean of the links", Unit::ratio, [links](const View& v) {
    const std::uint64_t count = v.instances(links.in) + v.instances(links.out);
    return count == 0 ? 0.0 : links.over_cycles(v, static_cast<double>(v.sum(links.in) + v.sum(links.out)) / static_cast<double>(count));
  });
  registry.derived(prefix + ".link_utilisation.max", "busy cycles / cycles of the most used link", Unit::ratio, [links](const View& v) {
    return links.over_cycles(v, static_cast<double>(std::max(v.max(links.in), v.max(links.out))));
  });
  registry.derived(prefix + ".output_utilisation.max", "busy cycles / cycles of the most used output link (reply network: to an SM)",
                   Unit::ratio, [links](const View& v) { return links.over_cycles(v, static_cast<double>(v.max(links.out))); });
  declare_links(registry, prefix, ".input_link", cycles_metric,
                [](unsigned port) { return LinkEnds{"input " + std::to_string(port), "switch", port, 0, port, 0}; });
  declare_links(registry, prefix, ".output_link", cycles_metric,
                [](unsigned port) { return LinkEnds{"switch", "output " + std::to_string(port), port, 1, port, 1}; });
}

}  // namespace wharf::network
