#pragma once
// The module around one direction of a network of routers: a message link in from each sending endpoint and class of traffic, and one out
// to each receiving one. A message offered in network cycle k reaches its destination at k + 1 + hop_cycles * hops + (flits - 1), unloaded
// (CM-15).

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "model/base/access.h"
#include "model/network/network.h"
#include "model/network/routed/routed_logic.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"
#include "model/tlm/request_queue.h"

namespace wharf {

class RoutedNetwork : public sc_core::sc_module, public Clocked, public Network, private MessageSink, private MessageSource {
 public:
  /// A socket: one endpoint and one class of traffic.
  struct Port {
    unsigned endpoint = 0, traffic_class = 0;
  };
  struct Plan {
    routing::Topology topology;
    network::RouterParams router;
    std::uint32_t interface_packets = 2;
    unsigned classes = 1;
    std::array<std::uint8_t, kTraffics> class_of{};  // [traffic]
    std::vector<std::uint16_t> nodes;                // [endpoint]
    std::vector<Port> inputs, outputs;
  };

  /// `prefix` is that of the counters, e.g. "net.request".
  RoutedNetwork(sc_core::sc_module_name name, const Plan& plan, const std::string& prefix, ClockDomain& clock, stats::Registry& registry);

  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override;
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override;
  unsigned hops(unsigned from, unsigned to) const { return logic_.hops(nodes_.at(from), nodes_.at(to)); }

  void act(Cycle now) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;
  static constexpr std::uint8_t kNoChannel = 0xFF;
  struct Input {
    Input(const std::string& name, RoutedNetwork& owner, unsigned index, std::uint32_t packets, unsigned node)
        : port(name, owner, index), queue(packets), node(node) {}
    MessageSinkPort port;
    RequestQueue queue;  // offered packets that have not reached the register of their virtual channel
    unsigned node;
    std::uint8_t blocked_vc = kNoChannel;  // the channel whose register the first packet waits for
  };
  struct Output {
    Output(const std::string& name, RoutedNetwork& owner, unsigned index, unsigned place) : port(name, owner, index), place(place) {}
    MessageSourcePort port;
    unsigned place;
    bool pending = false;       // the destination has refused a packet
    Cycle taken_at = kNever;    // it has since taken the packet, which leaves in this cycle
    Cycle refused_at = kNever;  // the cycle in which it refused a packet last
  };

  bool message(unsigned index, Payload& payload, Picoseconds at) override;
  void posted(unsigned index, Picoseconds at) override;
  void inject(unsigned index, Cycle now);
  void release_taken(Cycle now);
  bool eject(Cycle now);
  std::uint32_t handle_of(Payload& payload);
  unsigned place_of(unsigned endpoint, Traffic traffic) const {
    return logic_.place(nodes_.at(endpoint), class_of_[static_cast<unsigned>(traffic)]);
  }
  [[noreturn]] void misuse(const char* what, unsigned endpoint) const;

  std::string prefix_;
  std::array<std::uint8_t, kTraffics> class_of_;
  std::vector<std::uint16_t> nodes_;
  ClockDomain& clock_;
  network::RoutedLogic logic_;
  ClockDomain::BlockId block_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::vector<std::uint16_t> input_at_, output_at_;     // [place]: index of the input or output there, or kNone
  std::array<network::VcClass, kTraffics> channels_{};  // [traffic]
  network::NodeMask offered_;                           // inputs with queued packets
  network::NodeMask try_;                               // those of offered_ for which something has changed since the last try
  network::NodeMask taken_;                             // outputs whose refused packet has been taken
  std::vector<Payload*> payloads_;                      // by handle
  std::vector<std::uint32_t> free_handles_;
};

}  // namespace wharf
