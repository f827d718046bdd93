// The crossbar of L2 traffic as an entry of the catalogue.

#include <string>

#include "model/base/error.h"
#include "model/network/added_network.h"
#include "model/network/crossbar/crossbar.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "policies/arbitration/port_mask.h"

namespace wharf {
namespace {

using network::CrossbarParams;

AddedNetwork make_crossbar(const NetworkOptions& options) {
  const auto& keys = options.params.of<CrossbarParams>();
  const std::string classes = std::to_string(options.classes.count);
  if (keys.virtual_channels < options.classes.count)
    throw InputError("network: " + classes +
                     " classes of traffic have virtual channels of their own; set network.crossbar.virtual_channels: " + classes +
                     " or more");
  AddedNetwork made{std::make_unique<Crossbar>(options.name, options.params, options.sources, options.destinations, options.prefix,
                                               options.clock, options.registry, options.classes),
                    keys.flit_bytes};
  network::derive_port_metrics(options.registry, options.prefix, "net.cycles");
  made.shapes.push_back(
      energy::crossbars(options.prefix, 1, options.sources.count, options.destinations.count, keys.flit_bytes, energy::Reach::chip));
  return made;
}

void bind_crossbar(config::Binder& b, NetworkParams& params) {
  auto& keys = params.of<CrossbarParams>();
  b.group("crossbar", keys, "the crossbar of each direction");
  b.ineffective_unless(params.topology == "crossbar", "crossbar", "topology is not crossbar");
  b.require(params.topology != "crossbar" || params.sms <= arbitration::kMaxPorts, "topology",
            "crossbar connects at most " + std::to_string(arbitration::kMaxPorts) + " SMs, but sms is " + std::to_string(params.sms),
            "choose fewer SMs, or topology: hierarchical_crossbar, rate or mesh");
  b.require(!params.peers_on(PeerNetwork::via_slices) || keys.virtual_channels >= 3, "crossbar",
            "has fewer virtual channels than the three classes of peer: via_slices", "set crossbar.virtual_channels: 3 or more");
}

}  // namespace

NetworkEntry crossbar_network() {
  NetworkEntry entry{"crossbar", "input-queued switches with virtual channels, SMs on one side and slices on the other", make_crossbar};
  entry.keys = [] { return std::any(CrossbarParams()); };
  entry.bind = bind_crossbar;
  entry.can_use_slices = true;
  entry.has_all_sockets = true;
  entry.queues_elsewhere = nullptr;
  entry.work = {0.03, 0.13};
  entry.most_classes = [](const NetworkParams& params) { return params.of<CrossbarParams>().virtual_channels; };
  entry.slice_bytes = [](const NetworkParams& params) -> double { return params.of<CrossbarParams>().flit_bytes; };
  return entry;
}

}  // namespace wharf
