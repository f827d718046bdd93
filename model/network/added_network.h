#pragma once
// What a network that is added to the catalogue is made from, and what it is. One is made for each direction: SMs on one side and L2
// slices on the other, as of a crossbar. Traffic between SMs stays with network.peer.

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
  EndpointRange sources, destinations;  // SMs before slices
  /// More than one with an extended LLC: traffic of different classes has sockets of its own and never waits for each other. A network
  /// that cannot do that throws InputError.
  TrafficClasses classes;
  const Arguments& arguments;  // what follows its name in network.topology
  ClockDomain& clock;          // of the networks
  stats::Registry& registry;
};

struct AddedNetwork {
  std::unique_ptr<Network> network;
  std::uint32_t flit_bytes = 32;  // the sizes of messages are told in flits of so many bytes
  /// For energy and area; without any it costs nothing. What they name counts `flits` and, for routers, `flit_hops`, after the prefix.
  std::vector<energy::NocNetwork> shapes = {};
};

}  // namespace wharf
