#pragma once
// The request queue of a partition (morpheus section 5.2). It holds operations in order of age; any operation whose warp is free may leave.
// Each operation takes an entry, and each one with data takes a payload slot as well.

#include <algorithm>
#include <vector>

#include "model/designs/morpheus/ellc_operation.h"

namespace wharf {

class EllcQueue {
 public:
  EllcQueue(std::uint32_t entries, std::uint32_t payload_slots) : entries_(entries), slots_(payload_slots) { queue_.reserve(entries); }

  bool entry_free() const { return queue_.size() + held_ < entries_; }
  bool slot_free() const { return used_slots_ < slots_; }
  bool room(const EllcOperation& operation) const { return entry_free() && (!operation.carries_data() || slot_free()); }
  std::size_t size() const { return queue_.size(); }
  bool empty() const { return queue_.empty() && held_ == 0; }
  const EllcOperation& oldest() const { return queue_.front(); }

  /// Returns the youngest operation with `line`; null if there is none.
  EllcOperation* youngest(LineAddress line) {
    for (auto place = queue_.rbegin(); place != queue_.rend(); ++place)
      if (place->line == line) return &*place;
    return nullptr;
  }

  /// Appends an operation. There must be room, unless the operation still holds its entry.
  void push(EllcOperation operation) {
    if (operation.held) release(operation);
    operation.held = false;
    used_slots_ += operation.carries_data() ? 1 : 0;
    queue_.push_back(operation);
  }

  enum class Choice : std::uint8_t { take, skip, stop };
  /// Removes the oldest operation for which `choose` returns take. Returns false if `choose` returns stop first, or never returns take.
  template <class Choose>
  bool pop_first(Choose choose, EllcOperation& out) {
    for (auto place = queue_.begin(); place != queue_.end(); ++place) {
      const Choice choice = choose(*place);
      if (choice == Choice::stop) return false;
      if (choice == Choice::skip) continue;
      out = *place;
      used_slots_ -= out.carries_data() ? 1 : 0;
      queue_.erase(place);
      return true;
    }
    return false;
  }

  /// Moves every operation with `line`, oldest first, to an MSHR's list. Each keeps its entry in the queue until release() or push().
  template <class Taken>
  void pull(LineAddress line, Taken taken) {
    auto kept = queue_.begin();
    for (EllcOperation& operation : queue_) {
      if (operation.line == line) {
        operation.held = true;
        ++held_;
        taken(operation);
      } else {
        *kept++ = operation;
      }
    }
    queue_.erase(kept, queue_.end());
  }
  /// Frees the entry of an operation that was served from the list.
  void release(const EllcOperation& held) {
    --held_;
    used_slots_ -= held.carries_data() ? 1 : 0;
  }

 private:
  std::vector<EllcOperation> queue_;  // oldest first; short
  std::size_t entries_, held_ = 0;
  std::uint32_t slots_, used_slots_ = 0;
};

}  // namespace wharf
