#pragma once
// The interface for a network added to the catalogue: what it is made from, and what it returns. One network is made per direction, with
// SMs on one side and L2 slices on the other, like a crossbar. Traffic between SMs stays with network.peer.

#include <memory>
#include <string>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/energy/noc.h"
#include "model/base/stats/stats.h"
#include "model/network/network.h"
#include "model/network/network_catalogue_logic.h"
#include "model/network/traffic_classes.h"
#include "model/tlm/clock_domain.h"

namespace wharf {

struct NetworkOptions {
  const char* name;                     // of the module
  std::string prefix;                   // of its counters: "net.request" or "net.reply"
  EndpointRange sources, destinations;  // SM endpoints are numbered before slice endpoints
  /// More than one class where there is an extended LLC. Each class has sockets of its own and never waits for another. A network that
  /// cannot provide this throws InputError.
  TrafficClasses classes;
  const Arguments& arguments;  // those that follow its name in network.topology
  ClockDomain& clock;          // the networks' clock
  stats::Registry& registry;
};

struct AddedNetwork {
  std::unique_ptr<Network> network;
  std::uint32_t flit_bytes = 32;  // bytes per flit, the unit of message sizes
  /// For energy and area; without any, the network costs nothing. The prefix of each must count `flits` and, for routers, `flit_hops`.
  std::vector<energy::NocNetwork> shapes = {};
};

}  // namespace wharf
