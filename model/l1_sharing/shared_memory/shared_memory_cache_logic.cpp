#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"

#include <algorithm>

namespace wharf {

namespace {

constexpr std::uint32_t kRowBytes = 256;      // both groups together
constexpr std::uint32_t kTagsPerRow = 32;     // one group
constexpr std::uint32_t kMostDataRows = 256;  // eight row bits

std::uint32_t tag_rows_of(std::uint32_t data_rows) { return std::max(1u, data_rows / kTagsPerRow); }

}  // namespace

SharedMemoryRegion SharedMemoryRegion::of(std::uint32_t bytes, std::uint32_t used) {
  const std::uint32_t free_rows = (bytes - std::min(bytes, used)) / kRowBytes;
  SharedMemoryRegion region;
  if (free_rows < 2) return region;
  region.data_rows = 1;
  while (region.data_rows < kMostDataRows && 2 * region.data_rows + tag_rows_of(2 * region.data_rows) <= free_rows) region.data_rows *= 2;
  region.tag_rows = tag_rows_of(region.data_rows);
  region.data_from = bytes / kRowBytes - free_rows;
  region.tags_from = region.data_from + region.data_rows;
  return region;
}

SharedMemoryPlace place_in(const SharedMemoryRegion& region, SharedMemoryPlacement placement, LineAddress line) {
  const std::uint64_t n = placed_as(placement, line);
  const auto group = static_cast<std::uint32_t>(n & 1);
  const auto row = static_cast<std::uint32_t>(n >> 1 & region.mask());
  const std::uint32_t position = row % kTagsPerRow;
  return {group, region.data_from + row, region.tags_from + row / kTagsPerRow, position >> 1, position & 1, row << 1 | group};
}

SharedMemoryCache::Counters::Counters(stats::Group& g)
    : loads(g, "shared_memory_cache.loads", "loads looked up in shared memory, each once", stats::Unit::accesses),
      hits(g, "shared_memory_cache.hits", "loads that found all sectors in shared memory; they are not hits of the L1",
           stats::Unit::accesses),
      merged(g, "shared_memory_cache.merged", "loads that merged with a request in flight", stats::Unit::accesses),
      misses(g, "shared_memory_cache.misses", "loads that missed in shared memory, fetched into shared memory or the L1",
             stats::Unit::accesses),
      probes(g, "shared_memory_cache.probes", "loads of warps that are not isolated (CIAO-O26)", stats::Unit::accesses),
      probe_hits(g, "shared_memory_cache.probe_hits", "loads of such warps that hit", stats::Unit::accesses),
      fills(g, "shared_memory_cache.fills", "lines written into shared memory, including migrated lines", stats::Unit::count),
      evictions(g, "shared_memory_cache.evictions", "lines evicted for others", stats::Unit::count),
      migrations(g, "shared_memory_cache.migrations", "lines moved from the L1 to shared memory: hits of the L1 by isolated warps",
                 stats::Unit::count),
      invalidated(g, "shared_memory_cache.invalidated", "lines that a store, or the L1 that took them, invalidated", stats::Unit::count),
      replies_full(g, "shared_memory_cache.replies_full", "cycles that a line waited to migrate because the response queue was full",
                   stats::Unit::cycles),
      wait_cycles(g, "shared_memory_cache.wait_cycles", "cycles that lookups and fills waited for shared memory or for room below",
                  stats::Unit::cycles),
      accesses(g, "shared_memory_cache.accesses", "reads of a tag and line, and fills: each takes 17 banks for a cycle",
               stats::Unit::accesses),
      valid_line_cycles(g, "shared_memory_cache.valid_line_cycles", "valid lines, summed over core cycles", stats::Unit::cycles) {
  g.law("shared_memory_cache.loads == hits + merged + misses",
        [this] { return loads.value() == hits.value() + merged.value() + misses.value(); });
}

SharedMemoryCache::SharedMemoryCache(stats::Group& group, const SharedMemoryCacheParams& params, bool versions)
    : placement_(params.placement), probe_on_l1_miss_(params.probe_on_l1_miss), versions_(versions), counters_(group) {}

void SharedMemoryCache::become(const SharedMemoryRegion& region) {
  region_ = region;
  blocks_.assign(region.lines(), {});
  valid_lines_ = 0;
  in_use_ = false;
}

/// A kernel that leaves no room for the cache may have begun since the load was looked up in the L1.
bool SharedMemoryCache::begin_lookup(const Access& load) {
  if (live() && load.hint.isolated) use();
  return live();
}

void SharedMemoryCache::looked_up(const Access& load, Found found) {
  ++counters_.loads;
  ++(found == Found::hit ? counters_.hits : found == Found::merged ? counters_.merged : counters_.misses);
  if (load.hint.isolated) return;
  ++counters_.probes;
  if (found == Found::hit) ++counters_.probe_hits;
}

void SharedMemoryCache::record_migration(const Access&) {
  ++counters_.migrations;
  use();
}

void SharedMemoryCache::read(LineAddress line, SectorMask sectors, SectorVersions& versions) const {
  if (!versions_) return;
  const SectorMask here = held(line) & sectors;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (here >> s & 1) versions[s] = blocks_[block_of(line)].versions[s];
}

std::optional<SideStore::Evicted> SharedMemoryCache::install(const Access& access, SectorMask sectors, const SectorVersions& versions) {
  if (!live()) return {};
  Block& block = blocks_[block_of(access.line)];
  std::optional<Evicted> evicted;
  ++counters_.fills;
  if (block.valid == 0) {
    ++valid_lines_;
  } else if (block.line != access.line) {
    ++counters_.evictions;
    evicted = Evicted{block.line, block.origin};
    block.valid = 0;
  }
  if (block.valid == 0) block.origin = {access.pc, access.cta, access.sm, access.warp};
  block.line = access.line;
  block.valid |= sectors;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (sectors >> s & 1) block.versions[s] = versions[s];
  return evicted;
}

void SharedMemoryCache::invalidate(LineAddress line, SectorMask sectors) {
  if ((held(line) & sectors) == 0) return;
  Block& block = blocks_[block_of(line)];
  block.valid &= ~sectors;
  if (block.valid != 0) return;
  ++counters_.invalidated;
  --valid_lines_;
}

void SharedMemoryCache::invalidate_all() {
  for (Block& block : blocks_) block.valid = 0;
  counters_.invalidated += valid_lines_;
  valid_lines_ = 0;
}

}  // namespace wharf
