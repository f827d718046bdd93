#pragma once
// One L2 slice: write-back, write-allocate, atomics performed here, the ordering point of stores (common.md section 6, CM-31).
// Not modelled: data beyond the identity of the last store (the functional image holds the contents).

#include <cstdint>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/cache/mshr_file.h"
#include "model/cache/tag_array.h"
#include "model/l1/l1_params.h"
#include "model/l2/l2_params.h"
#include "policies/l2_line/l2_line.h"

namespace wharf {

struct L2Counters {
  explicit L2Counters(stats::Group& group);
  stats::Counter accesses, hits, merged, sector_misses, misses, loads, stores, atomics;
  stats::Counter sector_accesses, sector_misses_counted;
  stats::Counter fills, evictions, writebacks;
  stats::Counter mshr_full, targets_full, no_way, queue_full, reply_full;
};

class L2Logic {
 public:
  /// `line_policy` may be null: no policy observes the lines.
  L2Logic(const L2Params& params, TransactionUnit unit, stats::Group& group, unsigned slice, bool verify, L2LinePolicy* line_policy,
          std::uint64_t seed = 0);

  enum class Outcome : std::uint8_t {
    reply,  // answered now
    waits,  // answered by a fill; where request != 0, that must be fetched
    refused,
  };
  struct Verdict {
    Outcome outcome = Outcome::reply;
    stats::Counter* cause = nullptr;  // refused: what counts it
    SectorMask request = 0;           // sectors to fetch from DRAM
    bool writeback = false;           // a dirty victim must go to DRAM as well, before the fetch: victim()
  };
  /// The line that the last access with `writeback` displaced.
  struct Victim {
    LineAddress line;
    SectorMask sectors = 0;
    SectorVersions versions{};
  };
  const Victim& victim() const { return victim_; }

  /// Decide on `transaction`, whose line has number `local_line` inside this slice. `queue_room`: entries free towards DRAM.
  Verdict access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room);

  /// Sectors of a line have arrived from DRAM. Calls served(waiter) in order of arrival for each access that is complete.
  template <class Served>
  void fill(const Transaction& reply, std::uint64_t local_line, Served served) {
    const MshrFile::Index index = install(reply, local_line);
    const TagArray::Slot slot = tags_.find(local_line);
    mshrs_.take(index, [&](Transaction& waiter) {
      if ((waiter.access.sectors & mshrs_[index].outstanding) != 0) return false;
      waiter.reply.served_by = ServedBy::dram;
      complete_versions(waiter, slot);
      served(waiter);
      return true;
    });
    if (mshrs_[index].outstanding == 0) mshrs_.release(index);
  }

  L2Counters& counters() { return counters_; }
  const MshrFile& mshrs() const { return mshrs_; }
  SectorMask dirty_sectors(std::uint64_t local_line) const;

 private:
  std::uint64_t key(const Access& access, std::uint64_t local_line) const {
    return unit_ == TransactionUnit::line ? local_line
                                          : local_line * kSectorsPerLine + static_cast<unsigned>(__builtin_ctz(access.sectors));
  }
  Verdict refuse(stats::Counter& cause);
  SectorMask sectors_to_fetch(const Access& access, SectorMask complete) const;
  void replace(TagArray::Slot slot, const Transaction& transaction, std::uint64_t local_line, Verdict& verdict);
  void write(TagArray::Slot slot, const Transaction& transaction);
  void complete_versions(Transaction& transaction, TagArray::Slot slot);
  MshrFile::Index install(const Transaction& reply, std::uint64_t local_line);

  const L2Params params_;
  TransactionUnit unit_;
  TagArray tags_;
  std::vector<std::uint64_t> addresses_;  // line address of each slot, for writebacks
  std::vector<std::uint32_t> user_bits_;  // of the line policy (CM-19)
  MshrFile mshrs_;
  L2Counters counters_;
  L2LinePolicy* line_policy_;
  Victim victim_;
};

}  // namespace wharf
