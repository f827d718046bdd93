#pragma once
// A controller's end of its memory link to a DRAM channel: sends fetches and writebacks in order, and receives lines. The fixed latency to
// the channel equals that of the L2 slices.

#include <algorithm>
#include <vector>

#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/outlet.h"
#include "model/tlm/request_queue.h"

namespace wharf {

class DramPort final : private MemoryInitiator {
 public:
  /// `block` of `clock` is woken when something changes. `entries` limits each direction. `extra_cycles` is the latency to the channel.
  DramPort(const std::string& name, ClockDomain& clock, ClockDomain::BlockId block, std::uint32_t entries, std::uint32_t extra_cycles)
      : clock_(clock), block_(block), entries_(entries), extra_(extra_cycles), fills_(entries), port_(name, *this, 0) {
    queue_.reserve(entries);
  }

  tlm::tlm_initiator_socket<>& socket() { return port_.socket; }
  bool room() const { return queue_.size() < entries_; }
  void add(Payload& payload) { queue_.push_back(&payload); }
  bool idle() const { return queue_.empty() && fills_.empty(); }
  const std::vector<Payload*>& queue() const { return queue_; }
  /// Saves or loads the state between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(idle() && !outlet_.is_pending() && !fills_.waiting(), "a controller's link to DRAM");
    file(outlet_);
  }

  /// Accepts a line that waited for an entry. Called at the start of act.
  void admit_pending(Cycle now) {
    Cycle end;
    if (fills_.waiting())
      if (Payload* accepted = fills_.admit_pending(now, end)) port_.end_response(*accepted, clock_.delay(end - now));
  }
  bool line_ready(Cycle now) const { return fills_.ready(now); }
  Picoseconds line_arrived() const { return clock_.edge(fills_.next_ready()); }
  Payload& pop_line(Cycle now) { return fills_.pop(now); }

  /// Sends at most one request per cycle. Returns true if one was sent.
  bool send(Cycle now) {
    if (queue_.empty() || !outlet_.is_open(now)) return false;
    Payload& payload = *queue_.front();
    queue_.erase(queue_.begin());
    payload.stages().claim_to(Stage::dram_link, present() + clock_.delay(1));
    outlet_.send(now + 1, [&] { return port_.send(payload, clock_.delay(extra_)) != Acceptance::pending; });
    return true;
  }

  /// Returns the next cycle with work if nothing arrives from outside; kNever if there is none.
  Cycle next(Cycle now) const {
    Cycle next = fills_.admits_after(now) ? now + 1 : fills_.next_ready();
    if (!queue_.empty()) next = std::min(next, outlet_.opens_at());
    return next;
  }

 private:
  void request_accepted(unsigned, Picoseconds at) override {
    // The next request may arrive from `at` on, so it may be sent extra_ cycles earlier.
    const Cycle present = clock_.present_cycle();
    outlet_.reopen(std::max(clock_.cycle_at(at) - extra_, present + 1));
    clock_.wake(block_, outlet_.opens_at());
  }
  GateTerms gate_terms(unsigned) const override { return {&clock_}; }
  bool response(unsigned, Payload& payload, Picoseconds at) override {
    if (payload.access().kind == AccessKind::store) {
      payload.release();
      return true;
    }
    const Cycle arrived = clock_.cycle_at(at), present = clock_.present_cycle();
    const bool accepted = fills_.offer(payload, arrived, 0, present) == Acceptance::accepted;
    clock_.wake(block_, std::max(accepted ? arrived : 0, present + 1));
    return accepted;
  }

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  std::size_t entries_;
  Cycle extra_;
  Outlet outlet_;
  std::vector<Payload*> queue_;  // oldest first; short
  RequestQueue fills_;
  MemoryInitiatorPort port_;
};

}  // namespace wharf
