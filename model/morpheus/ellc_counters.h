#pragma once
// What a cache-mode SM counts (morpheus, the list of counters under "Measured by", and what energy is charged for).

#include <array>

#include "model/base/stats/stats.h"
#include "model/morpheus/ellc_kernel_params.h"
#include "model/morpheus/ellc_message.h"

namespace wharf {

struct EllcCounters {
  explicit EllcCounters(stats::Group& group);

  stats::Counter requests, blocks, fills;                // operations asked for; blocks that a warp has waited for; lines for the L1
  stats::Counter block_operations, tag_only_operations;  // what of these moved a block, and what was only looked up
  stats::Counter reads, writes, inserts, touches, atomics;
  stats::Counter register_file, l1, shared_memory;
  stats::Counter hits, misses;  // of reads, writes and atomics
  stats::Counter duplicate_inserts, drops;
  stats::Counter evictions, dirty_victims, layout_evictions;
  stats::Counter layout_changes, kept_high, kept_low, kept_uncompressed, decompressions;
  stats::Counter fetches, pending_hits, way_waits;
  stats::Counter busy_warp_cycles, kernel_instructions;
  stats::Counter message_bytes;  // of operations, blocks and results, whose energy is that of the operation

  stats::Counter& of(EllcOp op);
  stats::Counter& of(EllcUnit unit) { return unit == EllcUnit::register_file ? register_file : unit == EllcUnit::l1 ? l1 : shared_memory; }
};

}  // namespace wharf
