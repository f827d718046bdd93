#pragma once
// Parameters of an L2 in two partitions, the halves of the chip (modern_gpus section 2).

#include <cstdint>
#include <string>

#include "model/base/bits.h"
#include "model/base/config/binder.h"

namespace wharf {

/// Where a line that is homed in one partition may be stored.
enum class PartitionPolicy { home_only, local_copy };
/// How copies end (modern_gpus section 2).
enum class PartitionCoherence { invalidate, expire };

/// The link between two mirror slices, one each way.
struct PartitionLinkParams {
  std::uint32_t cycles = 74;
  std::uint32_t bytes_per_clock = 32;
  std::uint32_t queue = 16;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("cycles", cycles, Unit::cycles, "latency of a message, whatever its size", 1, 10000);
    b.integer("bytes_per_clock", bytes_per_clock, Unit::bytes, "bytes that enter the link per cycle and direction, headers included", 1,
              4096);
    b.integer("queue", queue, Unit::count,
              "messages of each class, requests and responses, that wait at each end, in addition to those under way", 1, 4096);
  }
};

struct PartitionParams {
  std::uint32_t partitions = 1;
  PartitionPolicy policy = PartitionPolicy::home_only;
  std::uint32_t chunk_kib = 8;
  std::uint32_t near_sms = 0;
  std::uint32_t entry_cycles = 2;
  PartitionCoherence coherence = PartitionCoherence::invalidate;
  std::uint32_t copy_bytes = 64;
  PartitionLinkParams link;

  bool on() const { return partitions == 2; }
  bool copies() const { return on() && policy == PartitionPolicy::local_copy; }
  bool expires() const { return copies() && coherence == PartitionCoherence::expire; }
  /// The partition that SM `sm` of `sms` is near.
  unsigned near_partition(unsigned sm, unsigned sms) const { return sm < (near_sms != 0 ? near_sms : sms / 2) ? 0 : 1; }

  /// Binds keys of the group `l2`.
  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("partitions", partitions, Unit::count,
              "1: every SM reaches every slice alike. 2: an SM reaches the slices of the near half, and through them the other half", 1, 2);
    b.choice("partition", policy, {{"home_only", PartitionPolicy::home_only}, {"local_copy", PartitionPolicy::local_copy}},
             "home_only: the half that an SM is near forwards accesses to lines of the other half, and stores none of these lines. "
             "local_copy: it copies the lines that it reads");
    bind_copies(b);
    b.integer("partition_chunk_kib", chunk_kib, Unit::kib,
              "bytes of consecutive addresses in one half, a power of two: a chunk's half is the parity of the bits of its number (MG-10)",
              1, 1u << 20);
    b.integer("near_sms", near_sms, Unit::count,
              "SMs 0 to near_sms - 1 are near partition 0, the others near partition 1; 0: half of the SMs", 0, 159);
    b.integer("entry_cycles", entry_cycles, Unit::cycles,
              "of access_cycles: those that every access spends at the slice by which it enters L2, the last of them on its way back", 2,
              9999);
    b.group("link", link, "the link between the slices of the same number in both halves, one each way");
    for (const char* key : {"partition", "partition_chunk_kib", "near_sms", "entry_cycles", "link"})
      b.ineffective_unless(on(), key, "l2.partitions is 1");
    b.require(is_power_of_two(chunk_kib), "partition_chunk_kib", "is not a power of two", "choose 4, 8, 16, ...");
    b.require(!copies() || entry_cycles >= 3, "entry_cycles",
              "is " + std::to_string(entry_cycles) + ", which leaves no cycle to look up a copy (partition: local_copy)",
              "choose 3 or more, such as 40");
  }

 private:
  void bind_copies(config::Binder& b) {
    using config::Unit;
    b.choice("partition_coherence", coherence, {{"invalidate", PartitionCoherence::invalidate}, {"expire", PartitionCoherence::expire}},
             "invalidate: a store or atomic from the home's half removes the copy before it is acknowledged. expire: copies stay until the "
             "next kernel starts");
    b.integer("copy_bytes", copy_bytes, Unit::bytes, "aligned bytes that a half copies at once, in whole sectors: 32, 64 or 128", 32, 128);
    for (const char* key : {"partition_coherence", "copy_bytes"}) b.ineffective_unless(copies(), key, "l2.partition is not local_copy");
    b.require(is_power_of_two(copy_bytes), "copy_bytes", "is not a power of two", "choose 32, 64 or 128");
  }
};

}  // namespace wharf
