#pragma once
// One direction of a hierarchical crossbar (modern_gpus section 3).
//
//   requests: SM -> [TPC] -> [CPC] -> GPC -> crossbar -> slice       replies: slice -> crossbar -> GPC -> [CPC] -> [TPC] -> SM
//
// Every arrow is a tier of links. A link passes its rate in bytes per cycle, one packet after the other, and has a latency. Parts of cycles
// are kept, so that no rate is rounded and a wide link passes several packets per cycle.
//
//   - Cut-through: the first byte of a packet does not wait for the last one, and the packets that share a wide link are interleaved there.
//     An unloaded packet of n bytes takes the latencies of its links + ceil(n / the narrowest link's bytes) - 1 cycles.
//   - Links that join have a queue per joining link; links that part have a queue per parting link. A GPC (on the way back a slice) has a
//     queue in front of the crossbar per group of kOutputsPerQueue outputs.
//   - A link serves its queues round-robin, one packet each. Only the first packet of a queue can leave it.
//   - A link stops while `queue` packets wait in the queue at its end. Packets that are under way then have places of their own.
//   - The sectors that an SM requests from a slice are limited by sm_slice_credits; they return with the replies.
//   - Requests may take longer to slices that are farther away (model/network/hierarchical/floorplan.h).
//   - Links of one tier may merge reads (model/network/hierarchical/coalescer.h), and those of GPCs copy replies
//     (model/network/hierarchical/multicast.h).
//
// The links form a tree on either side of the crossbar, so packets never wait for each other in a circle, and packets of a source and a
// destination stay in order.
//
// In each cycle, call accept_refused() for packets that destinations have taken, then step(), offer(), and deliver() for the next cycle.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/timer_wheel.h"
#include "model/base/types.h"
#include "model/network/hierarchical/coalescer.h"
#include "model/network/hierarchical/floorplan.h"
#include "model/network/hierarchical/hierarchical_counters.h"
#include "model/network/hierarchical/hierarchical_params.h"
#include "model/network/hierarchical/hierarchy.h"
#include "model/network/hierarchical/packet_queue.h"
#include "model/network/node_mask.h"
#include "model/network/ports.h"

namespace wharf::network {

class HierarchicalLogic {
 public:
  struct Shape {
    bool requests;
    unsigned sms, slices;
    unsigned near_sms = 0;  // that many SMs send to the first half of the slices, the others to the second; 0: all to all
  };
  /// `coalescer` merges reads at its tier; both directions have the same one. `multicast` copies replies behind the links of the GPCs.
  /// Throws InputError if the GPCs of the parameters do not have that many SMs.
  HierarchicalLogic(const HierarchicalParams& params, const Shape& shape, stats::Registry& registry, const std::string& prefix,
                    Coalescer* coalescer = nullptr, CopiedReplies* multicast = nullptr);

  /// Offers the first packet of a source, after step(now). True: it has left, and the source may offer the next. False: step() reports when
  /// it leaves, and the source must offer nothing until then.
  bool offer(unsigned source, const PortPacket& packet, Cycle now);

  /// Performs the events up to `now`. Calls left(source) for every packet that leaves its source after a wait; left() may offer the next.
  template <class Left>
  void step(Cycle now, Left left) {
    returns_.pop_due(now, [&](const Return& back) { return_credits(back, now); });
    for (unsigned t = static_cast<unsigned>(tiers_.size()); t-- > 0;) {
      std::vector<std::uint16_t>& due = tiers_[t].due;
      tiers_[t].wakes.pop_due(now, [&](std::uint16_t link) { due.push_back(link); });
      for (std::size_t i = 0; i < due.size(); ++i) {  // serving a link may wake others of its tier
        if (links_[due[i]].wake_at > now) continue;
        links_[due[i]].wake_at = kNever;
        serve(due[i], now, left);
      }
      due.clear();
    }
  }

  /// Calls take(destination, handle) for every packet that has reached its destination by `cycle`. If take returns false, the destination
  /// refuses the packet until accept_refused().
  template <class Take>
  void deliver(Cycle cycle, Take take) {
    arrivals_.pop_due(cycle, [&](std::uint16_t destination) {
      Output& output = outputs_[destination];
      if (output.due_at > cycle) return;
      output.due_at = kNever;
      while (!output.refuses && !output.queue.empty() && output.queue.front().first <= cycle) {
        if (take(destination, output.queue.front().handle))
          eject(destination, cycle);
        else
          output.refuses = true;
      }
      expect(destination);
    });
  }
  /// Calls look(handle) for the packets that deliver(cycle) is expected to visit, so that the caller can prefetch them.
  template <class Look>
  void prefetch_arrivals(Cycle cycle, Look look) const {
    arrivals_.peek(cycle, [&](std::uint16_t destination) {
      if (!outputs_[destination].queue.empty()) look(outputs_[destination].queue.front().handle);
    });
  }
  /// The destination has taken, in cycle `now`, the packet that it refused. Call before step(now).
  void accept_refused(unsigned destination, Cycle now);
  /// The reply to a request for that many sectors reaches its SM in `cycle`, which step() has not performed yet.
  void return_credits(unsigned sm, unsigned slice, unsigned sectors, Cycle cycle);

  /// The next cycle in which step(), or deliver() for the following cycle, has work; kNever when nothing moves.
  Cycle next_event() const;
  /// The packet that its destination has refused.
  std::uint64_t refused(unsigned destination) const { return outputs_[destination].queue.front().handle; }
  /// Nothing moves and nothing waits.
  bool idle() const;
  /// Called between kernels, while idle (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    for (Link& link : links_) file(link.next, link.free);
    for (Output& output : outputs_) file(output.latest, output.planned);
    file(counters_);
  }

 private:
  /// A packet that is in a queue or under way to it.
  using Queued = PacketQueue::Packet;
  /// The links of one tier, and the queues in front of them.
  struct TierLinks {
    enum class Merge {
      join,  // a queue per link of the tier before
      part,  // a queue per link of this tier
      cross  // `groups` queues per link of the tier before
    };
    Tier tier;
    PortRate rate;
    Cycle latency;
    unsigned first_link, links;
    Merge merge = Merge::part;
    unsigned first_queue = 0, groups = 1;
    std::vector<std::uint16_t> link_of = {};  // [SM], or [slice] of the slices' tier
    TimerWheel<std::uint16_t> wakes = {};     // links that may have something to serve
    std::vector<std::uint16_t> due = {};      // those of this cycle
  };
  struct Link {
    std::uint16_t tier;
    std::uint16_t first_queue, stride;  // queue of input i: first_queue + i * stride
    std::uint16_t inputs = 1;
    std::uint16_t next = 0;  // input whose turn is first
    NodeMask asking;         // inputs whose first packet is for this link
    std::uint64_t free = 0;  // when it is free, in parts of a cycle
    Cycle wake_at = kNever;
  };
  struct Queue {
    PacketQueue packets;
    std::uint16_t tier;            // of the links that it leads to
    std::uint16_t input;           // its number at these links
    std::uint16_t feeder;          // the link that leads to it; none in front of the first tier
    std::uint32_t distance = 0;    // cycles that packets take to it beside the latency of their link
    Cycle refused_since = kNever;  // since when the first packet cannot leave: no credits, or the next queue is full
  };
  struct Output {
    PacketQueue queue;
    bool refuses = false;
    Cycle latest = 0;           // when the last packet is completely there, unless the destination refuses one
    Cycle due_at = kNever;      // cycle of its next entry in the wheel
    std::uint64_t planned = 0;  // when all packets in the queue have passed, in parts of a cycle, after the destination has refused one
  };
  struct Return {
    std::uint16_t sm, slice, sectors;
  };
  /// Copies that replies leave behind the links of a tier.
  struct Copying {
    std::size_t tier;  // place in tiers_
    CopiedReplies* replies;
  };

  std::vector<TierLinks> tiers_of(const HierarchicalParams& params, const Shape& shape) const;
  void add_queues();
  std::uint32_t distance_to(const Queue& queue, unsigned group) const;
  static std::vector<std::uint16_t> joined(const TierLinks& outer, const TierLinks& inner);
  std::vector<HierarchicalCounters::Links> counted() const;
  std::vector<Copying> copying(CopiedReplies* multicast) const;
  std::vector<HierarchicalCounters::Change> changes() const;
  std::size_t place_of(Tier tier) const;

  unsigned end_of(const TierLinks& tier, const Queued& packet) const { return tier.tier == Tier::slice ? packet.slice : packet.sm; }
  /// The link of a tier that a packet takes.
  unsigned link_of(const TierLinks& tier, const Queued& packet) const { return tier.first_link + tier.link_of[end_of(tier, packet)]; }
  unsigned queue_behind(unsigned link, const Queued& packet) const;
  std::uint32_t& credit(unsigned sm, unsigned slice) { return credits_[sm * slices_ + slice]; }

  /// Serves a link as long as it is free and a packet can leave.
  template <class Left>
  void serve(unsigned number, Cycle now, Left&& left) {
    Link& link = links_[number];
    const PortRate rate = tiers_[link.tier].rate;
    while (link.asking.any() && link.free < (now + 1) * rate.bytes) {
      Cycle ready = kNever;
      const int input = choose(link, now, ready);
      if (input < 0) {
        if (ready != kNever) wake(number, ready, now);
        return;
      }
      send(number, static_cast<unsigned>(input), now);
      if (link.tier == 0) left(number);
    }
    if (link.asking.any()) wake(number, link.free / rate.bytes, now);
  }
  int choose(const Link& link, Cycle now, Cycle& ready);
  bool can_leave(Queue& queue, Cycle now);
  bool has_room_behind(unsigned link, const Queued& packet, Cycle now) const;
  bool has_room_for_copies(unsigned link, const Queued& reply, Cycle now) const;
  bool join(unsigned link, const Queue& from, const Queued& packet, Cycle now);
  void copy_reply(unsigned link, const Queued& reply, Cycle now);
  void send(unsigned link, unsigned input, Cycle now);
  void count_wait(const Queue& queue, const Queued& packet, Cycle now);
  void pop(unsigned link, unsigned queue, Cycle now);
  void request_link(unsigned queue, unsigned served, Cycle now);
  void arrive(unsigned link, Queued packet, Cycle now);
  void wake(unsigned link, Cycle cycle, Cycle now);
  void return_credits(const Return& back, Cycle now);
  void expect(unsigned destination);
  void eject(unsigned destination, Cycle now);

  const bool requests_;
  const unsigned slices_;
  const std::uint32_t queue_, credit_limit_;
  std::vector<Queue> queues_;           // of all tiers; those of the first are the sources
  std::vector<Link> links_;             // of all tiers
  std::vector<Output> outputs_;         // [destination]
  std::vector<std::uint32_t> credits_;  // [SM][slice]: sectors whose replies are outstanding; empty if they are unlimited
  const Hierarchy hierarchy_;
  const std::unique_ptr<const Floorplan> floorplan_;  // null: every place is equally far
  std::vector<TierLinks> tiers_;                      // in the order of a packet's way
  Coalescer* const coalescer_;                        // null: nothing is merged
  const std::size_t coalescing_;                      // place in tiers_ of the links that merge; kTiers + 1: there are none
  const std::vector<Copying> copying_;                // of replies
  TimerWheel<Return> returns_;
  TimerWheel<std::uint16_t> arrivals_;
  HierarchicalCounters counters_;
};

}  // namespace wharf::network
