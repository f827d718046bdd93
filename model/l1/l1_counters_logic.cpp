#include "model/l1/l1_logic.h"

namespace wharf {

namespace {

std::string named(const char* kind, const char* what) { return std::string(kind) + "." + what; }

}  // namespace

L1Counters::Loads::Loads(stats::Group& g, const char* kind)
    : accesses(g, named(kind, "accesses"), "line transactions, bypasses included (CM-33)", stats::Unit::accesses),
      hits(g, named(kind, "hits"), "all sectors present", stats::Unit::accesses),
      merged(g, named(kind, "merged"), "merged with a request in flight", stats::Unit::accesses),
      sector_misses(g, named(kind, "sector_misses"), "line present, but a sector neither present nor in flight", stats::Unit::accesses),
      misses(g, named(kind, "misses"), "line absent: primary misses", stats::Unit::accesses),
      bypasses(g, named(kind, "bypasses"), "never looked up", stats::Unit::accesses) {
  g.law(named(kind, "accesses == hits + merged + sector_misses + misses + bypasses"), [this] {
    const std::uint64_t served_by_side_store = side_store_hits == nullptr ? 0 : side_store_hits->value();
    return accesses.value() ==
           hits.value() + merged.value() + sector_misses.value() + misses.value() + bypasses.value() + served_by_side_store;
  });
}

L1Counters::Stores::Stores(stats::Group& g)
    : accesses(g, "store.accesses", "line transactions", stats::Unit::accesses),
      hits(g, "store.hits", "all written sectors present", stats::Unit::accesses),
      misses(g, "store.misses", "a written sector absent", stats::Unit::accesses),
      bypasses(g, "store.bypasses", "never looked up", stats::Unit::accesses) {
  g.law("store.accesses == hits + misses + bypasses",
        [this] { return accesses.value() == hits.value() + misses.value() + bypasses.value(); });
}

L1Counters::Refusals::Refusals(stats::Group& g)
    : mshr_full(g, "refused.mshr_full", "cycles an access waited for an MSHR entry", stats::Unit::cycles),
      targets_full(g, "refused.targets_full", "cycles an access waited for a target of an entry", stats::Unit::cycles),
      no_way(g, "refused.no_way", "cycles an access waited for a way without a pending sector", stats::Unit::cycles),
      queue_full(g, "refused.queue_full", "cycles an access waited for the miss queue", stats::Unit::cycles),
      pending_store(g, "refused.pending_store", "cycles a load waited for a fill that a store has overtaken", stats::Unit::cycles),
      bank_busy(g, "refused.bank_busy",
                "cycles an access waited for a data bank, because a fill or another SM had waited for the bank too long",
                stats::Unit::cycles),
      peers_full(g, "refused.peers_full", "cycles an access waited for a place at the request crossbar of its cluster",
                 stats::Unit::cycles) {}

L1Counters::L1Counters(stats::Group& g)
    : sector_accesses(g, "sectors.accesses", "32 B sectors looked up, loads and stores (CM-38)", stats::Unit::accesses),
      sector_misses(g, "sectors.misses", "sectors looked up that are neither present nor in flight", stats::Unit::accesses),
      sector_pending(g, "sectors.pending_hits", "sectors looked up that are in flight", stats::Unit::accesses),
      load(g, "load"),
      texture(std::make_unique<Loads>(g, "texture")),
      store(std::make_unique<Stores>(g)),
      atomics(g, "atomics", "atomics passed to L2, which invalidates a copy in the L1", stats::Unit::accesses),
      fills(g, "fills", "replies installed or delivered", stats::Unit::accesses),
      evictions(g, "evictions", "lines evicted for others", stats::Unit::count),
      writebacks(g, "writebacks", "dirty lines sent below (write-back local space)", stats::Unit::count),
      shared_misses(g, "load.misses_held_elsewhere", "load primary misses whose missing sectors another L1 held at the decision",
                    stats::Unit::accesses),
      refusals(std::make_unique<Refusals>(g)),
      busy_cycles(g, "busy_cycles", "cycles in which at least one access was served, summed over ports", stats::Unit::cycles),
      fill_wait(g, "fill_wait", "cycles that replies of L2 waited for the port or their data banks", stats::Unit::cycles),
      requests(g, "requests", "accesses served, including those of other SMs, without fills and probes", stats::Unit::accesses),
      causes{&refusals->mshr_full,     &refusals->targets_full, &refusals->no_way,     &refusals->queue_full,
             &refusals->pending_store, &refusals->bank_busy,    &refusals->peers_full, nullptr} {}

}  // namespace wharf
