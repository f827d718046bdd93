#pragma once
// Parameters of an L1-class cache (common sections 3 and 4).

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/cache/whole_sets.h"
#include "model/l1/l1_timing.h"
#include "policies/replacement/replacement.h"
#include "policies/set_index/set_index.h"

namespace wharf {

enum class StoreHit { update, evict };
enum class StoreMiss { no_allocate, allocate };
enum class LocalStores { as_global, write_back };
/// What a store does to a sector that is pending (CM-46).
enum class PendingStores { block, write };
enum class KernelBoundary { flush, keep_clean };
enum class TransactionUnit { line, sector };

struct L1Params : L1Timing {
  std::uint32_t capacity_kib = 16;
  std::uint32_t ways = 4;
  bool sectored = false;
  std::string set_index = "linear";
  std::string replacement = "lru";
  std::uint32_t banks = 1;
  std::uint32_t data_banks = 1;
  std::uint32_t age_limit = kUnlimited;
  bool fill_shares_port = true;
  StoreHit store_hit = StoreHit::update;
  StoreMiss store_miss = StoreMiss::no_allocate;
  PendingStores pending_stores = PendingStores::block;
  bool byte_masks = false;
  bool response_port = false;
  LocalStores local_stores = LocalStores::as_global;
  KernelBoundary kernel_boundary = KernelBoundary::flush;
  std::uint32_t dirty_protect_percent = 0;
  std::uint32_t mshr_entries = 32;
  std::uint32_t mshr_targets = kUnlimited;
  std::uint32_t miss_queue = 8;
  bool spare_miss_place = false;
  std::uint32_t input_queue = 4;
  std::uint32_t fill_queue = 8;
  bool perfect = false;
  bool fill_free_way = false;

  /// Not keys: set by the code that builds the cache.
  const char* queues_elsewhere = nullptr;  // why the keys of its queues have no effect; null: they have an effect
  bool passes_textures = false;            // texture loads are not looked up
  bool lineless = false;                   // it holds no line: a store beside it holds those of isolated loads, and all other accesses pass

  /// Requests for lines, or for some of their sectors, that can be in flight: each sector of an MSHR's line may have its own request.
  std::uint64_t misses_at_once() const { return std::uint64_t{mshr_entries} * (sectored ? kSectorsPerLine : 1); }
  std::uint32_t sets() const { return capacity_kib * (1024 / kLineBytes) / ways; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("capacity_kib", capacity_kib, Unit::kib,
              "data capacity of one cache; where the SM splits one array between L1 and shared memory, "
              "the part that remains when no kernel uses shared memory",
              1, 1u << 20);
    b.integer("ways", ways, Unit::count, "associativity at that capacity", 1, 4096);
    b.flag("sectored", sectored, "a miss fetches the missing 32 B sectors of the line instead of the whole line");
    b.policy("set_index", set_index, set_index_catalogue_names(), "function from line number to set");
    b.policy("replacement", replacement, replacement_catalogue_names(), "victim among the ways without a pending sector (CM-11)");
    b.integer(
        "banks", banks, Unit::count,
        "banks, each with a pipeline that accepts one access per cycle; bank = number of the transaction unit (line or sector) mod banks",
        1, 32);
    b.integer(
        "data_banks", data_banks, Unit::count,
        "banks of the data array, bank = sector mod data_banks: a lookup occupies the banks of the sectors that it reads or writes, a "
        "fill the banks of the sectors that it brings; 1: both occupy the one port (CM-10, ATA-O10)",
        1, kSectorsPerLine);
    b.limit("age_limit", age_limit, Unit::cycles,
            "a fill, or a read by another SM, that has waited this long has priority over lookups (CM-10)", 1, 1'000'000);
    b.ineffective_unless(data_banks > 1, "age_limit", "data_banks is 1: a lookup occupies the port before its sectors are known");
    L1Timing::bind(b);
    b.flag("fill_shares_port", fill_shares_port,
           "fills share the port with lookups, which have priority (CM-10); false: fills have a port of their own");
    b.choice("store_hit", store_hit, {{"update", StoreHit::update}, {"evict", StoreHit::evict}},
             "what a write-through store does to a line that it hits (CM-12)");
    b.choice("store_miss", store_miss, {{"no_allocate", StoreMiss::no_allocate}, {"allocate", StoreMiss::allocate}},
             "whether a store that misses allocates a way for its sectors, without a fetch (CM-12)");
    b.choice(
        "pending_stores", pending_stores, {{"block", PendingStores::block}, {"write", PendingStores::write}},
        "a store to a sector with a pending fill. block: the fill leaves no copy; later loads wait for it and fetch again (CM-12). write: "
        "the store writes the line; later loads hit if the sector is complete and merge if not (CM-46)");
    b.flag("byte_masks", byte_masks,
           "a sector becomes readable once stores together have written all its bytes; false: once a single store has (CM-45)");
    b.flag("response_port", response_port,
           "data from fills and from loads that bypass the L1 reach the registers through one port, one access per cycle (CM-47)");
    b.choice("local_stores", local_stores, {{"as_global", LocalStores::as_global}, {"write_back", LocalStores::write_back}},
             "policy of stores to local space: like global stores, or write-back with allocation (CM-12)");
    b.choice("kernel_boundary", kernel_boundary, {{"flush", KernelBoundary::flush}, {"keep_clean", KernelBoundary::keep_clean}},
             "what stays in the cache when a kernel starts: nothing, or all lines except those that another cache wrote in the previous "
             "kernel, whose copies here are stale (DC-16)");
    b.integer("dirty_protect_percent", dirty_protect_percent, Unit::percent,
              "lines written by this SM are not evicted while they are fewer than this share of all lines", 0, 100);
    b.integer("mshr_entries", mshr_entries, Unit::count,
              "lines (transaction unit line) or sectors (unit sector) that can be outstanding (CM-14)", 1, 1u << 16);
    b.limit("mshr_targets", mshr_targets, Unit::accesses, "accesses that one entry serves", 1, 1u << 20);
    b.integer("miss_queue", miss_queue, Unit::count, "requests that wait for the network", 1, 4096);
    b.flag("spare_miss_place", spare_miss_place,
           "a load that misses or merges needs two free entries in miss_queue and uses at most one (CM-49)");
    b.integer("input_queue", input_queue, Unit::count,
              "accesses that wait at one bank, in addition to one per tag_cycles stage of its pipeline", 1, 4096);
    b.integer("fill_queue", fill_queue, Unit::count, "replies that wait for the fill port", 1, 4096);
    for (const char* queue : {"miss_queue", "input_queue", "fill_queue"})
      b.ineffective_unless(queues_elsewhere == nullptr, queue, queues_elsewhere == nullptr ? "" : queues_elsewhere);
    b.flag("perfect", perfect, "idealisation (DC-21): every load that is looked up hits");
    b.flag("fill_free_way", fill_free_way,
           "a load that may not allocate (statPCAL, warps without a token) may still use an empty way (ciao section 3.4)");
    require_whole_sets(b, "capacity_kib", capacity_kib, ways);
    b.require(kSectorsPerLine % data_banks == 0, "data_banks", "do not divide the four sectors of a line evenly", "choose 1, 2 or 4");
    b.require(data_banks == 1 || fill_shares_port, "fill_shares_port", "false gives fills a port beside the data banks",
              "set fill_shares_port: true, or data_banks: 1");
    b.require(local_stores == LocalStores::as_global || miss_queue >= 2, "miss_queue",
              "has no room for a fetch and the dirty line that it evicts", "make it at least 2, or set l1.local_stores: as_global");
    b.require(!spare_miss_place || miss_queue >= 2, "miss_queue", "has fewer than two entries, so no load could miss",
              "make it at least 2, or set l1.spare_miss_place: false");
    b.require(pending_stores == PendingStores::block || (store_hit == StoreHit::update && store_miss == StoreMiss::allocate),
              "pending_stores", "is write, but store_hit or store_miss keeps stores out of lines",
              "set l1.store_hit: update and l1.store_miss: allocate");
    b.require(store_hit == StoreHit::update || !sectored, "store_hit",
              "evict removes whole lines, but a sectored cache keeps parts of them", "set store_hit: update, or sectored: false");
  }
};

}  // namespace wharf
