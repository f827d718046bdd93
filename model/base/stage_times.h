#pragma once
// Where the time of a load goes: what each place of its walk has claimed of its round trip so far (docs/howto-read-tables.md).
//
// A place that hands a load on claims the time since the last claim, up to the moment at which it does. Claims meet end to end, so that
// their sum is the time since the load was issued, whichever places claim and whichever forget: what is forgotten goes to the next.

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

enum class Stage : std::uint8_t {
  lsu,       // in the SM: not accepted below yet, or answered and not at its register
  l1,        // lookup, data and fill in the own L1
  queueing,  // waits for room or a turn, outside networks and DRAM
  network,   // head injected to tail ejected, of every network on the way
  peer,      // in an L1 that is not the own one
  l2,        // in the slice
  dram,      // from the slice to the channel, in it, and back
  merged,    // for the line that another load has asked for
};
inline constexpr unsigned kStages = 8;
/// As the table latency_stack calls them.
inline constexpr const char* kStageNames[kStages] = {"lsu", "l1", "queueing", "network", "peer", "l2", "dram", "merged"};

/// In core cycles, as whole numbers. Nothing is counted before begin().
class StageTimes {
 public:
  StageTimes() = default;
  StageTimes(const StageTimes&) = default;
  /// Of times that nobody counts there is nothing else to copy.
  StageTimes& operator=(const StageTimes& other) {
    until_ = other.until_;
    if (counted()) {
      core_mhz_ = other.core_mhz_;
      spent_ = other.spent_;
    }
    return *this;
  }

  /// `issue`: core cycle of acceptance at the load/store unit; `core_mhz`: the clock that counts.
  void begin(Cycle issue, std::uint32_t core_mhz) {
    until_ = issue;
    core_mhz_ = core_mhz;
    spent_ = {};
  }
  /// As before begin().
  void ignore() { until_ = kNever; }
  bool counted() const { return until_ != kNever; }

  /// The time since the last claim, up to core cycle `until`, was spent in `stage`. An earlier cycle claims nothing.
  void claim(Stage stage, Cycle until) {
    if (until <= until_) return;
    spent_[static_cast<unsigned>(stage)] += static_cast<std::uint32_t>(until - until_);
    until_ = until;
  }
  /// The same up to a time, in ps: the core cycle that begins then, or the next one.
  void claim_to(Stage stage, Picoseconds until) {
    if (counted()) claim(stage, (until * core_mhz_ + 999'999) / 1'000'000);
  }

  std::uint32_t operator[](unsigned stage) const { return spent_[stage]; }

 private:
  Cycle until_ = kNever;  // never: not counted
  std::uint32_t core_mhz_ = 0;
  std::array<std::uint32_t, kStages> spent_{};
};

/// The round trips of one SM's loads, by who answered and by stage.
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
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t part : cycles) sum += part;
    return sum;
  }
};

}  // namespace wharf
