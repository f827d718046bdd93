#include "model/designs/morpheus/cache_mode/ellc_counters.h"

namespace wharf {

EllcPolls::EllcPolls(stats::Group& g)
    : empty(g, "polls.empty", "loads of a row that returned no operation and no block", stats::Unit::accesses),
      instructions(g, "polls.instructions", "kernel_instructions of these loads, which belong to no operation", stats::Unit::count) {}

EllcCounters::EllcCounters(stats::Group& g, Delivery delivery)
    : requests(g, "requests", "operations that a controller requested", stats::Unit::accesses),
      blocks(g, "blocks", "blocks received from DRAM for a waiting warp", stats::Unit::accesses),
      fills(g, "fills", "lines received for the L1", stats::Unit::accesses),
      block_operations(g, "block_operations", "requests, blocks and fills that moved a block", stats::Unit::accesses),
      tag_only_operations(g, "tag_only_operations", "requests, blocks and fills that only looked a block up", stats::Unit::accesses),
      reads(g, "reads", "requests that read", stats::Unit::accesses),
      writes(g, "writes", "requests that write", stats::Unit::accesses),
      inserts(g, "inserts", "requests that insert: blocks from DRAM or whole lines written", stats::Unit::accesses),
      touches(g, "touches", "requests that make the L1 fetch a line", stats::Unit::accesses),
      atomics(g, "atomics", "requests for a read-modify-write", stats::Unit::accesses),
      register_file(g, "register_file", "requests to warps with a register-file set", stats::Unit::accesses),
      l1(g, "l1", "requests to warps with an L1 set", stats::Unit::accesses),
      shared_memory(g, "shared_memory", "requests to warps with a shared-memory set", stats::Unit::accesses),
      hits(g, "hits", "reads, writes and atomics that found their block, or found its line in flight to the L1", stats::Unit::accesses),
      misses(g, "misses", "reads, writes and atomics that found neither", stats::Unit::accesses),
      duplicate_inserts(g, "duplicate_inserts", "insertions that found their block: a clean one is dropped, a dirty one overwrites",
                        stats::Unit::accesses),
      drops(g, "drops", "clean insertions and touches that had nothing to do", stats::Unit::accesses),
      evictions(g, "evictions", "blocks evicted for others", stats::Unit::count),
      dirty_victims(g, "dirty_victims", "dirty blocks evicted, written back past the conventional LLC", stats::Unit::count),
      layout_evictions(g, "layout_evictions", "evictions because a register was given to another level", stats::Unit::count),
      layout_changes(g, "layout_changes", "epochs of a set after which its registers were reassigned to levels", stats::Unit::count),
      kept_high(g, "kept_high", "insertions and updates of blocks of level high (32 B)", stats::Unit::count),
      kept_low(g, "kept_low", "insertions and updates of blocks of level low (64 B)", stats::Unit::count),
      kept_uncompressed(g, "kept_uncompressed", "insertions and updates of blocks that cannot be compressed", stats::Unit::count),
      decompressions(g, "decompressions", "reads and atomics of blocks kept compressed", stats::Unit::count),
      profiled_blocks(g, "profiled_blocks", "blocks that a compressing set holds, summed over its operations since its first eviction",
                      stats::Unit::count),
      profiled_places(g, "profiled_places", "data registers of a compressing set, summed over the same operations as profiled_blocks",
                      stats::Unit::count),
      fetches(g, "fetches", "lines that the L1 requested", stats::Unit::accesses),
      pending_hits(g, "pending_hits", "hits whose line was still in flight to the L1", stats::Unit::accesses),
      way_waits(g, "way_waits", "operations that waited because every line of their L1 set was in flight", stats::Unit::accesses),
      busy_warp_cycles(g, "busy_warp_cycles", "from the arrival of an operation to its result, over all warps", stats::Unit::cycles),
      kernel_instructions(g, "kernel_instructions", "warp instructions of the kernel; none of the application's", stats::Unit::count),
      message_bytes(g, "message_bytes", "bytes of requests, blocks and results in networks, without lines for the L1 and victims",
                    stats::Unit::bytes) {
  if (delivery == Delivery::spin) polls.emplace(g);
  g.law("requests + blocks + fills == block_operations + tag_only_operations",
        [this] { return requests.value() + blocks.value() + fills.value() == block_operations.value() + tag_only_operations.value(); });
  g.law("requests == reads + writes + inserts + touches + atomics",
        [this] { return requests.value() == reads.value() + writes.value() + inserts.value() + touches.value() + atomics.value(); });
  g.law("requests == register_file + l1 + shared_memory",
        [this] { return requests.value() == register_file.value() + l1.value() + shared_memory.value(); });
  g.law("hits + misses == reads + writes + atomics",
        [this] { return hits.value() + misses.value() == reads.value() + writes.value() + atomics.value(); });
  g.law("fills == fetches", [this] { return fills.value() == fetches.value(); });
}

stats::Counter& EllcCounters::of(EllcOp op) {
  switch (op) {
    case EllcOp::read:
      return reads;
    case EllcOp::write:
      return writes;
    case EllcOp::insert:
      return inserts;
    case EllcOp::touch:
      return touches;
    case EllcOp::atomic:
      return atomics;
  }
  return reads;
}

}  // namespace wharf
