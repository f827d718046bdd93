#pragma once
// One L2 slice: write-back, write-allocate, atomics performed here, the ordering point of stores (common section 6, CM-31).
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
#include "model/l2/reused_data.h"
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
    TagArray::Slot slot = TagArray::kNone;  // what is fetched fills; kNone: it leaves nothing here
    bool passes = false;                    // the access itself is written to DRAM, and not stored here: passed()
  };
  struct Victim {
    LineAddress line;
    SectorMask sectors = 0;
    SectorVersions versions{};
  };
  /// What the last access or fill has to write: the line it displaced or switched off, or what atomics past the lines have written.
  const Victim& victim() const { return victim_; }
  /// What the last store has to write, whose data are not stored here.
  const Victim& passed() const { return passed_; }

  /// Decide on `transaction`, whose line has number `local_line` inside this slice, which chooses its set. `queue_room`: entries free
  /// towards DRAM. `now` matters only where times of lines are kept.
  Verdict access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room, Cycle now = 0);

  /// access() of this line follows: its set should be in the host's cache by then.
  void prefetch_access(std::uint64_t local_line) const { tags_.prefetch(local_line, local_line); }
  /// fill() follows: what it looks at should be in the host's cache by then.
  void prefetch_fill(const Access& reply) const { mshrs_.prefetch_arrival(key(reply)); }

  /// Sectors of a line have arrived from DRAM, for the slot that the verdict said when they were asked for. Calls served(waiter) in order
  /// of arrival for each access that is complete. True where something must be written to DRAM now: victim().
  template <class Served>
  bool fill(const Transaction& reply, TagArray::Slot slot, Served served, Cycle now = 0) {
    const MshrFile::Index index = mshrs_.find(key(reply.access));
    const bool bypassed = slot == TagArray::kNone;
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
  /// Nothing of the kernel is in flight any more.
  void kernel_ended() {
    if (gating_ != nullptr) gating_->judge.kernel_ended([this](TagArray::Slot slot) { return line_policy_->count(user_bits_[slot]); });
  }
  /// Brings the times of lines up to `now`.
  void catch_up(Cycle now) {
    if (times_ != nullptr) times_->advance(now);
  }

  L2Counters& counters() { return counters_; }
  const MshrFile& mshrs() const { return mshrs_; }
  TransactionUnit unit() const { return unit_; }
  /// Sectors of the line, with number `local_line` inside this slice, that are dirty.
  SectorMask dirty_sectors(LineAddress line, std::uint64_t local_line) const;
  /// Sectors of the line that are here, and their versions where they are kept.
  SectorMask held(LineAddress line, std::uint64_t local_line, SectorVersions& versions) const {
    return tags_.held(tags_.find(line.number, local_line), versions);
  }
  /// A line of [first, last] is here, or will come.
  bool holds(LineAddress first, LineAddress last) const;

 private:
  std::uint64_t key(const Access& access) const {
    const std::uint64_t line = access.line.number;
    return unit_ == TransactionUnit::line ? line : line * kSectorsPerLine + static_cast<unsigned>(__builtin_ctz(access.sectors));
  }
  Verdict refuse(stats::Counter& cause);
  SectorMask sectors_to_fetch(const Access& access, SectorMask complete) const;
  bool replace(TagArray::Slot slot, const Transaction& transaction, Cycle now);
  [[gnu::noinline]] void take_victim(TagArray::Slot slot);
  bool come_in(TagArray::Slot slot, Transaction& transaction, Cycle now);
  TagArray::Slot find_victim(std::uint64_t local_line, const Access& access);
  void count_access(const Access& access, SectorMask absent);
  [[gnu::noinline]] void write(TagArray::Slot slot, const Transaction& transaction);
  void complete_versions(Transaction& transaction, TagArray::Slot slot);
  void install(const Transaction& reply, MshrFile::Index index, TagArray::Slot slot, Cycle now);
  bool served_fill(const Transaction& reply, TagArray::Slot slot, Cycle now);

  // l2_gating_logic.cpp: where a policy gates. Not inlined, as most slices have none.
  static bool is_off(const TagArray::Line& line) { return (line.valid | line.pending) == 0; }
  [[gnu::noinline]] Verdict probe(Transaction& transaction, TagArray::Slot slot);
  [[gnu::noinline]] bool ends_dirty(TagArray::Slot slot, const Access& access, SectorMask pending) const;
  [[gnu::noinline]] void found_no_data(Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now);
  [[gnu::noinline]] bool used(TagArray::Slot slot, const Access& access, bool unwanted, Cycle now);
  [[gnu::noinline]] bool goes_past(const Access& access, TagArray::Slot slot) const;
  [[gnu::noinline]] Verdict bypass(Transaction& transaction, std::uint64_t local_line, TagArray::Slot slot, std::uint32_t queue_room,
                                   Cycle now);
  [[gnu::noinline]] TagArray::Slot place_for_tag(std::uint64_t local_line, const Access& access);
  [[gnu::noinline]] void record(const Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now);
  [[gnu::noinline]] void mispredicted(Transaction& transaction);
  [[gnu::noinline]] void pass_on(Transaction& waiter, SectorMask arrived);
  [[gnu::noinline]] bool gate(TagArray::Slot slot, Cycle now);

  // What every access looks at comes first.
  std::unique_ptr<L2Gating> gating_;        // null: the policy never switches a line off
  std::unique_ptr<LineTimes> times_;        // null: nobody asks; never where there is gating_
  std::unique_ptr<ReusedData> reused_;      // null: but for Ideal-Gating, which has times_ too
  L2LinePolicy* line_policy_;
  TransactionUnit unit_;
  WriteMiss write_miss_;
  VictimOrder victim_order_;
  bool sectored_;
  TagArray tags_;  // lines by their addresses, sets by their numbers inside the slice
  MshrFile mshrs_;
  std::vector<std::uint32_t> user_bits_;    // [slot] of the line policy (CM-19); none without one
  alignas(kHostLineBytes) L2Counters counters_;
  Victim victim_, passed_;
};

}  // namespace wharf
