#pragma once
// The interference detector of an SM (ciao section 4). It receives the events of the SM's caches and keeps the lines that each warp has
// lost. It reports when a warp misses on a lost line, and which warp displaced that line.
//
// Events are posted with the cycle in which they become visible. The events of one cycle take effect in a fixed order: misses, evictions,
// stores, lines taken by stores, and by line within each kind. The order in which the caches that serve this SM act therefore does not
// matter.
//
// Not modelled: the time and the ports of the victim tags, which lie off the critical path (ciao section 6.3).

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/cache_event.h"
#include "model/base/stats/stats.h"
#include "policies/warp_filter/victim_tags.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class InterferenceUnit {
 public:
  /// `filter` receives losses; null if they are only measured. `group` is that of SM `sm`.
  InterferenceUnit(std::uint32_t sets, std::uint32_t ways, unsigned sm, stats::Group& group, WarpFilter* filter);

  /// From now on lines that stores take count as lost too (CIAO-O8).
  void count_stores() { counts_stores_ = true; }
  /// Posts an event of a warp of this SM, or a store to a cache that serves it; it becomes visible in `cycle`.
  void post(const CacheEvent& event, Cycle cycle) { posted_.push_back({cycle, event}); }
  /// Applies the events posted up to `now`.
  void advance(Cycle now) {
    if (!posted_.empty()) apply_posted(now);
  }
  /// A new warp takes the slot in cycle `now`; earlier events belong to the old warp.
  void launched(unsigned warp, Cycle now);

  /// How often `victim` has missed on a line that it lost to `interferer`; both are warps of this SM.
  std::uint64_t hits(unsigned victim, unsigned interferer) const { return matrix_[victim * kMaxWarps + interferer]; }
  /// Called between kernels (model/base/archive.h), when all posted events have been applied.
  template <class File>
  void archive(File& file) {
    file.expect_quiet(posted_.empty(), "the interference detector of sm[" + std::to_string(sm_) + "]");
    file(tags_);
    file.elements(matrix_);
  }

 private:
  struct Posted {
    Cycle cycle;
    CacheEvent event;
  };
  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter hits, hits_shared, hits_by_others, evictions;
  };
  void apply_posted(Cycle now);
  void handle(const CacheEvent& event, Cycle now);

  std::uint16_t sm_;
  WarpFilter* filter_;
  bool counts_stores_ = false;
  Counters counters_;
  VictimTags tags_;
  std::vector<std::uint64_t> matrix_;  // [victim][interferer]
  std::vector<Posted> posted_, due_;
};

}  // namespace wharf
