#pragma once
// The module around one direction of a crossbar network: a message link in from each source, and one out to each destination. A message
// offered in network cycle k reaches its destination at k + latency + (flits - 1), unloaded (CM-15).

#include <array>
#include <systemc>
#include <vector>

#include "model/base/host/fixed_array.h"
#include "model/network/crossbar/crossbar_logic.h"
#include "model/network/crossbar/interface_queue.h"
#include "model/network/network.h"
#include "model/network/network_params.h"
#include "model/network/traffic_classes.h"
#include "model/network/virtual_channels.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"

namespace wharf {

class Crossbar final : public sc_core::sc_module, public Clocked, public Network, private MessageSink, private MessageSource {
 public:
  /// Connects the endpoints `inputs` to the endpoints `outputs`. `prefix` is that of the counters, e.g. "net.request"; `instance`
  /// distinguishes crossbars with the same prefix.
  Crossbar(sc_core::sc_module_name name, const NetworkParams& params, EndpointRange inputs, EndpointRange outputs,
           const std::string& prefix, ClockDomain& clock, stats::Registry& registry, const TrafficClasses& classes = {},
           int instance = stats::Group::kOnly);

  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override {
    return inputs_.at((endpoint - first_input_) * classes_.count + class_of(traffic)).port.socket;
  }
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override {
    return outputs_.at((endpoint - first_output_) * classes_.count + class_of(traffic)).port.socket;
  }

  void act(Cycle now) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  friend class MessageSinkPortOf<Crossbar>;
  friend class MessageSourcePortOf<Crossbar>;
  struct alignas(64) Input {
    Input(const std::string& name, Crossbar& owner, unsigned index, std::uint32_t packets) : queue(packets), port(name, owner, index) {}
    network::InterfaceQueue queue;  // offered packets that have not reached the register of their virtual channel
    MessageSinkPortOf<Crossbar> port;
  };
  struct alignas(64) Output {
    Output(const std::string& name, Crossbar& owner, unsigned index) : port(name, owner, index) {}
    MessageSourcePortOf<Crossbar> port;
    Cycle taken_at = kNever;    // the destination has taken the refused packet, which leaves in this cycle
    Cycle refused_at = kNever;  // the cycle in which it refused a packet last
  };

  bool message(unsigned index, Payload& payload, Picoseconds at) override;
  void posted(unsigned index, Picoseconds at) override;
  void look_at_front(unsigned index);
  void admit_pending(unsigned index, Cycle now);
  void inject(unsigned index, Cycle now);
  bool eject(Cycle now);
  void try_freed();
  unsigned class_of(Traffic traffic) const { return classes_.of[static_cast<unsigned>(traffic)]; }
  unsigned port_of(unsigned input) const { return classes_.count == 1 ? input : input / classes_.count; }
  network::CrossbarPacket packet_of(Payload& payload, Cycle enqueued) const;
  // The lowest bit of a payload's address is free. It marks payloads whose stages are counted, so that the others' stages are not read.
  static_assert(alignof(Payload) > 1);
  static std::uint64_t handle_of(Payload& payload, bool timed) { return reinterpret_cast<std::uintptr_t>(&payload) | (timed ? 1 : 0); }
  static Payload& payload_of(std::uint64_t handle) { return *reinterpret_cast<Payload*>(handle & ~std::uint64_t{1}); }
  static bool timed(std::uint64_t handle) { return (handle & 1) != 0; }
  void wake(Cycle cycle) {
    if (cycle == last_wake_) return;
    last_wake_ = cycle;
    clock_.wake(block_, cycle);
  }

  std::string prefix_;
  unsigned first_input_, first_output_;  // first endpoint of each side
  TrafficClasses classes_;
  std::array<network::VcClass, kTraffics> channels_{};  // [traffic]
  ClockDomain& clock_;
  network::CrossbarLogic logic_;
  ClockDomain::BlockId block_;
  Cycle last_wake_ = 0;             // the last cycle requested; many calls request the same cycle
  FixedArray<Input> inputs_;        // [input port][class]
  FixedArray<Output> outputs_;      // [output port][class]
  arbitration::PlaceMask admit_;    // inputs whose pending packet gets a queue entry in the next cycle
  arbitration::PlaceMask try_;      // inputs whose first packet may enter its register in the next cycle
  arbitration::PlaceMask blocked_;  // inputs whose first packet waits for its register
  arbitration::PlaceMask pending_;  // outputs whose destination has refused a packet and not yet taken it
  arbitration::PlaceMask taken_;    // those of pending_ whose destination has since taken the packet
};

}  // namespace wharf
