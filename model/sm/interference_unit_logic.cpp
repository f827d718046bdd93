#include <algorithm>
#include <tuple>

#include "model/sm/interference_unit.h"

namespace wharf {

InterferenceUnit::Counters::Counters(stats::Group& g)
    : hits(g, "interference.hits", "load misses on a line that the warp lost (hits in its victim tags)", stats::Unit::accesses),
      hits_shared(g, "interference.hits_shared", "such misses on lines lost from the shared-memory cache", stats::Unit::accesses),
      hits_by_others(g, "interference.hits_by_others", "such misses on lines lost to a warp of another SM", stats::Unit::accesses),
      evictions(g, "interference.evictions", "lines of the SM's warps evicted for another line", stats::Unit::count) {}

InterferenceUnit::InterferenceUnit(std::uint32_t sets, std::uint32_t ways, unsigned sm, stats::Group& group, WarpFilter* filter)
    : sm_(static_cast<std::uint16_t>(sm)),
      filter_(filter),
      counters_(group),
      tags_(sets, ways),
      matrix_(std::size_t{kMaxWarps} * kMaxWarps) {
  group.law("interference.hits == hits of all pairs of warps + interference.hits_by_others", [this] {
    std::uint64_t sum = counters_.hits_by_others.value();
    for (const std::uint64_t hits : matrix_) sum += hits;
    return sum == counters_.hits.value();
  });
}

void InterferenceUnit::launched(unsigned warp, Cycle now) {
  advance(now);
  tags_.clear(warp);
}

void InterferenceUnit::apply_posted(Cycle now) {
  due_.clear();
  std::size_t kept = 0;
  for (const Posted& posted : posted_) {
    if (posted.cycle <= now)
      due_.push_back(posted);
    else
      posted_[kept++] = posted;
  }
  posted_.resize(kept);
  const auto key = [](const Posted& p) {
    const CacheEvent& e = p.event;
    return std::make_tuple(p.cycle, e.kind, e.line.number, e.warp, e.from_shared, e.by_sm, e.by_warp);
  };
  std::sort(due_.begin(), due_.end(), [key](const Posted& a, const Posted& b) { return key(a) < key(b); });
  for (const Posted& posted : due_) handle(posted.event, posted.cycle);
}

void InterferenceUnit::handle(const CacheEvent& event, Cycle now) {
  switch (event.kind) {
    case CacheEvent::Kind::missed: {
      const VictimTags::Tag* tag = tags_.probe(event.warp, event.line);
      if (tag == nullptr) return;
      ++counters_.hits;
      if (tag->from_shared) ++counters_.hits_shared;
      if (tag->evictor == LostLine::kNobody)
        ++counters_.hits_by_others;
      else
        ++matrix_[event.warp * kMaxWarps + tag->evictor];
      if (filter_ != nullptr) filter_->lost({event.warp, tag->evictor}, now);
      return;
    }
    case CacheEvent::Kind::taken:
      if (!counts_stores_) return;
      [[fallthrough]];
    case CacheEvent::Kind::evicted:
      ++counters_.evictions;
      tags_.insert(event.warp, event.line, event.by_sm == sm_ ? event.by_warp : LostLine::kNobody, event.from_shared);
      return;
    case CacheEvent::Kind::stored:
      tags_.invalidate(event.line);
      return;
  }
}

}  // namespace wharf
