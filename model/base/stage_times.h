#pragma once
// The stages of a load's round trip: how much of it each place on the load's walk has claimed so far (docs/howto-read-tables.md).
// A place that hands a load on claims the time since the last claim. Claims meet end to end, so they always sum to the time since issue; if
// one place claims nothing, its time falls to the next claim.

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

enum class Stage : std::uint8_t {
  lsu,       // in the SM: before acceptance below, and from the answer to the register
  l1,        // lookup, data and fill in the SM's own L1
  queueing,  // waits for a queue entry or a turn, outside networks and DRAM
  network,   // head injected to tail ejected, in every network on the way
  peer,      // in another SM's L1
  l2,        // in the L2 slice
  dram,      // from the slice to the channel, in it, and back
  merged,    // waits for the line that another load has requested
  // Parts of those above where the place is known. Of queueing:
  l1_queue,     // behind older accesses in the input queue of its own L1, or for the turn of its fill
  mshr_full,    // at the head of that queue, for an MSHR entry, a target of one, or a way
  inject_up,    // at the network interface, until its head is injected on the way to L2
  inject_down,  // the same on the way back
  l2_queue,     // in the slice, for a turn or for room
  dram_link,    // in the slice's miss queue, until the channel takes it
  // Of network:
  network_up,  // on the way to L2, or to a peer
  network_down,
  // Of dram:
  dram_queue,  // in the channel, until its last column command: for its turn, its bank and its row
};
inline constexpr unsigned kStages = 17;
inline constexpr const char* kStageNames[kStages] = {"lsu",      "l1",        "queueing",   "network",      "peer",      "l2",
                                                     "dram",     "merged",    "l1_queue",   "mshr_full",    "inject_up", "inject_down",
                                                     "l2_queue", "dram_link", "network_up", "network_down", "dram_queue"};
/// The first stages are the columns of the table latency_stack, in which the parts are added up.
inline constexpr unsigned kStageColumns = 8;
inline constexpr Stage kColumnOf[kStages] = {Stage::lsu,      Stage::l1,       Stage::queueing, Stage::network,  Stage::peer,
                                             Stage::l2,       Stage::dram,     Stage::merged,   Stage::queueing, Stage::queueing,
                                             Stage::queueing, Stage::queueing, Stage::queueing, Stage::queueing, Stage::network,
                                             Stage::network,  Stage::dram};

/// Whole core cycles per stage. Nothing is counted before begin().
class StageTimes {
 public:
  StageTimes() = default;
  StageTimes(const StageTimes&) = default;
  /// Skips the counts of a transaction whose time nobody counts: most copies are of such.
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
  /// Stops counting, as before begin().
  void ignore() { until_ = kNever; }
  bool counted() const { return until_ != kNever; }

  /// Claims the time since the last claim, up to core cycle `until`, for `stage`. An earlier cycle claims nothing.
  void claim(Stage stage, Cycle until) {
    if (until <= until_) return;
    spent_[static_cast<unsigned>(stage)] += static_cast<std::uint32_t>(until - until_);
    until_ = until;
  }
  /// The same up to a time in ps, rounded up to a core cycle.
  void claim_to(Stage stage, Picoseconds until) {
    if (counted()) claim(stage, (until * core_mhz_ + 999'999) / 1'000'000);
  }

  std::uint32_t operator[](unsigned stage) const { return spent_[stage]; }

 private:
  Cycle until_ = kNever;  // end of the last claim; kNever: not counted
  std::uint32_t core_mhz_ = 0;
  std::array<std::uint32_t, kStages> spent_{};
};

/// The round trips of one SM's loads by stage, for one kind of server.
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
  /// Cycles of a column of the table, its parts added up.
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
