#pragma once
// A finite queue of transactions, each usable from a cycle on. As in RequestQueue, what its owner takes out in a cycle leaves room for others
// from the next cycle on, so that it does not matter who comes first inside a cycle.

#include <cstdint>
#include <vector>

#include "model/base/access.h"

namespace wharf {

class ProbeQueue {
 public:
  /// `capacity` >= 1.
  explicit ProbeQueue(std::uint32_t capacity) : entries_(capacity) {}

  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  std::uint32_t capacity() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// For its owner, who acts once a cycle.
  bool full() const { return count_ == entries_.size(); }
  /// For others, in cycle `now`.
  bool room(Cycle now) const { return count_ + (last_pop_ == now ? popped_ : 0) < entries_.size(); }
  bool ready(Cycle now) const { return count_ != 0 && entries_[head_].ready <= now; }
  /// Of the oldest; kNever where there is none.
  Cycle next_ready() const { return count_ == 0 ? kNever : entries_[head_].ready; }
  Transaction& front() const { return *entries_[head_].transaction; }

  /// There is room.
  void push(Transaction& transaction, Cycle ready) {
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

  /// Takes out all for which `chosen(transaction)` holds.
  template <class Chosen>
  void take(Chosen chosen) {
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

  std::vector<Entry> entries_;
  std::size_t head_ = 0;
  std::uint32_t count_ = 0, popped_ = 0;
  Cycle last_pop_ = kNever;
};

}  // namespace wharf
