#pragma once
// The stages of a load's round trip, and the cycles that each stage has claimed so far (docs/howto-read-tables.md).
// A place that hands a load on claims the time since the last claim. Claims meet end to end, so they always sum to the time since issue. If
// a place claims nothing, its time goes to the next claim.

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

enum class Stage : std::uint8_t {
  lsu,       // in the SM: until the memory hierarchy accepts it, and from the answer to the register
  l1,        // lookup, data and fill in the SM's own L1
  queueing,  // waits for a queue entry or a turn, outside networks and DRAM
  network,   // head injected to tail ejected, in every network on the way
  peer,      // in another SM's L1
  l2,        // in the L2 slice
  dram,      // from the slice to the channel, in it, and back
  merged,    // waits for the line that another load has requested
  // Parts of the stages above, where the place is known. Parts of queueing:
  l1_queue,     // in the input queue of its own L1 behind older accesses, or its fill waits for a turn
  mshr_full,    // at the head of that queue, until an MSHR entry, an MSHR target or a way is free
  inject_up,    // at the network interface on the way to L2, until its head is injected
  inject_down,  // at the network interface on the way back, until its head is injected
  l2_queue,     // in the slice, until it gets a turn or room
  dram_link,    // in the slice's miss queue, until the channel takes it
  // Parts of network:
  network_up,  // on the way to L2, or to a peer
  network_down,
  // Part of dram:
  dram_queue,  // in the channel, until its last column command: waits for its turn, its bank and its row
  // No part of another stage, and only in an L2 of two partitions:
  partition,  // on the link between the partitions, both ways
};
inline constexpr unsigned kStages = 18;
/// Number of stages of a machine, from the first on.
constexpr unsigned stages_of(bool has_partitions) { return has_partitions ? kStages : static_cast<unsigned>(Stage::partition); }
inline constexpr const char* kStageNames[kStages] = {"lsu",      "l1",        "queueing",   "network",      "peer",       "l2",
                                                     "dram",     "merged",    "l1_queue",   "mshr_full",    "inject_up",  "inject_down",
                                                     "l2_queue", "dram_link", "network_up", "network_down", "dram_queue", "partition"};
/// The stage whose column in table latency_stack includes a stage.
inline constexpr Stage kColumnOf[kStages] = {Stage::lsu,      Stage::l1,       Stage::queueing, Stage::network,  Stage::peer,
                                             Stage::l2,       Stage::dram,     Stage::merged,   Stage::queueing, Stage::queueing,
                                             Stage::queueing, Stage::queueing, Stage::queueing, Stage::queueing, Stage::network,
                                             Stage::network,  Stage::dram,     Stage::partition};

/// Whole core cycles per stage. Nothing is counted before begin().
class StageTimes {
 public:
  StageTimes() = default;
  StageTimes(const StageTimes&) = default;
  /// Does not copy the counts of a transaction that is not counted, because most copies are of such transactions.
  StageTimes& operator=(const StageTimes& other) {
    until_ = other.until_;
    if (counted()) {
      core_mhz_ = other.core_mhz_;
      spent_ = other.spent_;
    }
    return *this;
  }

  /// Starts counting at core cycle `issue`, the acceptance at the load/store unit. `core_mhz` converts times to core cycles.
  void begin(Cycle issue, std::uint32_t core_mhz) {
    until_ = issue;
    core_mhz_ = core_mhz;
    spent_ = {};
  }
  /// Stops counting until the next begin().
  void ignore() { until_ = kNever; }
  bool counted() const { return until_ != kNever; }

  /// Claims the time since the last claim, up to core cycle `until`, for `stage`. An earlier cycle claims nothing.
  void claim(Stage stage, Cycle until) {
    if (until <= until_) return;
    spent_[static_cast<unsigned>(stage)] += static_cast<std::uint32_t>(until - until_);
    until_ = until;
  }
  /// As claim(), up to a time in ps, rounded up to a core cycle. Does nothing while nothing is counted.
  void claim_to(Stage stage, Picoseconds until) {
    if (counted()) claim(stage, (until * core_mhz_ + 999'999) / 1'000'000);
  }

  std::uint32_t operator[](unsigned stage) const { return spent_[stage]; }

 private:
  Cycle until_ = kNever;  // end of the last claim; kNever: not counted
  std::uint32_t core_mhz_ = 0;
  std::array<std::uint32_t, kStages> spent_{};
};

/// The round trips of one SM's loads by stage, for the loads that one level (ServedBy) answered.
struct LatencyStack {
  std::array<std::uint64_t, kStages> cycles{};
  std::uint64_t loads = 0;

  void add(const StageTimes& load) {
    ++loads;
    for (unsigned stage = 0; stage < kStages; ++stage) cycles[stage] += load[stage];
  }
  LatencyStack& operator+=(const LatencyStack& other) {
    loads += other.loads;
    for (unsigned stage = 0; stage < kStages; ++stage) cycles[stage] += other.cycles[stage];
    return *this;
  }
  /// Cycles of a column of the table, which is the number of its stage, including its parts.
  std::uint64_t column(unsigned column) const {
    std::uint64_t sum = 0;
    for (unsigned stage = 0; stage < kStages; ++stage) sum += static_cast<unsigned>(kColumnOf[stage]) == column ? cycles[stage] : 0;
    return sum;
  }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t part : cycles) sum += part;
    return sum;
  }
};

}  // namespace wharf
