#pragma once
// A timer queue: a wheel of 1024 slots for near cycles, and a heap for cycles further ahead.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/host/slot_map.h"
#include "model/base/types.h"

namespace wharf {

template <class Value>
class TimerWheel {
 public:
  TimerWheel() : slots_(kSlots, kNone) {}

  /// Schedules `value` for `cycle`, which must be later than the last pop_due(). The value is passed in registers, because copying one that
  /// was just assembled in memory would stall until each of its parts is stored.
  void add(Cycle cycle, Value value) {
    next_ = std::min(next_, cycle);
    if (cycle - now_ >= kSlots) {
      far_.push_back({cycle, sequence_++, value});
      std::push_heap(far_.begin(), far_.end(), Later{});
      return;
    }
    add_near(cycle, value);
  }

  /// Calls visit(value) for every value due up to `now`, in order of cycle, then in order of addition.
  template <class Visit>
  void pop_due(Cycle now, Visit visit) {
    while (next_ <= now) {
      go_to(next_);
      const unsigned slot = now_ % kSlots;
      std::uint32_t node = slots_[slot];
      slots_[slot] = kNone;
      occupied_.clear(now_);
      node = reversed(node);
      while (node != kNone) {
        const Value value = nodes_[node].value;
        const std::uint32_t following = nodes_[node].next;
        nodes_[node].next = free_;
        free_ = node;
        node = following;
        visit(value);
      }
      find_next();
    }
    if (now_ < now) go_to(now);
  }

  /// Calls look(value) for each value due in `cycle`, which is within the wheel's reach, in no particular order.
  template <class Look>
  void peek(Cycle cycle, Look look) const {
    for (std::uint32_t node = slots_[cycle % kSlots]; node != kNone; node = nodes_[node].next) look(nodes_[node].value);
  }

  /// The cycle of the earliest value; kNever when empty.
  Cycle next() const { return next_; }

 private:
  static constexpr Cycle kSlots = SlotMap::kSlots;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Node {
    Value value;
    std::uint32_t next;
  };
  struct Far {
    Cycle cycle;
    std::uint64_t order;
    Value value;
  };
  struct Later {
    bool operator()(const Far& a, const Far& b) const { return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order; }
  };

  void find_next() {
    const Cycle near = occupied_.next(now_);
    next_ = far_.empty() ? near : std::min(near, far_.front().cycle);
  }

  /// Moves far values into the wheel as soon as it reaches them, so that values added later for the same cycle come after them.
  void go_to(Cycle cycle) {
    now_ = cycle;
    while (!far_.empty() && far_.front().cycle - now_ < kSlots) {
      add_near(far_.front().cycle, far_.front().value);
      std::pop_heap(far_.begin(), far_.end(), Later{});
      far_.pop_back();
    }
  }

  void add_near(Cycle cycle, Value value) {
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({value, kNone});
    } else {
      free_ = nodes_[node].next;
      nodes_[node].value = value;
    }
    const unsigned slot = cycle % kSlots;
    nodes_[node].next = slots_[slot];
    slots_[slot] = node;
    occupied_.set(cycle);
  }

  std::uint32_t reversed(std::uint32_t node) {
    std::uint32_t result = kNone;
    while (node != kNone) {
      const std::uint32_t following = nodes_[node].next;
      nodes_[node].next = result;
      result = node;
      node = following;
    }
    return result;
  }

  std::vector<std::uint32_t> slots_;  // newest node of each slot
  SlotMap occupied_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
  std::vector<Far> far_;
  std::uint64_t sequence_ = 0;
  Cycle now_ = 0;
  Cycle next_ = kNever;
};

}  // namespace wharf
