#pragma once
// The inputs and the result of a network maker of the catalogue. One network is made per direction: one for requests, from SMs to L2
// slices, and one for replies.

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
  /// There is more than one class if the machine has an extended LLC or SMs send messages to each other. Each class has its own sockets and
  /// never waits for another. A network that cannot provide this throws InputError.
  TrafficClasses classes;
  const Arguments& arguments;  // those that follow its name in network.topology
  ClockDomain& clock;          // the networks' clock
  stats::Registry& registry;
  const NetworkParams& params;
  /// The traffic that it carries. A two-sided network carries traffic only from its sources to its destinations.
  std::vector<TrafficEnds> traffics = {};
  /// The network of requests, if this one carries their replies and the two are made together; else null.
  Network* requests = nullptr;
  /// That many SMs send to the first half of the slices, the others to the second; 0: all to all.
  std::uint32_t near_sms = 0;
  /// Replies to bulk copies are copied for other SMs (MG-15). Only hierarchical_crossbar can.
  bool multicast = false;

  bool of_requests() const { return sources.first < destinations.first; }
  unsigned sms() const { return of_requests() ? sources.count : destinations.count; }
  unsigned slices() const { return of_requests() ? destinations.count : sources.count; }
};

struct AddedNetwork {
  std::unique_ptr<Network> network;
  std::uint32_t flit_bytes = 32;  // bytes per flit, the unit of message sizes
  /// Shapes for energy and area; a network without shapes costs nothing. The prefix of each must count `flits` and, for routers,
  /// `flit_hops`.
  std::vector<energy::NocNetwork> shapes = {};
  /// [from][to], of all endpoints; empty if the network has no hops.
  std::vector<std::uint8_t> hops = {};
};

}  // namespace wharf
