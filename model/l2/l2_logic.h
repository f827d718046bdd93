#pragma once
// One L2 slice: write-back, write-allocate, performs atomics, and is the ordering point of stores (common section 6, CM-31).
// Not modelled: data beyond the identity of the last store; the functional image holds the contents.

#include <cstdint>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/cache/mshr_file.h"
#include "model/cache/tag_array.h"
#include "model/l1/l1_params.h"
#include "model/l2/l2_copies.h"
#include "model/l2/l2_gating.h"
#include "model/l2/l2_params.h"
#include "model/l2/line_times.h"
#include "model/l2/residency/residency.h"
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
  /// `line_policy` is null if no policy observes the lines.
  L2Logic(const L2Params& params, TransactionUnit unit, stats::Group& group, unsigned slice, bool verify, L2LinePolicy* line_policy,
          std::uint64_t seed = 0);

  enum class Outcome : std::uint8_t {
    reply,  // answered now
    waits,  // answered by a fill; the caller fetches the sectors `request`, if any
    refused,
  };
  struct Verdict {
    Outcome outcome = Outcome::reply;
    stats::Counter* cause = nullptr;        // refused: the counter of the cause
    SectorMask request = 0;                 // sectors to fetch from DRAM
    bool writeback = false;                 // a dirty victim must also be written to DRAM, before the fetch: victim()
    TagArray::Slot slot = TagArray::kNone;  // the slot that the fetch fills; kNone: the fetch bypasses the lines
    bool passes = false;                    // the store bypasses the lines and is written to DRAM: passed()
  };
  struct Victim {
    LineAddress line;
    SectorMask sectors = 0;
    SectorVersions versions{};
  };
  /// The data that the last access or fill must write to DRAM: an evicted line, a line switched off, or the results of bypassing atomics.
  const Victim& victim() const { return victim_; }
  /// The data that the last bypassing store must write to DRAM.
  const Victim& passed() const { return passed_; }

  /// Looks up `transaction` and updates the slice, or refuses it. `local_line` is the number of the line within this slice and selects its
  /// set; `queue_room` is the number of free entries towards DRAM. `now` matters only if line times are kept.
  Verdict access(Transaction& transaction, std::uint64_t local_line, std::uint32_t queue_room, Cycle now = 0);

  /// Prefetches the line's set into the host's cache before access().
  void prefetch_access(std::uint64_t local_line) const { tags_.prefetch(local_line, local_line); }
  /// Prefetches the MSHR entry into the host's cache before fill().
  void prefetch_fill(const Access& reply) const { mshrs_.prefetch_arrival(key(reply)); }

  /// Handles sectors that arrive from DRAM, for the slot named in the verdict that requested them. Calls served(waiter), in order of
  /// arrival, for each access that they complete. Returns true if data must be written to DRAM now: victim().
  template <class Served>
  bool fill(const Transaction& reply, TagArray::Slot slot, Served served, Cycle now = 0) {
    const MshrFile::Index index = mshrs_.find(key(reply.access));
    const bool bypassed = slot == TagArray::kNone;
    install(reply, index, slot, now);
    mshrs_.remove_waiting(index, [&](Transaction& waiter) {
      if (bypassed ? !supply_from_victim(waiter, reply.access.sectors) : (waiter.access.sectors & mshrs_[index].outstanding) != 0)
        return false;
      waiter.reply.served_by = ServedBy::dram;
      if (!bypassed) complete_versions(waiter, slot);
      served(waiter);
      return true;
    });
    if (mshrs_[index].outstanding == 0) mshrs_.release(index);
    return bypassed ? victim_.sectors != 0 : served_fill(reply, slot, now);
  }
  /// The data of DRAM, in no time.
  class Below {
   public:
    virtual ~Below() = default;
    /// Reads or writes the versions of the access's sectors.
    virtual void access(const Access& access, SectorVersions& versions) = 0;
  };
  /// Performs an access in no time, as access() and fill() would one after the other. Counters count it. Does nothing if a miss of its line, or
  /// sector, is in flight.
  void perform(Transaction& transaction, std::uint64_t local_line, Below& below, Cycle now);

  // Copies of lines of the other half, in l2_copies_logic.cpp. `local_line` is that of the line in its home slice.
  /// From now on records in `copies` what happens to lines that are, or have, copies.
  void keep_copies(L2Copies& copies) { copies_ = &copies; }
  std::uint32_t slots() const { return tags_.sets() * tags_.ways(); }
  /// Answers a read of a line that is homed elsewhere. Returns false if a sector is not here.
  bool read_copy(Transaction& transaction, std::uint64_t local_line);
  /// Installs the sectors of `data`, unless data under way hold every way of the set. Returns true if data must be written to DRAM:
  /// victim().
  bool install_copy(const Transaction& data, std::uint64_t local_line);
  /// Writes what `store`, performed at the home, has changed into the copy, if any.
  void update_copy(const Transaction& store, std::uint64_t local_line);
  /// Removes the copy. Returns false if there is none.
  bool drop_copy(LineAddress line, std::uint64_t local_line);
  /// Removes all copies. Returns their number.
  std::uint64_t drop_copies();
  /// The mirror has evicted its copy of the line, which is homed here.
  void mirror_evicted(LineAddress line, std::uint64_t local_line);
  /// install_copy() in no time.
  void perform_copy(const Transaction& data, std::uint64_t local_line, Below& below);
  /// Skipped work has copied the line, which is homed and present here, or removed its copy.
  void copied_by_warming(LineAddress line, std::uint64_t local_line);
  void copy_removed_by_warming(LineAddress line, std::uint64_t local_line);
  std::uint64_t resident_copies() const;

  /// A kernel starts, as the one of this index among those that run concurrently. Needs residency hints.
  void kernel_started(std::uint8_t kernel, const KernelLaunch& launch) { residency_->start_kernel(kernel, launch); }
  void reset_persisting() { residency_->reset(tags_); }
  /// Called at the end of a kernel, when nothing of it is in flight.
  void kernel_ended() {
    if (gating_ != nullptr) gating_->judge.kernel_ended([this](TagArray::Slot slot) { return line_policy_->count(user_bits_[slot]); });
  }
  /// Brings the line times up to `now`.
  void catch_up(Cycle now) {
    if (times_ != nullptr) times_->advance(now);
  }

  /// Called between kernels.
  void archive(Archive& file);
  L2Counters& counters() { return counters_; }
  const MshrFile& mshrs() const { return mshrs_; }
  TransactionUnit unit() const { return unit_; }
  /// Returns the dirty sectors of the line, whose number within this slice is `local_line`.
  SectorMask dirty_sectors(LineAddress line, std::uint64_t local_line) const;
  /// Returns the valid sectors of the line, and their versions if these are kept.
  SectorMask held(LineAddress line, std::uint64_t local_line, SectorVersions& versions) const {
    return tags_.held(tags_.find(line.number, local_line), versions);
  }
  /// True if a line of [first, last] is present, with data or with data pending.
  bool holds(LineAddress first, LineAddress last) const;

 private:
  std::uint64_t key(const Access& access) const {
    const std::uint64_t line = access.line.number;
    return unit_ == TransactionUnit::line ? line : line * kSectorsPerLine + lowest_sector(access.sectors);
  }
  static void write_below(const Victim& data, Below& below);
  void perform_alone(Transaction& transaction, std::uint64_t local_line, Below& below, Cycle now);
  Verdict refuse(stats::Counter& cause);
  SectorMask sectors_to_fetch(const Access& access, SectorMask complete) const;
  bool replace(TagArray::Slot slot, const Transaction& transaction, Cycle now);
  [[gnu::noinline]] void take_victim(TagArray::Slot slot);
  bool allocate_line(TagArray::Slot slot, Transaction& transaction, Cycle now);
  TagArray::Slot find_victim(std::uint64_t local_line, const Access& access);
  void count_access(const Access& access, SectorMask absent);
  void touch(TagArray::Slot slot, const Access& access) {
    tags_.touch(slot, access);
    if (residency_ != nullptr) residency_->classify(tags_, slot, access);
  }
  void record_times(TagArray::Slot slot, AccessKind kind, bool present, Cycle now);
  [[gnu::noinline]] void write(TagArray::Slot slot, const Transaction& transaction);
  void complete_versions(Transaction& transaction, TagArray::Slot slot);
  void install(const Transaction& reply, MshrFile::Index index, TagArray::Slot slot, Cycle now);
  bool served_fill(const Transaction& reply, TagArray::Slot slot, Cycle now);
  void await_bypassed(MshrFile::Index index, Transaction& transaction) {
    transaction.reply.awaited = transaction.access.sectors;
    mshrs_.add(index, transaction);
  }
  void write_versions(TagArray::Slot slot, const Transaction& transaction, SectorMask sectors);

  // Defined in residency/residency_logic.cpp, for hints.
  [[gnu::noinline]] bool skips_lines(const Access& access, TagArray::Slot slot) const;
  [[gnu::noinline]] Verdict read_without_allocating(Transaction& transaction, std::uint32_t queue_room);

  // Defined in l2_gating_logic.cpp, for policies that switch data off. Not inlined, because most slices have no such policy.
  static bool is_off(const TagArray::Line& line) { return (line.valid | line.pending) == 0; }
  [[gnu::noinline]] Verdict probe(Transaction& transaction, TagArray::Slot slot);
  [[gnu::noinline]] bool ends_dirty(TagArray::Slot slot, const Access& access, SectorMask pending) const;
  [[gnu::noinline]] void record_absent_data(Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now);
  [[gnu::noinline]] bool used(TagArray::Slot slot, const Access& access, bool switch_off, Cycle now);
  [[gnu::noinline]] bool bypasses(const Access& access, TagArray::Slot slot) const;
  [[gnu::noinline]] Verdict bypass(Transaction& transaction, std::uint64_t local_line, TagArray::Slot slot, std::uint32_t queue_room,
                                   Cycle now);
  [[gnu::noinline]] TagArray::Slot place_for_tag(std::uint64_t local_line, const Access& access);
  [[gnu::noinline]] void record(const Transaction& transaction, TagArray::Slot slot, bool tagged, Cycle now);
  [[gnu::noinline]] void mispredicted(Transaction& transaction);
  [[gnu::noinline]] bool supply_from_victim(Transaction& waiter, SectorMask arrived);
  [[gnu::noinline]] bool gate(TagArray::Slot slot, Cycle now);

  // The members that every access uses come first.
  std::unique_ptr<L2Gating> gating_;      // null if the policy never switches a line off
  std::unique_ptr<LineTimes> times_;      // null if no line times are kept; never null if gating_ exists
  std::unique_ptr<ReusedData> reused_;    // exists for Ideal-Gating only, together with times_
  std::unique_ptr<Residency> residency_;  // null if hints are ignored
  L2LinePolicy* line_policy_;
  L2Copies* copies_ = nullptr;  // null if no copies are kept
  TransactionUnit unit_;
  WriteMiss write_miss_;
  VictimOrder victim_order_;
  bool sectored_;
  TagArray tags_;  // tags are line addresses; sets are chosen by local line number
  MshrFile mshrs_;
  MshrFile spare_mshrs_{1, 1};            // in place of mshrs_ while perform() accesses L2
  std::vector<std::uint32_t> user_bits_;  // [slot], owned by the line policy (CM-19); empty without one
  alignas(kHostLineBytes) L2Counters counters_;
  Victim victim_, passed_;
};

}  // namespace wharf
