#pragma once
// Unused shared memory as a direct-mapped cache: its rows, the place of each line, and its contents (ciao sections 6.1 and 6.2). There are
// two groups of 16 banks, and a row of a bank is 8 bytes wide. A line lies in one row of one group and its tag in the other group, so that
// one access reads both. The L1 sees it as the store beside it: loads of isolated warps bring their lines here, and other loads that miss
// may be looked up here too.
//
// Not modelled: data beyond the identity of the last store.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/l1/l1_logic.h"
#include "model/l1_sharing/shared_memory/shared_memory_cache_params.h"

namespace wharf {

/// Rows of both groups that no CTA of the running kernel can use: whole rows at the end (CIAO-O19, CIAO-O21).
struct SharedMemoryRegion {
  std::uint32_t data_rows = 0;  // a power of two, at most 256; 0: there is no region
  std::uint32_t tag_rows = 0;
  std::uint32_t data_from = 0;  // first rows: the two offset registers
  std::uint32_t tags_from = 0;

  /// Returns the region of `bytes` of shared memory of which the program uses at most the first `used`.
  static SharedMemoryRegion of(std::uint32_t bytes, std::uint32_t used);

  bool live() const { return data_rows != 0; }
  std::uint32_t mask() const { return data_rows - 1; }
  std::uint32_t lines() const { return 2 * data_rows; }
};

/// The number that selects a line's place. It equals the line number for numbers below 256, except with `hash`.
constexpr std::uint64_t placed_as(SharedMemoryPlacement placement, LineAddress line) {
  const std::uint64_t n = line.number;
  switch (placement) {
    case SharedMemoryPlacement::plain:
      break;
    case SharedMemoryPlacement::hash:  // of 32 sets: ciao section 2.1
      return n ^ ((n >> 6 & 7) | (n >> 10 & 1) << 3 | (n >> 12 & 1) << 4);
    case SharedMemoryPlacement::fold:
      return n ^ n >> 8 ^ n >> 16;
  }
  return n;
}

/// Where a line and its tag lie in a region.
struct SharedMemoryPlace {
  std::uint32_t group = 0;  // of the data; the tag is in the other
  std::uint32_t row = 0;    // of the data, in all banks of the group
  std::uint32_t tag_row = 0;
  std::uint32_t tag_bank = 0;  // in its group
  std::uint32_t tag_half = 0;  // of the bank's row
  std::uint32_t block = 0;     // number of the line's place: row within the region, then group
};

/// Requires a live `region`.
SharedMemoryPlace place_in(const SharedMemoryRegion& region, SharedMemoryPlacement placement, LineAddress line);

class SharedMemoryCache final : public SideStore {
 public:
  /// `versions`: keep the identity of the last store of each sector (verify).
  SharedMemoryCache(stats::Group& group, const SharedMemoryCacheParams& params, bool versions);

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter loads, hits, merged, misses, probes, probe_hits, fills, evictions, migrations, invalidated, replies_full, wait_cycles,
        accesses, valid_line_cycles;
  };
  Counters& counters() { return counters_; }

  /// A kernel starts whose CTAs leave this region free. Invalidates all lines.
  void become(const SharedMemoryRegion& region);
  const SharedMemoryRegion& region() const { return region_; }
  bool live() const { return region_.live(); }
  /// A warp is isolated: from now on misses of other warps are looked up in this region too (ciao section 7.2).
  void use() { in_use_ = true; }
  bool in_use() const { return in_use_; }

  bool looks_up(const Access& load) const override {
    return live() && load.kind == AccessKind::load && load.space == Space::global && (load.hint.isolated || (probe_on_l1_miss_ && in_use_));
  }
  bool claims(const Access& load) const override { return load.hint.isolated && looks_up(load); }
  bool begin_lookup(const Access& load) override;
  void looked_up(const Access& load, Found found) override;
  void record_migration(const Access& load) override;
  SectorMask held(LineAddress line) const override { return live() ? held_at(line) : SectorMask{0}; }
  /// All of `sectors` are valid here.
  bool holds(LineAddress line, SectorMask sectors) const { return (sectors & ~held(line)) == 0; }
  void read(LineAddress line, SectorMask sectors, SectorVersions& versions) const override;
  std::optional<Evicted> install(const Access& access, SectorMask sectors, const SectorVersions& versions) override;
  void invalidate(LineAddress line, SectorMask sectors) override;
  void invalidate_all() override;
  stats::Counter& served() override { return counters_.hits; }
  stats::Counter& replies_full() override { return counters_.replies_full; }

  std::uint32_t valid_lines() const { return valid_lines_; }
  /// Counts the valid lines for the cycles up to `now`.
  void count_to(Cycle now) {
    counters_.valid_line_cycles += valid_lines_ * (now - counted_to_);
    counted_to_ = now;
  }
  template <class File>
  void archive(File& file) {
    file(region_, blocks_, in_use_, valid_lines_, counted_to_);
  }

 private:
  struct Block {
    LineAddress line;
    SectorMask valid = 0;
    LineOrigin origin;
    SectorVersions versions{};
  };
  /// Bit 0 is the group; the eight bits above it are the row, before the mask.
  std::uint32_t block_of(LineAddress line) const { return static_cast<std::uint32_t>(placed_as(placement_, line) & (region_.lines() - 1)); }
  SectorMask held_at(LineAddress line) const {
    const Block& block = blocks_[block_of(line)];
    return block.line == line ? block.valid : SectorMask{0};
  }

  SharedMemoryRegion region_;
  SharedMemoryPlacement placement_;
  bool probe_on_l1_miss_;
  std::vector<Block> blocks_;
  bool versions_;
  bool in_use_ = false;
  std::uint32_t valid_lines_ = 0;
  Cycle counted_to_ = 0;
  Counters counters_;
};

}  // namespace wharf
