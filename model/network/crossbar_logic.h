#pragma once
// One direction (requests or replies) of a crossbar network: N inputs, M outputs, one flit a port and network cycle (CM-15).
//
//   network interface: one packet register per input and virtual channel
//     | link: one flit a cycle and input
//   input buffer: one FIFO of `buffer_flits` per input and virtual channel; only its first packet asks for an output
//     | switch: an arbitration policy matches inputs and outputs; both ports are held until the tail has passed (wormhole)
//   pipeline of `latency` cycles, then the ejection buffer: packets wait there until the destination takes them
//
// A flit that enters the input buffer in a cycle may cross the switch in the same cycle and is ejected `latency` cycles later, so that an
// unloaded packet of f flits takes latency + (f - 1) cycles from head injected to tail ejected, however small the buffers are.
//
// The packet that holds the switch goes first on its input's link. A slot of its buffer has come free in the cycle before, so an output
// that is held never runs dry, and every packet crosses the switch in f consecutive cycles. While such a packet goes through, a flit comes
// and a flit goes in every cycle: these cycles are not simulated, the input pauses until the last flit leaves the register.
//
// Nothing that holds a port ever waits: a head wins an output only while its ejection buffer has room, and then the whole packet has,
// because the destination's interface owns a register for the youngest packet, like the source's. So a packet longer than the buffer is
// received too, and there is no deadlock, with buffers of a single flit either.
//
// Where several classes of traffic must not hold each other up (CM-6), an output has a place for each: an ejection buffer of its own behind
// the one link. Packets name the place; which virtual channels a class uses is its owner's business.
//
// Time is a Cycle argument. In a cycle: inject() and pop() first, in any order, then tick(). Ticks are needed only at the cycles that
// next_event() names; more of them change nothing.
//
// Not modelled: credit return delay (a slot is known to be free in the cycle after it was left), speculative switch traversal, separate
// virtual-channel allocation (the channel is a function of the line, CM-16), priorities.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/crossbar_counters.h"
#include "model/network/crossbar_params.h"
#include "model/network/flits.h"
#include "policies/arbitration/port_allocator.h"

namespace wharf::network {

using arbitration::PortMask;

/// A packet at the network interface of its source.
struct CrossbarPacket {
  std::uint64_t handle = 0;  // what the owner calls the message: a number or a pointer
  std::uint16_t output = 0;  // its place: output port * classes + class
  std::uint8_t vc = 0;
  std::uint8_t flits = 1;  // 1..kMaxPacketFlits
  Cycle enqueued = 0;      // network cycle at which it was queued at the interface, not after inject()
};

/// A packet that has arrived.
struct EjectedPacket {
  std::uint64_t handle = 0;
  std::uint8_t flits = 1;
};

class CrossbarLogic {
 public:
  /// `prefix`, `instance`: where its counters stand. Throws InputError for sizes outside 1..arbitration::kMaxPorts, of inputs and of
  /// outputs times `classes`.
  CrossbarLogic(const CrossbarParams& params, unsigned inputs, unsigned outputs, stats::Registry& registry, const std::string& prefix,
                int instance = stats::Group::kOnly, unsigned classes = 1);

  unsigned inputs() const { return ports_in_; }
  /// Places: output ports times classes.
  unsigned outputs() const { return places_; }

  /// The register of this input and virtual channel is free. It becomes free when the last packet's tail has left it, not when that
  /// packet has left the input buffer.
  bool can_inject(unsigned input, unsigned vc) const { return channel(input, vc).to_send == 0; }
  /// Puts a packet into its register. Throws SimulationError if the register is taken, the packet does not fit this crossbar, or
  /// tick(now) has been before (results would depend on who comes first).
  void inject(unsigned input, const CrossbarPacket& packet, Cycle now);
  /// Inputs of which a register came free in the last tick: the packets that wait for it can be injected in the next cycle.
  const PortMask& freed_inputs() const { return freed_inputs_; }

  /// One network cycle. Cycles must not decrease; a second tick in one cycle does nothing. Returns whether a flit moved.
  bool tick(Cycle now);

  /// Outputs at which a whole packet waits in cycle `now`.
  const PortMask& ejected(Cycle now) {
    if (collected_ < now) collect_arrivals(now);
    return ready_outputs_;
  }
  /// The packet that waits longest at an output of ejected().
  const EjectedPacket& peek(unsigned output) const { return ejected_[output * ejection_slots_ + outputs_[output].first]; }
  /// The destination takes it. Before tick(now) its room can be used in cycle `now`, after it in the next one.
  EjectedPacket pop(unsigned output, Cycle now);

  /// The earliest cycle, not before `now`, at which tick() or ejected() has something to do; kNever when nothing moves (packets that
  /// wait for their destination do not). Ask after the last call of a cycle.
  Cycle next_event(Cycle now) const;
  /// Packets injected and not yet taken.
  std::uint64_t in_flight() const { return counters_.packets.value() - counters_.ejected_packets.value(); }

 private:
  // A packet in an input buffer or, as the last of its channel, still in the register.
  struct Buffered {
    Cycle enqueued, injected;
    std::uint64_t handle;
    std::uint16_t output;
    std::uint8_t flits;
  };

  // One virtual channel of one input: register and FIFO. It fills a cache line of the host.
  struct alignas(64) Channel {
    std::uint16_t first = 0, count = 0;  // ring of Buffered; a packet leaves it when its head wins the switch
    std::uint16_t output = 0;            // what the first packet's head asks for, see Input::asking
    std::uint8_t to_send = 0;            // flits still in the register; 0 = it is free
    std::uint8_t register_flits = 0;     // length of the packet last in the register
    std::uint32_t occupied = 0;          // flits in the buffer
    Cycle accepted = 0;                  // when the register took its packet
    Cycle full_since = 0;                // first cycle in which the register waits for a slot
    Cycle full_cycles = 0;               // cycles that its packet waited for slots
    Cycle asking_since = 0;
    Cycle closed_before = 0;  // closed cycles of `output` up to asking_since
    Buffered* ring = nullptr;  // its places in buffered_
  };

  struct Input {
    std::uint32_t sendable = 0;     // channels whose register has a flit and whose buffer has a slot
    std::uint32_t asking = 0;       // channels whose first packet's head is in the buffer and waits for an output
    std::uint8_t next_on_link = 0;  // channel from which on the link looks: the one in mid-packet, else the one after the last
    std::uint8_t next_on_switch = 0;
    std::uint8_t streaming_vc = 0;    // channel whose packet holds the switch
    std::uint8_t streaming_left = 0;  // its flits that have not crossed; 0 = the port is free
    std::uint16_t streaming_output = 0;
    // Flits of next_on_link's packet that are sure to go in the coming cycles, never its last: they count as sent already, so that the
    // link has nothing to ask until they are.
    std::uint8_t run = 0;
  };

  struct Output {
    std::uint32_t first = 0, count = 0;  // ring of packets granted and not taken
    std::uint32_t arrived = 0;           // how many of them have come out of the pipeline
    std::uint32_t youngest = 0;          // flits of the youngest of them, which has the destination's register
    std::uint32_t older = 0;             // flits of the others, which have the ejection buffer and the pipeline's stages
    bool closed = false;                 // the ejection buffer is full: no further head
    Cycle closed_from = 0;
    Cycle closed_cycles = 0;  // of past closings
  };

  Channel& channel(unsigned input, unsigned vc) { return channels_[input * vcs_ + vc]; }
  const Channel& channel(unsigned input, unsigned vc) const { return channels_[input * vcs_ + vc]; }
  Buffered& buffered(const Channel& ch, std::uint32_t nth) const {
    const std::uint32_t slot = ch.first + nth;
    return ch.ring[slot < buffer_slots_ ? slot : slot - buffer_slots_];
  }

  bool may_inject(unsigned input, const CrossbarPacket& packet, Cycle now) const {
    return input < inputs() && packet.output < outputs() && packet.vc < vcs_ && packet.flits - 1u < kMaxPacketFlits && now >= next_tick_ &&
           packet.enqueued <= now && can_inject(input, packet.vc);
  }
  [[noreturn]] void refuse_injection(unsigned input, const CrossbarPacket& packet, Cycle now) const;
  [[noreturn]] void misuse(unsigned input, const CrossbarPacket& packet, const std::string& what) const;

  unsigned link_choice(const Input& in, unsigned input) const;
  void send_on_link(unsigned input, Cycle now);
  void end_run(unsigned input, Cycle now);
  void cut_run(unsigned input);
  void register_sent(unsigned input, unsigned vc, Cycle now);
  /// Calls `visit(output)` for what each asking channel asks for.
  template <class Visit>
  void for_each_asking(const Input& in, unsigned input, Visit&& visit) const {
    for (std::uint32_t rest = in.asking; rest != 0; rest &= rest - 1)
      visit(channel(input, static_cast<unsigned>(__builtin_ctz(rest))).output);
  }
  unsigned switch_choice(const Input& in, unsigned input, unsigned output) const;
  [[noreturn]] void wrong_match(unsigned input, unsigned output) const;
  void start_packet(unsigned input, unsigned port, Cycle now);
  void pause(unsigned input, Channel& through, Cycle now);
  void resume(Cycle now);
  void stream_flit(unsigned input, Cycle now);
  void leave_buffer(unsigned input, unsigned vc, Cycle now);
  void ask_for_next(unsigned input, unsigned vc, Cycle from);
  void ask(unsigned input, unsigned vc, Cycle from);
  void request(unsigned input, unsigned output);
  void withdraw(unsigned input, unsigned output);
  void to_pipeline(unsigned output, const Buffered& packet, Cycle now);
  void collect_arrivals(Cycle now);
  PortMask sending() const { return link_inputs_.without(paused_inputs_); }
  PortMask streaming() const { return streaming_inputs_.without(paused_inputs_); }
  /// Output ports to which something could go.
  PortMask open_outputs() const {
    const PortMask places = asked_outputs_ & roomy_outputs_;
    return classes_ == 1 ? places & idle_outputs_ : open_ports(places);
  }
  PortMask open_ports(const PortMask& places) const;
  const PortMask* requests_by_port(const PortMask& open);
  static Cycle closed_until(const Output& out, Cycle cycle) {
    return out.closed_cycles + (out.closed && cycle > out.closed_from ? cycle - out.closed_from : 0);
  }

  unsigned ports_in_, places_;
  unsigned vcs_, buffer_flits_, latency_, flit_bytes_, classes_;
  std::uint32_t ejection_capacity_;              // flits of an ejection buffer and of the pipeline's own stages
  std::uint32_t buffer_slots_, ejection_slots_;  // lengths of the rings
  std::vector<Channel> channels_;                // [input][vc]
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;         // [place], as everything below but idle_outputs_
  std::vector<Buffered> buffered_;      // [input][vc][buffer_slots_]
  std::vector<EjectedPacket> ejected_;  // [output][ejection_slots_]

  std::vector<PortMask> requests_;         // [output] inputs that are free and have a channel that asks for it
  PortMask asked_outputs_;                 // whose entry of requests_ is not empty
  PortMask idle_outputs_, roomy_outputs_;  // port not held by a packet; ejection buffer not full
  std::vector<PortMask> merged_;           // [port] scratch: requests_ of its places with room, where there are classes
  PortMask streaming_inputs_;              // whose switch side is held by a packet
  PortMask link_inputs_;                   // with a sendable channel
  PortMask paused_inputs_;                 // neither their link nor their switch side need be looked at
  PortMask resuming_[kMaxPacketFlits];     // wheel: [cycle % size] those whose pause ends
  PortMask freed_inputs_;
  std::unique_ptr<arbitration::PortAllocator> allocator_;
  arbitration::Matching matching_;

  std::vector<PortMask> arrivals_;  // wheel: [cycle % size] outputs at which a tail arrives
  std::uint64_t arrivals_pending_ = 0;
  Cycle collected_ = 0;  // arrivals up to this cycle are in ready_outputs_
  PortMask ready_outputs_;
  Cycle next_tick_ = 0;  // first cycle that has not been ticked

  CrossbarCounters counters_;
};

}  // namespace wharf::network
