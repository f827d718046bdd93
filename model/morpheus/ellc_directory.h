#pragma once
// What the extended-LLC sets hold: the oracle behind Perfect-Prediction, the check that no predicted miss is a hit, and the classes of
// hits and misses (morpheus sections 5.1 and 14). Cache-mode SMs report, at commit the reports are seen; it costs no simulated time.

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
      : where_(most_blocks), sets_(std::size_t{partitions} * EllcGeometry::kMostRows) {}

  /// A set has taken in a line, or given it up; seen by others from the next commit on.
  void install(unsigned partition, unsigned row, LineAddress line) { changes_.push_back({set_of(partition, row), line, true}); }
  void evict(unsigned partition, unsigned row, LineAddress line) { changes_.push_back({set_of(partition, row), line, false}); }
  /// Throws SimulationError for a line that is in two places, or leaves one where it is not (section 14, check 3).
  void commit();

  bool resident(LineAddress line) const { return where_.find(line.number) != LineMap::kAbsent; }
  /// In no particular order.
  const std::vector<LineAddress>& lines(unsigned partition, unsigned row) const { return sets_[set_of(partition, row)]; }

 private:
  struct Change {
    std::uint32_t set;
    LineAddress line;
    bool install;
  };
  static std::uint32_t set_of(unsigned partition, unsigned row) { return partition * EllcGeometry::kMostRows + row; }

  std::vector<Change> changes_;                 // since the last commit, in order
  LineMap where_;                               // line -> set
  std::vector<std::vector<LineAddress>> sets_;  // [partition][row]
};

}  // namespace wharf
