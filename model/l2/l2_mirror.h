#pragma once
// The reads, stores and atomics of one half that are homed in the other, at the slice of the same number, the mirror of the home
// (modern_gpus section 2, MG-11). Reads leave a copy here, 32 to 128 aligned bytes at a time. The home is the ordering point:
//
//  - A store goes to the home and updates the copy when it returns. An atomic removes the copy on its way.
//  - While a store or atomic is under way, reads of its line go to the home behind it.
//  - What a read fetches is not installed if a store, an atomic or an invalidation of its line comes after the read was sent, because
//    requests and answers overtake each other on the link.

#include <array>
#include <unordered_map>

#include "model/cache/mshr_file.h"
#include "model/l2/l2_copies.h"
#include "model/l2/l2_params.h"

namespace wharf {

class L2Slice;

class L2Mirror {
 public:
  enum class Outcome : std::uint8_t {
    hit,      // answered by a copy
    merged,   // waits for sectors that have been requested
    fetches,  // waits; the caller requests fetches()
    passes,   // goes to the home itself
    refused,  // waits for an MSHR entry or a target
  };

  /// The MSHRs are as many as the slice's, but apart from them: with shared ones, both halves could wait for each other.
  L2Mirror(const L2Params& params, L2Slice& slice, L2Copies& copies);

  Outcome look_up(Transaction& far);
  /// Sectors to request from the home for the last `fetches`, each mask with a request of its own, the first for the read itself. It does not
  /// wait for the others, which the home may have to fetch from DRAM.
  const std::array<SectorMask, kSectorsPerLine>& fetches() const { return fetches_; }

  /// Handles the sectors that a request for fetches() returns. Calls served(waiter) for each read that waits for them.
  template <class Served>
  void arrived(const Transaction& data, Served served) {
    const MshrFile::Index index = mshrs_.find(key(data.access.line, lowest_sector(data.access.sectors)));
    if (mshrs_[index].no_install == 0) install(data);
    mshrs_.remove_waiting(index, [&](Transaction& waiter) {
      waiter.reply.served_by = data.reply.served_by;
      waiter.versions = data.versions;
      served(waiter);
      return true;
    });
    mshrs_.release(index);
  }
  /// The home has answered `far`, which passed.
  void returned(const Transaction& far);
  /// Removes the copy of the line, also one that is under way.
  void invalidate(LineAddress line);
  /// Removes all copies, also those under way.
  void expire();
  /// True if sectors of the line have been requested.
  bool fetching(LineAddress line) const;
  /// True if these, a store or an atomic of the line are under way.
  bool under_way(LineAddress line) const { return written_.count(line.number) != 0 || fetching(line); }
  /// What a read that finds no copy requests for itself, and what it copies with that: sectors that are not here.
  SectorMask itself(const Access& access) const { return sectored_ ? access.sectors : kAllSectors; }
  SectorMask beside(const Access& access) const;

  bool quiet() const { return mshrs_.empty() && written_.empty(); }
  const MshrFile& mshrs() const { return mshrs_; }

 private:
  /// Requests for sectors of a line have an entry each, by their lowest sector.
  static std::uint64_t key(LineAddress line, unsigned sector) { return line.number * kSectorsPerLine + sector; }
  template <class Visit>
  void for_each_entry(LineAddress line, Visit visit) const;
  void block_installs(LineAddress line);
  Outcome wait_for(MshrFile::Index found, Transaction& far);
  Outcome fetch(Transaction& far, SectorMask under_way);
  void install(const Transaction& data);
  SectorMask aligned(SectorMask sectors) const;

  const bool sectored_;
  const unsigned copy_sectors_;
  L2Slice& slice_;
  L2Copies& copies_;
  MshrFile mshrs_;
  std::unordered_map<std::uint64_t, std::uint32_t> written_;  // by line: stores and atomics under way
  std::array<SectorMask, kSectorsPerLine> fetches_{};
};

}  // namespace wharf
