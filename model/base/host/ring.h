#pragma once
// A first-in, first-out queue of fixed capacity. The capacity is a power of two, so that a mask wraps an index around.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/bits.h"

namespace wharf {

template <class T>
class Ring {
 public:
  /// Has room for at least `capacity` >= 1 elements; the caller enforces any tighter bound. Places never used hold `unused`.
  explicit Ring(std::uint32_t capacity, const T& unused = T{})
      : mask_((std::uint32_t{1} << ceil_log2(capacity)) - 1), elements_(std::size_t{mask_} + 1, unused) {}

  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  /// The element behind `i` older ones. Indices from size() on name free places, which keep what they last held.
  T& operator[](std::uint32_t i) { return elements_[(head_ + i) & mask_]; }
  const T& operator[](std::uint32_t i) const { return elements_[(head_ + i) & mask_]; }
  T& front() { return elements_[head_]; }
  const T& front() const { return elements_[head_]; }

  /// Appends an element; the caller has checked that there is room.
  void push(const T& element) { elements_[(head_ + size_++) & mask_] = element; }
  /// Removes the oldest element; there must be one.
  void pop() {
    head_ = (head_ + 1) & mask_;
    --size_;
  }

 private:
  std::uint32_t head_ = 0, size_ = 0;
  std::uint32_t mask_;
  std::vector<T> elements_;
};

}  // namespace wharf
