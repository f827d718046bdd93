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
// that is held never runs dry, and every packet crosses the switch in f consecutive cycles. So nothing has to be looked at in them: the
// flits of the packet count as gone from the buffer as soon as its head has won, and the port comes free when the tail has passed. Likewise
// the flits that are sure to go over a link, one a cycle, count as sent with the first of them, and the link is looked at behind them; what
// is left of the packet that wins the switch counts as sent at once, and its register comes free when the last of it has gone.
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

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/host/headed_rows.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/crossbar/asked_places.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/crossbar/crossbar_packet.h"
#include "model/network/crossbar/crossbar_params.h"
#include "model/network/flits.h"
#include "policies/arbitration/port_allocator.h"

namespace wharf::network {

using arbitration::PlaceMask;
using arbitration::PortMask;

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
  bool can_inject(unsigned input, unsigned vc) const { return (inputs_[input].taken >> vc & 1) == 0; }
  /// Somebody waits for this register (`waits`; false changes nothing): when it comes free, its input is among freed_inputs().
  void await(unsigned input, unsigned vc, bool waits) { add(inputs_[input].awaited, vc, waits); }
  /// Puts a packet into its register. Throws SimulationError if the register is taken, the packet does not fit this crossbar, or
  /// tick(now) has been before (results would depend on who comes first).
  void inject(unsigned input, const CrossbarPacket& packet, Cycle now);
  /// Inputs of which a register that is waited for came free in the last tick: it can be injected into in the next cycle. Nobody counts as
  /// waiting for it any longer.
  const PortMask& freed_inputs() const { return freed_inputs_; }

  /// One network cycle. Cycles must not decrease; a second tick in one cycle does nothing.
  void tick(Cycle now);

  /// Outputs at which a whole packet waits in cycle `now`.
  const PlaceMask& ejected(Cycle now) {
    if (collected_ < now) collect_arrivals(now);
    return ready_outputs_;
  }
  /// The packet that waits longest at an output of ejected().
  EjectedPacket peek(unsigned output) const {
    const Output& out = outputs_[output];
    const Granted& first = Outputs::elements_of(out)[out.first];
    return {first.handle, static_cast<std::uint8_t>(first.flits)};
  }
  /// The destination takes it. Before tick(now) its room can be used in cycle `now`, after it in the next one.
  EjectedPacket pop(unsigned output, Cycle now);

  /// The earliest cycle, not before `now`, at which tick() or ejected() has something to do; kNever when nothing moves (packets that
  /// wait for their destination do not). Ask after the last call of a cycle.
  Cycle next_event(Cycle now) const;
  /// Packets injected and not yet taken.
  std::uint64_t in_flight() const { return counters_.packets.value() - counters_.ejected_packets.value(); }

 private:
  // Cycles are kept as their low 32 bits: only their differences count, and no packet waits for 2^31 cycles.
  using CycleBits = std::uint32_t;
  static CycleBits bits(Cycle cycle) { return static_cast<CycleBits>(cycle); }

  // No counts of 8 bits below: a store to one may change anything in the eyes of the compiler.

  // A packet in an input buffer or, as the last of its channel, still in the register.
  struct alignas(32) Buffered {
    std::uint64_t handle;
    CycleBits enqueued, injected;
    std::uint16_t output, flits;
  };

  // One virtual channel of one input: register and FIFO, behind it its ring of Buffered.
  struct alignas(32) Channel {
    std::uint16_t first, count;    // a packet leaves the ring when its head wins the switch
    std::uint16_t newest;          // place in the ring of the packet last in the register
    std::int16_t occupied;         // flits in the buffer, without the packet that holds the switch; negative while that is still to come
    std::uint16_t to_send;         // flits still in the register; 0 = it is free
    std::uint16_t register_flits;  // length of the packet last in the register
    CycleBits accepted;            // when the register took its packet
    CycleBits full_since;          // first cycle in which the register waits for a slot
    CycleBits full_cycles;         // cycles that its packet waited for slots
    CycleBits asking_since;
    CycleBits closed_before;       // closed cycles of its output up to asking_since
  };
  using Channels = HeadedRows<Channel, Buffered>;

  static constexpr std::uint16_t kNoChannel = 0xFFFF;
  struct alignas(64) Input {
    // Sets of virtual channels.
    std::uint16_t taken = 0;     // their register has a packet
    std::uint16_t awaited = 0;   // and somebody waits for it
    std::uint16_t sendable = 0;  // whose register has a flit and whose buffer has a slot
    std::uint16_t asking = 0;    // whose first packet's head is in the buffer and waits for an output

    std::uint16_t next_on_link = 0;  // channel from which on the link looks: the one in mid-packet, else the one after the last
    std::uint16_t next_on_switch = 0;
    std::uint16_t held_vc = kNoChannel;  // channel whose packet holds the switch
    std::uint16_t held_output = 0;
    // Flits that count as sent and have not gone: of next_on_link's packet, never its last, and then the link is looked at in cycle
    // `link_due`; or of the packet that holds the switch, with its last.
    std::uint16_t run = 0;
    CycleBits link_due = 0;
    stats::Counter* busy = nullptr;  // cycles of its link
    AskedPlaces asked;               // see `asking`
  };

  // A packet that has been granted an output.
  struct Granted {
    std::uint64_t handle;
    CycleBits arrival;  // of its tail
    std::uint16_t flits;
  };

  struct Output {
    std::uint16_t first, count;  // ring of packets granted and not taken
    std::uint16_t youngest;      // flits of the youngest of them, which has the destination's register
    bool closed;                 // the ejection buffer is full: no further head
    std::uint32_t flits;         // of all of them: those of the older ones have the ejection buffer and the pipeline's stages
    CycleBits closed_from;
    CycleBits closed_cycles;     // of past closings
    stats::Counter* busy;        // cycles of its port's link
  };
  using Outputs = HeadedRows<Output, Granted>;

  // What comes due in a cycle, by inputs.
  struct Due {
    PortMask links;    // runs end
    PortMask tails;    // the rest of packets that hold the switch has left the register
    PortMask streams;  // tails of packets that hold the switch
  };

  Channel& channel(unsigned input, unsigned vc) { return channels_[input * vcs_ + vc]; }
  const Channel& channel(unsigned input, unsigned vc) const { return channels_[input * vcs_ + vc]; }
  static Buffered& first_of(Channel& ch) { return Channels::elements_of(ch)[ch.first]; }

  bool may_inject(unsigned input, const CrossbarPacket& packet, Cycle now) const {
    return input < inputs() && packet.output < outputs() && packet.vc < vcs_ && packet.flits - 1u < kMaxPacketFlits && now >= next_tick_ &&
           packet.enqueued <= now && can_inject(input, packet.vc);
  }
  [[noreturn]] void refuse_injection(unsigned input, const CrossbarPacket& packet, Cycle now) const;
  [[noreturn]] void misuse(unsigned input, const CrossbarPacket& packet, const std::string& what) const;

  // Nearly all that happens to a packet depends on what nobody can guess. So where little would be left out, it is done with a condition as
  // an operand, and not behind a branch.
  static void add(std::uint16_t& set, unsigned vc, bool condition) { set = static_cast<std::uint16_t>(set | unsigned{condition} << vc); }
  static void remove(std::uint16_t& set, unsigned vc, bool condition) { set = static_cast<std::uint16_t>(set & ~(unsigned{condition} << vc)); }
  static unsigned next_from(unsigned set, unsigned from) {
    const unsigned from_next = set >> from << from;
    return static_cast<unsigned>(__builtin_ctz(from_next != 0 ? from_next : set));
  }

  bool has_slot(const Channel& ch) const { return ch.occupied < static_cast<int>(buffer_flits_); }
  void sendable(Input& in, unsigned input, unsigned vc, bool condition);
  void look_at_link(unsigned input, Cycle now);
  void register_sent(Input& in, unsigned input, unsigned vc, const Channel& ch, Cycle now);
  void send_run(Input& in, unsigned input, Channel& ch, Cycle now);
  void cut_run(Input& in, unsigned input, Cycle now);
  void send_rest(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle now);
  void rest_sent(unsigned input, Cycle now);
  static bool has_head(const Channel& ch) { return (ch.count > 1) | ((ch.count == 1) & (ch.to_send < ch.register_flits)); }
  void ask(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle from);
  void request(unsigned input, unsigned output, bool condition);
  void withdraw(unsigned input, unsigned output, bool condition);
  unsigned channels_for(const Input& in, unsigned input, unsigned port) const;
  [[noreturn]] void wrong_match(unsigned input, unsigned output) const;
  void start_packet(unsigned input, unsigned port, Cycle now);
  void hold_switch(Input& in, unsigned input, unsigned port, unsigned vc, unsigned flits, Cycle now);
  void leave_buffer(Input& in, unsigned input, unsigned vc, Channel& ch, unsigned flits, Cycle now);
  void end_stream(unsigned input, Cycle now);
  void to_pipeline(unsigned output, Output& out, const Buffered& packet, Cycle now);
  [[noreturn]] void nothing_arrived(unsigned output, Cycle now) const;
  void collect_arrivals(Cycle now);
  Due& due_in(Cycle cycle, bool condition) {
    due_cycles_ |= std::uint64_t{condition} << (cycle % kMaxPacketFlits);
    return due_[cycle % kMaxPacketFlits];
  }
  /// Output ports to which something could go.
  PortMask open_outputs() const {
    const PlaceMask places = asked_outputs_ & roomy_outputs_;
    return classes_ == 1 ? places.as<PortMask>() & idle_outputs_ : open_ports(places);
  }
  PortMask open_ports(const PlaceMask& places) const;
  const PortMask* requests_by_port(const PortMask& open);
  static CycleBits closed_until(const Output& out, Cycle cycle) {
    const auto open = static_cast<std::int32_t>(bits(cycle) - out.closed_from);
    return out.closed_cycles + (static_cast<CycleBits>(std::max(open, 0)) & -CycleBits{out.closed});
  }

  unsigned ports_in_, places_;
  unsigned vcs_, buffer_flits_, latency_, flit_bytes_, classes_;
  std::uint32_t ejection_capacity_;              // flits of an ejection buffer and of the pipeline's own stages
  std::uint32_t buffer_slots_, ejection_slots_;  // lengths of the rings
  Cycle next_tick_ = 0;                          // first cycle that has not been ticked

  PortMask all_inputs_;
  PortMask link_inputs_;                   // whose link is to be looked at: with a sendable channel and no run
  PortMask freed_inputs_;
  PortMask idle_outputs_;                   // not held by a packet
  PlaceMask asked_outputs_;                // whose entry of requests_ is not empty
  PlaceMask roomy_outputs_;                // whose ejection buffer is not full
  Due due_[kMaxPacketFlits];               // wheel: [cycle % size]
  std::uint64_t due_cycles_ = 0;           // bit [cycle % size]: there may be something in it

  Cycle collected_ = 0;  // arrivals up to this cycle are in ready_outputs_
  Cycle last_arrival_ = 0;
  PlaceMask ready_outputs_;
  std::vector<PlaceMask> arrivals_;  // wheel: [cycle % size] outputs at which a tail arrives

  Channels channels_;                // [input][vc]
  std::vector<Input> inputs_;
  Outputs outputs_;                  // [place], as requests_
  std::vector<PortMask> requests_;   // [output] inputs that are free and have a channel that asks for it
  std::vector<PortMask> merged_;     // [port] scratch: requests_ of its places with room, where there are classes
  std::unique_ptr<arbitration::PortAllocator> allocator_;
  arbitration::Matching matching_;

  CrossbarCounters counters_;
};

}  // namespace wharf::network
