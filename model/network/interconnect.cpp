#include "model/network/interconnect.h"

#include <algorithm>
#include <utility>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/network/added_network.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/hierarchical/hop_table.h"
#include "model/network/ideal/ideal_network.h"
#include "model/network/rate/rate_network.h"
#include "model/network/routed/placed_network.h"

namespace wharf {

namespace {

constexpr unsigned index_of(Traffic traffic) { return static_cast<unsigned>(traffic); }

/// Puts each of `traffics` into its own class, in order; no class waits for an earlier one.
TrafficClasses apart(std::initializer_list<Traffic> traffics) {
  TrafficClasses classes;
  classes.count = 0;
  for (const Traffic traffic : traffics) classes.of[index_of(traffic)] = static_cast<std::uint8_t>(classes.count++);
  return classes;
}

}  // namespace

/// Builds the networks that the parameters name.
class Interconnect::Builder {
 public:
  Builder(Interconnect& owner, const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
          stats::Registry& registry)
      : owner_(owner), params_(params), sms_{0, sms}, slices_{sms, slices}, plan_(plan), clock_(clock), registry_(registry) {}

  void build() {
    const bool between = plan_.between_sms || plan_.slices_to_peers;
    const bool shared = between && params_.peer == PeerNetwork::same;
    if (plan_.slices_to_peers && !shared)
      throw InputError("network: slices forward requests to SMs over the networks of L2 traffic; choose network.peer: same");
    const bool via = between && params_.peer == PeerNetwork::via_slices;
    const bool two_sided = params_.entry().two_sided;
    if (two_sided && shared)
      throw InputError("network: SMs on one side and slices on the other have no way from one SM to another; choose another network.peer");
    if (plan_.extended_llc && (!two_sided || between))
      throw InputError("network: an extended LLC needs SMs on one side and slices on the other; choose network.topology: rate or crossbar");
    if (via) {
      networks_with_forwarding();
    } else {
      Network& requests = l2_network(true, traffics_of(true, shared), classes_of(true, shared));
      l2_network(false, traffics_of(false, shared), classes_of(false, shared), &requests);
    }
    if (between && !shared && !via) peer_networks();
  }

 private:
  EndpointRange all() const { return {0, sms_.count + slices_.count}; }

  void carry(Traffic traffic, Network& network, std::uint32_t flit_bytes) {
    owner_.carriers_[index_of(traffic)] = owner_.receivers_[index_of(traffic)] = &network;
    owner_.flit_bytes_[index_of(traffic)] = flit_bytes;
  }

  std::vector<TrafficEnds> traffics_of(bool requests, bool shared) const {
    std::vector<TrafficEnds> traffics;
    if (requests && shared) traffics.push_back({Traffic::to_peer, plan_.slices_to_peers ? all() : sms_, sms_});
    traffics.push_back(requests ? TrafficEnds{Traffic::to_l2, sms_, slices_} : TrafficEnds{Traffic::from_l2, slices_, sms_});
    if (!requests && shared) traffics.push_back({Traffic::from_peer, sms_, sms_});
    if (plan_.extended_llc)
      traffics.push_back(requests ? TrafficEnds{Traffic::from_ellc, sms_, slices_} : TrafficEnds{Traffic::to_ellc, slices_, sms_});
    return traffics;
  }

  /// Traffic to and from cache-mode SMs never waits for traffic between SMs and slices.
  TrafficClasses classes_of(bool requests, bool shared) const {
    if (plan_.extended_llc) return requests ? apart({Traffic::to_l2, Traffic::from_ellc}) : apart({Traffic::from_l2, Traffic::to_ellc});
    if (!shared || !plan_.split_classes) return {};
    return requests ? apart({Traffic::to_peer, Traffic::to_l2}) : apart({Traffic::from_l2, Traffic::from_peer});
  }

  /// `answered`: the network of requests whose replies this one carries.
  Network& l2_network(bool requests, const std::vector<TrafficEnds>& traffics, const TrafficClasses& classes, Network* answered = nullptr) {
    const Arguments arguments = network_arguments(params_.topology);
    const Islands::Scope scope(params_.entry().work.has_own_threads() ? Islands::of_part(requests ? 0 : 1, 2) : Islands::last());
    AddedNetwork made =
        make_network(params_.topology, {requests ? "request_network" : "reply_network", requests ? "net.request" : "net.reply",
                                        requests ? sms_ : slices_, requests ? slices_ : sms_, classes, arguments, clock_, registry_,
                                        params_, traffics, answered, plan_.near_sms, plan_.multicast});
    if (requests) owner_.hops_ = std::move(made.hops);
    return keep(std::move(made), traffics);
  }

  Network& keep(AddedNetwork made, const std::vector<TrafficEnds>& traffics) {
    for (const TrafficEnds& ends : traffics) carry(ends.traffic, *made.network, made.flit_bytes);
    owner_.networks_.push_back(std::move(made.network));
    owner_.shapes_.insert(owner_.shapes_.end(), made.shapes.begin(), made.shapes.end());
    return *owner_.networks_.back();
  }

  /// Uses one class per leg and kind of traffic (SL-30), so that messages between SMs wait neither for the slices nor for their replies.
  void networks_with_forwarding() {
    if (plan_.addresses == nullptr)
      throw SimulationError("network: forwarding through the slices needs the address map in the traffic plan");
    TrafficClasses classes;
    classes.count = 3;
    classes.of[index_of(Traffic::to_l2)] = classes.of[index_of(Traffic::from_l2)] = 1;
    classes.of[index_of(Traffic::from_peer)] = 2;
    Network& replies = l2_network(false, {{Traffic::from_l2, slices_, sms_}}, classes);
    classes.via = plan_.addresses;
    Network& requests = l2_network(
        true, {{Traffic::to_peer, sms_, slices_}, {Traffic::to_l2, sms_, slices_}, {Traffic::from_peer, sms_, slices_}}, classes);
    const Islands::Scope scope(Islands::of_part(1, 2));
    for (unsigned i = 0; i < slices_.count; ++i) {
      owner_.forwarders_.push_back(std::make_unique<SliceForwarder>(("slice_forwarder" + std::to_string(i)).c_str(), clock_));
      for (const auto& [way, traffic] : {std::pair{0u, Traffic::to_peer}, {1u, Traffic::from_peer}}) {
        requests.output(slices_.first + i, traffic).bind(owner_.forwarders_.back()->input(way));
        owner_.forwarders_.back()->output(way).bind(replies.input(slices_.first + i, traffic));
      }
    }
    for (const Traffic traffic : {Traffic::to_peer, Traffic::from_peer}) owner_.receivers_[index_of(traffic)] = &replies;
  }

  void peer_networks() {
    const auto& rings = params_.of<network::RingKeys>();
    if (params_.peer == PeerNetwork::ideal) {
      ideal();
    } else if (params_.peer == PeerNetwork::cluster) {
      clusters();
    } else if (params_.peer == PeerNetwork::rings) {
      routed("peer_request_network", "net.peer_request", peer_ring(rings.request_ring), {Traffic::to_peer});
      routed("peer_reply_network", "net.peer_reply", peer_ring(rings.ring), {Traffic::from_peer});
    } else {
      const auto& butterfly = params_.of<network::ButterflyParams>();
      routed("peer_network", "net.peer",
             params_.peer == PeerNetwork::butterfly ? network::butterfly_of(sms_.count, butterfly) : peer_ring(rings.ring),
             {Traffic::to_peer, Traffic::from_peer});
    }
  }

  void ideal() {
    owner_.networks_.push_back(std::make_unique<IdealNetwork>("peer_network", sms_.count, "net.peer", registry_));
    for (const Traffic traffic : {Traffic::to_peer, Traffic::from_peer})
      carry(traffic, *owner_.networks_.back(), owner_.flit_bytes_[index_of(Traffic::to_l2)]);
  }

  void clusters() {
    const auto& gpcs = params_.of<network::HierarchicalParams>();
    const network::Hierarchy hierarchy(gpcs, sms_.count);
    const network::HopParams& keys = params_.cluster;
    network::RateParams rate;
    rate.queue = keys.queue;
    const std::vector<TrafficEnds> all = {{Traffic::to_peer, sms_, sms_}, {Traffic::from_peer, sms_, sms_}};
    const RateNetwork::Side side{sms_, keys.sm_rate};
    const unsigned number = hierarchy.links(network::Tier::gpc), largest = (sms_.count + number - 1) / number;
    owner_.sm_cycles_ = network::hop_table(keys, gpcs, hierarchy);
    std::vector<std::uint16_t> cpc_of;
    if (keys.lanes == network::HopParams::LaneModel::hashed)
      cpc_of = hierarchy.link_of(gpcs.cpc_sms == 0 ? network::Tier::gpc : network::Tier::cpc);
    const Islands::Scope scope(Islands::last());
    AddedNetwork made{std::make_unique<RateNetwork>("peer_network", rate, side, side, "net.peer", clock_, registry_,
                                                    apart({Traffic::to_peer, Traffic::from_peer}), owner_.sm_cycles_, cpc_of, keys.lane),
                      network::kPortFlitBytes};
    made.shapes.push_back(energy::crossbars("net.peer", number, largest, largest, std::max(1u, keys.sm_rate.bytes / keys.sm_rate.cycles),
                                            energy::Reach::cluster));
    network::derive_port_metrics(registry_, "net.peer", "net.cycles");
    keep(std::move(made), all);
  }

  network::PlacedNetwork peer_ring(const network::RingParams& keys) const {
    network::PlacedNetwork placed = network::ring_of(sms_.count, keys, std::max(1u, params_.groups.count()));
    placed.nodes = network::in_order(sms_.count);
    return placed;
  }

  void routed(const char* name, const char* prefix, const network::PlacedNetwork& placed, std::initializer_list<Traffic> traffics) {
    std::vector<TrafficEnds> all;
    for (const Traffic traffic : traffics) all.push_back({traffic, sms_, sms_});
    const Arguments none;
    const Islands::Scope scope(Islands::of_part(1, 2));
    keep(network::make_placed({name, prefix, sms_, sms_, apart(traffics), none, clock_, registry_, params_, all}, placed), all);
  }

  Interconnect& owner_;
  const NetworkParams& params_;
  const EndpointRange sms_, slices_;
  const TrafficPlan& plan_;
  ClockDomain& clock_;
  stats::Registry& registry_;
};

Interconnect::Interconnect(const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
                           stats::Registry& registry)
    : endpoints_(sms + slices), sms_(sms) {
  Builder(*this, params, sms, slices, plan, clock, registry).build();
}

Interconnect::~Interconnect() = default;

Network& Interconnect::of(const Carriers& carriers, Traffic traffic) {
  Network* carrier = carriers[index_of(traffic)];
  if (carrier == nullptr) throw SimulationError("network: this traffic is not in the platform's plan");
  return *carrier;
}

unsigned Interconnect::hops(unsigned from, unsigned to) const { return hops_.empty() ? 0 : hops_.at(from * endpoints_ + to); }

unsigned Interconnect::distance(unsigned from_sm, unsigned to_sm) const {
  return sm_cycles_.empty() ? hops(from_sm, to_sm) : sm_cycles_[from_sm * sms_ + to_sm];
}

void Interconnect::inspect(std::vector<Wait>& waits) const {
  for (const auto& network : networks_) network->inspect(waits);
}

void Interconnect::write(const Event& event) {
  if (event.kind != Event::Kind::kernel_start) return;
  for (const auto& network : networks_) network->kernel_starts();
}

bool Interconnect::archive(Archive& file) {
  file.expect_quiet(std::all_of(forwarders_.begin(), forwarders_.end(), [](const auto& forwarder) { return forwarder->idle(); }),
                    "the path between SMs");
  return std::all_of(networks_.begin(), networks_.end(), [&](const auto& network) { return network->archive(file); });
}

}  // namespace wharf
