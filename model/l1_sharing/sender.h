#pragma once
// A queue with a message port behind it. Messages leave in the order in which they become ready, at most per_cycle of them per cycle. Each
// leaves at the end (commit) of the cycle before it is ready. The order in which blocks act in that cycle therefore does not matter, and
// the network receives the message in time.

#include <algorithm>
#include <string>

#include "model/l1_sharing/out_queue.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"
#include "model/tlm/outlet.h"

namespace wharf {

/// Is notified when messages have left.
class SenderOwner {
 public:
  virtual ~SenderOwner() = default;
  /// Called at the end of cycle `now`; there may be room for messages that the owner has held back.
  virtual void after_sending(Cycle now) = 0;
};

class Sender final : public Clocked, public Committed, private MessageSource {
 public:
  Sender(const std::string& name, ClockDomain& clock, std::uint32_t places, SenderOwner& owner, std::uint32_t per_cycle = 1)
      : clock_(clock), owner_(owner), block_(clock.add(*this)), queue_(places), per_cycle_(per_cycle), port_(name, *this, 0) {}

  tlm::tlm_initiator_socket<>& socket() { return port_.socket; }
  const OutQueue& queue() const { return queue_; }

  /// Queues a message that may leave from cycle `ready` on. Called in the act() of a block of this clock, or in after_sending().
  void add(Transaction& message, Cycle ready) {
    queue_.add(message, ready);
    look();
  }
  /// Requests a call of after_sending() at the end of this cycle. Called in the act() of a block of this clock.
  void look() {
    if (!committing_) clock_.request_commit(*this);
  }

  /// Called between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(queue_.empty(), "a queue of messages");
    file(outlet_, committed_);
  }

  void act(Cycle) override { look(); }
  void commit() override {
    const Cycle now = clock_.now();
    if (committed_ == now) return;
    committed_ = now;
    committing_ = true;
    if (outlet_.is_open(now)) send(now);
    owner_.after_sending(now);
    committing_ = false;
    if (queue_.empty() || outlet_.is_pending()) return;
    clock_.wake(block_, std::max({queue_.next_ready() - 1, outlet_.opens_at(), now + 1}));
  }

 private:
  void send(Cycle now) {
    for (std::uint32_t sent = 0; sent < per_cycle_ && queue_.next_ready() <= now + 1; ++sent) {
      const Cycle ready = std::max(queue_.next_ready(), now + 1);
      const auto post = [&] { return port_.post(Payload::of(queue_.pop()), clock_.edge(ready) - present()); };
      if (!outlet_.send(now + 1, post)) return;
    }
  }
  void posted(unsigned, Picoseconds at) override {
    outlet_.reopen(clock_.cycle_at(at));
    clock_.wake(block_, std::max(outlet_.opens_at(), clock_.present_cycle() + 1));
  }

  ClockDomain& clock_;
  SenderOwner& owner_;
  ClockDomain::BlockId block_;
  OutQueue queue_;
  std::uint32_t per_cycle_;
  MessageSourcePort port_;
  Outlet outlet_;
  Cycle committed_ = kNever;  // the last cycle that was committed
  bool committing_ = false;
};

}  // namespace wharf
