#include "model/network/link_table.h"

#include <algorithm>

namespace wharf::network {
namespace {

using stats::Unit;
using stats::View;

/// The busy cycles of all links of a network, by kind.
struct BusyLinks {
  std::vector<std::string> busy;
  std::string cycles;

  std::uint64_t min(const View& v) const {
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::string& kind : busy) least = std::min(least, v.min(kind));
    return least;
  }
  std::uint64_t max(const View& v) const {
    std::uint64_t most = 0;
    for (const std::string& kind : busy) most = std::max(most, v.max(kind));
    return most;
  }
  double mean(const View& v) const {
    std::uint64_t sum = 0, count = 0;
    for (const std::string& kind : busy) {
      sum += v.sum(kind);
      count += v.instances(kind);
    }
    return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
  }
  double over_cycles(const View& v, double of_links) const {
    const std::uint64_t total = v.max(cycles);
    return total == 0 ? 0.0 : of_links / static_cast<double>(total);
  }
};

}  // namespace

void declare_links(stats::Registry& registry, const std::string& prefix, const char* kind, const std::string& cycles_metric,
                   std::function<LinkEnds(unsigned)> ends) {
  const auto rows = [&registry, prefix, counted = prefix + kind, cycles_metric, ends = std::move(ends)](const stats::View& run) {
    stats::TableRows table{{"network", "from", "to", "x0", "y0", "x1", "y1", "flits", "utilisation"}, {}};
    const std::uint64_t cycles = run.max(cycles_metric);
    const auto& counters = registry.counters();
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const auto& entry = counters[i];
      if (entry.prefix != counted || entry.name() != "busy") continue;
      const LinkEnds link = ends(static_cast<unsigned>(entry.instance));
      const std::uint64_t busy = entry.counter->value();
      // A link whose rate is not one flit per cycle counts flits as well as cycles.
      const bool counts_flits = i + 1 < counters.size() && counters[i + 1].prefix == counted && counters[i + 1].name() == "flits";
      const std::uint64_t flits = counts_flits ? counters[i + 1].counter->value() : busy;
      const double utilisation = cycles == 0 ? 0.0 : static_cast<double>(busy) / static_cast<double>(cycles);
      table.rows.push_back({prefix, link.from, link.to, std::uint64_t{link.x0}, std::uint64_t{link.y0}, std::uint64_t{link.x1},
                            std::uint64_t{link.y1}, flits, utilisation});
    }
    return table;
  };
  registry.table("links", "flits over each link of the networks, and busy cycles / network cycles; x and y: where its ends stand", rows);
}

void derive_link_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric,
                         std::vector<LinkKind> kinds) {
  const auto mean_of = [&](const char* name, const char* help) {
    registry.derived(prefix + "." + name, help, Unit::cycles,
                     [packets = prefix + ".packets", sum = prefix + "." + name + "_sum"](const View& v) { return v.ratio(sum, packets); });
  };
  mean_of("packet_latency", "queued at the network interface to tail ejected, mean of the packets");
  mean_of("network_latency", "head injected to tail ejected, mean of the packets");

  BusyLinks links{{}, cycles_metric};
  for (const LinkKind& kind : kinds) links.busy.push_back(prefix + kind.kind + ".busy");
  registry.derived(prefix + ".link_utilisation.min", "busy cycles / cycles of the least used link", Unit::ratio,
                   [links](const View& v) { return links.over_cycles(v, static_cast<double>(links.min(v))); });
  registry.derived(prefix + ".link_utilisation.mean", "busy cycles / cycles, mean of the links", Unit::ratio,
                   [links](const View& v) { return links.over_cycles(v, links.mean(v)); });
  registry.derived(prefix + ".link_utilisation.max", "busy cycles / cycles of the most used link", Unit::ratio,
                   [links](const View& v) { return links.over_cycles(v, static_cast<double>(links.max(v))); });
  registry.derived(prefix + ".output_utilisation.max", "busy cycles / cycles of the most used output link (reply network: to an SM)",
                   Unit::ratio, [links](const View& v) { return links.over_cycles(v, static_cast<double>(v.max(links.busy.back()))); });
  for (LinkKind& kind : kinds) declare_links(registry, prefix, kind.kind.c_str(), cycles_metric, std::move(kind.ends));
}

}  // namespace wharf::network
