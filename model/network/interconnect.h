#pragma once
// The networks of a GPU behind one interface (common section 5): sockets by endpoint and traffic, for any combination of networks.
//
// Endpoints are numbered: the SMs first, then the L2 slices. Requests and replies always have separate networks. If a plan lets two kinds
// of traffic share the virtual channels of a network, they also share a socket, and their sender arbitrates between them. If the plan
// splits them into classes, each has its own socket (CM-6), so that a stalled class does not block the other.

#include <array>
#include <memory>
#include <vector>

#include "model/base/energy/noc.h"
#include "model/base/stats/stats.h"
#include "model/network/network.h"
#include "model/network/network_params.h"
#include "model/network/slice_forwarder.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/sideband.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// The traffic of a platform beyond requests from SMs to slices and their replies, and which of it must not share buffers.
struct TrafficPlan {
  bool between_sms = false;      // to_peer and from_peer among SMs
  bool slices_to_peers = false;  // to_peer from slices too (LA-LLC); the SM answers from_peer
  bool split_classes = false;    // to_peer and to_l2, and from_l2 and from_peer, have separate virtual channels (SL-11)
  bool extended_llc = false;     // to_ellc and from_ellc between slices and SMs, in classes of their own (morpheus section 5.6 rule 7)
  bool multicast = false;        // replies to bulk copies are copied for other SMs (MG-15); needs a network that can
  std::uint32_t near_sms = 0;    // that many SMs send to the first half of the slices, the others to the second; 0: all to all
  const AddressMap* addresses = nullptr;  // locates the slice that owns a line, if network.peer may be via_slices (SL-30)
};

class Interconnect final : public Network, public SidebandListener {
 public:
  /// `clock` drives all its networks. Throws InputError if the networks cannot carry the plan.
  Interconnect(const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
               stats::Registry& registry);
  ~Interconnect() override;

  /// The sockets at which `endpoint` offers and receives messages of this traffic. Every socket that the plan gives an endpoint must be
  /// bound.
  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override { return of(carriers_, traffic).input(endpoint, traffic); }
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override {
    return of(receivers_, traffic).output(endpoint, traffic);
  }

  /// Hops of L2 traffic from one endpoint to another; 0 for crossbars.
  unsigned hops(unsigned from, unsigned to) const;
  /// How far a message goes from one SM to another: cycles if network.peer is cluster, else hops of L2 traffic.
  unsigned distance(unsigned from_sm, unsigned to_sm) const;
  /// Shapes for energy and area; a network that takes no time has none.
  const std::vector<energy::NocNetwork>& shapes() const { return shapes_; }
  std::uint32_t flit_bytes(Traffic traffic = Traffic::to_l2) const { return flit_bytes_[static_cast<unsigned>(traffic)]; }

  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;
  /// Receives kernel_start.
  void write(const Event& event) override;

 private:
  class Builder;
  using Carriers = std::array<Network*, kTraffics>;  // [traffic]
  static Network& of(const Carriers& carriers, Traffic traffic);

  std::vector<std::unique_ptr<Network>> networks_;
  std::vector<std::unique_ptr<SliceForwarder>> forwarders_;
  Carriers carriers_{}, receivers_{};  // [traffic]: the network in which a message starts, and the one in which it ends
  std::array<std::uint32_t, kTraffics> flit_bytes_{};
  std::vector<energy::NocNetwork> shapes_;
  std::vector<std::uint8_t> hops_;  // [from][to], empty for crossbars
  unsigned endpoints_, sms_;
  std::vector<std::uint16_t> sm_cycles_;  // [from][to], hop_table; empty unless network.peer is cluster
};

}  // namespace wharf
