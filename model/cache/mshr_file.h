#pragma once
// Miss status holding registers (CM-14): one entry a key (a 128 B line, or a 32 B sector where the transaction is the sector), a mask of
// outstanding sectors, and the accesses that wait for it in order of arrival.
//
// The entries stand in an open-addressed table, where their key's search finds them: linear probing; removal shifts the following run back.

#include <cstdint>
#include <vector>

#include "model/base/access.h"

namespace wharf {

class MshrFile {
 public:
  using Index = std::uint32_t;  // holds until an entry is released: another may move into its place
  static constexpr Index kNone = ~Index{0};

  enum class FillTo : std::uint8_t {
    line,           // the cache's own
    nobody,         // it serves those that wait and leaves nothing at all (loscache section 6, ciao section 3.4)
    shared_memory,  // and the place in shared memory that the line's address gives (ciao section 6.3)
  };
  /// Half a cache line of the host: key and all that is asked of it.
  struct alignas(32) Entry {
    std::uint64_t key = kFree;
    // The oldest access that waits. It may itself be what has been sent below, and wait there in another list: it is in no list here.
    Transaction* first = nullptr;
    Transaction* last = nullptr;    // of the others: linked by next in order of arrival, from the last to the oldest again
    std::uint32_t targets = 0;      // accesses that wait, the primary one included
    SectorMask outstanding = 0;     // sectors requested and not yet here
    SectorMask no_install = 0;      // sectors written since: the fill serves those that wait and leaves no copy (CM-12)
    SectorMask operated = 0;        // sectors that atomics among those that wait will write
    FillTo to = FillTo::line;       // fixed by who opened the entry
  };

  MshrFile(std::uint32_t entries, std::uint32_t targets) : free_(entries), targets_(targets), capacity_(entries) {
    std::size_t size = 4;
    while (size < 2 * std::size_t{entries}) size *= 2;
    table_.resize(size);
    mask_ = static_cast<Index>(size - 1);
  }

  Index find(std::uint64_t key) const {
    for (Index i = home(key);; i = (i + 1) & mask_) {
      if (table_[i].key == key) return i;
      if (table_[i].key == kFree) return kNone;
    }
  }
  /// A question about this key follows: a hint to the host's cache.
  void expect(std::uint64_t key) const { __builtin_prefetch(&table_[home(key)]); }
  /// Its data will be here soon: the same for the access that has waited longest.
  void expect_arrival(std::uint64_t key) const {
    const Index index = find(key);
    if (index != kNone && table_[index].first != nullptr) table_[index].first->expect();
  }
  bool full() const { return free_ == 0; }
  bool targets_full(Index index) const { return table_[index].targets >= targets_; }
  bool empty() const { return free_ == capacity_; }

  Entry& operator[](Index index) { return table_[index]; }
  const Entry& operator[](Index index) const { return table_[index]; }

  /// `key` has no entry, and the file is not full.
  Index allocate(std::uint64_t key) {
    Index index = home(key);
    while (table_[index].key != kFree) index = (index + 1) & mask_;
    table_[index].key = key;
    --free_;
    return index;
  }

  void add(Index index, Transaction& waiter) {
    Entry& entry = table_[index];
    ++entry.targets;
    if (entry.first == nullptr) {
      entry.first = &waiter;
      return;
    }
    if (entry.last == nullptr) {
      waiter.next = &waiter;
    } else {
      waiter.next = entry.last->next;
      entry.last->next = &waiter;
    }
    entry.last = &waiter;
  }

  /// Take out of the entry, in order of arrival, the waiters for which `served(waiter)` holds.
  template <class Served>
  void take(Index index, Served served) {
    Entry& entry = table_[index];
    Transaction* const first = entry.first;
    Transaction* const last = entry.last;
    entry.first = entry.last = nullptr;
    entry.targets = 0;
    if (first != nullptr && !served(*first)) add(index, *first);
    if (last == nullptr) return;
    for (Transaction *waiter = last->next, *following;; waiter = following) {
      following = waiter->next;  // `served` may link the waiter elsewhere
      const bool done = waiter == last;
      if (!served(*waiter)) add(index, *waiter);
      if (done) return;
    }
  }

  /// Free the entry; nothing waits in it any more.
  void release(Index hole) {
    for (Index i = (hole + 1) & mask_; table_[i].key != kFree; i = (i + 1) & mask_) {
      // The entry at i may move into the hole unless its home lies after the hole on the way to i.
      if (((i - home(table_[i].key)) & mask_) < ((i - hole) & mask_)) continue;
      table_[hole] = table_[i];
      hole = i;
    }
    table_[hole] = {};
    ++free_;
  }

  /// Nothing that is on its way now is to leave a copy.
  void install_nothing() {
    for (Entry& entry : table_) entry.no_install |= entry.outstanding;
  }

  /// Every entry in use, for the watchdog's report.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : table_)
      if (entry.key != kFree) visit(entry);
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no line's or sector's number: those have 59 bits at most

  Index home(std::uint64_t key) const { return static_cast<Index>((key * 0x9E3779B97F4A7C15ull) >> 32) & mask_; }

  std::vector<Entry> table_;  // twice as many cells as entries, or more
  Index mask_;
  std::uint32_t free_;
  std::uint32_t targets_;
  std::uint32_t capacity_;
};

}  // namespace wharf
