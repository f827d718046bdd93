#include "model/network/interconnect.h"

#include <algorithm>
#include <numeric>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/network/added_network.h"
#include "model/network/crossbar/crossbar.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/ideal/ideal_network.h"
#include "model/network/rate/rate_network.h"
#include "model/network/routed/routed_network.h"
#include "policies/routing/node_map.h"

namespace wharf {

namespace {

constexpr unsigned index_of(Traffic traffic) { return static_cast<unsigned>(traffic); }

/// A network of routers, and the nodes of its endpoints.
struct Placed {
  routing::Topology topology;
  network::RouterParams router;
  std::vector<std::uint16_t> nodes;
};

/// The number of connected outputs of the router that has the most. All routers are built alike; those at an edge leave some outputs
/// unused.
unsigned ports_of(const routing::Topology& topology) {
  unsigned most = 0;
  for (unsigned r = 0; r < topology.routers; ++r) {
    unsigned used = 0;
    for (unsigned o = 0; o < topology.ports; ++o) used += topology.link(r, o).kind != routing::Link::Kind::none ? 1 : 0;
    most = std::max(most, used);
  }
  return most;
}

}  // namespace

/// Builds the networks that the parameters name.
class Interconnect::Builder {
 public:
  Builder(Interconnect& owner, const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
          stats::Registry& registry)
      : owner_(owner), params_(params), sms_(sms), slices_(slices), plan_(plan), clock_(clock), registry_(registry) {}

  void build() {
    const bool between = plan_.between_sms || plan_.slices_to_peers;
    const bool shared = between && params_.peer == PeerNetwork::same;
    if (plan_.slices_to_peers && !shared)
      throw InputError("network: slices forward requests to SMs over the networks of L2 traffic; choose network.peer: same");
    const bool via = between && params_.peer == PeerNetwork::via_slices;
    const bool two_sided = params_.is_two_sided();
    if (two_sided && shared)
      throw InputError("network: SMs on one side and slices on the other have no way from one SM to another; choose another network.peer");
    if (plan_.extended_llc && (!two_sided || between))
      throw InputError("network: an extended LLC needs SMs on one side and slices on the other; choose network.topology: rate or crossbar");
    if (plan_.extended_llc && params_.topology == "crossbar" && params_.crossbar.virtual_channels < 2)
      throw InputError("network: an extended LLC has virtual channels of its own; set network.crossbar.virtual_channels: 2 or more");
    if (params_.topology == "rate") {
      rate_network(true);
      rate_network(false);
    } else if (params_.topology == "crossbar") {
      via ? crossbars_with_forwarding() : crossbars();
    } else if (two_sided) {
      for (const bool requests : {true, false}) added(requests);
    } else {
      const Placed placed = l2_topology();
      if (shared) {
        routed("request_network", "net.request", placed, {Traffic::to_peer, Traffic::to_l2});
        routed("reply_network", "net.reply", placed, {Traffic::from_l2, Traffic::from_peer});
      } else {
        routed("request_network", "net.request", placed, {Traffic::to_l2});
        routed("reply_network", "net.reply", placed, {Traffic::from_l2});
      }
      keep_hops(placed);
    }
    if (!between || shared || via) return;
    if (params_.peer == PeerNetwork::ideal) {
      ideal();
    } else if (params_.peer == PeerNetwork::rings) {
      routed("peer_request_network", "net.peer_request", peer_ring(params_.request_ring), {Traffic::to_peer});
      routed("peer_reply_network", "net.peer_reply", peer_ring(params_.ring), {Traffic::from_peer});
    } else {
      routed("peer_network", "net.peer", peer_topology(), {Traffic::to_peer, Traffic::from_peer});
    }
  }

 private:
  void carry(Traffic traffic, Network& network, std::uint32_t flit_bytes) {
    owner_.carriers_[index_of(traffic)] = owner_.receivers_[index_of(traffic)] = &network;
    owner_.flit_bytes_[index_of(traffic)] = flit_bytes;
  }

  Crossbar& crossbar(bool requests, const TrafficClasses& classes) {
    const EndpointRange sm_side{0, sms_}, slice_side{sms_, slices_};
    const char* prefix = requests ? "net.request" : "net.reply";
    auto made = std::make_unique<Crossbar>(requests ? "request_network" : "reply_network", params_, requests ? sm_side : slice_side,
                                           requests ? slice_side : sm_side, prefix, clock_, registry_, classes);
    Crossbar& crossbar = *made;
    owner_.networks_.push_back(std::move(made));
    network::derive_port_metrics(registry_, prefix, "net.cycles");
    keep_shape(prefix, requests, params_.crossbar.flit_bytes);
    carry(requests ? Traffic::to_l2 : Traffic::from_l2, crossbar, params_.crossbar.flit_bytes);
    return crossbar;
  }

  void crossbars() {
    for (const bool requests : {true, false}) {
      Crossbar& made = crossbar(requests, ellc_classes());
      if (plan_.extended_llc) carry(requests ? Traffic::from_ellc : Traffic::to_ellc, made, params_.crossbar.flit_bytes);
    }
  }

  /// Traffic to and from cache-mode SMs never waits for traffic between SMs and slices.
  TrafficClasses ellc_classes() const {
    TrafficClasses classes;
    if (!plan_.extended_llc) return classes;
    classes.count = 2;
    classes.of[index_of(Traffic::to_ellc)] = classes.of[index_of(Traffic::from_ellc)] = 1;
    return classes;
  }

  void added(bool requests) {
    const EndpointRange sm_side{0, sms_}, slice_side{sms_, slices_};
    const Arguments arguments = network_arguments(params_.topology);
    const NetworkEntry& entry = network_entry(params_.topology);
    AddedNetwork made = entry.make({requests ? "request_network" : "reply_network", requests ? "net.request" : "net.reply",
                                    requests ? sm_side : slice_side, requests ? slice_side : sm_side, ellc_classes(), arguments, clock_,
                                    registry_});
    if (!made.network)
      throw InputError(std::string("the maker of network '") + entry.name + "' (" + entry.help + ") has returned nothing; let it return an object");
    carry(requests ? Traffic::to_l2 : Traffic::from_l2, *made.network, made.flit_bytes);
    if (plan_.extended_llc) carry(requests ? Traffic::from_ellc : Traffic::to_ellc, *made.network, made.flit_bytes);
    owner_.networks_.push_back(std::move(made.network));
    owner_.shapes_.insert(owner_.shapes_.end(), made.shapes.begin(), made.shapes.end());
  }

  void rate_network(bool requests) {
    const RateNetwork::Side sms{{0, sms_}, requests ? params_.rate.sm_egress : params_.rate.sm_ingress};
    const RateNetwork::Side slices{{sms_, slices_}, params_.rate.slice};
    const char* prefix = requests ? "net.request" : "net.reply";
    auto made = std::make_unique<RateNetwork>(requests ? "request_network" : "reply_network", params_.rate, requests ? sms : slices,
                                              requests ? slices : sms, prefix, clock_, registry_, ellc_classes());
    carry(requests ? Traffic::to_l2 : Traffic::from_l2, *made, network::kRateFlitBytes);
    if (plan_.extended_llc) carry(requests ? Traffic::from_ellc : Traffic::to_ellc, *made, network::kRateFlitBytes);
    owner_.networks_.push_back(std::move(made));
    network::derive_port_metrics(registry_, prefix, "net.cycles");
    keep_shape(prefix, requests, std::max(1u, params_.rate.sm_egress.bytes / params_.rate.sm_egress.cycles));
  }

  /// Records the shape for energy and area: a switch of all ports, `width` bytes wide.
  void keep_shape(const char* prefix, bool requests, unsigned width) {
    owner_.shapes_.push_back(energy::crossbars(prefix, 1, requests ? sms_ : slices_, requests ? slices_ : sms_, width, energy::Reach::chip));
  }

  /// Uses one class per leg and kind of traffic (SL-30), so that messages between SMs wait neither for the slices nor for their replies.
  void crossbars_with_forwarding() {
    if (plan_.addresses == nullptr) throw SimulationError("network: forwarding through the slices needs the address map in the traffic plan");
    TrafficClasses classes;
    classes.count = 3;
    classes.of[index_of(Traffic::to_l2)] = classes.of[index_of(Traffic::from_l2)] = 1;
    classes.of[index_of(Traffic::from_peer)] = 2;
    Crossbar& replies = crossbar(false, classes);
    classes.via = plan_.addresses;
    Crossbar& requests = crossbar(true, classes);
    for (unsigned i = 0; i < slices_; ++i) {
      owner_.forwarders_.push_back(std::make_unique<SliceForwarder>(("slice_forwarder" + std::to_string(i)).c_str(), clock_));
      for (const auto& [way, traffic] : {std::pair{0u, Traffic::to_peer}, {1u, Traffic::from_peer}}) {
        requests.output(sms_ + i, traffic).bind(owner_.forwarders_.back()->input(way));
        owner_.forwarders_.back()->output(way).bind(replies.input(sms_ + i, traffic));
      }
    }
    for (const Traffic traffic : {Traffic::to_peer, Traffic::from_peer}) {
      carry(traffic, requests, params_.crossbar.flit_bytes);
      owner_.receivers_[index_of(traffic)] = &replies;
    }
  }

  void ideal() {
    owner_.networks_.push_back(std::make_unique<IdealNetwork>("peer_network", sms_, "net.peer", registry_));
    for (const Traffic traffic : {Traffic::to_peer, Traffic::from_peer})
      carry(traffic, *owner_.networks_.back(), owner_.flit_bytes_[index_of(Traffic::to_l2)]);
  }

  static Placed ring_of(unsigned nodes, const network::RingParams& params, unsigned rings = 1) {
    routing::Shape shape;
    shape.nodes = nodes;
    shape.rings = rings;
    shape.bidirectional = params.bidirectional;
    return {routing::make_topology("ring", shape), params, {}};
  }

  Placed butterfly() const {
    routing::Shape shape;
    shape.radix = params_.butterfly.radix;
    shape.stages = params_.butterfly.stages;
    Placed placed{routing::make_topology("butterfly", shape), params_.butterfly, std::vector<std::uint16_t>(sms_ + slices_)};
    std::iota(placed.nodes.begin(), placed.nodes.end(), std::uint16_t{0});
    return placed;
  }

  Placed l2_topology() const {
    const unsigned nodes = sms_ + slices_;
    if (params_.topology == "butterfly") return butterfly();
    if (params_.topology == "ring") {
      Placed placed = ring_of(nodes, params_.ring);
      placed.nodes = routing::endpoint_nodes(sms_, routing::slice_nodes(nodes, 1, slices_));
      return placed;
    }
    routing::Shape shape;
    shape.columns = params_.mesh.columns;
    shape.rows = nodes / shape.columns;
    const auto& named = params_.mesh.slice_nodes;
    return {routing::make_topology("mesh", shape), params_.mesh,
            routing::endpoint_nodes(sms_, named.empty() ? routing::slice_nodes(shape.columns, shape.rows, slices_) : named)};
  }

  Placed peer_topology() const {
    return params_.peer == PeerNetwork::butterfly ? butterfly() : peer_ring(params_.ring);
  }

  Placed peer_ring(const network::RingParams& params) const {
    Placed placed = ring_of(sms_, params, params_.cluster_sms == 0 ? 1 : sms_ / params_.cluster_sms);
    placed.nodes.resize(sms_);
    std::iota(placed.nodes.begin(), placed.nodes.end(), std::uint16_t{0});
    return placed;
  }

  /// `traffics` are in order of their classes where these are split: no class waits for an earlier one.
  void routed(const char* name, const char* prefix, const Placed& placed, const std::vector<Traffic>& traffics) {
    const bool own = traffics.front() == Traffic::to_peer && traffics.back() == Traffic::from_peer;
    RoutedNetwork::Plan plan;
    plan.topology = placed.topology;
    plan.router = placed.router;
    plan.nodes = placed.nodes;
    plan.interface_packets = params_.interface_packets;
    plan.classes = traffics.size() > 1 && (plan_.split_classes || own) ? 2 : 1;
    if (plan.classes == 2) plan.class_of[index_of(traffics.back())] = 1;
    for (const Traffic traffic : traffics) add_ports(plan, traffic);
    auto made = std::make_unique<RoutedNetwork>(name, plan, prefix, clock_, registry_);
    for (const Traffic traffic : traffics) carry(traffic, *made, placed.router.flit_bytes);
    owner_.networks_.push_back(std::move(made));
    network::derive_routed_metrics(registry_, prefix, "net.cycles", placed.topology);
    owner_.shapes_.push_back(energy::routers(prefix, placed.topology.routers, ports_of(placed.topology), placed.topology.last_link_is_hop,
                                             placed.router.flit_bytes));
  }

  void add_ports(RoutedNetwork::Plan& plan, Traffic traffic) const {
    const bool sms_send = traffic != Traffic::from_l2, sms_get = traffic != Traffic::to_l2;
    const bool slices_send = traffic == Traffic::from_l2 || (traffic == Traffic::to_peer && plan_.slices_to_peers);
    const bool slices_get = traffic == Traffic::to_l2;
    const auto add = [&](std::vector<RoutedNetwork::Port>& ports, unsigned first, unsigned count) {
      for (unsigned e = first; e < first + count; ++e) {
        const RoutedNetwork::Port port{e, plan.class_of[index_of(traffic)]};
        bool there = false;
        for (const auto& other : ports)
          there = there || (other.endpoint == port.endpoint && other.traffic_class == port.traffic_class);
        if (!there) ports.push_back(port);
      }
    };
    if (sms_send) add(plan.inputs, 0, sms_);
    if (slices_send) add(plan.inputs, sms_, slices_);
    if (sms_get) add(plan.outputs, 0, sms_);
    if (slices_get) add(plan.outputs, sms_, slices_);
  }

  void keep_hops(const Placed& placed) {
    for (const std::uint16_t from : placed.nodes)
      for (const std::uint16_t to : placed.nodes) owner_.hops_.push_back(static_cast<std::uint8_t>(placed.topology.hops(from, to)));
  }

  Interconnect& owner_;
  const NetworkParams& params_;
  const unsigned sms_, slices_;
  const TrafficPlan& plan_;
  ClockDomain& clock_;
  stats::Registry& registry_;
};

Interconnect::Interconnect(const NetworkParams& params, unsigned sms, unsigned slices, const TrafficPlan& plan, ClockDomain& clock,
                           stats::Registry& registry)
    : endpoints_(sms + slices) {
  Builder(*this, params, sms, slices, plan, clock, registry).build();
}

Interconnect::~Interconnect() = default;

Network& Interconnect::of(const Carriers& carriers, Traffic traffic) {
  Network* carrier = carriers[index_of(traffic)];
  if (carrier == nullptr) throw SimulationError("network: this traffic is not in the platform's plan");
  return *carrier;
}

unsigned Interconnect::hops(unsigned from, unsigned to) const { return hops_.empty() ? 0 : hops_.at(from * endpoints_ + to); }

void Interconnect::inspect(std::vector<Wait>& waits) const {
  for (const auto& network : networks_) network->inspect(waits);
}

bool Interconnect::archive(Archive& file) {
  file.expect_quiet(std::all_of(forwarders_.begin(), forwarders_.end(), [](const auto& forwarder) { return forwarder->idle(); }),
                    "a slice's way between SMs");
  return std::all_of(networks_.begin(), networks_.end(), [&](const auto& network) { return network->archive(file); });
}

}  // namespace wharf
