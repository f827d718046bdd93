#pragma once
// Counts the data accesses that Ideal-Gating would make (loscache sections 9 and 14). Ideal-Gating knows the future and does not store data
// that are accessed only once: they bypass the array, as in LoSCache after such a prediction. Only the second access of a generation shows
// that the first one used the array, so the cost of the first is kept until then.

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"

namespace wharf {

class ReusedData {
 public:
  using Slot = std::uint32_t;

  ReusedData(stats::Group& group, std::uint32_t slots);

  /// `first`: the access starts a generation.
  void accessed(Slot slot, AccessKind kind, bool first);
  void filled(Slot slot) {
    if (generations_[slot].reused)
      ++fills_;
    else
      ++generations_[slot].fills;
  }
  /// The slot's dirty data are read in order to write them to DRAM.
  void written_back(Slot slot) { reads_ += generations_[slot].reused ? 1 : 0; }
  template <class File>
  void archive(File& file) {
    file.elements(generations_);
  }

 private:
  struct Generation {
    bool reused = false;
    bool reads = false, writes = false;  // kinds of the first access
    std::uint8_t fills = 0;              // before the second access
  };

  std::vector<Generation> generations_;
  stats::Counter reads_, writes_, fills_;
};

}  // namespace wharf
