#pragma once
// The finite queue of a crossbar's network interface, for packets that wait for the register of their virtual channel.
//
// As in RequestQueue (model/tlm/request_queue.h), room is judged by the last commit, and one packet may be pending. Unlike there, it is
// always known whether the pending packet will get an entry in the next cycle, so no call is in vain. The queue also avoids branches on its
// contents: the pending packet already lies behind the others, and an empty entry is one that never becomes ready.

#include <cstdint>
#include <vector>

#include "model/base/host/cycle_select.h"
#include "model/network/crossbar/crossbar_packet.h"

namespace wharf::network {

class InterfaceQueue {
 public:
  /// `capacity` >= 1, in packets.
  explicit InterfaceQueue(std::uint32_t capacity) : capacity_(capacity) {
    while (mask_ < capacity) mask_ = 2 * mask_ + 1;
    ring_.resize(mask_ + 1, kNone);
  }

  /// Offers a packet that arrives in cycle `packet.enqueued`; `now` is the owner's present cycle. True: it has an entry, possibly before it
  /// arrives. False: it is pending, and nothing more may be offered until it is settled.
  bool offer(const CrossbarPacket& packet, Cycle now) {
    const bool accepted = count_ + (last_pop_ == now ? popped_ : 0) < capacity_;
    CrossbarPacket& place = ring_[(head_ + count_) & mask_];
    place = packet;
    place.enqueued = never_if(!accepted, packet.enqueued);
    arrival_ = never_if(accepted, packet.enqueued);
    count_ += accepted ? 1 : 0;
    return accepted;
  }

  /// True where a packet is pending and gets an entry in the next cycle unless another call intervenes.
  bool settles() const { return (arrival_ != kNever) & (count_ < capacity_); }
  /// At the start of a cycle in which settles(): moves the pending packet into its entry and returns it. `end` is the cycle in which its
  /// sender is told: the next one or that of the arrival, if later.
  const CrossbarPacket& settle(Cycle now, Cycle& end) {
    CrossbarPacket& packet = ring_[(head_ + count_++) & mask_];
    end = now + 1 > arrival_ ? now + 1 : arrival_;
    packet.enqueued = now > arrival_ ? now : arrival_;
    arrival_ = kNever;
    return packet;
  }

  bool empty() const { return count_ == 0; }
  /// The oldest packet. `enqueued` is the cycle from which it may leave; kNever where the queue is empty.
  const CrossbarPacket& front() const { return ring_[head_]; }
  void pop(Cycle now) {
    ring_[head_].enqueued = kNever;
    head_ = (head_ + 1) & mask_;
    --count_;
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
  }

 private:
  static constexpr CrossbarPacket kNone = {0, 0, 0, 1, kNever};

  std::vector<CrossbarPacket> ring_;  // a power of two, larger than `capacity`
  std::uint32_t mask_ = 1, head_ = 0;
  std::uint32_t count_ = 0, capacity_;  // not counting the pending packet
  std::uint32_t popped_ = 0;            // packets removed in cycle last_pop_
  Cycle last_pop_ = kNever;
  Cycle arrival_ = kNever;              // of the pending packet; kNever where there is none
};

}  // namespace wharf::network
