#pragma once
// Packets at the end of a link: those that wait there and, behind them, those under way.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf::network {

class PacketQueue {
 public:
  struct Packet {
    std::uint64_t handle;
    Cycle enqueued, injected;  // at the network interface; on the first link
    Cycle first, last;         // its first and last byte are at the end of the link
    std::uint16_t sm, slice;
    std::uint8_t flits, sectors;
  };

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  Packet& front() { return ring_[first_]; }
  const Packet& front() const { return ring_[first_]; }
  Packet& operator[](std::size_t nth) { return ring_[(first_ + nth) & (ring_.size() - 1)]; }
  const Packet& operator[](std::size_t nth) const { return ring_[(first_ + nth) & (ring_.size() - 1)]; }
  /// At least `packets` of them wait in cycle `now`.
  bool holds(std::size_t packets, Cycle now) const { return count_ >= packets && (*this)[packets - 1].first <= now; }
  /// At least `packets` of them are completely there in cycle `now`.
  bool holds_all_bytes(std::size_t packets, Cycle now) const { return count_ >= packets && (*this)[packets - 1].last <= now; }

  void push(const Packet& packet) {
    if (count_ == ring_.size()) {
      std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
      first_ = 0;
      ring_.resize(2 * count_);
    }
    (*this)[count_++] = packet;
  }
  void pop() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
  }

 private:
  std::vector<Packet> ring_ = std::vector<Packet>(4);  // the size is a power of two
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace wharf::network
