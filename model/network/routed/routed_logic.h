#pragma once
// One direction (requests or replies) of a network of routers: a mesh, ring or butterfly, as the topology's table describes it.
//
//   network interface: one packet register per node and virtual channel, which is the first router's input buffer for that node
//   router: one FIFO of `buffer_flits` per input and virtual channel, credits for the FIFOs behind its outputs, iSLIP (wormhole)
//   link: one flit per cycle; a flit that crosses a router's switch in cycle t may cross the next router's in t + hop_cycles
//   ejection buffer: per node and class of traffic; whole packets wait there until the destination takes them
//
// An unloaded packet of f flits takes 1 + hop_cycles * hops + (f - 1) cycles from its register to the ejection of its tail (CM-15). In a
// butterfly the last link is a hop too, and the 1 disappears. Buffers smaller than hop_cycles + 1 cannot keep a link busy.
//
// Virtual channel and switch are allocated together. A packet's line gives its channel (CM-16), so it competes for the channel behind its
// output, which it keeps from head to tail, and for the ports. A packet that has won its input and output port keeps them while it can send
// a flit every cycle. When it must wait for flits or credits, it releases the ports and requests them again.
//
// Flits are not simulated one by one. The flits that a packet can send without waiting (they are present or follow each other on the link,
// with credits that are present or return one per cycle) form a burst. With its first flit, the FIFO behind receives all its flits; in the
// next cycle, the FIFO before receives all its credits. The results equal those of single flits, because a link passes one flit per cycle:
// the n-th flit or credit of a burst is never needed before it would have arrived.
//
// A packet admitted to an ejection buffer never waits in the network, and topologies contain no cycle of channels. There is therefore no
// deadlock, even with buffers of a single flit, as long as destinations always take the packets of every class that waits for no other.
//
// Time is a Cycle argument. In each cycle, call inject() and pop() in any order, then tick(). Ticks are needed only in the cycles that
// next_event() names; additional ticks change nothing.
//
// Not modelled: credit return delay (a freed slot is known in the next cycle), speculation, priorities.

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/host/slot_map.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/flits.h"
#include "model/network/node_mask.h"
#include "model/network/routed/event_wheel.h"
#include "model/network/routed/routed_counters.h"
#include "model/network/routed/routed_params.h"
#include "model/network/virtual_channels.h"
#include "policies/arbitration/small_islip.h"
#include "policies/routing/topology.h"

namespace wharf {
class Archive;
}

namespace wharf::network {

/// A packet at the network interface of its source.
struct RoutedPacket {
  std::uint32_t handle = 0;  // the owner's number for the message
  std::uint16_t destination = 0;
  std::uint8_t vc = 0;     // one of entry_channels()
  std::uint8_t flits = 1;  // 1..kMaxPacketFlits
  Cycle enqueued = 0;      // network cycle in which it was queued at the interface; not later than inject()
};

class RoutedLogic {
 public:
  /// Each of the `classes` of traffic has its own virtual channels and ejection buffers. `prefix` is that of the counters. Throws
  /// InputError if there are fewer channels than the classes need.
  RoutedLogic(const routing::Topology& topology, const RouterParams& params, unsigned classes, stats::Registry& registry,
              const std::string& prefix);

  unsigned nodes() const { return topology_.nodes; }
  unsigned classes() const { return classes_; }
  /// The place at which packets of a class leave the network: node * classes() + class.
  unsigned place(unsigned node, unsigned cls) const { return node * classes_ + cls; }
  unsigned hops(unsigned from, unsigned to) const { return hops_[from * topology_.nodes + to]; }
  /// The virtual channels in which a packet of this class may start.
  VcClass entry_channels(unsigned cls) const;

  /// True if the register of this node and virtual channel is free in cycle `now`: the tail of its last packet has crossed the router.
  bool can_inject(unsigned node, unsigned vc, Cycle now) const {
    return fifos_[entries_[node] + vc].count == 0 && register_free_[node * vcs_ + vc] <= now;
  }
  /// Throws SimulationError if the register is taken, the packet does not fit this network, or tick(now) has already run.
  void inject(unsigned node, const RoutedPacket& packet, Cycle now);
  /// Visits once the node and virtual channel of each register that becomes free in cycle `now`. Call it in every cycle of next_event().
  template <class Visit>
  void visit_freed(Cycle now, Visit&& visit) {
    freed_.pop_events(now, [&](const Register& freed) { visit(freed.node, freed.vc); });
  }

  /// Performs one network cycle. Cycles must not decrease; a second tick in one cycle does nothing.
  void tick(Cycle now);

  /// Places with a complete packet in cycle `now`.
  const NodeMask& ejected(Cycle now) {
    if (next_ejection_ <= now) arrive_until(now);
    return arrived_;
  }
  /// The handle of the oldest packet at a place of ejected().
  std::uint32_t peek(unsigned place) const { return packets_[waiting_[std::size_t{place} * ejection_flits_ + sinks_[place].first]].handle; }
  /// The destination takes the oldest packet. Its room can be used in cycle `now` if tick(now) has not run, else in the next cycle.
  std::uint32_t pop(unsigned place, Cycle now);

  /// The earliest cycle, not before `now`, in which tick() has work; kNever when nothing moves.
  Cycle next_event(Cycle now) const;
  /// The earliest arrival that ejected() has not shown; kNever if no packet is on a last link.
  Cycle next_ejection() const { return next_ejection_; }
  /// Called while nothing is in flight.
  void archive(Archive& file);
  std::uint64_t in_flight() const { return counters_.packets.value() - counters_.ejected_packets.value(); }

 private:
  static constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};
  using Ports = arbitration::SmallIslip::Ports;

  struct Packet {
    std::uint32_t handle;
    std::uint8_t flits, hops;
    Cycle enqueued, injected;
  };

  // The information that a head carries.
  struct Head {
    std::uint32_t packet = kNoPacket;
    std::uint16_t destination = 0;
    std::uint8_t flits = 0;  // of the packet
  };

  // One virtual channel of one input: its FIFO. Counts cover whole bursts, see above. Fifos and channels share one indexing, (router *
  // ports + input or output) * virtual channels + virtual channel, and refer to each other by index, so that packets move without looking
  // anything up in the topology.
  struct alignas(32) Fifo {
    Head packet;                         // the first packet
    std::uint32_t channel = 0;           // the channel that it requests or owns
    std::uint16_t flits = 0;             // flits present
    std::uint16_t first = 0, count = 0;  // ring of packets; the first leaves it with its tail
    std::uint8_t left = 0;               // flits of the first packet that have not crossed
    bool crossing = false;               // the first packet's head has crossed
    // Fixed by the wiring:
    bool from_node = true;
    std::uint8_t vc = 0;
    Ports input = 0;  // one bit
    std::uint16_t router = 0;
    std::uint32_t feed = 0;  // the channel before it, or the node
  };

  // One virtual channel of one output.
  struct Channel {
    std::uint32_t credits = 0;  // slots known to be free in the FIFO behind it
    std::uint32_t owner = 0;    // FIFO of the packet that owns it
    Ports owning = 0;           // that FIFO's input; 0 = no owner
    Ports asking = 0;           // inputs whose head waits for it
    bool open = true;           // heads may pass, because the ejection buffer has room
    // Fixed by the wiring:
    bool exit = false;  // leads to a node
    std::uint8_t output = 0;
    std::uint8_t channel_before = 0;  // channel of its input from which a packet enters this one
    Ports bit = 0;                    // among the channels of its output
    std::uint16_t router = 0;
    std::uint32_t target = 0;        // the FIFO behind it, or the place
    stats::Counter* busy = nullptr;  // busy cycles of the link
  };

  // For a router with up to five ports, everything in use fits in one host cache line.
  struct alignas(64) Router {
    Ports taken_inputs = 0, taken_outputs = 0;                        // held by bursts that continue after this cycle
    Ports ready_outputs = 0;                                          // outputs whose entry of `ready` is not empty
    Ports ready[arbitration::SmallIslip::kPorts] = {};                // [output]: channels through which a packet could cross now
    std::uint8_t next_channel[arbitration::SmallIslip::kPorts] = {};  // [input]: where the next choice starts
    arbitration::SmallIslip islip;
  };

  struct Sink {
    std::uint32_t first = 0, count = 0;  // ring of arrived packets
    std::uint32_t reserved = 0;          // flits admitted and not taken
  };

  struct Arrival {
    std::uint32_t fifo;
    std::uint32_t packet;  // for a head, else kNoPacket
    std::uint16_t destination;
    std::uint8_t packet_flits, flits;
  };
  struct BurstEnd {
    std::uint32_t fifo, channel;
    bool tail;  // the burst included the tail
  };
  struct Credit {
    std::uint32_t channel, flits;
  };
  struct Ejection {
    std::uint32_t place, packet;
  };
  struct Register {
    std::uint16_t node;
    std::uint8_t vc;
  };
  struct Way {                         // how a packet leaves a router
    std::uint32_t first_channel : 31;  // of its output
    std::uint32_t dateline : 1;
  };
  std::uint32_t index_of(unsigned router, unsigned port, unsigned vc) const { return (router * ports_ + port) * vcs_ + vc; }

  std::uint8_t channel_after(unsigned vc) const { return static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1); }

  [[noreturn]] void refuse(unsigned node, const RoutedPacket& packet, Cycle now) const;
  [[noreturn]] void misuse(unsigned node, const RoutedPacket& packet, const std::string& what) const;

  void connect_routers();
  void wire_output(unsigned router, unsigned output);
  void request_output(Fifo& fifo);
  bool can_cross(const Channel& channel) const;
  void set_ready(const Channel& channel);
  void clear_ready(const Channel& channel);
  void deliver(const Arrival& arrival);
  void end_burst(const BurstEnd& end, Cycle now);
  void release(const BurstEnd& end);
  Ports requests(unsigned router, unsigned output) const;
  bool start_only_one(unsigned router, unsigned outputs, Cycle now);
  void allocate(unsigned router, unsigned outputs, Cycle now);
  void start(unsigned router, unsigned input, unsigned output, Cycle now);
  template <bool kHold, bool kLast>
  void burst(std::uint32_t fifo, Cycle now);
  template <bool kHold>
  void burst(std::uint32_t fifo, Cycle now);
  void leave_network(const Channel& exit, const Head& packet, unsigned flits, bool head, bool tail, Cycle now);
  void return_credits(std::uint32_t channel, unsigned flits);
  void free_register(const Fifo& fifo, Cycle at);
  void next_packet(std::uint32_t fifo);
  void apply_returned_credits();
  void arrive(const Ejection& ejection, Cycle now);
  void arrive_until(Cycle now);
  void refresh_exit(unsigned at);

  const routing::Topology topology_;
  unsigned ports_, vcs_, classes_;
  std::uint32_t buffer_flits_, ejection_flits_;
  Cycle hop_cycles_, last_cycles_;
  unsigned iterations_, flit_bytes_, ring_slots_;
  std::uint8_t class_of_[kMaxVirtualChannels] = {};  // [virtual channel]
  std::uint8_t behind_dateline_[kMaxVirtualChannels] = {}, before_dateline_[kMaxVirtualChannels] = {};

  std::vector<Router> routers_;
  std::vector<Fifo> fifos_;             // [router][input][channel]
  std::vector<Head> rings_;             // [fifo][ring_slots_]
  std::vector<Channel> channels_;       // [router][output][channel]
  std::vector<Way> ways_;               // [router][destination]
  std::vector<Cycle> register_free_;    // [node][channel]: from which cycle on
  std::vector<Sink> sinks_;             // [place]
  std::vector<std::uint32_t> waiting_;  // [place][ejection_flits_]
  std::vector<std::uint32_t> entries_;  // [node]: its first FIFO
  std::vector<std::uint32_t> exits_;    // [node]: its first channel
  std::vector<std::uint8_t> hops_;      // [node][node]
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;

  NodeMask changed_routers_;  // routers in which something has changed
  EventWheel<Arrival> arrivals_;
  EventWheel<BurstEnd> ends_;
  EventWheel<Register> freed_;
  EventWheel<Ejection> ejections_;
  std::vector<BurstEnd> released_;  // at the end of this cycle
  std::vector<Credit> credits_;
  SlotMap events_, ejection_slots_;
  NodeMask arrived_;
  Cycle next_tick_ = 0, next_ejection_ = kNever;

  RoutedCounters counters_;
};

}  // namespace wharf::network
