#pragma once
// Scripted ends of message links.

#include "tests/block/block_rig.h"

namespace wharf::block_rig {

/// Posts payloads in the order of the script, one per cycle, and none while another is pending.
class MessageOut final : public sc_core::sc_module, public Clocked, private MessageSource {
 public:
  MessageOut(sc_core::sc_module_name name, ClockDomain& clock) : sc_module(name), clock_(clock), block_(clock.add(*this)) {}

  /// The message arrives at the other end in cycle `cycle` >= 2.
  void post(Cycle cycle, Payload& payload) {
    waiting_.push_back({cycle, &payload});
    clock_.wake(block_, std::max(cycle - 1, clock_.now() + 1));
  }
  MessageSourcePort port{"port", *this, 0};
  std::map<std::uint64_t, Cycle> arrived;      // by access id: when it was posted to arrive at the other end
  std::map<std::uint64_t, Cycle> taken_later;  // by access id, for those that had to wait: when they were taken

  void act(Cycle now) override {
    if (waiting_.empty() || pending_ != nullptr) return;
    const auto [cycle, payload] = waiting_.front();
    if (cycle <= now + 1 && free_at_ <= now) {
      waiting_.pop_front();
      arrived[payload->access().id] = now + 1;
      if (!port.post(*payload, clock_.delay(1))) pending_ = payload;
    }
    if (!waiting_.empty() && pending_ == nullptr) clock_.wake(block_, std::max({now + 1, waiting_.front().first - 1, free_at_}));
  }

 private:
  void posted(unsigned, Picoseconds at) override {
    REQUIRE(pending_ != nullptr);
    free_at_ = clock_.cycle_at(at);
    taken_later[pending_->access().id] = free_at_;
    pending_ = nullptr;
    if (!waiting_.empty()) clock_.wake(block_, std::max(free_at_, clock_.present_cycle() + 1));
  }

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  std::deque<std::pair<Cycle, Payload*>> waiting_;
  Payload* pending_ = nullptr;
  Cycle free_at_ = 0;
};

/// Takes messages, at once or when the script says so.
class MessageIn final : public sc_core::sc_module, private MessageSink {
 public:
  struct Message {
    std::uint64_t id;
    Cycle cycle;
    MessageHeader header;
    Payload* payload;
  };

  MessageIn(sc_core::sc_module_name name, ClockDomain& clock) : sc_module(name), clock_(clock) {}

  MessageSinkPort port{"port", *this, 0};
  std::vector<Message> messages;
  std::function<bool(std::size_t)> takes = [](std::size_t) { return true; };  // whether it takes its n-th message at once
  std::function<void(Payload&)> then;                                         // called for every message after it is taken

  bool waits() const { return pending_ != nullptr; }
  /// Takes the message that was left pending.
  void accept_waiting(Cycle delay = 1) {
    Payload* payload = std::exchange(pending_, nullptr);
    port.accept(*payload, clock_.delay(delay));
    if (then) then(*payload);
  }
  std::vector<std::uint64_t> ids() const {
    std::vector<std::uint64_t> ids;
    for (const Message& message : messages) ids.push_back(message.id);
    return ids;
  }
  Cycles cycles() const {
    Cycles cycles;
    for (const Message& message : messages) cycles.push_back(message.cycle);
    return cycles;
  }

 private:
  bool message(unsigned, Payload& payload, Picoseconds at) override {
    REQUIRE(pending_ == nullptr);
    messages.push_back({payload.access().id, clock_.cycle_at(at), payload.message(), &payload});
    if (!takes(messages.size() - 1)) {
      pending_ = &payload;
      return false;
    }
    if (then) then(payload);
    return true;
  }

  ClockDomain& clock_;
  Payload* pending_ = nullptr;
};

}  // namespace wharf::block_rig
