#pragma once
// The strongest interferer of each warp (ciao section 4.2): one warp per victim, with a 2-bit saturating counter that delays its
// replacement.

#include <algorithm>
#include <array>
#include <cstdint>

#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class InterferenceList {
 public:
  /// `replace_on_reach_zero`: the event that brings a counter to 0 replaces the interferer; else the next event of another warp does
  /// (CIAO-O9).
  explicit InterferenceList(bool replace_on_reach_zero) : on_reach_zero_(replace_on_reach_zero) {
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) clear(warp);
  }

  /// `victim` missed on a line that a line of `interferer` had replaced.
  void hit(unsigned victim, unsigned interferer) {
    Entry& entry = entries_[victim];
    if (empty(victim)) {
      entry = {static_cast<std::uint8_t>(interferer), 0, true};
    } else if (entry.warp == interferer) {
      entry.count = std::min<std::uint8_t>(entry.count + 1, 3);
    } else {
      const bool gone = entry.count == 0 || (--entry.count == 0 && on_reach_zero_);
      if (gone) entry.warp = static_cast<std::uint8_t>(interferer);
    }
  }

  /// The interferer of `victim`, or `victim` itself if none is known.
  unsigned interferer(unsigned victim) const { return entries_[victim].warp; }
  unsigned count(unsigned victim) const { return entries_[victim].count; }
  bool empty(unsigned victim) const { return !entries_[victim].used; }

  void clear(unsigned victim) { entries_[victim] = {static_cast<std::uint8_t>(victim), 0, false}; }
  /// Removes `interferer` from all entries.
  void forget(unsigned interferer) {
    for (unsigned victim = 0; victim < kMaxWarps; ++victim)
      if (entries_[victim].warp == interferer) clear(victim);
  }

 private:
  struct Entry {
    std::uint8_t warp, count;
    bool used;
  };
  std::array<Entry, kMaxWarps> entries_;
  bool on_reach_zero_;
};

}  // namespace wharf
