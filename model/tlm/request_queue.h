#pragma once
// The finite queue behind a target port, with the back-pressure of a memory link.
//
// Room is judged by the last commit: an entry taken out in this cycle frees its place for the next. So whether a request is accepted does
// not depend on whether the sender or the owner acts first.
//
// What nearly every look at it asks for, the oldest entry and the counts, lies in the queue itself, beside the ring that holds all
// entries. How many there are is as good as random, so nothing branches on it: an oldest entry that is not there is never ready.

#include <vector>

#include "model/base/bits.h"
#include "model/tlm/memory_link.h"

namespace wharf {

class RequestQueue {
 public:
  /// `capacity` >= 1 entries.
  explicit RequestQueue(std::uint32_t capacity)
      : capacity_(capacity), mask_((std::uint32_t{1} << ceil_log2(capacity)) - 1), ring_(std::size_t{mask_} + 1) {}

  /// A request that arrives in cycle `arrival` and may be served `latency` < 2^32 cycles after its acceptance; `now` is the owner's
  /// present cycle. At most one can be pending. It is given its place as soon as there is one, which may be before it arrives: whoever gets
  /// `pending` must call settle() from the next cycle on.
  Acceptance offer(Payload& payload, Cycle arrival, Cycle latency, Cycle now) {
    if (!waiting() && room(now)) {
      push({&payload, arrival + latency});
      return Acceptance::accepted;
    }
    pending_ = {&payload, arrival};
    latency_ = static_cast<std::uint32_t>(latency);
    return Acceptance::pending;
  }

  /// At the start of act: the pending request that has room now and has been queued, or nullptr. `end`: the cycle in which its sender is
  /// to be told, the next one or that of the arrival.
  Payload* settle(Cycle now, Cycle& end) {
    if (!waiting() || !room(now)) return nullptr;
    Entry accepted = pending_;
    pending_.payload = nullptr;
    end = now + 1 > accepted.ready ? now + 1 : accepted.ready;
    accepted.ready = (now > accepted.ready ? now : accepted.ready) + latency_;
    push(accepted);
    return accepted.payload;
  }

  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == capacity_; }
  bool waiting() const { return pending_.payload != nullptr; }
  /// A pending request has its place in the next cycle: settle() is worth a call then.
  bool settles_after(Cycle now) const { return waiting() && count_ < capacity_ && last_pop_ == now; }
  std::uint32_t size() const { return count_; }
  bool ready(Cycle now) const { return front_.ready <= now; }
  /// When the oldest entry can be served; kNever where there is none.
  Cycle next_ready() const { return front_.ready; }
  /// Entries that can be served.
  std::uint32_t ready_entries(Cycle now) const {
    std::uint32_t ready = 0;
    while (ready < count_ && at(ready).ready <= now) ++ready;
    return ready;
  }
  Payload& front() const { return *front_.payload; }
  Payload* pending() const { return pending_.payload; }
  /// Every request, oldest first, the pending one too.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i) visit(*at(i).payload);
    if (waiting()) visit(*pending_.payload);
  }

  Payload& pop(Cycle now) {
    Payload& payload = *front_.payload;
    head_ = place(1);
    const bool last = --count_ == 0;
    front_.payload = ring_[head_].payload;
    front_.ready = ring_[head_].ready | -Cycle{last};
    if (front_.payload != nullptr) front_.payload->transaction().prefetch();  // it comes next, if it is there
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
    return payload;
  }

 private:
  struct Entry {
    Payload* payload = nullptr;
    Cycle ready = kNever;
  };
  bool room(Cycle now) const { return count_ + (last_pop_ == now ? popped_ : 0) < capacity_; }
  void push(const Entry& entry) {
    ring_[place(count_)] = entry;
    front_.payload = ring_[head_].payload;
    front_.ready &= entry.ready | -Cycle{count_ != 0};  // kNever, all ones, where there was none
    ++count_;
  }
  const Entry& at(std::uint32_t i) const { return ring_[place(i)]; }
  /// In the ring, of the entry with `i` before it.
  std::uint32_t place(std::uint32_t i) const { return (head_ + i) & mask_; }

  Entry front_;                      // the oldest, as in the ring; ready at kNever where there is none
  Cycle last_pop_ = kNever;
  std::uint32_t popped_ = 0;         // entries taken out in cycle last_pop_
  std::uint32_t count_ = 0, capacity_;
  std::uint32_t head_ = 0, mask_;    // the place of the oldest; the ring has as many places as a power of two
  std::uint32_t latency_ = 0;        // of the pending request
  std::vector<Entry> ring_;
  Entry pending_;                    // `ready`: when it arrives
};

}  // namespace wharf
