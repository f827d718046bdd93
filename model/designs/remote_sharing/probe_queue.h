#pragma once
// A finite queue of transactions, each usable from a given cycle on. As in RequestQueue, an entry that the owner frees is available to
// others from the next cycle on, so the order of blocks within a cycle does not matter. An unbounded queue always has room.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/access.h"

namespace wharf {

class ProbeQueue {
 public:
  static constexpr std::uint32_t kUnbounded = ~std::uint32_t{0};
  /// `capacity` >= 1.
  explicit ProbeQueue(std::uint32_t capacity) : capacity_(capacity), entries_(capacity == kUnbounded ? 8 : capacity) {}

  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  std::uint32_t capacity() const { return capacity_; }
  /// For the owner, who acts once per cycle.
  bool full() const { return count_ == capacity_; }
  /// For other blocks, in cycle `now`.
  bool room(Cycle now) const { return held(now) < capacity_; }
  /// Entries that are or were occupied in cycle `now`.
  std::uint32_t held(Cycle now) const { return count_ + (last_pop_ == now ? popped_ : 0); }
  bool ready(Cycle now) const { return count_ != 0 && entries_[head_].ready <= now; }
  /// When the oldest becomes usable; kNever if the queue is empty.
  Cycle next_ready() const { return count_ == 0 ? kNever : entries_[head_].ready; }
  Transaction& front() const { return *entries_[head_].transaction; }

  /// Appends a transaction. There must be room.
  void push(Transaction& transaction, Cycle ready) {
    if (count_ == entries_.size()) grow();
    entries_[place(count_)] = {&transaction, ready};
    ++count_;
  }
  Transaction& pop(Cycle now) {
    Transaction& transaction = front();
    head_ = place(1);
    --count_;
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
    return transaction;
  }

  /// Removes all transactions for which `chosen(transaction)` is true.
  template <class Chosen>
  void remove_if(Chosen chosen) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Entry entry = entries_[place(i)];
      if (!chosen(*entry.transaction)) entries_[place(kept++)] = entry;
    }
    count_ = kept;
  }

 private:
  struct Entry {
    Transaction* transaction = nullptr;
    Cycle ready = 0;
  };
  std::size_t place(std::uint32_t offset) const {
    const std::size_t at = head_ + offset;
    return at < entries_.size() ? at : at - entries_.size();
  }

  /// Only for an unbounded queue.
  void grow() {
    std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_), entries_.end());
    head_ = 0;
    entries_.resize(entries_.size() * 2);
  }

  std::uint32_t capacity_;
  std::vector<Entry> entries_;
  std::size_t head_ = 0;
  std::uint32_t count_ = 0, popped_ = 0;
  Cycle last_pop_ = kNever;
};

}  // namespace wharf
