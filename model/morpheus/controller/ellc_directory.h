#pragma once
// What the extended-LLC sets hold: the oracle behind Perfect-Prediction, the check that no predicted miss is a hit, and the classes of hits
// and misses (morpheus sections 5.1 and 14). It costs no simulated time.
//
// A cache-mode SM reports what an operation changes when it performs it; it holds from when the controller has the result of that operation,
// because until then a dirty victim may be on its way to DRAM (morpheus section 5.6 rule 3). One controller reads a set and updates it.

#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "model/cache/line_map.h"
#include "model/morpheus/ellc_geometry.h"

namespace wharf {

class EllcDirectory {
 public:
  /// `most_blocks`: that all sets together can hold.
  EllcDirectory(unsigned partitions, std::size_t most_blocks)
      : where_(2 * most_blocks), sets_(std::size_t{partitions} * EllcGeometry::kMostRows) {}

  /// An operation makes a set take in a line, or (`here` = false) give it up.
  void report(unsigned partition, unsigned row, LineAddress line, bool here) { set(partition, row).changes.push_back({line, here}); }
  /// Its result is at the controller. Throws SimulationError for a line that is in two places, or leaves one where it is not
  /// (morpheus section 14, check 3).
  void apply(unsigned partition, unsigned row);

  /// A question about the line follows: a hint to the host's cache.
  void prefetch(LineAddress line) const { where_.prefetch(line.number); }
  bool resident(LineAddress line) const { return where_.find(line.number) != LineMap::kAbsent; }
  /// In no particular order.
  const std::vector<LineAddress>& lines(unsigned partition, unsigned row) const {
    return sets_[partition * EllcGeometry::kMostRows + row].lines;
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
  Set& set(unsigned partition, unsigned row) { return sets_[partition * EllcGeometry::kMostRows + row]; }

  LineMap where_;          // line -> set; with room for the moment between a line's coming and its victim's going
  std::vector<Set> sets_;  // [partition][row]
};

}  // namespace wharf
