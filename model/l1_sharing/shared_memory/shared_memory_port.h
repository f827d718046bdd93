#pragma once
// The L1's path to the shared-memory cache (ciao sections 6.3 to 6.6). A load that misses in the L1's tags is looked up there in the next
// cycle. While it waits for shared memory, an MSHR or room below, its bank looks up nothing. Fills leave the response queue (the L1's fill
// queue) one line per cycle; those of the shared-memory cache are written in the next cycle. A line that migrates is read out of the L1 in
// the cycle after its lookup, passes the response queue, and is written like a fill.
//
// Shared memory serves one access per cycle, lookups before fills, unless the program has its turn
// (model/l1_sharing/shared_memory/shared_memory_turns.h).
//
// Not modelled: the tag lookup of a store takes no turn. A line that migrates waits for a place in the response queue, but its place there
// remains available to replies from below.

#include <vector>

#include "model/l1/l1_companion.h"
#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"
#include "model/l1_sharing/shared_memory/shared_memory_turns.h"

namespace wharf {

class SharedMemoryPort final : public L1Companion, private SideStorePort {
 public:
  /// `turns`: arbitrates shared memory; null: the program never uses it. `versions`: keep the identity of the last store (verify).
  SharedMemoryPort(L1Cache& cache, const SharedMemoryCacheParams& params, stats::Registry& registry, SharedMemoryTurns* turns,
                   bool versions);

  SharedMemoryCache& cache() { return cache_; }

  void kernel_starts(const Event& event) override { region_ = SharedMemoryRegion::of(event.shared_bytes, event.used_shared_bytes); }
  void kernel_started() override { cache_.become(region_); }
  void catch_up(Cycle present) override;

  /// Performs at most one access of shared memory, and removes at most one migrating line from the response queue.
  void begin(Cycle now, L1Cache::Work& work) override;
  Cycle next_work(Cycle now, const L1Cache::Changes& changes) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  /// A load of a bank that waits for its lookup in shared memory.
  struct Waiting {
    RequestQueue load{2};  // one may leave and one arrive in the same cycle
    bool stuck = false;    // refused, with no change since
    L1Cache::Refused refused;
  };

  void before_events(Cycle now) override { cache_.count_to(now); }
  void look_up_load(Payload& load, Cycle now) override;
  bool migrate(Payload& load, L1Cache::Refused& refused, Cycle now) override;
  void read_out(Payload& load, Cycle now) override;
  bool drain(RequestQueue& fills, Cycle now) override;
  /// A migrating line leaves before the first of `fills`.
  bool precedes(const RequestQueue& fills, Cycle now) const override {
    return lines_.ready(now) && lines_.next_ready() < fills.next_ready();
  }

  Cycle oldest() const;
  bool has_turn(Cycle now);
  bool look_up_next(Cycle now);
  bool leave_response_queue(RequestQueue& queue, Cycle now);
  void write(Cycle now);

  const SharedMemoryCacheParams params_;
  SharedMemoryTurns* turns_;
  stats::Group counts_;
  SharedMemoryCache cache_;
  SharedMemoryRegion region_;
  std::vector<Waiting> waiting_;  // [bank]
  RequestQueue fill_{2};          // the fill that has left the response queue; at most one
  RequestQueue lines_;            // migrating lines, in the response queue
  SectorMask moved_ = 0;          // sectors of the last migrating line
  SectorVersions versions_{};
  Cycle read_out_at_ = kNever;  // cycle in which the last migrating line is read out
  bool claimed_ = false;        // the program's instructions must let the cache access shared memory
};

}  // namespace wharf
