#pragma once
// The L1's way to the shared-memory cache (ciao sections 6.3 to 6.6). A load that its own tags do not have is looked up there in the next
// cycle; nothing of its bank is looked up while it waits for shared memory, an MSHR or room below. Fills leave the response queue (the L1's
// fill queue) one line a cycle, and those of the cache are written in the next. A line that migrates is read out of the L1 in the cycle
// after its lookup, passes the response queue, and is written as a fill.
//
// One access a cycle, lookups before fills, where the program has not the turn (model/l1_sharing/shared_memory/shared_memory_turns.h).
//
// Not modelled: a store's tag lookup takes no turn; a line that migrates waits for a place in the response queue, but the place that it has
// is not missing to replies from below.

#include <vector>

#include "model/l1/l1_companion.h"
#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"
#include "model/l1_sharing/shared_memory/shared_memory_turns.h"

namespace wharf {

class SharedMemoryPort final : public L1Companion, private SideStorePort {
 public:
  /// `turns`: whose shared memory is in a cycle; null: the program never uses it. `versions`: keep the identity of the last store (verify).
  SharedMemoryPort(L1Cache& cache, const SharedMemoryCacheParams& params, stats::Registry& registry, SharedMemoryTurns* turns,
                   bool versions);

  SharedMemoryCache& cache() { return cache_; }

  void kernel_starts(const Event& event) override { region_ = SharedMemoryRegion::of(event.shared_bytes, event.used_shared_bytes); }
  void kernel_started() override { cache_.become(region_); }
  void catch_up(Cycle present) override;

  /// At most one access of shared memory, and at most one migrating line leaves the response queue.
  void begin(Cycle now, L1Cache::Work& work) override;
  Cycle next_work(Cycle now, const L1Cache::Changes& changes) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  /// The load of a bank that is looked up in shared memory.
  struct Waiting {
    RequestQueue load{2};  // one leaves and one comes in a cycle
    bool stuck = false;    // refused, and nothing has changed since
    L1Cache::Refused refused;
  };

  void take_events(Cycle now) override { cache_.count_to(now); }
  void look_up_beside(Payload& load, Cycle now) override;
  bool migrate(Payload& load, L1Cache::Refused& refused, Cycle now) override;
  void read_out(Payload& load, Cycle now) override;
  bool drain(RequestQueue& fills, Cycle now) override;
  /// A line that migrates.
  bool goes_before(const RequestQueue& fills, Cycle now) const override {
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
  RequestQueue fill_{2};          // has left the response queue: at most one
  RequestQueue lines_;            // lines that migrate, in the response queue
  SectorMask moved_ = 0;          // the last of them
  SectorVersions versions_{};
  Cycle read_out_at_ = kNever;  // of the last of them
  bool claimed_ = false;        // the program is to let us through
};

}  // namespace wharf
