#pragma once
// Scripted ends of memory and message links for tests of single blocks. Cycles are those of the end's own clock. An event "in cycle c"
// arrives at that edge, because it was sent one cycle before.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/monitor/kernel_failure.h"
#include "model/monitor/protocol/protocol_checker.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/message_link.h"
#include "tests/unit/counted.h"

namespace wharf::block_rig {

using test::counted;
using Cycles = std::vector<Cycle>;

inline Access an_access(AccessKind kind, std::uint64_t line, SectorMask sectors = kAllSectors) {
  Access access;
  access.kind = kind;
  access.line = {line};
  access.sectors = sectors;
  access.covered = kind == AccessKind::store ? sectors : SectorMask{0};
  return access;
}
inline Access a_load(std::uint64_t line, SectorMask sectors = kAllSectors) { return an_access(AccessKind::load, line, sectors); }
inline Access a_store(std::uint64_t line, SectorMask sectors = kAllSectors) { return an_access(AccessKind::store, line, sectors); }
inline Access an_atomic(std::uint64_t line, SectorMask sectors = 1) { return an_access(AccessKind::atomic, line, sectors); }

/// Calls the functions of a test at the times that it chooses.
class Script final : public Clocked {
 public:
  explicit Script(ClockDomain& clock) : clock_(clock), block_(clock.add(*this)) {}
  void at(Cycle cycle, std::function<void()> call) {
    calls_.emplace(cycle, std::move(call));
    clock_.wake(block_, cycle);
  }
  void act(Cycle now) override {
    while (!calls_.empty() && calls_.begin()->first <= now) {
      const auto call = std::move(calls_.begin()->second);
      calls_.erase(calls_.begin());
      call();
    }
  }

 private:
  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  std::multimap<Cycle, std::function<void()>> calls_;
};

/// Sends accesses in the order of the script, each as early as possible: one per cycle, and none while another is pending.
class Initiator final : public sc_core::sc_module, public Clocked, private MemoryInitiator {
 public:
  struct Reply {
    std::uint64_t id;
    Cycle cycle;
    ReplyHint hint;
    SectorVersions versions;
  };

  Initiator(sc_core::sc_module_name name, ClockDomain& clock, PayloadPool& pool)
      : sc_module(name), clock_(clock), pool_(pool), block_(clock.add(*this)) {}

  /// The access arrives at the other end in cycle `cycle` >= 2. Returns its id.
  std::uint64_t send(Cycle cycle, Access access, const SectorVersions& versions = {}) {
    access.id = ++last_id_;
    access.issue_cycle = cycle;
    waiting_.push_back({cycle, access, versions});
    clock_.wake(block_, cycle - 1);
    return access.id;
  }

  /// The cycle in which the answer to `id` arrived; kNever if none did.
  Cycle answered(std::uint64_t id) const {
    for (const Reply& reply : replies)
      if (reply.id == id) return reply.cycle;
    return kNever;
  }
  const Reply& reply_to(std::uint64_t id) const {
    for (const Reply& reply : replies)
      if (reply.id == id) return reply;
    throw std::logic_error("no reply to " + std::to_string(id));
  }
  /// Takes the answer that was left pending.
  void accept_waiting(Cycle delay = 1) {
    Payload* payload = std::exchange(refused_, nullptr);
    replies.push_back({payload->access().id, clock_.now() + delay, payload->reply(), payload->versions()});
    port.end_response(*payload, clock_.delay(delay));
    payload->release();
  }

  MemoryInitiatorPort port{"port", *this, 0};
  std::vector<Reply> replies;
  std::map<std::uint64_t, Cycle> arrived;                                     // by id: when it was sent to arrive at the other end
  std::map<std::uint64_t, Cycle> accepted_later;                              // by id, for those that had to wait: when their END_REQ came
  std::function<bool(std::size_t)> takes = [](std::size_t) { return true; };  // whether it takes its n-th answer at once
  unsigned per_cycle = 1;

  void act(Cycle now) override {
    for (unsigned sent = 0; sent < per_cycle && !waiting_.empty() && pending_ == 0 && free_at_ <= now; ++sent) {
      const Waiting next = waiting_.front();
      if (next.cycle > now + 1) break;
      waiting_.pop_front();
      Payload& payload = pool_.acquire(next.access);
      payload.versions() = next.versions;
      arrived[next.access.id] = now + 1;
      if (port.send(payload, clock_.delay(1)) == Acceptance::pending) pending_ = next.access.id;
    }
    if (!waiting_.empty() && pending_ == 0) clock_.wake(block_, std::max({now + 1, waiting_.front().cycle - 1, free_at_}));
  }

 private:
  struct Waiting {
    Cycle cycle;
    Access access;
    SectorVersions versions;
  };

  void request_accepted(unsigned, Picoseconds at) override {
    REQUIRE(pending_ != 0);
    free_at_ = clock_.cycle_at(at);
    accepted_later[pending_] = free_at_;
    pending_ = 0;
    clock_.wake(block_, std::max(free_at_, clock_.present_cycle() + 1));
  }
  bool response(unsigned, Payload& payload, Picoseconds at) override {
    CHECK(payload.get_response_status() == tlm::TLM_OK_RESPONSE);
    REQUIRE(refused_ == nullptr);
    if (!takes(answers_++)) {
      refused_ = &payload;
      return false;
    }
    replies.push_back({payload.access().id, clock_.cycle_at(at), payload.reply(), payload.versions()});
    payload.release();
    return true;
  }

  ClockDomain& clock_;
  PayloadPool& pool_;
  ClockDomain::BlockId block_;
  std::deque<Waiting> waiting_;
  std::uint64_t last_id_ = 0, pending_ = 0;
  std::size_t answers_ = 0;
  Cycle free_at_ = 0;
  Payload* refused_ = nullptr;
};

/// Takes requests and answers each `latency` cycles after its arrival, one per cycle, or when the script says so.
class Target final : public sc_core::sc_module, public Clocked, private MemoryTarget {
 public:
  struct Request {
    Access access;
    Cycle cycle;  // cycle of arrival
    SectorVersions versions;
    tlm::tlm_command command;
    Payload* payload;
  };

  Target(sc_core::sc_module_name name, ClockDomain& clock) : sc_module(name), clock_(clock), block_(clock.add(*this)) {}

  static constexpr Cycle kByHand = kNever;
  Cycle latency = 50;
  std::function<bool(std::size_t)> takes = [](std::size_t) { return true; };  // whether it takes its n-th request at once
  SectorVersions contents{};                                                  // contents of every line, returned to loads
  std::vector<Request> requests;
  MemoryTargetPort port{"port", *this, 0};

  /// Takes the request that was left pending. Its sender learns of it `delay` cycles later.
  void accept(Cycle delay = 1) {
    Payload* payload = std::exchange(pending_, nullptr);
    port.accept(*payload, clock_.delay(delay));
    plan(*payload, clock_.now() + delay);
  }
  /// The answer to the n-th request arrives at the other end in cycle `cycle`.
  void answer(std::size_t n, Cycle cycle) {
    due_.emplace(cycle, requests[n].payload);
    clock_.wake(block_, cycle - 1);
  }
  Cycles arrivals() const {
    Cycles cycles;
    for (const Request& request : requests) cycles.push_back(request.cycle);
    return cycles;
  }
  std::vector<std::uint64_t> lines() const {
    std::vector<std::uint64_t> lines;
    for (const Request& request : requests) lines.push_back(request.access.line.number);
    return lines;
  }

  void act(Cycle now) override {
    while (!due_.empty() && due_.begin()->first <= now + 1 && !blocked_) {
      Payload& payload = *due_.begin()->second;
      due_.erase(due_.begin());
      if (payload.access().kind == AccessKind::load) payload.versions() = contents;
      payload.reply().served_by = ServedBy::l2;
      blocked_ = !port.respond(payload, clock_.delay(1));
    }
    if (!due_.empty() && !blocked_) clock_.wake(block_, std::max(now + 1, due_.begin()->first - 1));
  }

 private:
  Acceptance request(unsigned, Payload& payload, Picoseconds at) override {
    REQUIRE(pending_ == nullptr);
    const Cycle cycle = clock_.cycle_at(at);
    requests.push_back({payload.access(), cycle, payload.versions(), payload.get_command(), &payload});
    if (!takes(requests.size() - 1)) {
      pending_ = &payload;
      return Acceptance::pending;
    }
    plan(payload, cycle);
    return Acceptance::accepted;
  }
  void plan(Payload& payload, Cycle cycle) {
    if (latency == kByHand) return;
    due_.emplace(cycle + latency, &payload);
    clock_.wake(block_, std::max(cycle + latency - 1, clock_.present_cycle() + 1));
  }
  void response_accepted(unsigned, Picoseconds at) override {
    blocked_ = false;
    clock_.wake(block_, std::max(clock_.cycle_at(at), clock_.present_cycle() + 1));
  }
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 23; }

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  std::multimap<Cycle, Payload*> due_;
  Payload* pending_ = nullptr;
  bool blocked_ = false;
};

/// A memory link with a protocol checker on it.
inline void connect(tlm::tlm_initiator_socket<>& from, ProtocolChecker& checker, tlm::tlm_target_socket<>& to) {
  from.bind(checker.target_socket);
  checker.initiator_socket.bind(to);
}

}  // namespace wharf::block_rig
