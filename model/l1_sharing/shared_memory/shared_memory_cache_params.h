#pragma once
// Parameters of the shared-memory cache (ciao section 6). The L1's fill queue is its response queue, and its requests leave for L2 through
// the L1's miss queue (CIAO-O22).

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/l1/l1_params.h"

namespace wharf {

enum class SharedMemoryUse { for_isolated, always };
/// Which bits of a line's number select its place (CIAO-O21).
enum class SharedMemoryPlacement { plain, hash, fold };

struct SharedMemoryCacheParams {
  SharedMemoryUse use = SharedMemoryUse::for_isolated;
  SharedMemoryPlacement placement = SharedMemoryPlacement::fold;
  std::uint32_t access_cycles = 1;
  std::uint32_t age_limit = 16;
  bool probe_on_l1_miss = true;
  bool isolates = false;  // not a key: a policy isolates warps

  bool on() const { return isolates || use == SharedMemoryUse::always; }
  /// Parameters of a cache without lines, between an SM and L1s that are homes for several SMs. The SM's shared memory is the store beside
  /// it (ciao section 6).
  static L1Params front_of(const L1Params& l1) {
    L1Params front;
    front.lineless = true;
    front.capacity_kib = 1;
    front.sectored = l1.sectored;
    front.tag_cycles = 1;
    front.mshr_entries = l1.mshr_entries;
    front.mshr_targets = l1.mshr_targets;
    front.fill_queue = l1.mshr_entries;  // so that a reply never has to wait
    return front;
  }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("use", use, {{"for_isolated", SharedMemoryUse::for_isolated}, {"always", SharedMemoryUse::always}},
             "when unused shared memory serves as a cache: only if sm.warp_filter isolates warps (ciao section 6), or always");
    b.choice("placement", placement,
             {{"plain", SharedMemoryPlacement::plain}, {"hash", SharedMemoryPlacement::hash}, {"fold", SharedMemoryPlacement::fold}},
             "row of line n. plain: its lowest bits. hash: the lowest bits of the L1's xor index of 32 sets and the bits above it. fold: "
             "the lowest bits of n xor n >> 8 xor n >> 16 (CIAO-O21)");
    b.integer("access_cycles", access_cycles, Unit::cycles, "time to read the tag and data of a line together, or to write them", 1, 1000);
    b.integer("age_limit", age_limit, Unit::cycles,
              "an access of the cache that has waited this long for shared memory has priority over the program's next instruction "
              "(ciao section 6.5)",
              1, 1'000'000);
    b.flag("probe_on_l1_miss", probe_on_l1_miss,
           "misses of warps that are not isolated are also looked up in this cache, one cycle later (CIAO-O26); false: they fetch the line "
           "into the L1, and the copy in shared memory is invalidated");
    for (const char* key : {"placement", "access_cycles", "age_limit", "probe_on_l1_miss"})
      b.ineffective_unless(on(), key, "no warp is isolated and shared_memory_cache.use is not always");
  }
};

}  // namespace wharf
