#pragma once
// A DRAM channel with a script of requests, for the dram_* tests. It is driven in every clock or only when it asks to be.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/dram/dram_logic.h"

namespace wharf::test {

/// A request that is offered from clock `at` on, in the order of the script, until it is accepted. Its id is its index in the script.
struct DramOffer {
  Cycle at = 0;
  Address address = 0;  // also the channel-local address
  bool write = false;
  SectorMask sectors = 1;
};

/// The address of a bank, row and column under row_bank_column: the inverse of the bank permutation.
inline Address dram_place(const DramParams& params, unsigned bank, std::uint64_t row, unsigned line = 0) {
  return ((row * params.banks) + (bank ^ (row % params.banks))) * params.row_bytes + line * kLineBytes;
}

/// HBM as in the public QV100 configuration (common section 7, last column).
inline DramParams qv100_dram() {
  DramParams p;
  p.burst_bytes = 32;
  p.queue_entries = 64;
  p.dual_command = true;
  p.write_policy = DramWritePolicy::in_order_of_age;
  p.mapping = DramMapping::mask;
  p.timing.tCL = 12, p.timing.tWL = 2, p.timing.tRCD = 12, p.timing.tRP = 12, p.timing.tRAS = 28, p.timing.tRC = 40;
  p.timing.tCCD = 1, p.timing.tCCDL = 2, p.timing.tRRD = 3, p.timing.tCDLR = 3, p.timing.tWR = 10, p.timing.tRTP = 1, p.timing.tRTPL = 3;
  return p;
}

/// When the channel simulates its clocks: each at its time; when something is due; or all clocks since the last call when a request arrives
/// or completes.
enum class Done { every_clock, when_due, afterwards };

class ScriptedDram {
 public:
  explicit ScriptedDram(const DramParams& params) : group(registry, "dram", 0), logic(params, group) {}
  ScriptedDram(const DramParams& params, std::unique_ptr<DramScheduler> scheduler)
      : group(registry, "dram", 0), logic(params, group, std::move(scheduler)) {}

  /// Serves the script up to clock `last`; returns the completions in order.
  std::vector<DramCompletion> serve(const std::vector<DramOffer>& script, Done done = Done::when_due, Cycle last = kNever - 1) {
    std::vector<DramCompletion> served;
    std::size_t next = 0;
    Cycle now = 0;
    while (served.size() < script.size()) {
      logic.run_before(now);
      while (next < script.size() && script[next].at <= now && offer(script[next], next, now)) ++next;
      logic.run_before(now + 1);
      ++visits;
      DramCompletion completion;
      while (logic.pop_completed(now, completion)) served.push_back(completion);
      Cycle wake = next_visit(now, done);
      if (next < script.size()) wake = std::min(wake, std::max(script[next].at, now + 1));
      if (wake > last) break;  // a request was lost: the caller sees too few completions
      now = wake;
    }
    return served;
  }

  /// Completion cycle of each request of the script.
  std::vector<Cycle> cycles(const std::vector<DramOffer>& script, Done done = Done::when_due) {
    std::vector<Cycle> by_id(script.size(), kNever);
    for (const DramCompletion& completion : serve(script, done)) by_id[completion.id] = completion.cycle;
    return by_id;
  }

  /// Indices in the script, in order of completion.
  std::vector<std::uint64_t> order(const std::vector<DramOffer>& script) {
    std::vector<std::uint64_t> ids;
    for (const DramCompletion& completion : serve(script)) ids.push_back(completion.id);
    return ids;
  }

  std::uint64_t count(const std::string& name) const {
    for (const auto& entry : registry.counters()) {
      if (entry.name() == name) return entry.counter->value();
    }
    return kNever;
  }

  stats::Registry registry;
  stats::Group group;
  DramLogic logic;
  std::uint64_t visits = 0;

 private:
  Cycle next_visit(Cycle now, Done done) const {
    if (done == Done::every_clock) return now + 1;
    if (done == Done::when_due) return logic.next_event();
    const Cycle step = logic.next_step(), least = logic.least_clocks(true);
    return std::min(logic.next_completion(), step == kNever ? kNever : step + least);
  }
  bool offer(const DramOffer& offered, std::size_t id, Cycle now) {
    return logic.accept({id, offered.address, offered.address, offered.sectors, offered.write}, now);
  }
};

}  // namespace wharf::test
