#pragma once
// One direction of a rate-model network as a module. A message offered in network cycle k reaches its destination at k + latency, unloaded,
// whatever its size (morpheus section 2.4). `latencies`: of pairs of ports, where they differ; `cpc_of`: of the
// sources, where the lanes of their CPCs carry what they send (RateLogic::Shape).

#include "model/network/port_network.h"
#include "model/network/rate/rate_logic.h"

namespace wharf {

class RateNetwork final : public PortNetwork<network::RateLogic> {
 public:
  struct Side {
    EndpointRange endpoints;
    network::PortRate rate;
  };
  /// `prefix` is that of the counters, e.g. "net.request".
  RateNetwork(sc_core::sc_module_name name, const network::RateParams& params, const Side& sources, const Side& destinations,
              const std::string& prefix, ClockDomain& clock, stats::Registry& registry, const TrafficClasses& classes = {},
              const std::vector<std::uint16_t>& latencies = {}, const std::vector<std::uint16_t>& cpc_of = {},
              const network::LaneParams& lanes = {})
      : PortNetwork(name, {sources.endpoints, destinations.endpoints, classes}, params.queue, prefix, clock, params,
                    network::RateLogic::Shape{sources.endpoints.count, destinations.endpoints.count, classes.count, sources.rate,
                                              destinations.rate, latencies, cpc_of, lanes},
                    registry, prefix) {}
};

}  // namespace wharf
