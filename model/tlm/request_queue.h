#pragma once
// The finite queue behind a target port, with the back-pressure of a memory link.
//
// Room is judged by the last commit: an entry taken out in this cycle frees its place for the next. So whether a request is accepted does
// not depend on whether the sender or the owner acts first.

#include <vector>

#include "model/tlm/memory_link.h"

namespace wharf {

class RequestQueue {
 public:
  /// `capacity` >= 1 entries.
  explicit RequestQueue(std::uint32_t capacity) : entries_(capacity) {}

  /// A request that may be served from cycle `ready` on; `now` is the owner's present cycle. At most one can be pending.
  Acceptance offer(Payload& payload, Cycle ready, Cycle now) {
    if (pending_ == nullptr && room(now)) {
      push(payload, ready);
      return Acceptance::accepted;
    }
    pending_ = &payload;
    pending_ready_ = ready;
    return Acceptance::pending;
  }

  /// At the start of act: the pending request that has room now and has been queued, or nullptr. `latency`: cycles from acceptance to service.
  Payload* settle(Cycle now, Cycle latency) {
    if (pending_ == nullptr || !room(now)) return nullptr;
    Payload* accepted = pending_;
    pending_ = nullptr;
    const Cycle ready = now + latency;
    push(*accepted, ready > pending_ready_ ? ready : pending_ready_);
    return accepted;
  }

  bool empty() const { return count_ == 0; }
  bool waiting() const { return pending_ != nullptr; }
  std::uint32_t size() const { return count_; }
  bool ready(Cycle now) const { return count_ != 0 && entries_[head_].ready <= now; }
  /// When the oldest entry can be served; kNever where there is none.
  Cycle next_ready() const { return count_ == 0 ? kNever : entries_[head_].ready; }
  Payload& front() const { return *entries_[head_].payload; }
  Payload* pending() const { return pending_; }

  Payload& pop(Cycle now) {
    Payload& payload = *entries_[head_].payload;
    if (++head_ == entries_.size()) head_ = 0;
    --count_;
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
    return payload;
  }

 private:
  struct Entry {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };
  bool room(Cycle now) const { return count_ + (last_pop_ == now ? popped_ : 0) < entries_.size(); }
  void push(Payload& payload, Cycle ready) {
    std::size_t tail = head_ + count_;
    if (tail >= entries_.size()) tail -= entries_.size();
    entries_[tail] = {&payload, ready};
    ++count_;
  }

  std::vector<Entry> entries_;
  std::size_t head_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t popped_ = 0;      // entries taken out in cycle last_pop_
  Cycle last_pop_ = kNever;
  Payload* pending_ = nullptr;
  Cycle pending_ready_ = 0;
};

}  // namespace wharf
