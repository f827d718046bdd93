#pragma once
// What a network of the catalogue is made from, and what its maker returns. One network is made per direction: of requests, from SMs to L2
// slices, and of replies.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/energy/noc.h"
#include "model/base/stats/stats.h"
#include "model/network/network.h"
#include "model/network/network_params.h"
#include "model/network/traffic_classes.h"
#include "model/tlm/clock_domain.h"

namespace wharf {

struct NetworkOptions {
  const char* name;                     // of the module
  std::string prefix;                   // of its counters: "net.request" or "net.reply"
  EndpointRange sources, destinations;  // SM endpoints are numbered before slice endpoints
  /// More than one class where there is an extended LLC, or messages between SMs. Each class has sockets of its own and never waits for
  /// another. A network that cannot provide this throws InputError.
  TrafficClasses classes;
  const Arguments& arguments;  // those that follow its name in network.topology
  ClockDomain& clock;          // the networks' clock
  stats::Registry& registry;
  const NetworkParams& params;
  /// What it carries. All that a two-sided network carries is from its sources to its destinations.
  std::vector<TrafficEnds> traffics = {};

  bool of_requests() const { return sources.first < destinations.first; }
  unsigned sms() const { return of_requests() ? sources.count : destinations.count; }
  unsigned slices() const { return of_requests() ? destinations.count : sources.count; }
};

struct AddedNetwork {
  std::unique_ptr<Network> network;
  std::uint32_t flit_bytes = 32;  // bytes per flit, the unit of message sizes
  /// For energy and area; without any, the network costs nothing. The prefix of each must count `flits` and, for routers, `flit_hops`.
  std::vector<energy::NocNetwork> shapes = {};
  /// [from][to], of all endpoints; empty where that is no question.
  std::vector<std::uint8_t> hops = {};
};

}  // namespace wharf
