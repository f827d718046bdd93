#pragma once
// The finite queue of a crossbar's network interface: packets that wait for the register of their virtual channel.
//
// Room is judged by the last commit, as in RequestQueue (model/tlm/request_queue.h), and one packet may be pending. Unlike there it is known
// at every moment whether the pending packet will have its place in the next cycle, so that nobody asks in vain; and nothing is decided by
// what the queue happens to hold: the pending packet lies behind the others already, and a place without a packet is one that is never ready.

#include <cstdint>
#include <vector>

#include "model/base/host/cycle_select.h"
#include "model/network/crossbar/crossbar_packet.h"

namespace wharf::network {

class InterfaceQueue {
 public:
  /// `capacity` >= 1 packets.
  explicit InterfaceQueue(std::uint32_t capacity) : capacity_(capacity) {
    while (mask_ < capacity) mask_ = 2 * mask_ + 1;
    ring_.resize(mask_ + 1, kNone);
  }

  /// A packet that arrives in cycle `packet.enqueued`; `now` is the owner's present cycle. True: it has its place, which may be before it
  /// arrives. False: it is pending, and nothing more may be offered until it has been settled.
  bool offer(const CrossbarPacket& packet, Cycle now) {
    const bool accepted = count_ + (last_pop_ == now ? popped_ : 0) < capacity_;
    CrossbarPacket& place = ring_[(head_ + count_) & mask_];
    place = packet;
    place.enqueued = never_if(!accepted, packet.enqueued);
    arrival_ = never_if(accepted, packet.enqueued);
    count_ += accepted ? 1 : 0;
    return accepted;
  }

  /// A packet is pending that has its place in the next cycle, if nothing else is done.
  bool settles() const { return (arrival_ != kNever) & (count_ < capacity_); }
  /// At the start of a cycle in which settles(): the pending packet has its place. Returns it; `end`: the cycle in which its sender is to be
  /// told, the next one or that of the arrival.
  const CrossbarPacket& settle(Cycle now, Cycle& end) {
    CrossbarPacket& packet = ring_[(head_ + count_++) & mask_];
    end = now + 1 > arrival_ ? now + 1 : arrival_;
    packet.enqueued = now > arrival_ ? now : arrival_;
    arrival_ = kNever;
    return packet;
  }

  bool empty() const { return count_ == 0; }
  /// The oldest packet; `enqueued`: from when on it can go, kNever where there is none.
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

  std::vector<CrossbarPacket> ring_;  // as many places as a power of two has, and one more than `capacity` at least
  std::uint32_t mask_ = 1, head_ = 0;
  std::uint32_t count_ = 0, capacity_;  // without the pending one
  std::uint32_t popped_ = 0;            // taken out in cycle last_pop_
  Cycle last_pop_ = kNever;
  Cycle arrival_ = kNever;              // of the pending packet; kNever where there is none
};

}  // namespace wharf::network
