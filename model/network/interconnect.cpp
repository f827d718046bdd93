#include "model/network/interconnect.h"

#include "model/base/error.h"
#include "model/network/crossbar_counters.h"

namespace wharf {

Interconnect::Interconnect(const std::string&, const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan,
                           ClockDomain& network, stats::Registry& registry)
    : params_(params) {
  if (plan.between_sms || plan.slices_to_peers)
    throw InputError("network: a crossbar of SMs and slices has no way from one SM to another");
  const EndpointRange sm_side{0, sms}, slice_side{sms, slices};
  requests_ = std::make_unique<Crossbar>("request_network", params, sm_side, slice_side, "net.request", network, registry);
  replies_ = std::make_unique<Crossbar>("reply_network", params, slice_side, sm_side, "net.reply", network, registry);
  for (const char* prefix : {"net.request", "net.reply"}) network::derive_crossbar_metrics(registry, prefix, "net.cycles");
}

tlm::tlm_target_socket<>& Interconnect::input(unsigned endpoint, Traffic traffic) { return network_of(traffic).input(endpoint); }
tlm::tlm_initiator_socket<>& Interconnect::output(unsigned endpoint, Traffic traffic) { return network_of(traffic).output(endpoint); }

unsigned Interconnect::hops(unsigned, unsigned) const { return 0; }

std::uint32_t Interconnect::flit_bytes(Traffic) const { return params_.crossbar.flit_bytes; }

void Interconnect::inspect(std::vector<Wait>& waits) const {
  requests_->inspect(waits);
  replies_->inspect(waits);
}

}  // namespace wharf
