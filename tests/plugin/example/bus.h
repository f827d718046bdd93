#pragma once
// A network of links from every source to every destination. Each source and each destination has a port that passes one flit per cycle: a
// message that never waits arrives `latency` + flits - 1 cycles after it was offered.
//
// Its energy and area are those of a crossbar with as many ports. Not modelled: finite buffers between the ports.

#include <deque>
#include <memory>
#include <systemc>
#include <vector>

#include "model/network/added_network.h"
#include "model/tlm/message_link.h"
#include "model/tlm/request_queue.h"

namespace example {

class Bus final : public sc_core::sc_module,
                  public wharf::Clocked,
                  public wharf::Network,
                  private wharf::MessageSink,
                  private wharf::MessageSource {
 public:
  Bus(sc_core::sc_module_name name, const wharf::NetworkOptions& options);

  tlm::tlm_target_socket<>& input(unsigned endpoint, wharf::Traffic traffic) override;
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, wharf::Traffic traffic) override;

  void act(wharf::Cycle now) override;
  void inspect(std::vector<wharf::Wait>& waits) const override;

 private:
  // Made on demand, each as a module, because a socket must be made inside a module.
  struct Input : sc_core::sc_module {
    Input(sc_core::sc_module_name name, Bus& bus, unsigned place) : sc_module(name), port("port", bus, place), queue(kQueue) {}
    wharf::MessageSinkPort port;
    wharf::RequestQueue queue;
    wharf::Cycle free_at = 0;
  };
  struct OnItsWay {
    wharf::Payload* payload;
    wharf::Cycle arrival;
  };
  struct Output : sc_core::sc_module {
    Output(sc_core::sc_module_name name, Bus& bus, unsigned place) : sc_module(name), port("port", bus, place) {}
    wharf::MessageSourcePort port;
    std::deque<OnItsWay> messages;          // in order of arrival
    wharf::Cycle free_at = 0;               // when its port can take the head of the next one
    bool refused = false;                   // the first message waits at its destination
    wharf::Cycle taken_at = wharf::kNever;  // the cycle in which the destination takes it
  };

  static constexpr std::uint32_t kQueue = 8;

  bool message(unsigned place, wharf::Payload& payload, wharf::Picoseconds at) override;
  void posted(unsigned place, wharf::Picoseconds at) override;
  void take(Output& output, wharf::Cycle now);
  void send(Input& input, wharf::Cycle now);
  void deliver(Output& output, wharf::Cycle now);
  void wake_at(wharf::Cycle cycle) { clock_.wake(block_, cycle); }
  unsigned place(unsigned endpoint, unsigned first, wharf::Traffic traffic) const {
    return (endpoint - first) * classes_.count + classes_.of[static_cast<unsigned>(traffic)];
  }

  std::string prefix_;
  wharf::EndpointRange sources_, destinations_;
  wharf::TrafficClasses classes_;
  wharf::Cycle latency_;
  wharf::ClockDomain& clock_;
  wharf::ClockDomain::BlockId block_;
  wharf::stats::Group group_;
  wharf::stats::Counter packets_, ejected_packets_, flits_;
  std::vector<std::unique_ptr<Input>> inputs_;  // [endpoint][class], null if nothing has asked for it
  std::vector<std::unique_ptr<Output>> outputs_;
};

wharf::AddedNetwork make_bus(const wharf::NetworkOptions& options);

}  // namespace example
