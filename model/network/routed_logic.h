#pragma once
// One direction (requests or replies) of a network of routers: mesh, ring or butterfly, whichever the topology's table describes.
//
//   network interface: one packet register per node and virtual channel, which is the first router's input buffer for that node
//   router: one FIFO of `buffer_flits` per input and virtual channel, credits for the FIFOs behind its outputs, iSLIP (wormhole)
//   link: a flit a cycle; a flit that crosses a router's switch in cycle t may cross the next router's in t + hop_cycles
//   ejection buffer: per node and class of traffic; whole packets wait there until the destination takes them
//
// Unloaded, a packet of f flits takes 1 + hop_cycles * hops + (f - 1) cycles from its register to its tail's ejection (CM-15); in a
// butterfly the last link is a hop as well, and the 1 falls away. Smaller buffers than hop_cycles + 1 cannot keep a link busy.
//
// Virtual channel and switch are allocated together: a packet's channel is given by its line (CM-16), so what it competes for is the
// channel behind its output, which it keeps from head to tail, and the ports. A packet that has won input and output port keeps them while
// it can send a flit in every cycle; when it must wait, for flits or credits, it gives the ports to others and asks for them again.
//
// Flits are not simulated one by one. What a packet can send without waiting (flits that are here or follow each other on the link, credits
// that are here or come back one a cycle) is one burst: at its first flit the FIFO behind gets all its flits, in the next cycle the one
// before all its credits. No result differs from that of single flits, because a link passes one flit a cycle: the n-th flit or credit of a
// burst is never needed before it would have been there.
//
// Nothing that has been let into an ejection buffer waits in the network, and topologies have no circle of channels: no deadlock, with
// buffers of a single flit either, as long as destinations take the packets of every class on which no other class waits.
//
// Time is a Cycle argument. In a cycle: inject() and pop() first, in any order, then tick(). Ticks are needed only at the cycles that
// next_event() names; more of them change nothing.
//
// Not modelled: credit return delay (a slot is known to be free in the cycle after it was left), speculation, priorities.

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/slot_map.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/flits.h"
#include "model/network/node_mask.h"
#include "model/network/routed_counters.h"
#include "model/network/routed_params.h"
#include "model/network/virtual_channels.h"
#include "policies/arbitration/small_islip.h"
#include "policies/routing/topology.h"

namespace wharf::network {

/// A packet at the network interface of its source.
struct RoutedPacket {
  std::uint32_t handle = 0;  // the owner's number of the message
  std::uint16_t destination = 0;
  std::uint8_t vc = 0;       // one of entry_channels()
  std::uint8_t flits = 1;    // 1..kMaxPacketFlits
  Cycle enqueued = 0;        // network cycle at which it was queued at the interface, not after inject()
};

class RoutedLogic {
 public:
  /// `classes`: of traffic, each with virtual channels and ejection buffers of its own. Throws InputError where the channels do not
  /// suffice for them. `prefix`: of the counters.
  RoutedLogic(const routing::Topology& topology, const RouterParams& params, unsigned classes, stats::Registry& registry,
              const std::string& prefix);

  unsigned nodes() const { return topology_.nodes; }
  unsigned classes() const { return classes_; }
  /// Places where packets come out: node * classes() + class.
  unsigned place(unsigned node, unsigned cls) const { return node * classes_ + cls; }
  unsigned hops(unsigned from, unsigned to) const { return hops_[from * topology_.nodes + to]; }
  /// The virtual channels that a packet of this class may start in.
  VcClass entry_channels(unsigned cls) const;

  /// The register of this node and virtual channel is free in cycle `now`: its last packet's tail has crossed the router.
  bool can_inject(unsigned node, unsigned vc, Cycle now) const;
  /// Throws SimulationError if the register is taken, the packet does not fit this network, or tick(now) has been before.
  void inject(unsigned node, const RoutedPacket& packet, Cycle now);
  /// Visits, once, the nodes of which a register has come free in cycle `now`; to be asked at every cycle of next_event().
  template <class Visit>
  void take_freed(Cycle now, Visit&& visit) {
    auto& freed = freed_[now % kWheel];
    for (const std::uint16_t node : freed) visit(node);
    freed.clear();
  }

  /// One network cycle. Cycles must not decrease; a second tick in one cycle does nothing.
  void tick(Cycle now);

  /// Places at which a whole packet waits in cycle `now`.
  const NodeMask& ejected(Cycle now);
  /// The handle of the packet that waits longest at a place of ejected().
  std::uint32_t peek(unsigned place) const;
  /// The destination takes it. Before tick(now) its room can be used in cycle `now`, after it in the next one.
  std::uint32_t pop(unsigned place, Cycle now);

  /// The earliest cycle, not before `now`, at which tick() has something to do; kNever when nothing moves.
  Cycle next_event(Cycle now) const;
  /// The earliest cycle in which a packet arrives that ejected() has not shown; kNever if none is under way on a last link.
  Cycle next_ejection() const { return next_ejection_; }
  std::uint64_t in_flight() const { return counters_.packets.value() - counters_.ejected_packets.value(); }

 private:
  static constexpr Cycle kWheel = 256;  // more than the longest time from an event to what follows from it
  static constexpr std::uint8_t kNobody = 0xFF;
  using Ports = arbitration::SmallIslip::Ports;

  struct Packet {
    std::uint32_t handle;
    std::uint16_t destination;
    std::uint8_t flits, hops;
    Cycle enqueued, injected;
  };

  // One virtual channel of one input: its FIFO. Counted are whole bursts, see above.
  struct Fifo {
    std::uint32_t flits = 0;             // here
    std::uint32_t first = 0, count = 0;  // ring of packets; the first leaves it with its tail
    std::uint8_t output = 0, out_vc = 0; // of the first packet: where it goes
    std::uint8_t left = 0;               // its flits that have not crossed
    bool crossing = false;               // its head has crossed
  };

  // One virtual channel of one output.
  struct Channel {
    std::uint32_t credits = 0;      // slots known to be free in the FIFO behind it
    Ports asking = 0;               // inputs with a head that waits for it
    std::uint8_t owner = kNobody;   // input of the packet that has it
  };

  struct Router {
    Ports taken_inputs = 0, taken_outputs = 0;  // by bursts that go on after this cycle
    Ports ready_outputs = 0;                    // whose entry of ready_ is not empty
    arbitration::SmallIslip islip;
    std::uint8_t next_channel[16] = {};         // [input]: from which on the next is chosen
  };

  struct Sink {
    std::uint32_t first = 0, count = 0;  // ring of packets that have arrived
    std::uint32_t reserved = 0;          // flits let in and not taken
  };

  // Events are made in place: copied as a whole right after their narrow members were written, they would stall the host.
  struct Arrival {
    Arrival(std::uint32_t packet_, unsigned router_, unsigned input_, unsigned vc_, unsigned flits_)
        : packet(packet_), router(router_), input(input_), vc(vc_), flits(flits_) {}
    std::uint32_t packet;  // of a head, else kNoPacket
    std::uint32_t router, input, vc, flits;
  };
  struct BurstEnd {
    BurstEnd(unsigned router_, unsigned input_, unsigned vc_, unsigned output_, bool tail_)
        : router(router_), input(input_), vc(vc_), output(output_), tail(tail_) {}
    std::uint32_t router, input, vc, output;
    bool tail;  // was in it
  };
  struct Credit {
    Credit(unsigned router_, unsigned output_, unsigned vc_, unsigned flits_)
        : router(router_), output(output_), vc(vc_), flits(flits_) {}
    std::uint32_t router, output, vc, flits;
  };
  struct Exit {  // of a node
    std::uint16_t router = 0;
    std::uint8_t output = 0;
  };
  struct Feed {  // what is at the other end of an input
    std::uint16_t router = 0;
    std::uint8_t output = 0;
    bool from_node = true;  // `router` is the node
  };
  struct Ejection {
    Ejection(unsigned place_, std::uint32_t packet_) : place(place_), packet(packet_) {}
    std::uint32_t place, packet;
  };
  static constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};

  std::uint32_t fifo_index(unsigned router, unsigned input, unsigned vc) const { return (router * ports_ + input) * vcs_ + vc; }
  Channel& channel(unsigned router, unsigned output, unsigned vc) { return channels_[(router * ports_ + output) * vcs_ + vc]; }
  const Channel& channel(unsigned router, unsigned output, unsigned vc) const { return channels_[(router * ports_ + output) * vcs_ + vc]; }
  /// In which channel of its input a packet stands that takes channel `vc` of this output.
  unsigned channel_before(const routing::Link& link, unsigned vc) const { return link.dateline ? before_dateline_[vc] : vc; }

  void check_injection(unsigned node, const RoutedPacket& packet, Cycle now) const;
  [[noreturn]] void misuse(unsigned node, const RoutedPacket& packet, const std::string& what) const;

  void wire();
  void ask(unsigned router, unsigned input, unsigned vc);
  bool can_cross(unsigned router, unsigned output, unsigned vc) const;
  bool refresh(unsigned router, unsigned output, unsigned vc);
  void deliver(const Arrival& arrival);
  void end_burst(const BurstEnd& end, Cycle now);
  Ports requests(unsigned router, unsigned output) const;
  Ports collect(unsigned router, Ports* by_output) const;
  bool start_only_one(unsigned router, Cycle now);
  void allocate(unsigned router, Cycle now);
  void start(unsigned router, unsigned input, unsigned output, Cycle now);
  void burst(unsigned router, unsigned input, unsigned vc, Cycle now, bool hold);
  void leave_fifo(unsigned router, unsigned input, unsigned vc, unsigned flits, Cycle now);
  void give_back_credits();
  void arrive(const Ejection& ejection, Cycle now);
  void reserve(unsigned at, unsigned flits);
  void refresh_exit(unsigned at);

  const routing::Topology topology_;
  unsigned ports_, vcs_, classes_;
  std::uint32_t buffer_flits_, ejection_flits_;
  Cycle hop_cycles_, last_cycles_;
  unsigned iterations_, flit_bytes_, ring_slots_;
  std::uint8_t class_of_[kMaxVirtualChannels] = {};   // [virtual channel]
  std::uint8_t behind_dateline_[kMaxVirtualChannels] = {}, before_dateline_[kMaxVirtualChannels] = {};

  std::vector<Router> routers_;
  std::vector<Fifo> fifos_;             // [router][input][channel]
  std::vector<std::uint32_t> rings_;    // [fifo][ring_slots_]
  std::vector<Channel> channels_;       // [router][output][channel]
  std::vector<Feed> feeds_;             // [router][input]
  std::vector<std::uint16_t> ready_;    // [router][output]: channels through which something could cross now
  std::vector<Cycle> register_free_;    // [node][channel]: from which cycle on
  std::vector<Sink> sinks_;             // [place]
  std::vector<std::uint32_t> waiting_;  // [place][ejection_flits_]
  std::vector<Exit> exits_;             // [node]
  std::vector<std::uint8_t> hops_;      // [node][node]
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;

  NodeMask look_at_;                                 // routers in which something has changed
  std::vector<std::vector<Arrival>> arrivals_;       // wheel
  std::vector<std::vector<BurstEnd>> ends_;          // wheel
  std::vector<std::vector<std::uint16_t>> freed_;    // wheel: nodes
  std::vector<std::vector<Ejection>> ejections_;     // wheel
  std::vector<Credit> credits_;
  SlotMap events_, ejection_slots_;
  NodeMask arrived_;
  Cycle next_tick_ = 0, next_ejection_ = kNever;

  RoutedCounters counters_;
};

}  // namespace wharf::network
