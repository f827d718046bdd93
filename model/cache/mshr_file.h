#pragma once
// Miss status holding registers (CM-14): one entry a key (a 128 B line, or a 32 B sector where the transaction is the sector), a mask of
// outstanding sectors, and the accesses that wait for it in order of arrival.
//
// Sets of 32 entries, a key's hash says which: a file of up to 32 has one. In its set an entry stands anywhere, and stays there; a search
// compares the prints of all of them at once, so that there is no chain to follow, whose length no host can guess.

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/bits.h"
#include "model/cache/key_prints.h"

namespace wharf {

class MshrFile {
 public:
  using Index = std::uint32_t;  // of an entry, until it is released
  static constexpr Index kNone = ~Index{0};

  enum class FillTo : std::uint8_t {
    line,           // the cache's own
    no_allocate,    // it serves those that wait and leaves nothing at all (loscache section 6, ciao section 3.4)
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
    // Half full at most on average, where there are several.
    const std::uint32_t sets = entries <= kPlaces ? 1 : 1u << ceil_log2((entries - 1) / (kPlaces / 2) + 1);
    prints_.resize(sets);
    entries_.resize(std::size_t{sets} * kPlaces);
    mask_ = sets - 1;
  }

  Index find(std::uint64_t key) const {
    const Index found = find_in(home(key), key);
    return found != kNone || strays_ == 0 ? found : find_stray(key);
  }
  /// The same, of a key whose entry is likely to be `guess`, which may be any number.
  Index find_near(Index guess, std::uint64_t key) const {
    return guess < entries_.size() && entries_[guess].key == key ? guess : find(key);
  }
  /// A question about this key follows: a hint to the host's cache.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&prints_[home(key)]); }
  /// Its data will be here soon: the same for its entry, and for the access that has waited longest.
  void prefetch_arrival(std::uint64_t key) const { prefetch_waiters(find(key)); }
  /// As for find_near().
  void prefetch_arrival(Index guess, std::uint64_t key) const { prefetch_waiters(find_near(guess, key)); }
  bool full() const { return free_ == 0; }
  bool targets_full(Index index) const { return entries_[index].targets >= targets_; }
  bool empty() const { return free_ == capacity_; }

  Entry& operator[](Index index) { return entries_[index]; }
  const Entry& operator[](Index index) const { return entries_[index]; }

  /// `key` has no entry, and the file is not full.
  Index allocate(std::uint64_t key) {
    std::uint32_t set = home(key), free = prints_[set].free();
    if (free == 0) {
      ++strays_;
      for (; free == 0; free = prints_[set].free()) set = (set + 1) & mask_;
    }
    const auto place = static_cast<unsigned>(__builtin_ctz(free));
    prints_[set].set(place, print(key));
    const Index index = set * kPlaces + place;
    entries_[index].key = key;
    --free_;
    return index;
  }

  void add(Index index, Transaction& waiter) {
    Entry& entry = entries_[index];
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
    Entry& entry = entries_[index];
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
  void release(Index index) {
    if (strays_ != 0 && home(entries_[index].key) != index / kPlaces) --strays_;
    prints_[index / kPlaces].clear(index % kPlaces);
    entries_[index] = {};
    ++free_;
  }

  /// Nothing that is on its way now is to leave a copy.
  void install_nothing() {
    for (Entry& entry : entries_) entry.no_install |= entry.outstanding;
  }

  /// Every entry in use, for the watchdog's report.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.key != kFree) visit(entry);
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no line's or sector's number: those have 59 bits at most

  static constexpr unsigned kPlaces = KeyPrints::kPlaces;

  static std::uint64_t hash(std::uint64_t key) { return key * 0x9E3779B97F4A7C15ull; }
  static std::uint16_t print(std::uint64_t key) { return static_cast<std::uint16_t>(hash(key) >> 48 | 1); }
  std::uint32_t home(std::uint64_t key) const { return static_cast<std::uint32_t>(hash(key) >> 32) & mask_; }

  void prefetch_waiters(Index index) const {
    if (index != kNone && entries_[index].first != nullptr) entries_[index].first->prefetch();
  }
  Index find_in(std::uint32_t set, std::uint64_t key) const {
    for (std::uint32_t places = prints_[set].places_of(print(key)); places != 0; places &= places - 1) {
      const Index index = set * kPlaces + static_cast<unsigned>(__builtin_ctz(places));
      if (entries_[index].key == key) return index;
    }
    return kNone;
  }
  /// One that may have found its set full, which hardly ever happens.
  [[gnu::noinline, gnu::cold]] Index find_stray(std::uint64_t key) const {
    Index found = kNone;
    for (std::uint32_t set = 0; set <= mask_ && found == kNone; ++set) found = find_in(set, key);
    return found;
  }

  HostLineVector<KeyPrints> prints_;  // of the sets
  HostLineVector<Entry> entries_;     // set by set
  std::uint32_t mask_;                // of the number of a set
  std::uint32_t free_;
  std::uint32_t strays_ = 0;          // entries that are not in their home set, because it was full
  std::uint32_t targets_;
  std::uint32_t capacity_;
};

}  // namespace wharf
