#pragma once
// Counters of an L1-class cache: accesses by kind, and refused cycles by cause (common section 12).

#include <array>
#include <cstdint>
#include <memory>

#include "model/base/access.h"
#include "model/base/stats/stats.h"

namespace wharf {

/// Why an access waits at the head of its queue (CM-14).
enum class Refusal : std::uint8_t { mshr_full, targets_full, no_way, queue_full, pending_store, bank_busy, peers_full, replies_full };
inline constexpr unsigned kRefusals = 8;
/// The access waits for an MSHR entry, for a target of one, or for a way.
constexpr bool is_for_entry(Refusal cause) {
  return cause == Refusal::mshr_full || cause == Refusal::targets_full || cause == Refusal::no_way;
}
inline constexpr unsigned kAccessKinds = 8;

struct L1Counters {
  explicit L1Counters(stats::Group& group);
  struct Loads {
    Loads(stats::Group& group, const char* kind);
    stats::Counter accesses, hits, merged, sector_misses, misses, bypasses;
    const stats::Counter* side_store_hits = nullptr;  // loads served from a store beside the cache; null if there is none
  };
  struct Stores {
    explicit Stores(stats::Group& group);
    stats::Counter accesses, hits, misses, bypasses;
  };
  struct Refusals {
    explicit Refusals(stats::Group& group);
    stats::Counter mshr_full, targets_full, no_way, queue_full, pending_store, bank_busy, peers_full;
  };
  stats::Counter sector_accesses, sector_misses, sector_pending;
  Loads load;
  // Rare counters are allocated apart, so that those of every load fill only a few cache lines of the host.
  std::unique_ptr<Loads> texture;
  std::unique_ptr<Stores> store;
  stats::Counter atomics, fills, evictions, writebacks, shared_misses;
  std::unique_ptr<Refusals> refusals;
  stats::Counter busy_cycles, fill_wait, requests;
  std::array<stats::Counter*, kRefusals> causes;  // the entry of replies_full is null unless lines move to a store beside the cache
  stats::Counter& refused(Refusal cause) { return *causes[static_cast<unsigned>(cause)]; }
  Loads& loads_of(AccessKind kind) { return kind == AccessKind::texture ? *texture : load; }
};

}  // namespace wharf
