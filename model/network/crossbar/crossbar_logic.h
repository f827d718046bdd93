#pragma once
// One direction (requests or replies) of a crossbar network: N inputs, M outputs, one flit per port and network cycle (CM-15).
//
//   network interface: one packet register per input and virtual channel
//     | link: one flit per cycle and input
//   input buffer: one FIFO of `buffer_flits` per input and virtual channel; only its first packet requests an output
//     | switch: an arbitration policy matches inputs and outputs; both ports are held until the tail has passed (wormhole)
//   pipeline of `latency` cycles, then the ejection buffer: packets wait there until the destination takes them
//
// A flit that enters the input buffer in a cycle may cross the switch in the same cycle and is ejected `latency` cycles later, so that an
// unloaded packet of f flits takes latency + (f - 1) cycles from head injected to tail ejected, however small the buffers are.
//
// The packet that holds the switch goes first on its input's link. A slot of its buffer came free in the previous cycle, so a held output
// never runs dry, and every packet crosses the switch in f consecutive cycles. The model therefore does nothing in these cycles. It removes
// all flits of the packet from the buffer when its head wins, and frees the port when the tail has passed. The link works likewise. Flits
// that are certain to cross it, one per cycle, count as sent with the first of them, and the link is examined again after the last. The
// rest of a packet that wins the switch counts as sent at once; its register becomes free when the last flit has gone.
//
// A packet that holds a port never waits. A head wins an output only while its ejection buffer has room; then the whole packet fits,
// because the destination's interface owns a register for the youngest packet, like the source's. Packets longer than the buffer are thus
// received too, and there is no deadlock, even with buffers of a single flit.
//
// If several classes of traffic must not block each other (CM-6), an output has one place per class: its own ejection buffer behind the
// shared link. A packet names its place; the owner decides which virtual channels a class uses.
//
// Time is a Cycle argument. In each cycle, call inject() and pop() in any order, then tick(). Ticks are needed only in the cycles that
// next_event() names; additional ticks change nothing.
//
// Not modelled: credit return delay (a freed slot is known in the next cycle), speculative switch traversal, separate virtual-channel
// allocation (the channel is a function of the line, CM-16), priorities.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/host/headed_rows.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/crossbar/crossbar_counters.h"
#include "model/network/crossbar/crossbar_packet.h"
#include "model/network/crossbar/crossbar_params.h"
#include "model/network/crossbar/requested_places.h"
#include "model/network/flits.h"
#include "policies/arbitration/port_allocator.h"

namespace wharf {
class Archive;
}

namespace wharf::network {

using arbitration::PlaceMask;
using arbitration::PortMask;

/// A packet that has arrived at an output.
struct EjectedPacket {
  std::uint64_t handle = 0;
  std::uint8_t flits = 1;
};

class CrossbarLogic {
 public:
  /// `prefix` and `instance` name its counters. Throws InputError unless inputs and outputs, times `classes`, lie in
  /// 1..arbitration::kMaxPorts.
  CrossbarLogic(const CrossbarParams& params, unsigned inputs, unsigned outputs, stats::Registry& registry, const std::string& prefix,
                int instance = stats::Group::kOnly, unsigned classes = 1);

  unsigned inputs() const { return ports_in_; }
  /// Number of places: output ports times classes.
  unsigned outputs() const { return places_; }

  /// True if the register of this input and virtual channel is free. It becomes free when the tail of its packet has left it, even while
  /// the packet is still in the input buffer.
  bool can_inject(unsigned input, unsigned vc) const { return (inputs_[input].taken >> vc & 1) == 0; }
  /// If `waits`, includes the input in freed_inputs() when this register becomes free.
  void await(unsigned input, unsigned vc, bool waits) { add(inputs_[input].awaited, vc, waits); }
  /// Puts a packet into its register. Throws SimulationError if the register is taken, the packet does not fit this crossbar, or tick(now)
  /// has already run, because results would then depend on the order of calls.
  void inject(unsigned input, const CrossbarPacket& packet, Cycle now);
  /// Inputs with an awaited register that became free in the last tick and accepts a packet in the next cycle. Each wait is reported once.
  const PortMask& freed_inputs() const { return freed_inputs_; }

  /// Performs one network cycle. Cycles must not decrease; a second tick in one cycle does nothing.
  void tick(Cycle now);

  /// Outputs with a complete packet in cycle `now`.
  const PlaceMask& ejected(Cycle now) {
    if (collected_ < now) collect_arrivals(now);
    return ready_outputs_;
  }
  /// The oldest packet at an output of ejected().
  EjectedPacket peek(unsigned output) const {
    const Output& out = outputs_[output];
    const Granted& first = Outputs::elements_of(out)[out.first];
    return {first.handle, static_cast<std::uint8_t>(first.flits)};
  }
  /// The destination takes the oldest packet. Its room can be used in cycle `now` if tick(now) has not run, else in the next cycle.
  EjectedPacket pop(unsigned output, Cycle now);

  /// The earliest cycle, not before `now`, in which tick() or ejected() has work; kNever when nothing moves (packets that wait for their
  /// destination do not). Call it after the last other call of a cycle.
  Cycle next_event(Cycle now) const;
  /// Called while nothing is in flight. False if the arbitration policy cannot be saved.
  bool archive(Archive& file);
  /// Packets injected and not yet taken by their destination.
  std::uint64_t in_flight() const { return counters_.packets.value() - counters_.ejected_packets.value(); }

 private:
  // Cycles are stored as their low 32 bits: only differences count, and no packet waits for 2^31 cycles.
  using CycleBits = std::uint32_t;
  static CycleBits bits(Cycle cycle) { return static_cast<CycleBits>(cycle); }

  // No member below is an 8-bit count, because the compiler must assume that a store through such a type may alias anything.

  // A packet in an input buffer or, if it is its channel's last, partly in the register.
  struct alignas(32) Buffered {
    std::uint64_t handle;
    CycleBits enqueued, injected;
    std::uint16_t output, flits;
  };

  // One virtual channel of one input: its register and FIFO, followed by its ring of Buffered.
  struct alignas(32) Channel {
    std::uint16_t first, count;  // a packet leaves the ring when its head wins the switch
    std::uint16_t newest;        // ring index of the packet that entered the register last
    std::int16_t occupied;  // flits in the buffer, less the packet holding the switch; negative while part of that packet has not arrived
    std::uint16_t to_send;  // flits still in the register; 0 = the register is free
    std::uint16_t register_flits;  // length of the packet that entered the register last
    CycleBits accepted;            // cycle in which the register took its packet
    CycleBits full_since;          // first cycle in which the register waits for a buffer slot
    CycleBits full_cycles;         // cycles for which its packet has waited for slots
    CycleBits asking_since;
    CycleBits closed_before;  // cycles for which its output was closed, up to asking_since
  };
  using Channels = HeadedRows<Channel, Buffered>;

  static constexpr std::uint16_t kNoChannel = 0xFFFF;
  struct alignas(64) Input {
    // Masks of virtual channels:
    std::uint16_t taken = 0;     // the register holds a packet
    std::uint16_t awaited = 0;   // the interface waits for this register
    std::uint16_t sendable = 0;  // the register has a flit, and the buffer a slot
    std::uint16_t asking = 0;    // the first packet's head is in the buffer and waits for an output

    std::uint16_t next_on_link = 0;  // where the link's search starts: at the channel in mid-packet, else after the last one served
    std::uint16_t next_on_switch = 0;
    std::uint16_t held_vc = kNoChannel;  // the channel whose packet holds the switch
    std::uint16_t held_output = 0;
    // Flits counted as sent that have not gone. They belong either to next_on_link's packet, never including its tail, and the link is
    // examined again in cycle `link_due`; or to the packet that holds the switch, including its tail.
    std::uint16_t run = 0;
    CycleBits link_due = 0;
    stats::Counter* busy = nullptr;  // busy cycles of its link
    RequestedPlaces requested;       // valid for the channels in `asking`
  };

  // A packet that has been granted an output.
  struct Granted {
    std::uint64_t handle;
    CycleBits arrival;  // arrival cycle of its tail
    std::uint16_t flits;
  };

  struct Output {
    std::uint16_t first, count;  // ring of the packets granted and not taken
    std::uint16_t youngest;      // flits of the youngest of them, which occupies the destination's register
    bool closed;                 // the ejection buffer is full: no head may enter
    std::uint32_t flits;         // flits of all of them; the older packets occupy the ejection buffer and the pipeline stages
    CycleBits closed_from;
    CycleBits closed_cycles;  // summed over past closings
    stats::Counter* busy;     // busy cycles of its port's link
  };
  using Outputs = HeadedRows<Output, Granted>;

  // Events due in a cycle, by input.
  struct Due {
    PortMask links;    // the run of flits on the link ends
    PortMask tails;    // the packet that holds the switch has left the register
    PortMask streams;  // the tail of the packet that holds the switch passes
  };

  // A place in a ring of `slots`, at most one round too far.
  static unsigned wrapped(unsigned place, unsigned slots) { return place < slots ? place : place - slots; }
  // The first place of a ring whose oldest element has left. A ring that has run empty begins anew, mostly in the same host lines.
  static std::uint16_t next_place(unsigned first, unsigned left, unsigned slots) {
    return static_cast<std::uint16_t>(left == 0 ? 0 : wrapped(first + 1, slots));
  }

  Channel& channel(unsigned input, unsigned vc) { return channels_[input * vcs_ + vc]; }
  const Channel& channel(unsigned input, unsigned vc) const { return channels_[input * vcs_ + vc]; }
  static Buffered& first_of(Channel& ch) { return Channels::elements_of(ch)[ch.first]; }

  bool may_inject(unsigned input, const CrossbarPacket& packet, Cycle now) const {
    return input < inputs() && packet.output < outputs() && packet.vc < vcs_ && packet.flits - 1u < kMaxPacketFlits && now >= next_tick_ &&
           packet.enqueued <= now && can_inject(input, packet.vc);
  }
  [[noreturn]] void refuse_injection(unsigned input, const CrossbarPacket& packet, Cycle now) const;
  [[noreturn]] void misuse(unsigned input, const CrossbarPacket& packet, const std::string& what) const;

  // The course of a packet is mostly unpredictable for the host. If skipping an operation would save little, it is executed with its
  // condition as an operand instead of behind a branch.
  static void add(std::uint16_t& set, unsigned vc, bool condition) { set = static_cast<std::uint16_t>(set | unsigned{condition} << vc); }
  static void remove(std::uint16_t& set, unsigned vc, bool condition) {
    set = static_cast<std::uint16_t>(set & ~(unsigned{condition} << vc));
  }

  bool has_slot(const Channel& ch) const { return ch.occupied < static_cast<int>(buffer_flits_); }
  void sendable(Input& in, unsigned input, unsigned vc, bool condition);
  void look_at_link(unsigned input, Cycle now);
  void register_sent(Input& in, unsigned input, unsigned vc, const Channel& ch, Cycle now);
  void send_run(Input& in, unsigned input, Channel& ch, Cycle now);
  void cut_run(Input& in, unsigned input, Cycle now);
  void send_rest(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle now);
  void finish_sending(unsigned input, Cycle now);
  static bool has_head(const Channel& ch) { return (ch.count > 1) | ((ch.count == 1) & (ch.to_send < ch.register_flits)); }
  void request_output(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle from);
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
  /// The output ports that can accept a packet.
  PortMask open_outputs() const {
    const PlaceMask places = requested_outputs_ & accepting_outputs_;
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
  std::uint32_t ejection_capacity_;              // flits that the ejection buffer and the pipeline stages hold
  std::uint32_t buffer_slots_, ejection_slots_;  // ring sizes
  Cycle next_tick_ = 0;                          // the first cycle without a tick

  PortMask all_inputs_;
  PortMask link_inputs_;  // inputs whose link must be examined: a channel is sendable and no run is under way
  PortMask freed_inputs_;
  PortMask idle_outputs_;         // not held by a packet
  PlaceMask requested_outputs_;   // places whose entry in requests_ is not empty
  PlaceMask accepting_outputs_;   // places whose ejection buffer is not full
  Due due_[kMaxPacketFlits];      // wheel: [cycle % size]
  std::uint64_t due_cycles_ = 0;  // bit [cycle % size]: the entry may hold events

  Cycle collected_ = 0;  // ready_outputs_ includes the arrivals up to this cycle
  Cycle last_arrival_ = 0;
  PlaceMask ready_outputs_;
  std::vector<PlaceMask> arrivals_;  // wheel: [cycle % size] outputs at which a tail arrives

  Channels channels_;  // [input][vc]
  std::vector<Input> inputs_;
  Outputs outputs_;                 // [place]
  std::vector<PortMask> requests_;  // [place]: inputs that are free and have a channel that requests it
  std::vector<PortMask> merged_;    // [port] scratch: the merged requests_ of its places with room, if there are classes
  std::unique_ptr<arbitration::PortAllocator> allocator_;
  arbitration::Matching matching_;

  CrossbarCounters counters_;
};

}  // namespace wharf::network
