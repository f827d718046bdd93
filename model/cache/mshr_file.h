#pragma once
// Miss status holding registers (CM-14). There is one entry per key: a 128 B line, or a 32 B sector if the transaction unit is the sector.
// An entry has a mask of outstanding sectors and the waiting accesses in order of arrival.
//
// Entries are kept in sets of 32, chosen by the key's hash; a file of up to 32 entries has one set. An entry keeps its place in the set
// until it is released. A search compares the prints of a whole set at once. This avoids hash chains, whose length the host cannot predict.

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/bits.h"
#include "model/base/transaction_list.h"
#include "model/cache/key_prints.h"

namespace wharf {

class MshrFile {
 public:
  using Index = std::uint32_t;  // names an entry until it is released
  static constexpr Index kNone = ~Index{0};

  enum class FillTo : std::uint8_t {
    line,         // the cache's own line
    no_allocate,  // serves the waiting accesses and installs nothing (loscache section 6, ciao section 3.4)
    side_store,   // into the store beside the cache (ciao section 6.3)
  };
  /// Half a cache line of the host, so that one fetch brings a key and its state.
  struct alignas(32) Entry {
    std::uint64_t key = kFree;
    Transaction* first = nullptr;  // oldest waiting access; in no list, because it may be the very request sent below and be queued there
    TransactionCircle others;      // the other waiting accesses, in order of arrival
    std::uint32_t targets = 0;     // waiting accesses, the primary miss included
    SectorMask outstanding = 0;    // sectors requested and not yet filled
    SectorMask no_install = 0;     // sectors written since the request: the fill serves the waiting accesses but is not installed (CM-12)
    SectorMask operated = 0;       // sectors that waiting atomics will write
    FillTo to = FillTo::line;      // set by the access that opened the entry
  };

  MshrFile(std::uint32_t entries, std::uint32_t targets) : free_(entries), targets_(targets), capacity_(entries) {
    const std::size_t sets = sets_for(entries);
    prints_.resize(sets);
    entries_.resize(sets * kPlaces);
    mask_ = static_cast<std::uint32_t>(sets - 1);
  }

  /// Bytes of host memory for a file of `entries`.
  static std::uint64_t bytes(std::uint32_t entries) { return sets_for(entries) * (sizeof(KeyPrints) + kPlaces * sizeof(Entry)); }

  Index find(std::uint64_t key) const {
    const Index found = find_in(home(key), key);
    return found != kNone || strays_ == 0 ? found : find_stray(key);
  }
  /// As find(), faster if the key's entry is `guess`; any number is legal.
  Index find_near(Index guess, std::uint64_t key) const {
    return guess < entries_.size() && entries_[guess].key == key ? guess : find(key);
  }
  /// Prefetches the key's set into the host's cache before a search.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&prints_[home(key)]); }
  /// Prefetches the key's entry and its oldest waiting access before the fill arrives.
  void prefetch_arrival(std::uint64_t key) const { prefetch_waiters(find(key)); }
  /// As above, with a guess as for find_near().
  void prefetch_arrival(Index guess, std::uint64_t key) const { prefetch_waiters(find_near(guess, key)); }
  bool full() const { return free_ == 0; }
  bool targets_full(Index index) const { return entries_[index].targets >= targets_; }
  bool empty() const { return free_ == capacity_; }

  Entry& operator[](Index index) { return entries_[index]; }
  const Entry& operator[](Index index) const { return entries_[index]; }

  /// Opens an entry. `key` must have none, and the file must not be full.
  Index allocate(std::uint64_t key) {
    std::uint32_t set = home(key), free = prints_[set].free();
    if (free == 0) {
      ++strays_;
      for (; free == 0; free = prints_[set].free()) set = (set + 1) & mask_;
    }
    const unsigned place = lowest_bit(free);
    prints_[set].set(place, print(key));
    const Index index = set * kPlaces + place;
    entries_[index].key = key;
    --free_;
    return index;
  }

  void add(Index index, Transaction& waiter) {
    Entry& entry = entries_[index];
    ++entry.targets;
    if (entry.first == nullptr)
      entry.first = &waiter;
    else
      entry.others.push_back(waiter);
  }

  /// Removes from the entry, in order of arrival, the waiting accesses for which `served(waiter)` returns true.
  template <class Served>
  void remove_waiting(Index index, Served served) {
    Entry& entry = entries_[index];
    Transaction* const first = std::exchange(entry.first, nullptr);
    Transaction* other = entry.others.take_all();
    entry.targets = 0;
    if (first != nullptr && !served(*first)) add(index, *first);
    while (other != nullptr) {
      Transaction& waiter = *other;
      other = waiter.next;  // before `served`, which may link the waiter elsewhere
      if (!served(waiter)) add(index, waiter);
    }
  }

  /// Frees the entry, which must have no waiting accesses left.
  void release(Index index) {
    if (strays_ != 0 && home(entries_[index].key) != index / kPlaces) --strays_;
    prints_[index / kPlaces].clear(index % kPlaces);
    entries_[index] = {};
    ++free_;
  }

  /// Keeps all fills in flight from installing anything.
  void install_nothing() {
    for (Entry& entry : entries_) entry.no_install |= entry.outstanding;
  }
  /// Those that would go to `place`.
  void install_nothing(FillTo place) {
    for (Entry& entry : entries_)
      if (entry.to == place) entry.no_install |= entry.outstanding;
  }

  /// Visits every entry in use, for the watchdog's report.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.key != kFree) visit(entry);
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // not a line or sector number: those have at most 59 bits

  static constexpr unsigned kPlaces = KeyPrints::kPlaces;
  /// Where there are several sets, they are at most half full on average.
  static std::size_t sets_for(std::uint32_t entries) {
    return entries <= kPlaces ? 1 : std::size_t{1} << ceil_log2((entries - 1) / (kPlaces / 2) + 1);
  }

  static std::uint64_t hash(std::uint64_t key) { return key * 0x9E3779B97F4A7C15ull; }
  static std::uint16_t print(std::uint64_t key) { return static_cast<std::uint16_t>(hash(key) >> 48 | 1); }
  std::uint32_t home(std::uint64_t key) const { return static_cast<std::uint32_t>(hash(key) >> 32) & mask_; }

  void prefetch_waiters(Index index) const {
    if (index != kNone && entries_[index].first != nullptr) entries_[index].first->prefetch();
  }
  Index find_in(std::uint32_t set, std::uint64_t key) const {
    for (const unsigned place : set_bits(prints_[set].places_of(print(key)))) {
      const Index index = set * kPlaces + place;
      if (entries_[index].key == key) return index;
    }
    return kNone;
  }
  /// Finds an entry outside its home set; this is rare, because the home set must have been full.
  [[gnu::noinline, gnu::cold]] Index find_stray(std::uint64_t key) const {
    Index found = kNone;
    for (std::uint32_t set = 0; set <= mask_ && found == kNone; ++set) found = find_in(set, key);
    return found;
  }

  std::vector<KeyPrints> prints_;  // one per set
  std::vector<Entry> entries_;     // set by set
  std::uint32_t mask_;             // selects a set from a hash
  std::uint32_t free_;
  std::uint32_t strays_ = 0;  // entries outside their home set, which was full
  std::uint32_t targets_;
  std::uint32_t capacity_;
};

}  // namespace wharf
