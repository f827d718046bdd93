#pragma once
// The counters of a cache-mode SM (docs/designs/morpheus.md, "Measured by", and the events that consume energy).

#include <array>
#include <optional>

#include "model/base/stats/stats.h"
#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"
#include "model/designs/morpheus/ellc_message.h"

namespace wharf {

/// Counters of loads that find their row empty (morpheus section 5.3).
struct EllcPolls {
  explicit EllcPolls(stats::Group& group);
  stats::Counter empty, instructions;
};

struct EllcCounters {
  EllcCounters(stats::Group& group, Delivery delivery);

  stats::Counter requests, blocks, fills;                // operations received; blocks that a warp waited for; lines for the L1
  stats::Counter block_operations, tag_only_operations;  // operations that moved a block; that only looked it up
  stats::Counter reads, writes, inserts, touches, atomics;
  stats::Counter register_file, l1, shared_memory;
  stats::Counter hits, misses;  // of reads, writes and atomics
  stats::Counter duplicate_inserts, drops;
  stats::Counter evictions, dirty_victims, layout_evictions;
  stats::Counter layout_changes, kept_high, kept_low, kept_uncompressed, decompressions;
  stats::Counter profiled_blocks, profiled_places;  // contents of compressing sets that have been full (morpheus section 7.6)
  stats::Counter fetches, pending_hits, way_waits;
  stats::Counter busy_warp_cycles, kernel_instructions;
  std::optional<EllcPolls> polls;  // exists if warps spin
  stats::Counter message_bytes;    // bytes whose energy is included in the operations' (morpheus section 10)

  stats::Counter& of(EllcOp op);
  stats::Counter& of(EllcUnit unit) { return unit == EllcUnit::register_file ? register_file : unit == EllcUnit::l1 ? l1 : shared_memory; }
};

}  // namespace wharf
