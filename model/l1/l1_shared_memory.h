#pragma once
// The L1's way to the shared-memory cache (ciao sections 6.3 to 6.6). A load that its own tags do not have is looked up there in the next
// cycle; nothing of its bank is looked up while it waits for shared memory, an MSHR or room below. Fills leave the response queue (the L1's
// fill queue) one line a cycle, and those of the cache are written in the next. A line that migrates is read out of the L1 in the cycle
// after its lookup, passes the response queue, and is written as a fill.
//
// One access a cycle, lookups before fills, where the program has not the turn (model/sm/shared_memory_turns.h).
//
// Not modelled: a store's tag lookup takes no turn; a line that migrates waits for a place in the response queue, but the place that it has
// is not missing to replies from below.

#include <vector>

#include "model/l1/l1_cache.h"

namespace wharf {

class L1Cache::SharedMemory {
 public:
  SharedMemory(L1Cache& owner, const Environment& environment);

  SharedMemoryCache& cache() { return cache_; }

  /// What the next set_up() makes of shared memory.
  void kernel_starts(const Event& event) { region_ = SharedMemoryRegion::of(event.shared_bytes, event.used_shared_bytes); }
  void set_up() { cache_.become(region_); }
  void count_to(Cycle now) { cache_.count_to(now); }
  void catch_up(Cycle present);

  /// An access of this bank is being looked up in shared memory.
  bool blocks(const Bank& bank) const { return !waiting_[index_of(bank)].load.empty(); }
  /// The bank can look up its next access.
  bool takes_from(const Bank& bank, Cycle now) const { return read_out_at_ != now && !blocks(bank); }

  /// At the start of a cycle: at most one access of shared memory, and at most one migrating line leaves the response queue. True where an
  /// MSHR may have become free; `served`: where anything was done; `taken`: banks of the L1's data.
  bool act(Port& port, Cycle now, bool& served, SectorMask& taken);
  /// The load, which the L1's tags do not have, comes next.
  void look_up(Payload& load, Cycle now);
  /// The line of a load that has found it in the L1 is to move; false where it has to wait.
  bool migrate(Port& port, Payload& load, Refused& refused, Cycle now);
  /// The same line is read out: after migrate(), when the load's time has been claimed.
  void read_out(Payload& load, Cycle now);
  /// The head of the response queue, `queue`, is for shared memory: false where it has to wait.
  bool drain(RequestQueue& queue, Port& port, Cycle now);
  /// A line that migrates is before the replies in the response queue.
  bool goes_first(const Port& port, Cycle now) const { return lines_.ready(now) && lines_.next_ready() < port.fills.next_ready(); }

  Cycle next_work(const Changes& changes);
  void inspect(std::vector<Wait>& waits) const;

 private:
  /// The load of a bank that is looked up in shared memory.
  struct Waiting {
    RequestQueue load{2};  // one leaves and one comes in a cycle
    bool stuck = false;    // refused, and nothing has changed since
    Refused refused;
  };

  std::size_t index_of(const Bank& bank) const { return static_cast<std::size_t>(&bank - owner_.ports_[0].banks.data()); }
  Cycle oldest() const;
  bool has_turn(Cycle now);
  bool look_up_next(Port& port, Cycle now);
  void write(Cycle now);

  L1Cache& owner_;
  const SharedMemoryCacheParams params_;
  SharedMemoryTurns* turns_;
  stats::Group group_;
  SharedMemoryCache cache_;
  SharedMemoryRegion region_;
  std::vector<Waiting> waiting_;  // [bank]
  RequestQueue fill_{2};          // has left the response queue: at most one
  RequestQueue lines_;            // lines that migrate, in the response queue
  SectorMask moved_ = 0;          // the last of them
  SectorVersions versions_{};
  Cycle read_out_at_ = kNever;    // of the last of them
  bool claimed_ = false;          // the program is to let us through
};

}  // namespace wharf
