// The hierarchical crossbar as an entry of the catalogue.

#include <algorithm>
#include <numeric>

#include "model/network/added_network.h"
#include "model/network/hierarchical/hierarchical_network.h"
#include "model/network/link_table.h"

namespace wharf {
namespace {

using network::HierarchicalParams;
using network::Hierarchy;
using network::Tier;

unsigned width_of(const network::PortRate& rate) { return std::max(1u, rate.bytes / rate.cycles); }

/// The tiers of these parameters, from the SMs to the slices.
std::vector<Tier> tiers_of(const HierarchicalParams& keys) {
  std::vector<Tier> tiers;
  for (unsigned t = 0; t < network::kTiers; ++t)
    if (keys.has(static_cast<Tier>(t))) tiers.push_back(static_cast<Tier>(t));
  return tiers;
}

std::string name_of(Tier tier) { return network::kTierNames[static_cast<unsigned>(tier)]; }

/// A shape per tier: its links, and the switches between it and the tier nearer to the crossbar, in flits of its links. A wider link counts
/// as several ports of a switch.
std::vector<energy::NocNetwork> shapes(const HierarchicalParams& keys, const Hierarchy& hierarchy, unsigned slices,
                                       const NetworkOptions& options) {
  std::vector<energy::NocNetwork> shapes;
  const network::DirectionParams& links = options.of_requests() ? keys.request : keys.reply;
  const std::vector<Tier> tiers = tiers_of(keys);
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const Tier tier = tiers[t];
    const unsigned width = width_of(links[tier].rate), count = tier == Tier::slice ? slices : hierarchy.links(tier);
    const auto ports = [&](Tier wide, unsigned number) { return number * ((width_of(links[wide].rate) + width - 1) / width); };
    energy::NocNetwork shape{options.prefix + "." + name_of(tier)};
    shape.links = count;
    shape.reach = tier == Tier::slice || tier == Tier::gpc ? energy::Reach::chip : energy::Reach::cluster;
    shape.flit_bytes = width;
    shape.links_a_flit = 1;
    shape.switches_a_flit = tier == Tier::gpc ? 0 : 1;  // the switch behind a GPC's link is counted with the slices
    if (tier == Tier::slice) {
      shape.switches = 1;
      shape.inputs = ports(Tier::gpc, hierarchy.links(Tier::gpc));
      shape.outputs = count;
    } else if (tier != Tier::gpc) {
      shape.switches = hierarchy.links(tiers[t + 1]);
      shape.inputs = (count + shape.switches - 1) / shape.switches;
      shape.outputs = ports(tiers[t + 1], 1);
    }
    shapes.push_back(shape);
  }
  return shapes;
}

/// Declares the metrics of a direction and the rows of its links, which are drawn between rows of nodes, the SMs in the first.
void declare_metrics(const HierarchicalParams& keys, const Hierarchy& hierarchy, const NetworkOptions& options) {
  std::vector<network::LinkKind> kinds;
  const bool up = options.of_requests();
  const std::vector<Tier> tiers = tiers_of(keys);
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const Tier tier = tiers[t];
    std::vector<std::uint16_t> inner;  // [link]: the link of the next tier
    const bool joins = tier != Tier::slice && tier != Tier::gpc;
    if (joins) {
      inner.resize(hierarchy.links(tier));
      for (unsigned sm = 0; sm < options.sms(); ++sm) inner[hierarchy.link_of(tier)[sm]] = hierarchy.link_of(tiers[t + 1])[sm];
    }
    const std::string near = joins ? name_of(tiers[t + 1]) + " " : "crossbar";
    const auto row = static_cast<unsigned>(tier == Tier::slice ? t + 1 : t), next = static_cast<unsigned>(tier == Tier::slice ? t : t + 1);
    kinds.push_back({"." + name_of(tier), [=](unsigned link) {
                       const std::string outer = name_of(tier) + " " + std::to_string(link);
                       const unsigned other = joins ? inner[link] : link;
                       network::LinkEnds ends{outer, joins ? near + std::to_string(other) : near, link, row, other, next};
                       if (up == (tier == Tier::slice)) {
                         std::swap(ends.from, ends.to);
                         std::swap(ends.x0, ends.x1);
                         std::swap(ends.y0, ends.y1);
                       }
                       return ends;
                     }});
  }
  if (!up) std::reverse(kinds.begin(), kinds.end());
  network::derive_link_metrics(options.registry, options.prefix, "net.cycles", std::move(kinds));
}

AddedNetwork make_hierarchical(const NetworkOptions& options) {
  const auto& keys = options.params.of<HierarchicalParams>();
  static const CoalescedPayloads payloads;
  const Hierarchy hierarchy(keys, options.sms());
  auto* const requests = dynamic_cast<HierarchicalNetwork*>(options.requests);
  std::shared_ptr<network::Coalescer> coalescer;
  if (requests != nullptr)
    coalescer = requests->coalescer();
  else if (keys.coalescer != network::CoalescerAt::none && options.of_requests())
    coalescer = std::make_shared<network::Coalescer>(keys, hierarchy.links(keys.coalescing_tier()), payloads, options.registry);
  std::unique_ptr<network::Multicast> multicast;
  if (options.multicast && !options.of_requests())
    multicast = std::make_unique<network::Multicast>(hierarchy.links(Tier::gpc), payloads, options.registry);
  AddedNetwork made{
      std::make_unique<HierarchicalNetwork>(options.name, keys, options.sources, options.destinations, options.near_sms, options.prefix,
                                            options.clock, options.registry, requests, coalescer, std::move(multicast)),
      network::kPortFlitBytes};
  declare_metrics(keys, hierarchy, options);
  made.shapes = shapes(keys, hierarchy, options.slices(), options);
  return made;
}

void bind_hierarchical(config::Binder& b, NetworkParams& params) {
  const auto& keys = params.of<HierarchicalParams>();
  b.group("hierarchical_crossbar", params.of<HierarchicalParams>(),
          "the tree of links on either side of a crossbar, in each direction (modern_gpus section 3)");
  const bool chosen = params.topology == "hierarchical_crossbar";
  b.ineffective_unless(chosen, "hierarchical_crossbar", "topology is not hierarchical_crossbar");
  const std::uint32_t sms = std::accumulate(keys.gpcs.begin(), keys.gpcs.end(), 0u);
  b.require(!chosen || keys.gpcs.empty() || sms == params.sms, "hierarchical_crossbar",
            "gpcs have " + std::to_string(sms) + " SMs together, but sms is " + std::to_string(params.sms),
            "make them add up to sms, or leave gpcs out for one GPC of all SMs");
}

}  // namespace

NetworkEntry hierarchical_network() {
  NetworkEntry entry{"hierarchical_crossbar",
                     "links of SMs that join in TPCs, CPCs and GPCs, and a crossbar of GPCs and slices (modern_gpus section 3)",
                     make_hierarchical};
  entry.keys = [] { return std::any(HierarchicalParams()); };
  entry.bind = bind_hierarchical;
  entry.has_gpcs = true;
  entry.most_slices = 256;
  entry.queues_elsewhere = "the queues of topology hierarchical_crossbar are network.hierarchical_crossbar.queue";
  entry.most_classes = [](const NetworkParams&) { return 1u; };
  entry.slice_bytes = [](const NetworkParams& params) {
    const network::PortRate& slice = params.of<HierarchicalParams>().reply[Tier::slice].rate;
    return static_cast<double>(slice.bytes) / slice.cycles;
  };
  return entry;
}

}  // namespace wharf
