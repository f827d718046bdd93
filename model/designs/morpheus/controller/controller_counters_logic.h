#pragma once
// The counters of a Morpheus controller (docs/designs/morpheus.md, "Measured by").

#include <optional>

#include "model/base/stats/stats.h"
#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"

namespace wharf {

struct ControllerCounters {
  ControllerCounters(stats::Group& group, Delivery delivery);

  stats::Counter conventional, requests, reads, writes, atomics, sectors;
  stats::Counter hits, misses, merged, combined;
  stats::Counter predicted_hits, predicted_misses, forced, false_positives, false_negatives, overtaken;
  stats::Counter inserts, duplicate_inserts, fills_dropped, touches, late_rereads, row_fetches, pulled;
  stats::Counter writebacks, dram_reads;
  stats::Counter c2c_reads, c2c_sum;
  std::optional<stats::Counter> poll_wait;  // exists if warps spin
  stats::Counter queue_full, payload_full, mshr_full, targets_full, dram_full, reply_full, read_buffer_full;
};

}  // namespace wharf
