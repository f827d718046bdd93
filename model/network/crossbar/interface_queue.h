#pragma once
// The finite queue of a crossbar's network interface, for packets that wait for the register of their virtual channel.
//
// As in RequestQueue (model/tlm/request_queue.h), room is judged by the last commit, and one packet may be pending. Unlike there, it is
// always known whether the pending packet gets an entry in the next cycle, so admit_pending() always succeeds. The front of an empty queue
// never becomes ready, so readers need no test for emptiness.

#include <algorithm>
#include <cstdint>

#include "model/base/host/ring.h"
#include "model/network/crossbar/crossbar_packet.h"

namespace wharf::network {

class InterfaceQueue {
 public:
  /// `capacity` >= 1, in packets.
  explicit InterfaceQueue(std::uint32_t capacity) : capacity_(capacity), packets_(capacity + 1, kNone) {}

  /// Offers a packet that arrives in cycle `packet.enqueued`; `now` is the owner's present cycle. True: it has an entry, possibly before it
  /// arrives. False: it is pending, and nothing more may be offered until it is admitted.
  bool offer(const CrossbarPacket& packet, Cycle now) {
    const bool accepted = packets_.size() + (last_pop_ == now ? popped_ : 0) < capacity_;
    if (accepted) {
      packets_.push(packet);
    } else {
      pending_ = packet;
    }
    return accepted;
  }

  /// True if a packet is pending and gets an entry in the next cycle unless another call intervenes.
  bool can_admit() const { return (pending_.enqueued != kNever) & (packets_.size() < capacity_); }
  /// Called at the start of a cycle in which can_admit(): moves the pending packet into its entry and returns it. `end` is the cycle in
  /// which its sender is notified: the next one, or that of the arrival if later.
  const CrossbarPacket& admit_pending(Cycle now, Cycle& end) {
    const Cycle arrival = pending_.enqueued;
    end = std::max(now + 1, arrival);
    packets_.push(pending_);
    pending_.enqueued = kNever;
    CrossbarPacket& packet = packets_[packets_.size() - 1];
    packet.enqueued = std::max(now, arrival);
    return packet;
  }

  bool empty() const { return packets_.empty(); }
  /// The oldest packet. `enqueued` is the cycle from which it may leave; kNever if the queue is empty.
  const CrossbarPacket& front() const { return packets_.front(); }
  void pop(Cycle now) {
    packets_.front().enqueued = kNever;  // so that the front of an empty queue never becomes ready
    packets_.pop();
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
  }

 private:
  static constexpr CrossbarPacket kNone = {0, 0, 0, 1, kNever};

  std::uint32_t capacity_;
  std::uint32_t popped_ = 0;  // packets removed in cycle last_pop_
  Cycle last_pop_ = kNever;
  Ring<CrossbarPacket> packets_;    // without the pending one
  CrossbarPacket pending_ = kNone;  // `enqueued` is its arrival; kNever if there is none
};

}  // namespace wharf::network
