#pragma once
// One direction of a hierarchical crossbar as a module.

#include "model/network/hierarchical/hierarchical_logic.h"
#include "model/network/port_network.h"

namespace wharf {

class HierarchicalNetwork final : public PortNetwork<network::HierarchicalLogic> {
 public:
  /// `prefix` is that of the counters, e.g. "net.request". `requests` is null for the network of requests; that of replies gives the
  /// credits of sm_slice_credits back to it.
  HierarchicalNetwork(sc_core::sc_module_name name, const network::HierarchicalParams& params, const EndpointRange& sources,
                      const EndpointRange& destinations, const std::string& prefix, ClockDomain& clock, stats::Registry& registry,
                      HierarchicalNetwork* requests = nullptr)
      : PortNetwork(name, {sources, destinations}, params.queue, prefix, clock, params, shape(sources, destinations), registry, prefix),
        first_sm_(std::min(sources.first, destinations.first)),
        first_slice_(std::max(sources.first, destinations.first)),
        requests_(params.sm_slice_credits == kUnlimited ? nullptr : requests) {}

 private:
  static network::HierarchicalLogic::Shape shape(const EndpointRange& sources, const EndpointRange& destinations) {
    const bool requests = sources.first < destinations.first;
    return {requests, requests ? sources.count : destinations.count, requests ? destinations.count : sources.count};
  }

  void arrives(Payload& reply, Cycle at) override {
    if (requests_ == nullptr) return;
    const MessageHeader& header = reply.message();
    requests_->give_back(header.destination - first_sm_, header.source - first_slice_, sector_count(reply.access().sectors), at);
  }

  void give_back(unsigned sm, unsigned slice, unsigned sectors, Cycle at) {
    logic_.give_back(sm, slice, sectors, at);
    clock_.wake(block_, at);
  }

  const unsigned first_sm_, first_slice_;  // first endpoint of each side
  HierarchicalNetwork* const requests_;
};

}  // namespace wharf
