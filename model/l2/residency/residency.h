#pragma once
// Which lines a slice of L2 keeps longest: the eviction classes that hints and access-policy windows give to lines, and the set-aside of
// persisting lines (LR-1 to LR-5). A class narrows the candidates of the replacement policy, which still chooses among them.

#include <cstdint>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/cache/tag_array.h"
#include "model/l2/l2_params.h"
#include "stimuli/stimulus.h"

namespace wharf {

class Residency {
 public:
  /// `evictions`: those of the slice.
  Residency(stats::Group& group, const L2Params& params, const stats::Counter& evictions);

  /// The class that `access` wants: its own hint, or else that of its kernel's window.
  Eviction requested_eviction(const Access& access) const;
  /// From now on kernel `kernel`, the index among those that run concurrently, has the window of `launch`, whose limit holds for all
  /// kernels. Persisting lines beyond a lower limit stay until others replace them.
  void start_kernel(std::uint8_t kernel, const KernelLaunch& launch);

  /// As TagArray::victim: the replacement policy's choice among the candidates of the first class that has any.
  TagArray::Slot victim(TagArray& tags, std::uint64_t set_key, const Access& access) const;
  /// The line of `access` has entered the slot, or was used there. A line whose set has no room for another persisting one keeps its class.
  void classify(TagArray& tags, TagArray::Slot slot, const Access& access) const;
  void evicted(const TagArray::Line& line);
  /// Persisting lines become normal.
  void reset(TagArray& tags) const;

  /// Counts an access that has been served. `missed`: a sector was neither present nor in flight.
  void count(const Access& access, bool missed);

  stats::Counter evicted_first, evicted_normal, evicted_last;
  stats::Counter persisting_accesses, persisting_misses, unallocated, waits;

 private:
  std::uint32_t lines_of(const TagArray& tags, std::uint32_t set, Eviction eviction) const;

  const L2Params params_;
  std::uint32_t persisting_ways_;  // ways of each set that persisting lines may occupy; 0: no line becomes persisting
  std::vector<L2Window> windows_;  // [kernel]
};

}  // namespace wharf
