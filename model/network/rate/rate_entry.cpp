// The rate model as an entry of the catalogue.

#include <algorithm>

#include "model/network/added_network.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/rate/rate_network.h"
#include "model/network/rate/rate_params.h"

namespace wharf {
namespace {

using network::RateParams;

AddedNetwork make_rate(const NetworkOptions& options) {
  const auto& keys = options.params.of<RateParams>();
  const RateNetwork::Side sources{options.sources, options.of_requests() ? keys.sm_egress : keys.slice};
  const RateNetwork::Side destinations{options.destinations, options.of_requests() ? keys.slice : keys.sm_ingress};
  AddedNetwork made{std::make_unique<RateNetwork>(options.name, keys, sources, destinations, options.prefix, options.clock,
                                                  options.registry, options.classes),
                    network::kPortFlitBytes};
  network::derive_port_metrics(options.registry, options.prefix, "net.cycles");
  made.shapes.push_back(energy::crossbars(options.prefix, 1, options.sources.count, options.destinations.count,
                                          std::max(1u, keys.sm_egress.bytes / keys.sm_egress.cycles), energy::Reach::chip));
  return made;
}

void bind_rate(config::Binder& b, NetworkParams& params) {
  b.group("rate", params.of<RateParams>(),
          "the network of each direction, whose ports pass a number of bytes per cycle (morpheus section 2.4)");
  b.ineffective_unless(params.topology == "rate", "rate", "topology is not rate");
}

}  // namespace

NetworkEntry rate_network() {
  NetworkEntry entry{"rate", "a latency, and ports that let through so many bytes in a cycle (morpheus section 2.4)", make_rate};
  entry.keys = [] { return std::any(RateParams()); };
  entry.bind = bind_rate;
  entry.most_slices = 256;
  entry.queues_elsewhere = "the queues of topology rate are network.rate.queue";
  entry.slice_bytes = [](const NetworkParams& params) {
    const network::PortRate& slice = params.of<RateParams>().slice;
    return static_cast<double>(slice.bytes) / slice.cycles;
  };
  return entry;
}

}  // namespace wharf
