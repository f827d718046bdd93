#pragma once
// Transactions for tests of the probe logic: a pool that counts the transactions in use.

#include <memory>
#include <vector>

#include "model/designs/remote_sharing/probe_agent_logic.h"

namespace wharf::test {

class Stock final : public TransactionStock {
 public:
  Transaction& acquire(const Access& access) override {
    all_.push_back(std::make_unique<Transaction>());
    all_.back()->access = access;
    ++out;
    return *all_.back();
  }
  void release(Transaction&) override { --out; }
  Transaction& miss(std::uint64_t line, std::uint16_t sm = 0) {
    Access access;
    access.line = LineAddress{line};
    access.sm = sm;
    return acquire(access);
  }
  int out = 0;

 private:
  std::vector<std::unique_ptr<Transaction>> all_;
};

inline CoreList cores(std::initializer_list<unsigned> list) {
  CoreList made;
  for (const unsigned core : list) made.add(core);
  return made;
}
inline CoreList first_cores(unsigned count, unsigned from = 1) {
  CoreList made;
  for (unsigned i = 0; i < count; ++i) made.add(from + i);
  return made;
}

/// The requesting side of core 0 with its counters.
struct Requester {
  explicit Requester(const RemoteSharingParams& p = {}, unsigned groups = 32)
      : params(p), logic(params, 0, groups, counters, stock, bodies) {}
  /// The probes that are sent now, in order.
  std::vector<Transaction*> sent(Cycle now = 0) {
    std::vector<Transaction*> probes;
    while (Transaction* probe = logic.outgoing()) {
      logic.pop_outgoing(now);
      probes.push_back(probe);
    }
    return probes;
  }
  /// The probe returns. It found the line at those of its targets that are `holders`.
  void home(Transaction& probe, std::initializer_list<unsigned> holders = {}) {
    ProbeBody& body = *probe.body;
    while (!body.exhausted()) {
      bool found = false;
      for (const unsigned holder : holders) found |= body.target() == holder;
      body.advance_target(found && body.role == ProbeRole::scout);
    }
    probe.message.kind = MessageKind::probe_return;
    logic.returned(probe, 0);
  }
  /// The core that the probe is visiting sends the data.
  Transaction* data(Transaction& probe) {
    probe.message.kind = MessageKind::peer_reply;
    probe.reply.served_by = ServedBy::peer;
    return logic.supplied(probe);
  }
  RemoteSharingParams params;
  stats::Registry registry;
  ProbeCounters counters{registry, 0};
  Stock stock;
  ProbePool bodies;
  ProbeRequesterLogic logic;
};

}  // namespace wharf::test
