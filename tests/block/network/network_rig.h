#pragma once
// Scripted sources and destinations around a network with SMs on one side and slices on the other, with a protocol checker on every link.

#include "model/network/network.h"
#include "model/network/traffic_classes.h"
#include "tests/block/network/message_rig.h"

namespace wharf::block_rig {

/// Traffic of the extended LLC has a class of its own.
inline TrafficClasses two_classes() {
  TrafficClasses classes;
  classes.count = 2;
  classes.of[static_cast<unsigned>(Traffic::from_ellc)] = 1;
  return classes;
}

/// Two sources, two destinations, of one or two kinds of traffic.
struct NetworkRig {
  using Make = std::function<std::unique_ptr<Network>(ClockDomain&, stats::Registry&)>;

  NetworkRig(const Make& make, const TrafficClasses& classes, ClockOptions options)
      : clock("network", 1710, options), network(make(clock, registry)) {
    for (const Traffic traffic : {Traffic::to_l2, Traffic::from_ellc})
      for (unsigned i = 0; i < 2 && (traffic == Traffic::to_l2 || classes.count == 2); ++i) {
        const std::string n = std::to_string(sources.size());
        sources.push_back(std::make_unique<MessageOut>(("source" + n).c_str(), clock));
        sinks.push_back(std::make_unique<MessageIn>(("sink" + n).c_str(), clock));
        checkers.push_back(std::make_unique<ProtocolChecker>(("in" + n).c_str(), LinkKind::message));
        connect(sources.back()->port.socket, *checkers.back(), network->input(i, traffic));
        checkers.push_back(std::make_unique<ProtocolChecker>(("out" + n).c_str(), LinkKind::message));
        connect(network->output(i, traffic), *checkers.back(), sinks.back()->port.socket);
        sinks.back()->then = [](Payload& payload) { payload.release(); };
      }
  }
  /// Sources and sinks 2 and 3 are those of the second class.
  void post(unsigned source, Cycle cycle, std::uint64_t id, unsigned destination, unsigned flits = 1) {
    Access access;
    access.id = id;
    Payload& payload = pool.acquire(access);
    payload.message().source = static_cast<std::uint16_t>(source % 2);
    payload.message().destination = static_cast<std::uint16_t>(destination);
    payload.message().traffic = source < 2 ? Traffic::to_l2 : Traffic::from_ellc;
    payload.message().flits = static_cast<std::uint8_t>(flits);
    sources[source]->post(cycle, payload);
  }
  void run() {
    run_kernel();
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws() == std::vector<std::string>{});
  }

  ClockDomain clock;
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<Network> network;
  std::vector<std::unique_ptr<MessageOut>> sources;
  std::vector<std::unique_ptr<MessageIn>> sinks;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

}  // namespace wharf::block_rig
