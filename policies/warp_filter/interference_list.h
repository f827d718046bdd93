#pragma once
// Who interferes most with each warp (ciao section 4.2): one name a victim, with a 2-bit saturating counter that keeps it against others.

#include <algorithm>
#include <array>
#include <cstdint>

#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class InterferenceList {
 public:
  /// `replace_on_reach_zero`: the event that brings a counter to 0 leaves its own name; else the next other one does (CIAO-O9).
  explicit InterferenceList(bool replace_on_reach_zero) : on_reach_zero_(replace_on_reach_zero) {
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) clear(warp);
  }

  /// A line of `interferer` had taken the place of one that `victim` wants back.
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

  /// The victim itself where nobody is known.
  unsigned interferer(unsigned victim) const { return entries_[victim].warp; }
  unsigned count(unsigned victim) const { return entries_[victim].count; }
  bool empty(unsigned victim) const { return !entries_[victim].used; }

  void clear(unsigned victim) { entries_[victim] = {static_cast<std::uint8_t>(victim), 0, false}; }
  /// Nobody's entry names `interferer` any more.
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
