#pragma once
// The interference detector of an SM (ciao section 4): hears from its caches whose lines came and went, keeps the lines that warps have
// lost, and says when a warp wants one of them back, and to whom it had lost it.
//
// Events are posted with the cycle in which they are seen. Those of one cycle take effect in an order of their own: misses, evictions,
// stores, lines that stores took, and by line within each. So it does not matter which cache, of several that serve this SM, was called first.
//
// Not modelled: the time and the ports of the victim tags, which are off the critical path (ciao section 6.3).

#include <cstdint>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/cache_event.h"
#include "policies/warp_filter/victim_tags.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class InterferenceUnit {
 public:
  /// `filter` is told of losses; null: nobody is, they are measured only. `group`: of SM `sm`.
  InterferenceUnit(std::uint32_t sets, std::uint32_t ways, unsigned sm, stats::Group& group, WarpFilter* filter);

  /// Lines that stores take count as lost too (CIAO-O8).
  void count_stores() { counts_stores_ = true; }
  /// Of a warp of this SM, or a store to a cache that serves it; seen at `cycle`.
  void post(const CacheEvent& event, Cycle cycle) { posted_.push_back({cycle, event}); }
  /// What is posted up to `now` takes effect.
  void advance(Cycle now) {
    if (!posted_.empty()) take_posted(now);
  }
  /// A new warp takes the slot, now. What was posted before is of the old one.
  void launched(unsigned warp, Cycle now);

  /// How often `victim` has wanted back what it had lost to `interferer`, warps of this SM.
  std::uint64_t hits(unsigned victim, unsigned interferer) const { return matrix_[victim * kMaxWarps + interferer]; }

 private:
  struct Posted {
    Cycle cycle;
    CacheEvent event;
  };
  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter hits, hits_shared, hits_by_others, evictions;
  };
  void take_posted(Cycle now);
  void take(const CacheEvent& event, Cycle now);

  std::uint16_t sm_;
  WarpFilter* filter_;
  bool counts_stores_ = false;
  Counters counters_;
  VictimTags tags_;
  std::vector<std::uint64_t> matrix_;  // [victim][interferer]
  std::vector<Posted> posted_, due_;
};

}  // namespace wharf
