#pragma once
// One L2 slice: write-back, write-allocate, atomics performed here, the ordering point of stores (common.md section 6, CM-31).
// Not modelled: data beyond the identity of the last store (the functional image holds the contents).

#include <cstdint>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/cache/mshr_file.h"
#include "model/cache/tag_array.h"
#include "model/l1/l1_params.h"
#include "model/l2/l2_gating.h"
#include "model/l2/l2_params.h"
#include "model/l2/line_times.h"
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
    bool writeback = false;           // something must be written to DRAM as well, before the fetch: victim()
  };
  /// What the last access or fill has to write: the line it displaced or switched off, or its own data, which are not stored here.
  struct Victim {
    LineAddress line;
    SectorMask sectors = 0;
    SectorVersions versions{};
  };
  const Victim& victim() const { return victim_; }

  /// Decide on `transaction`, whose line has number `local_line` inside this slice. `queue_room`: entries free towards DRAM. `now` matters
  /// only where times of lines are kept.
  Verdict access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room, Cycle now = 0);

  /// Sectors of a line have arrived from DRAM. Calls served(waiter) in order of arrival for each access that is complete. True where
  /// something must be written to DRAM now: victim().
  template <class Served>
  bool fill(const Transaction& reply, std::uint64_t local_line, Served served, Cycle now = 0) {
    const MshrFile::Index index = mshrs_.find(key(reply.access, local_line));
    const bool bypassed = mshrs_[index].to != MshrFile::FillTo::line;
    const TagArray::Slot slot = bypassed ? TagArray::kNone : tags_.find(local_line);
    install(reply, index, slot, now);
    mshrs_.take(index, [&](Transaction& waiter) {
      if (bypassed) pass_on(waiter, reply.access.sectors);
      if ((waiter.access.sectors & mshrs_[index].outstanding) != 0) return false;
      waiter.reply.served_by = ServedBy::dram;
      if (!bypassed) complete_versions(waiter, slot);
      served(waiter);
      return true;
    });
    if (mshrs_[index].outstanding == 0) mshrs_.release(index);
    return bypassed ? victim_.sectors != 0 : served_fill(reply, slot, now);
  }
  /// Writes that fills may have to make at once, for which no room was asked: at most this many wait beyond the queue to DRAM.
  std::uint32_t unasked_writes() const { return gating_ == nullptr ? 0 : params_.mshr_entries * (params_.sectored ? kSectorsPerLine : 1); }

  /// Nothing of the kernel is in flight any more.
  void kernel_ended() {
    if (gating_ != nullptr) gating_->judge.kernel_ended();
  }
  /// Brings the times of lines up to `now`.
  void catch_up(Cycle now) {
    if (times_ != nullptr) times_->advance(now);
  }

  L2Counters& counters() { return counters_; }
  const MshrFile& mshrs() const { return mshrs_; }
  TransactionUnit unit() const { return unit_; }
  SectorMask dirty_sectors(std::uint64_t local_line) const;
  /// Sectors of the line that are here, and their versions where they are kept.
  SectorMask held(std::uint64_t local_line, SectorVersions& versions) const { return tags_.held(local_line, versions); }
  /// A line of [first, last] is here, or will come.
  bool holds(LineAddress first, LineAddress last) const;

 private:
  std::uint64_t key(const Access& access, std::uint64_t local_line) const {
    return unit_ == TransactionUnit::line ? local_line
                                          : local_line * kSectorsPerLine + static_cast<unsigned>(__builtin_ctz(access.sectors));
  }
  Verdict refuse(stats::Counter& cause);
  SectorMask sectors_to_fetch(const Access& access, SectorMask complete) const;
  void replace(TagArray::Slot slot, const Transaction& transaction, std::uint64_t local_line, Verdict& verdict, Cycle now);
  void take_victim(TagArray::Slot slot);
  void come_in(TagArray::Slot slot, Transaction& transaction, std::uint64_t local_line, Verdict& verdict, Cycle now);
  TagArray::Slot find_victim(std::uint64_t local_line);
  void count_access(const Access& access, SectorMask absent);
  void write(TagArray::Slot slot, const Transaction& transaction);
  void complete_versions(Transaction& transaction, TagArray::Slot slot);
  void install(const Transaction& reply, MshrFile::Index index, TagArray::Slot slot, Cycle now);
  bool served_fill(const Transaction& reply, TagArray::Slot slot, Cycle now);

  // l2_gating_logic.cpp: where a policy gates
  static bool is_off(const TagArray::Line& line) { return (line.valid | line.pending) == 0; }
  Verdict probe(Transaction& transaction, TagArray::Slot slot);
  bool ends_dirty(TagArray::Slot slot, const Access& access, SectorMask pending) const;
  void found_no_data(Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now);
  void used(TagArray::Slot slot, const Access& access, bool unwanted, Verdict& verdict, Cycle now);
  bool goes_past(const Access& access, std::uint64_t local_line, TagArray::Slot slot) const;
  Verdict bypass(Transaction& transaction, std::uint64_t local_line, TagArray::Slot slot, std::uint32_t queue_room, Cycle now);
  TagArray::Slot record(const Transaction& transaction, std::uint64_t local_line, TagArray::Slot slot, Cycle now);
  void mispredicted(Transaction& transaction);
  void pass_on(Transaction& waiter, SectorMask arrived);
  bool gate(TagArray::Slot slot, Cycle now);

  const L2Params params_;
  TransactionUnit unit_;
  TagArray tags_;
  std::vector<std::uint64_t> addresses_;  // line address of each slot, for writebacks
  std::vector<std::uint32_t> user_bits_;  // of the line policy (CM-19)
  MshrFile mshrs_;
  L2Counters counters_;
  L2LinePolicy* line_policy_;
  std::unique_ptr<L2Gating> gating_;  // null: the policy never switches a line off
  std::unique_ptr<LineTimes> times_;  // null: nobody asks; never where there is gating_
  Victim victim_;
};

}  // namespace wharf
