#pragma once
// Accesses to lines' data that Ideal-Gating makes (loscache section 9, AM-24). With hindsight it stores nothing that is accessed once, as
// LoSCache does with what it predicts so: the data pass the array on their way, and only the second access of a generation says that the
// first was charged rightly. What it cost is kept until then.

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"

namespace wharf {

class ReusedData {
 public:
  using Slot = std::uint32_t;

  ReusedData(stats::Group& group, std::uint32_t slots);

  /// `first`: the access begins a generation.
  void accessed(Slot slot, AccessKind kind, bool first);
  void filled(Slot slot) {
    if (generations_[slot].reused) ++fills_;
    else ++generations_[slot].fills;
  }
  /// Its dirty data are read, to be written to DRAM.
  void written_back(Slot slot) { reads_ += generations_[slot].reused ? 1 : 0; }

 private:
  struct Generation {
    bool reused = false;
    bool reads = false, writes = false;  // the first access
    std::uint8_t fills = 0;              // before the second one
  };

  std::vector<Generation> generations_;
  stats::Counter reads_, writes_, fills_;
};

}  // namespace wharf
