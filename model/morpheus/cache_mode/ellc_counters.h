#pragma once
// What a cache-mode SM counts (docs/rules/morpheus.md, "Measured by", and what energy is charged for).

#include <array>
#include <optional>

#include "model/base/stats/stats.h"
#include "model/morpheus/cache_mode/ellc_kernel_params.h"
#include "model/morpheus/ellc_message.h"

namespace wharf {

/// Loads of a row that is empty (morpheus section 5.3).
struct EllcPolls {
  explicit EllcPolls(stats::Group& group);
  stats::Counter empty, instructions;
};

struct EllcCounters {
  EllcCounters(stats::Group& group, Delivery delivery);

  stats::Counter requests, blocks, fills;                // operations asked for; blocks that a warp has waited for; lines for the L1
  stats::Counter block_operations, tag_only_operations;  // what of these moved a block, and what was only looked up
  stats::Counter reads, writes, inserts, touches, atomics;
  stats::Counter register_file, l1, shared_memory;
  stats::Counter hits, misses;  // of reads, writes and atomics
  stats::Counter duplicate_inserts, drops;
  stats::Counter evictions, dirty_victims, layout_evictions;
  stats::Counter layout_changes, kept_high, kept_low, kept_uncompressed, decompressions;
  stats::Counter profiled_blocks, profiled_places;  // what compressing sets hold once they have been full (morpheus section 7.6)
  stats::Counter fetches, pending_hits, way_waits;
  stats::Counter busy_warp_cycles, kernel_instructions;
  std::optional<EllcPolls> polls;  // where warps spin
  stats::Counter message_bytes;    // whose energy is in that of the operations (morpheus section 10)

  stats::Counter& of(EllcOp op);
  stats::Counter& of(EllcUnit unit) { return unit == EllcUnit::register_file ? register_file : unit == EllcUnit::l1 ? l1 : shared_memory; }
};

}  // namespace wharf
