#pragma once
// Messages on their way out of a block, in the order in which they become ready. In the Out queue of a home (shared_l1 section 6), a place
// is taken when the L1 begins to read the data, because they cannot stop on their way. In Q2 of a DC-L1 node (dc_l1 section 3), data in the
// L1's pipeline have no place yet.

#include <cstdint>
#include <vector>

#include "model/base/access.h"

namespace wharf {

class OutQueue {
 public:
  explicit OutQueue(std::uint32_t places) : places_(places) { entries_.reserve(places); }

  bool room() const { return entries_.size() < places_; }
  /// Fewer messages than there are places are ready by cycle `by`.
  bool room(Cycle by) const { return entries_.size() < places_ || entries_[places_ - 1].ready > by; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// When the first message may leave; kNever if there is none.
  Cycle next_ready() const { return entries_.empty() ? kNever : entries_.front().ready; }
  Transaction& front() const { return *entries_.front().answer; }

  /// Requires room().
  void add(Transaction& answer, Cycle ready) {
    auto place = entries_.end();
    while (place != entries_.begin() && (place - 1)->ready > ready) --place;
    entries_.insert(place, {&answer, ready});
  }

  Transaction& pop() {
    Transaction& answer = *entries_.front().answer;
    entries_.erase(entries_.begin());
    return answer;
  }

 private:
  struct Entry {
    Transaction* answer;
    Cycle ready;
  };
  std::vector<Entry> entries_;  // few places, so moving entries costs less than links
  std::size_t places_;
};

}  // namespace wharf
