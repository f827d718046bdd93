#pragma once
// The finite queue behind a target port, with the back-pressure of a memory link. If requests become usable a fixed latency after their
// acceptance, a pipeline with one place per stage accompanies the queue. A request that waits out its latency takes no place of the queue
// (morpheus section 2.3), so one request is accepted per cycle, however long the pipeline is.
//
// Room is judged as of the last commit: an entry removed in this cycle is free from the next cycle on. Whether a request is accepted
// therefore does not depend on whether the sender or the owner acts first.
//
// The members that nearly every call reads, the oldest entry and the counts, are in the queue object itself, beside the ring of all
// entries.

#include "model/base/host/ring.h"
#include "model/tlm/memory_link.h"

namespace wharf {

class RequestQueue {
 public:
  /// `places` >= 1: requests that can wait. `stages`: cycles from the acceptance of a request to the end of the earliest cycle that can
  /// serve it, for the requests with the largest latency; 0 if none has a latency.
  explicit RequestQueue(std::uint32_t places, std::uint32_t stages = 0) : capacity_(places + stages), entries_(capacity_) {}

  /// Adds stages to the pipeline. Call it before the first request.
  void lengthen_pipeline(std::uint32_t stages) {
    capacity_ += stages;
    entries_ = Ring<Entry>(capacity_);
  }
  /// Requests that the queue and its pipeline hold.
  std::uint32_t capacity() const { return capacity_; }

  /// Offers a request that arrives in cycle `arrival` and may be served `latency` < 2^32 cycles after its acceptance. `now` is the owner's
  /// present cycle. At most one request can be pending; it gets an entry as soon as one is free, possibly before it arrives. A caller that
  /// receives `pending` must call admit_pending() from the next cycle on.
  Acceptance offer(Payload& payload, Cycle arrival, Cycle latency, Cycle now) {
    if (!waiting() && room(now)) {
      push({&payload, arrival + latency});
      return Acceptance::accepted;
    }
    pending_ = {&payload, arrival};
    latency_ = static_cast<std::uint32_t>(latency);
    return Acceptance::pending;
  }

  /// Call at the start of act(). Moves the pending request into a free entry and returns it; nullptr if there is no pending request or no
  /// free entry. Sets `end` to the cycle in which the sender learns of it: the next one, or that of the arrival if later.
  Payload* admit_pending(Cycle now, Cycle& end) {
    if (!waiting() || !room(now)) return nullptr;
    Entry accepted = pending_;
    pending_.payload = nullptr;
    end = now + 1 > accepted.ready ? now + 1 : accepted.ready;
    accepted.ready = (now > accepted.ready ? now : accepted.ready) + latency_;
    push(accepted);
    return accepted.payload;
  }

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.size() == capacity_; }
  bool waiting() const { return pending_.payload != nullptr; }
  /// True if a pending request gets an entry in the next cycle, so that admit_pending() should be called then.
  bool admits_after(Cycle now) const { return waiting() && entries_.size() < capacity_ && last_pop_ == now; }
  std::uint32_t size() const { return entries_.size(); }
  bool ready(Cycle now) const { return front_.ready <= now; }
  /// The cycle from which the oldest entry can be served; kNever if the queue is empty.
  Cycle next_ready() const { return front_.ready; }
  /// Number of entries that can be served.
  std::uint32_t ready_entries(Cycle now) const {
    std::uint32_t ready = 0;
    while (ready < entries_.size() && entries_[ready].ready <= now) ++ready;
    return ready;
  }
  Payload& front() const { return *front_.payload; }
  Payload* pending() const { return pending_.payload; }
  /// Visits every request, oldest first, including the pending one.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) visit(*entries_[i].payload);
    if (waiting()) visit(*pending_.payload);
  }

  Payload& pop(Cycle now) {
    Payload& payload = *front_.payload;
    entries_.pop();
    front_ = entries_.empty() ? Entry{} : entries_.front();
    if (front_.payload != nullptr) front_.payload->transaction().prefetch();  // the next to be served, if present
    popped_ = last_pop_ == now ? popped_ + 1 : 1;
    last_pop_ = now;
    return payload;
  }

 private:
  struct Entry {
    Payload* payload = nullptr;
    Cycle ready = kNever;
  };
  bool room(Cycle now) const { return entries_.size() + (last_pop_ == now ? popped_ : 0) < capacity_; }
  void push(const Entry& entry) {
    if (entries_.empty()) front_ = entry;
    entries_.push(entry);
  }

  Entry front_;  // copy of the oldest, beside the other members that every act reads
  Cycle last_pop_ = kNever;
  std::uint32_t popped_ = 0;  // entries removed in cycle last_pop_
  std::uint32_t capacity_;
  std::uint32_t latency_ = 0;  // of the pending request
  Ring<Entry> entries_;
  Entry pending_;  // `ready` is its arrival
};

}  // namespace wharf
