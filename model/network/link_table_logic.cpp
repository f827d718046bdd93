#include "model/network/link_table.h"

namespace wharf::network {

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

}  // namespace wharf::network
