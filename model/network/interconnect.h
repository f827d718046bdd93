#pragma once
// The networks of a GPU behind one face (common.md section 5): sockets by endpoint and traffic, whatever stands behind them.
//
// Endpoints are numbered: the SMs first, then the L2 slices. Requests and replies have networks of their own everywhere. Where a plan lets
// two kinds of traffic share the virtual channels of a network they also share a socket, and whoever sends both arbitrates before it;
// where it splits them into classes each has its own socket (CM-6), so that one that stands still does not hold up the other.

#include <memory>
#include <string>
#include <vector>

#include "model/network/crossbar.h"
#include "model/network/network_params.h"

namespace wharf {

/// What a platform sends beside requests from SMs to slices and the slices' replies, and what must not share a buffer.
struct TrafficPlan {
  bool between_sms = false;       // to_peer and from_peer among SMs
  bool slices_to_peers = false;   // to_peer from slices (LA-LLC), answered from_peer by the SM
  bool split_classes = false;     // to_l2 and to_peer, from_l2 and from_peer have virtual channels of their own (SL-11)
};

class Interconnect final : public Inspectable {
 public:
  /// `network`: the clock of all its networks. Throws InputError where the topology cannot carry the plan.
  Interconnect(const std::string& name, const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan,
               ClockDomain& network, stats::Registry& registry);

  /// Where `endpoint` offers messages of this traffic, and where it gets them. Every socket that the plan gives an endpoint must be bound.
  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic);
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic);

  /// Links between routers on the way of L2 traffic from one endpoint to another; 0 for crossbars.
  unsigned hops(unsigned from, unsigned to) const;
  std::uint32_t flit_bytes(Traffic traffic = Traffic::to_l2) const;

  void inspect(std::vector<Wait>& waits) const override;

 private:
  Crossbar& network_of(Traffic traffic) { return traffic == Traffic::to_l2 || traffic == Traffic::to_peer ? *requests_ : *replies_; }

  const NetworkParams params_;
  std::unique_ptr<Crossbar> requests_, replies_;
};

}  // namespace wharf
