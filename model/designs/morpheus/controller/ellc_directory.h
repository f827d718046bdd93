#pragma once
// The contents of the extended-LLC sets, as an oracle. It serves Perfect-Prediction, the check that no predicted miss is a hit, and the
// classification of hits and misses (morpheus sections 5.1 and 14). It costs no simulated time.
//
// A cache-mode SM reports the changes of an operation when it performs the operation. They take effect when the controller receives the
// operation's result, because a dirty victim may be on its way to DRAM until then (morpheus section 5.6 rule 3). One controller reads and
// updates each set.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "model/cache/slot_index.h"
#include "model/designs/morpheus/ellc_geometry.h"

namespace wharf {

class EllcDirectory {
 public:
  /// `most_blocks` is the capacity of all sets together.
  EllcDirectory(unsigned partitions, std::size_t most_blocks)
      : where_(2 * most_blocks), sets_(std::size_t{partitions} * EllcGeometry::kMostRows) {}

  /// Reports that an operation makes a set insert a line, or evict it (`here` = false).
  void report(unsigned partition, unsigned row, LineAddress line, bool here) { set(partition, row).changes.push_back({line, here}); }
  /// Applies the reported changes when the operation's result has reached the controller. Throws SimulationError if a line is in two sets,
  /// or leaves a set that does not hold it (morpheus section 14, check 3).
  void apply(unsigned partition, unsigned row);

  /// Prefetches the line's cell into the host's cache before a query.
  void prefetch(LineAddress line) const { where_.prefetch(line.number); }
  bool resident(LineAddress line) const { return set_of(line) != SlotIndex::kNone; }
  /// The lines of a set, in no particular order.
  const std::vector<LineAddress>& lines(unsigned partition, unsigned row) const {
    return sets_[partition * EllcGeometry::kMostRows + row].lines;
  }
  /// Saves or loads the state between kernels (model/base/archive.h), when all reported changes have taken effect.
  template <class File>
  void archive(File& file) {
    where_.clear();
    for (std::uint32_t number = 0; number < sets_.size(); ++number) {
      Set& set = sets_[number];
      file.expect_quiet(set.changes.empty(), "the directory of the extended LLC");
      file(set.lines);
      for (const LineAddress line : set.lines) where_.insert(line.number, number);
    }
  }

 private:
  struct Change {
    LineAddress line;
    bool here;
  };
  struct Set {
    std::vector<LineAddress> lines;
    std::vector<Change> changes;  // reported and not yet applied, in order
  };
  /// The number of the set that holds the line, SlotIndex::kNone if none does.
  std::uint32_t set_of(LineAddress line) const {
    return where_.find(line.number, [&](std::uint32_t number) {
      const std::vector<LineAddress>& lines = sets_[number].lines;
      return std::find(lines.begin(), lines.end(), line) != lines.end();
    });
  }
  Set& set(unsigned partition, unsigned row) { return sets_[partition * EllcGeometry::kMostRows + row]; }

  SlotIndex where_;        // line -> set; has room for a new line while its victim is still present
  std::vector<Set> sets_;  // [partition][row]
};

}  // namespace wharf
