#pragma once
// Copies between the halves of L2 (modern_gpus section 2), as the lines of one slice see them. A line that is homed in the slice may be
// copied by the mirror, the slice of the same number in the other half. A line that is homed in the mirror is a copy here: a way like any
// other, always clean and never with a pending sector. So no fill waits for a way that the other half must free.

#include <cstdint>
#include <functional>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/cache/tag_array.h"
#include "model/l2/partition_params.h"

namespace wharf {

struct L2CopyCounters {
  explicit L2CopyCounters(stats::Group& group);
  stats::Counter hits, merged, misses, passed, prefetched;
  stats::Counter installs, evictions, invalidated, expired, inclusion_victims;
  stats::Counter sent, acked, received, useless, notices;
};

/// True for the request by which a half copies a line: its entry is both source and destination.
inline bool is_copy_read(const Transaction& transaction) { return transaction.message.source == transaction.message.destination; }

class L2Copies {
 public:
  enum class Mark : std::uint8_t {
    none,
    copied,    // homed here, and the mirror may have a copy
    recopied,  // so, by warming; a notice that an earlier copy has been evicted may be under way
    copy,      // homed in the mirror
  };
  struct Owner {
    std::uint16_t node;             // the slice's endpoint, to which its own half sends requests
    std::function<void()> changed;  // called when one of the lists below has grown
  };

  L2Copies(PartitionCoherence coherence, std::uint32_t slots, stats::Group& group, Owner owner);

  /// Records an access to a line that is homed here, in `slot`.
  void accessed(TagArray::Slot slot, const Transaction& transaction);
  /// Records that line `old` leaves `slot` for another.
  void replaced(TagArray::Slot slot, const TagArray::Line& old);
  /// Records that the mirror has given up its copy of the line in `slot`.
  void mirror_evicted(TagArray::Slot slot) { marks_[slot] = marks_[slot] == Mark::recopied ? Mark::copied : Mark::none; }
  void copied_by_warming(TagArray::Slot slot) {
    if (invalidates_) marks_[slot] = Mark::recopied;
  }
  void mark(TagArray::Slot slot, Mark mark) { marks_[slot] = mark; }
  bool is_copy(TagArray::Slot slot) const { return marks_[slot] == Mark::copy; }

  /// Lines whose copies must be invalidated, and copies that have left for other lines, since the owner last cleared the lists.
  std::vector<LineAddress>& to_invalidate() { return to_invalidate_; }
  std::vector<LineAddress>& evicted() { return evicted_; }
  L2CopyCounters& counters() { return counters_; }
  /// Around skipped work, in which copies change but counters in the end do not.
  void begin_warming();
  void end_warming();
  /// Copies that the counters say are present.
  std::uint64_t copies_present() const { return static_cast<std::uint64_t>(balance() + warmed_); }
  /// Called between kernels.
  void archive(Archive& file);

 private:
  void enqueue_line(std::vector<LineAddress>& list, LineAddress line);
  std::int64_t balance() const;

  const bool invalidates_;
  const Owner owner_;
  std::vector<Mark> marks_;  // [slot]
  std::vector<LineAddress> to_invalidate_, evicted_;
  L2CopyCounters counters_;
  bool warming_ = false;     // the owner is not told of changes
  std::int64_t warmed_ = 0;  // copies that skipped work has added; negative if removed
};

}  // namespace wharf
