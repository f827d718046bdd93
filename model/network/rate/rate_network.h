#pragma once
// The module around one direction of a rate-model network: message links in from the sources and out to the destinations. A message offered
// in network cycle k reaches its destination at k + latency, unloaded, whatever its size (morpheus section 2.4).
//
// Links are made on demand, because most endpoints use only some of the traffic classes.

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "model/network/network.h"
#include "model/network/rate/rate_logic.h"
#include "model/network/traffic_classes.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"
#include "model/tlm/request_queue.h"

namespace wharf {

class RateNetwork final : public sc_core::sc_module, public Clocked, public Network, private MessageSink, private MessageSource {
 public:
  struct Side {
    EndpointRange endpoints;
    network::PortRate rate;
  };
  /// `prefix` is that of the counters, e.g. "net.request".
  RateNetwork(sc_core::sc_module_name name, const network::RateParams& params, const Side& sources, const Side& destinations,
              const std::string& prefix, ClockDomain& clock, stats::Registry& registry, const TrafficClasses& classes = {});

  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override;
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override;

  void act(Cycle now) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  // These are modules, because a socket must be constructed inside one.
  struct Input : sc_core::sc_module {
    Input(sc_core::sc_module_name name, RateNetwork& owner, unsigned place, std::uint32_t messages)
        : sc_module(name), port("port", owner, place), queue(messages) {}
    MessageSinkPort port;
    RequestQueue queue;
    bool offered = false;  // the first message of the queue is offered to the ports
  };
  struct Output : sc_core::sc_module {
    Output(sc_core::sc_module_name name, RateNetwork& owner, unsigned place) : sc_module(name), port("port", owner, place) {}
    MessageSourcePort port;
    Cycle taken_at = kNever;  // the destination has taken the refused message, which leaves in this cycle
    bool pending = false;     // the destination has refused a message
  };

  bool message(unsigned place, Payload& payload, Picoseconds at) override;
  void posted(unsigned place, Picoseconds at) override;
  void accept(unsigned place, Cycle now);
  void left(unsigned place, Cycle now);
  void offer(unsigned place, Cycle now);
  bool hand_over(unsigned place, std::uint64_t handle);
  unsigned place_of(const MessageHeader& header) const { return place(header.destination, first_output_, header.traffic); }
  unsigned place(unsigned endpoint, unsigned first, Traffic traffic) const {
    return (endpoint - first) * classes_.count + classes_.of[static_cast<unsigned>(traffic)];
  }
  static std::uint64_t handle_of(Payload& payload) { return reinterpret_cast<std::uintptr_t>(&payload); }
  static Payload& payload_of(std::uint64_t handle) { return *reinterpret_cast<Payload*>(handle); }
  static void claim_injection(Payload& payload) { payload.stages().claim_to(injection_stage(payload.message().traffic), present()); }

  std::string prefix_;
  unsigned first_input_, first_output_;  // first endpoint of each side
  const TrafficClasses classes_;
  const std::uint32_t queue_;
  ClockDomain& clock_;
  network::RateLogic logic_;
  ClockDomain::BlockId block_;
  std::vector<std::unique_ptr<Input>> inputs_;  // [port][class]; null if the link was never requested
  std::vector<std::unique_ptr<Output>> outputs_;
  network::NodeMask try_;    // inputs with a new message
  network::NodeMask taken_;  // outputs whose refused message has been taken
};

}  // namespace wharf
