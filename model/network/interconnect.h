#pragma once
// The networks of a GPU behind one face (common section 5): sockets by endpoint and traffic, whatever stands behind them.
//
// Endpoints are numbered: the SMs first, then the L2 slices. Requests and replies have networks of their own everywhere. Where a plan lets
// two kinds of traffic share the virtual channels of a network they also share a socket, and whoever sends both arbitrates before it;
// where it splits them into classes each has its own socket (CM-6), so that one that stands still does not hold up the other.

#include <array>
#include <memory>
#include <vector>

#include "model/base/energy/noc.h"
#include "model/base/stats/stats.h"
#include "model/network/network.h"
#include "model/network/network_params.h"
#include "model/network/slice_forwarder.h"
#include "model/tlm/clock_domain.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// What a platform sends beside requests from SMs to slices and the slices' replies, and what must not share a buffer.
struct TrafficPlan {
  bool between_sms = false;      // to_peer and from_peer among SMs
  bool slices_to_peers = false;  // to_peer from slices too (LA-LLC), answered from_peer by the SM
  bool split_classes = false;    // to_peer and to_l2, from_l2 and from_peer have virtual channels of their own (SL-11)
  bool extended_llc = false;     // to_ellc and from_ellc, between slices and SMs, with classes of their own (morpheus section 5.6 rule 7)
  const AddressMap* addresses = nullptr;  // where network.peer may be via_slices (SL-30): who owns a line
};

class Interconnect final : public Network {
 public:
  /// `clock`: of all its networks. Throws InputError where the networks cannot carry the plan.
  Interconnect(const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
               stats::Registry& registry);
  ~Interconnect() override;

  /// Where `endpoint` offers messages of this traffic, and where it gets them. Every socket that the plan gives an endpoint must be bound.
  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override { return of(carriers_, traffic).input(endpoint, traffic); }
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override {
    return of(receivers_, traffic).output(endpoint, traffic);
  }

  /// Hops of L2 traffic from one endpoint to another; 0 for crossbars.
  unsigned hops(unsigned from, unsigned to) const;
  /// For the model of energy and area; a network that takes no time has none.
  const std::vector<energy::NocNetwork>& shapes() const { return shapes_; }
  std::uint32_t flit_bytes(Traffic traffic = Traffic::to_l2) const { return flit_bytes_[static_cast<unsigned>(traffic)]; }

  void inspect(std::vector<Wait>& waits) const override;

 private:
  class Builder;
  using Carriers = std::array<Network*, kTraffics>;  // [traffic]
  static Network& of(const Carriers& carriers, Traffic traffic);

  std::vector<std::unique_ptr<Network>> networks_;
  std::vector<std::unique_ptr<SliceForwarder>> forwarders_;
  Carriers carriers_{}, receivers_{};  // where a message starts, and where it ends
  std::array<std::uint32_t, kTraffics> flit_bytes_{};
  std::vector<energy::NocNetwork> shapes_;
  std::vector<std::uint8_t> hops_;              // [from][to], empty for crossbars
  unsigned endpoints_;
};

}  // namespace wharf
