#include "model/designs/morpheus/controller/controller_counters_logic.h"

namespace wharf {

namespace {
constexpr stats::Unit kAccesses = stats::Unit::accesses, kCount = stats::Unit::count, kCycles = stats::Unit::cycles;
}

ControllerCounters::ControllerCounters(stats::Group& g, Delivery delivery)
    : conventional(g, "conventional", "requests to lines of the conventional LLC that passed", kAccesses),
      requests(g, "requests", "requests to lines of the extended LLC", kAccesses),
      reads(g, "reads", "of the requests: reads", kAccesses),
      writes(g, "writes", "of the requests: writes", kAccesses),
      atomics(g, "atomics", "of the requests: read-modify-writes, performed in a cache-mode SM", kAccesses),
      sectors(g, "sectors.accesses", "32 B sectors requested", kAccesses),
      hits(g, "hits", "requests that found their line in its set", kAccesses),
      misses(g, "misses", "requests that did not find their line, predicted or not", kAccesses),
      merged(g, "merged", "requests merged with a fetch in flight or a waiting operation", kAccesses),
      combined(g, "combined", "requests merged with a waiting operation", kAccesses),
      predicted_hits(g, "predicted_hits", "the predictor said hit", kAccesses),
      predicted_misses(g, "predicted_misses", "the predictor said miss", kAccesses),
      forced(g, "forced", "requests not predicted, because another operation on their line was pending", kAccesses),
      false_positives(g, "false_positives", "predicted hits of absent lines", kAccesses),
      false_negatives(g, "false_negatives", "predicted misses of present lines; one stops the run", kAccesses),
      overtaken(g, "overtaken", "predicted hits of lines that an older operation of the set evicted before their turn", kAccesses),
      inserts(g, "inserts", "lines sent to their set", kCount),
      duplicate_inserts(g, "duplicate_inserts", "clean lines sent to their set that were already there", kCount),
      fills_dropped(g, "fills_dropped", "clean lines from DRAM not inserted, because no payload slot was free", kCount),
      touches(g, "touches", "L1 sets told to fetch a line", kCount),
      late_rereads(g, "late_rereads", "lines read again, because the fetch that an L1 should have shared had ended", kCount),
      row_fetches(g, "row_fetches", "lines read for a row's waiting warp (FETCH, or its L1)", kCount),
      pulled(g, "pulled", "operations moved from the request queue to the MSHR of an older miss", kCount),
      writebacks(g, "writebacks", "dirty lines evicted from their sets and written back to DRAM", kCount),
      dram_reads(g, "dram_reads", "lines read from DRAM", kCount),
      c2c_reads(g, "c2c_reads", "read hits", kCount),
      c2c_sum(g, "c2c_sum", "L2 cycles of read hits, from the controller to the warp and back", kCycles),
      queue_full(g, "refused.queue_full", "cycles the head waited for an entry of the request queue", kCycles),
      payload_full(g, "refused.payload_full", "cycles the head waited for a payload slot", kCycles),
      mshr_full(g, "refused.mshr_full", "cycles the head waited for an MSHR entry", kCycles),
      targets_full(g, "refused.targets_full", "cycles the head waited for a merge of an entry", kCycles),
      dram_full(g, "refused.dram_full", "cycles the head waited for the queue to DRAM", kCycles),
      reply_full(g, "refused.reply_full", "cycles the head waited for the queue to the network", kCycles),
      read_buffer_full(g, "refused.read_buffer_full", "cycles a block from a warp waited for the read data buffer", kCycles) {
  if (delivery == Delivery::spin)
    poll_wait.emplace(g, "poll_wait_cycles", "operations and blocks waited in their row for its warp's next load", kCycles);
  g.law("requests == hits + misses + merged", [this] { return requests.value() == hits.value() + misses.value() + merged.value(); });
  g.law("requests == reads + writes + atomics", [this] { return requests.value() == reads.value() + writes.value() + atomics.value(); });
  g.law("false_negatives == 0", [this] { return false_negatives.value() == 0; });
}

}  // namespace wharf
