// The butterfly as an entry of the catalogue, and the keys of a butterfly between SMs.

#include <string>

#include "model/network/routed/placed_network.h"

namespace wharf {
namespace {

using network::ButterflyParams;

AddedNetwork make_butterfly(const NetworkOptions& options) {
  return network::make_with_hops(options, network::butterfly_of(options.sms() + options.slices(), options.params.of<ButterflyParams>()));
}

/// Returns radix^stages, or a number above the allowed maximum.
std::uint64_t nodes_of(const ButterflyParams& keys) {
  std::uint64_t nodes = 1;
  for (std::uint32_t i = 0; i < keys.stages && nodes < 1'000'000; ++i) nodes *= keys.radix;
  return nodes;
}

void bind_butterfly(config::Binder& b, NetworkParams& params) {
  const bool of_l2 = params.topology == "butterfly", in_use = of_l2 || params.peers_on(PeerNetwork::butterfly);
  auto& keys = params.of<ButterflyParams>();
  b.group("butterfly", keys, "the butterfly of each direction, or the one between SMs");
  b.ineffective_unless(in_use, "butterfly", "neither topology nor peer is butterfly");
  if (!in_use) return;
  const std::uint64_t nodes = nodes_of(keys), needed = of_l2 ? params.sms + params.slices : params.sms;
  b.require(nodes >= needed && nodes <= 256, "butterfly",
            "has radix^stages = " + std::to_string(nodes) + " nodes for " + std::to_string(needed) + " endpoints",
            "choose radix and stages so that there are enough, and no more than 256");
}

}  // namespace

NetworkEntry butterfly_network() {
  NetworkEntry entry{"butterfly", "radix^stages nodes, as many stages of switches", make_butterfly};
  entry.keys = [] { return std::any(ButterflyParams()); };
  entry.bind = bind_butterfly;
  entry.two_sided = false;
  entry.queues_elsewhere = nullptr;
  entry.work = {0.35, 1.0};
  entry.slice_bytes = [](const NetworkParams& params) -> double { return params.of<ButterflyParams>().flit_bytes; };
  return entry;
}

}  // namespace wharf
