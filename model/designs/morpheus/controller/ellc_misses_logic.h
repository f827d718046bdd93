#pragma once
// The extended LLC's miss status holding registers of a partition (morpheus sections 5.4 and 5.6). An entry holds a line that is being read
// from DRAM and, in order of arrival, the operations that wait for it.

#include <algorithm>
#include <vector>

#include "model/cache/slot_index.h"
#include "model/designs/morpheus/ellc_operation.h"

namespace wharf {

struct EllcMiss {
  LineAddress line;
  std::uint8_t row = 0;
  std::uint32_t tag = 0;
  bool l1 = false;        // the set is in an L1, which requests the line itself (morpheus section 6.6)
  bool arrived = false;   // the line has arrived
  bool dirty = false;     // the line has been written since it arrived
  bool queueing = false;  // later operations go to the set, behind the earlier ones
  bool inserted = false;  // the line is in the request queue
  bool l1_served = false;
  SectorVersions image{};
  // Service by rate, in sectors. outstanding: requested but not arrived. unread: those of them not yet read from DRAM. here: arrived.
  SectorMask outstanding = 0, unread = 0, here = 0;
  bool probing = false;             // the cache-mode SM is asked first
  Transaction* l1_fetch = nullptr;  // the L1's request for the line
  std::vector<EllcOperation> list;
  std::uint32_t held = 0;  // entries of the list that still occupy the request queue
};

class EllcMisses {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = SlotIndex::kNone;

  EllcMisses(std::uint32_t entries, std::uint32_t merges) : index_(entries), entries_(entries), merges_(merges) {
    for (Index i = entries; i-- > 0;) free_.push_back(i);
  }

  Index find(LineAddress line) const {
    return index_.find(line.number, [&](Index entry) { return entries_[entry].line == line; });
  }
  void prefetch(LineAddress line) const { index_.prefetch(line.number); }
  EllcMiss& operator[](Index index) { return entries_[index]; }
  bool full() const { return free_.empty(); }
  bool empty() const { return in_use() == 0; }
  std::uint32_t in_use() const { return static_cast<std::uint32_t>(entries_.size() - free_.size()); }
  std::uint32_t capacity() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// True if the list has reached its limit. Operations from the request queue do not count.
  bool list_full(const EllcMiss& miss) const { return miss.list.size() - miss.held >= merges_; }

  /// Allocates an entry whose first waiting operation is `first`.
  Index allocate(const EllcOperation& first, bool l1) {
    const Index index = free_.back();
    free_.pop_back();
    index_.insert(first.line.number, index);
    EllcMiss& miss = entries_[index];
    std::vector<EllcOperation> list = std::move(miss.list);  // keeps its memory
    list.clear();
    miss = {};
    miss.list = std::move(list);
    miss.line = first.line;
    miss.row = first.row;
    miss.tag = first.tag;
    miss.l1 = l1;
    miss.list.push_back(first);
    return index;
  }

  void release(Index index) {
    index_.erase(entries_[index].line.number, index);
    free_.push_back(index);
  }

  /// Saves or loads the state between kernels (model/base/archive.h), when no entry is in use.
  template <class File>
  void archive(File& file) {
    file.elements(free_);
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (Index i = 0; i < entries_.size(); ++i)
      if (find(entries_[i].line) == i) visit(entries_[i]);
  }

 private:
  SlotIndex index_;
  std::vector<EllcMiss> entries_;
  std::vector<Index> free_;
  std::uint32_t merges_;
};

}  // namespace wharf
