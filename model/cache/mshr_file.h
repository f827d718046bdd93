#pragma once
// Miss status holding registers (CM-14): one entry a key (a 128 B line, or a 32 B sector where the transaction is the sector), a mask of
// outstanding sectors, and the accesses that wait for it in order of arrival.

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/cache/line_map.h"

namespace wharf {

class MshrFile {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = LineMap::kAbsent;

  enum class FillTo : std::uint8_t {
    line,           // the cache's own
    nobody,         // it serves those that wait and leaves nothing at all (loscache section 6, ciao section 3.4)
    shared_memory,  // and the place in shared memory that the line's address gives (ciao section 6.3)
  };
  struct Entry {
    std::uint64_t key = 0;
    Transaction *first = nullptr, *last = nullptr;
    std::uint32_t targets = 0;      // accesses that wait, the primary one included
    SectorMask outstanding = 0;     // sectors requested and not yet here
    SectorMask no_install = 0;      // sectors written since: the fill serves those that wait and leaves no copy (CM-12)
    SectorMask operated = 0;        // sectors that atomics among those that wait will write
    FillTo to = FillTo::line;       // fixed by who opened the entry
  };

  MshrFile(std::uint32_t entries, std::uint32_t targets) : index_(entries), entries_(entries), targets_(targets) {
    free_.reserve(entries);
    for (Index i = entries; i-- > 0;) free_.push_back(i);
  }

  Index find(std::uint64_t key) const { return index_.find(key); }
  bool full() const { return free_.empty(); }
  bool targets_full(Index index) const { return entries_[index].targets >= targets_; }
  bool empty() const { return free_.size() == entries_.size(); }

  Entry& operator[](Index index) { return entries_[index]; }
  const Entry& operator[](Index index) const { return entries_[index]; }

  Index allocate(std::uint64_t key) {
    const Index index = free_.back();
    free_.pop_back();
    entries_[index] = {};
    entries_[index].key = key;
    index_.insert(key, index);
    return index;
  }

  void add(Index index, Transaction& waiter) {
    Entry& entry = entries_[index];
    waiter.next = nullptr;
    if (entry.first == nullptr) entry.first = &waiter;
    else entry.last->next = &waiter;
    entry.last = &waiter;
    ++entry.targets;
  }

  /// Take out of the entry, in order of arrival, the waiters for which `served(waiter)` holds.
  template <class Served>
  void take(Index index, Served served) {
    Entry& entry = entries_[index];
    Transaction* waiter = entry.first;
    entry.first = entry.last = nullptr;
    entry.targets = 0;
    while (waiter != nullptr) {
      Transaction* following = waiter->next;  // `served` may link the waiter elsewhere
      if (!served(*waiter)) add(index, *waiter);
      waiter = following;
    }
  }

  /// Free the entry; nothing waits in it any more.
  void release(Index index) {
    index_.erase(entries_[index].key);
    free_.push_back(index);
  }

  /// Nothing that is on its way now is to leave a copy.
  void install_nothing() {
    for (Entry& entry : entries_) entry.no_install |= entry.outstanding;
  }

  /// Every entry in use, for the watchdog's report.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Index i = 0; i < entries_.size(); ++i)
      if (index_.find(entries_[i].key) == i) visit(entries_[i]);
  }

 private:
  LineMap index_;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::uint32_t targets_;
};

}  // namespace wharf
