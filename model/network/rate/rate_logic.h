#pragma once
// One direction of a rate-model network: every pair of ports is connected, all messages have the same latency, and each port passes a given
// number of bytes per cycle (morpheus section 2.4).
//
//   network interface: one FIFO per source and class of traffic, kept by the owner, which offers its first packet here
//     | source port: one packet after the other, each for as long as its bytes take
//   `latency` cycles for every packet
//     | destination port: as the source port
//   the destination takes packets in order; while it refuses, its packets wait
//
// Where pairs of ports have latencies of their own, packets reach a destination in the order in which they arrive, whoever sent first.
//
// A packet leaves its source when its port is free and at most `queue` packets of its class, itself included, will wait at the destination
// when it arrives. This is known in advance, because the times at which the destination's port passes the packets under way are known. Only
// a destination that refuses delays them, and then nothing more is sent to it. The packets waiting at a port are thus bounded by the queue
// plus those that pass the port within the latency, and an overloaded port runs at its rate.
//
// The sources that wait for a destination take turns, one packet each. Classes share the rate of a port in the order in which their packets
// were sent; a stalled class uses none of it.
//
// Times are in parts of a cycle, 1/bytes for a port with rate {bytes, cycles}, so that no rate is rounded. In each cycle, call
// accept_refused() for packets that destinations have taken, then step(), offer(), and deliver() for the next cycle.
//
// With lanes (lanes.h), a packet has left when all its flits have passed their lanes, and is as late as the latest of them.
//
// Not modelled: flits beyond those, virtual channels, arbitration of inputs; the switch between the ports is never the bottleneck.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/timer_wheel.h"
#include "model/base/types.h"
#include "model/network/node_mask.h"
#include "model/network/ports.h"
#include "model/network/rate/lanes.h"
#include "model/network/rate/rate_counters.h"
#include "model/network/rate/rate_params.h"

namespace wharf::network {

inline constexpr unsigned kMaxRateClasses = 2;

class RateLogic {
 public:
  struct Shape {
    unsigned inputs, outputs;  // ports
    unsigned classes = 1;      // places per port; at most kMaxRateClasses
    PortRate sources, destinations;
    std::vector<std::uint16_t> latencies = {};  // [input][output]; 0: there is no way; empty: RateParams::latency for all
    std::vector<std::uint16_t> cpc_of = {};     // [input]: its CPC, whose lanes carry its flits; empty: lanes are unlimited
    LaneParams lanes = {};
  };
  /// Throws InputError if a side has more places than NodeMask holds.
  RateLogic(const RateParams& params, const Shape& shape, stats::Registry& registry, const std::string& prefix);

  /// Offers the first packet of an input place, after step(now). True: it has left, and the place may offer the next. False: step() reports
  /// when it leaves, and the place must offer nothing until then.
  bool offer(unsigned place, const PortPacket& packet, Cycle now);

  /// Performs the events up to `now`. Calls left(place) for every packet that leaves after a wait; left() may offer the next.
  template <class Left>
  void step(Cycle now, Left left) {
    if (lanes_ != nullptr)
      lanes_->step(
          now, [&](unsigned place, const Lanes::Passed& passed) { leave_lanes(place, passed, now); },
          [&](unsigned place) { try_lanes(place, now, left); });
    wakes_.pop_due(now, [&](const Wake& wake) { wake.port ? port_free(wake.index, now, left) : grant_room(wake.index, now, left); });
  }

  /// Calls take(place, handle) for every packet that has reached its destination by `cycle`. If take returns false, the destination refuses
  /// the packet until accept_refused().
  template <class Take>
  void deliver(Cycle cycle, Take take) {
    arrivals_.pop_due(cycle, [&](std::uint16_t place) {
      Destination& to = destinations_[place];
      if (to.due_at > cycle) return;
      to.due_at = kNever;
      while (!to.blocked && to.count != 0 && to.at(0).due <= cycle) {
        if (take(place, to.at(0).handle))
          eject(place, cycle);
        else
          block(place, cycle);
      }
      expect(place);
    });
  }
  /// Calls look(handle) for the packets that deliver(cycle) is expected to visit, so that the caller can prefetch them.
  template <class Look>
  void prefetch_arrivals(Cycle cycle, Look look) const {
    arrivals_.peek(cycle, [&](std::uint16_t place) {
      const Destination& to = destinations_[place];
      if (to.count != 0) look(to.at(0).handle);
    });
  }
  /// The destination has taken, in cycle `now`, the packet that it refused. Call before step(now).
  void accept_refused(unsigned place, Cycle now);

  /// The next cycle in which step(), or deliver() for the following cycle, has work; kNever when nothing moves.
  Cycle next_event() const {
    const Cycle next = std::min(wakes_.next(), arrivals_.next() == kNever ? kNever : arrivals_.next() - 1);
    return lanes_ == nullptr ? next : std::min(next, lanes_->next());
  }
  /// The packet that its destination has refused.
  std::uint64_t refused(unsigned place) const { return destinations_[place].at(0).handle; }
  /// Nothing moves and nothing waits.
  bool idle() const {
    return next_event() == kNever && std::all_of(destinations_.begin(), destinations_.end(),
                                                 [](const Destination& to) { return to.count == 0 && !to.blocked && !to.waiting.any(); });
  }
  /// Called between kernels, while idle (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.elements(sources_);
    for (Destination& to : destinations_) file(to.next);
    file.elements(output_ports_);
    file(sent_, counters_);
    if (lanes_ != nullptr) file(*lanes_);
  }

 private:
  struct Wake {
    std::uint16_t index;
    bool port;  // true: a source's port is free; false: a destination's place has room
  };
  /// The packet that an input place offers.
  struct Head {
    enum class Waits : std::uint8_t { no, for_port, for_room, for_lanes };
    PortPacket packet;
    Waits waits = Waits::no;
  };
  struct Source {
    std::uint64_t free = 0;  // when its port is free, in parts of a cycle
    Cycle wake_at = kNever;
  };
  /// A packet in flight, or waiting at its destination.
  struct Sent {
    std::uint64_t handle, order;
    Cycle enqueued, sent, due;
    std::uint64_t through;  // when it has passed the destination's port, in parts of a cycle
    std::uint8_t flits;
    std::uint16_t latency;  // from its source to the destination's port
  };
  /// A packet whose flits wait for lanes.
  struct InLanes {
    Sent packet;
    std::uint16_t output = 0;
  };
  /// One class at an output port.
  struct Destination {
    std::vector<Sent> ring = std::vector<Sent>(32);  // the size is a power of two
    std::size_t first = 0, count = 0;
    bool blocked = false;
    Cycle due_at = kNever, room_at = kNever;  // cycles of its next entries in the wheels
    NodeMask waiting;                         // input places that wait for room
    unsigned next = 0;                        // the input place of `waiting` that is served next

    Sent& at(std::size_t nth) { return ring[(first + nth) & (ring.size() - 1)]; }
    const Sent& at(std::size_t nth) const { return ring[(first + nth) & (ring.size() - 1)]; }
  };
  struct OutputPort {
    std::uint64_t planned = 0;  // when all packets in flight have passed the port
    std::uint64_t passed = 0;   // when the last packet to arrive has passed the port
  };

  template <class Left>
  void port_free(unsigned port, Cycle now, Left left) {
    if (sources_[port].wake_at > now) return;
    sources_[port].wake_at = kNever;
    for (unsigned tried = 0; tried < classes_ && is_free(port, now); ++tried) {
      const int place = oldest_for_port(port);
      if (place < 0) return;
      if (send_or_wait(static_cast<unsigned>(place), now)) left(static_cast<unsigned>(place));
    }
    await_port(port);
  }

  template <class Left>
  void grant_room(unsigned place, Cycle now, Left left) {
    Destination& to = destinations_[place];
    if (to.room_at > now) return;
    to.room_at = now;  // packets that left() offers join the waiting ones
    while (to.waiting.any() && has_room(to, now)) {
      const unsigned from = to.waiting.next_from(to.next);
      to.next = from + 1 == heads_.size() ? 0 : from + 1;
      to.waiting.clear(from);
      if (!has_lanes(from)) continue;
      send(from, now);
      left(from);
    }
    to.room_at = kNever;
    await_room(place, now);
  }

  /// Flits of a place that waits for lanes have passed.
  template <class Left>
  void try_lanes(unsigned place, Cycle now, Left left) {
    Head& head = heads_[place];
    if (head.waits != Head::Waits::for_lanes) return;
    head.waits = Head::Waits::for_port;
    if (!is_free(place / classes_, now))
      await_port(place / classes_);
    else if (send_or_wait(place, now))
      left(place);
  }

  bool is_free(unsigned port, Cycle now) const { return sources_[port].free < (now + 1) * source_rate_.bytes; }
  /// Every message takes at least latency_.
  bool has_room(const Destination& to, Cycle now) const {
    return !to.blocked && (to.count < queue_ || to.at(to.count - queue_).due <= now + latency_);
  }
  std::uint16_t latency(unsigned in, unsigned out) const {
    return latencies_.empty() ? static_cast<std::uint16_t>(latency_) : latency_in_table(in, out);
  }
  bool is_before(const Sent& a, const Sent& b) const {
    if (latencies_.empty()) return a.order < b.order;
    const Cycle at_a = a.sent + a.latency, at_b = b.sent + b.latency;
    return at_a != at_b ? at_a < at_b : a.order < b.order;
  }
  std::uint16_t latency_in_table(unsigned in, unsigned out) const;
  void put_in_order(unsigned place, Cycle now);
  int oldest_for_port(unsigned port) const;
  bool send_or_wait(unsigned place, Cycle now);
  void await_port(unsigned port);
  void await_room(unsigned place, Cycle now);
  void send(unsigned place, Cycle now);
  bool has_lanes(unsigned place);
  void leave_lanes(unsigned place, const Lanes::Passed& passed, Cycle now);
  void put(const Sent& packet, unsigned output, Cycle now);
  void expect(unsigned place);
  void eject(unsigned place, Cycle now);
  void block(unsigned place, Cycle now);
  void replan(unsigned port, Cycle from, Cycle now);

  const unsigned classes_;
  const Cycle latency_;
  const std::uint32_t queue_;
  const PortRate source_rate_, destination_rate_;
  const std::vector<std::uint16_t> latencies_;  // [input][output]; empty: latency_ for all
  std::vector<Head> heads_;                     // [input port][class]
  std::vector<Source> sources_;                 // [input port]
  std::vector<Destination> destinations_;       // [output port][class]
  std::vector<OutputPort> output_ports_;
  TimerWheel<Wake> wakes_;
  TimerWheel<std::uint16_t> arrivals_;
  std::uint64_t sent_ = 0;
  RateCounters counters_;
  std::unique_ptr<Lanes> lanes_;   // null: unlimited
  std::vector<InLanes> in_lanes_;  // [name of a message in lanes]
  std::vector<std::uint32_t> free_names_;
  std::vector<Cycle> last_arrival_;  // [input place][output port], with lanes
};

}  // namespace wharf::network
