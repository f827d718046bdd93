#include "platforms/cli/explain/evidence.h"

#include <algorithm>
#include <numeric>

namespace wharf::cli {

const Network kL2Network = {"net.request", "net.reply", "the network to L2"};
const Network kNoc1 = {"net.noc1_request", "net.noc1_reply", "NoC#1"};
const Network kClusterNetwork = {"cluster.request", "cluster.reply", "the crossbar of a cluster"};

namespace {

const Network kPeerRings = {"net.peer_request", "net.peer_reply", "the rings between SMs"};
const Network kPeerNetwork = {"net.peer", "net.peer", "the network between SMs"};

}  // namespace

double Parts::sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
std::size_t Parts::busiest() const { return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin()); }

double Evidence::metric(const std::string& name) const {
  const auto it = run_.find(name);
  return it == run_.end() || !it->is_number() ? 0.0 : it->get<double>();
}

double Evidence::share(const std::string& part, const std::string& whole) const {
  return metric(whole) == 0.0 ? 0.0 : metric(part) / metric(whole);
}

Parts Evidence::parts(const std::string& name) const {
  Parts parts;
  for (const Json& row : result_.at("tables").at("parts").at("rows"))
    if (row.at(0) == name) parts.values.push_back(row.at(2).get<double>());
  return parts;
}

double Evidence::displaced_from_l2() const { return std::min(1.0, share("l2.evictions", "l2.misses")); }

SharesL1s::Reach Evidence::reach() const {
  const auto* const shares = dynamic_cast<const SharesL1s*>(&params_.design());
  return shares == nullptr ? SharesL1s::Reach() : shares->reach(params_);
}

double Evidence::answered_by_other_l1s() const {
  return share("sm.served_by.peer", "sm.round_trips") + share("sm.served_by.home", "sm.round_trips");
}

double Evidence::round_trip_of_other_l1s() const {
  const double loads = metric("sm.served_by.peer") + metric("sm.served_by.home");
  return loads == 0.0 ? 0.0 : (metric("sm.served_by_cycles.peer") + metric("sm.served_by_cycles.home")) / loads;
}

double Evidence::barriers_alone() const {
  const SmParams& sm = params_.sm;
  return share("sm.barriers", "sm.warp_cycles") * (sm.barrier_cycles + sm.barrier_interval);
}

double Evidence::not_supplied() const {
  const Json& rows = result_.at("tables").at("replication").at("rows");
  if (rows.empty() || rows.at(0).at(1) == 0) return 0.0;
  return metric("inter_core_locality") * rows.at(0).at(2).get<double>() / rows.at(0).at(1).get<double>();
}

const Network& Evidence::busiest_network(bool up) const {
  const Network* busiest = &kL2Network;
  const auto use_of = [&](const Network& network) { return metric(std::string(up ? network.up : network.down) + ".link_utilisation.max"); };
  for (const Network* network : {&kNoc1, &kClusterNetwork, &kPeerRings, &kPeerNetwork})
    if (use_of(*network) > use_of(*busiest)) busiest = network;
  return *busiest;
}

}  // namespace wharf::cli
