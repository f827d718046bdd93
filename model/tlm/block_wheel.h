#pragma once
// The blocks of a clock domain that act in one thread, and a timing wheel of the cycles in which they wake.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/host/slot_map.h"
#include "model/base/types.h"

namespace wharf {

/// A block that a clock domain calls.
class Clocked {
 public:
  virtual ~Clocked() = default;
  virtual void act(Cycle now) = 0;
};

struct ClockOptions {
  bool ticking = false;                        // the oracle: every block acts in every cycle in which any block is awake
  std::optional<std::uint64_t> scramble_seed;  // permutes the order of blocks anew in every cycle
};

class alignas(256) BlockWheel {
 public:
  struct Block {
    void (*act)(Clocked& block, Cycle now);
    Clocked* block;
    const void* hot;  // prefetched before the block acts
  };

  BlockWheel() : slots_(kSlots) {}

  /// Returns the block's number.
  unsigned add(const Block& block);
  void prefetch_with(unsigned block, const void* hot) { blocks_[block].hot = hot; }

  /// `now` is the last processed cycle.
  void wake(unsigned block, Cycle cycle, Cycle now) {
    if (cycle - now >= kSlots) return wake_far(block, cycle);
    wake_near(block, cycle);
  }
  /// Moves the wakes of other rounds that are near now into the wheel. Called before act() of a cycle.
  void turn_to(Cycle now) {
    if (!far_.empty()) take_near(now);
  }
  /// Calls the blocks that are awake.
  void act(Cycle now, const ClockOptions& options);
  /// Number of blocks that are awake in cycle `cycle`.
  unsigned awake(Cycle cycle) const;
  /// The next cycle after `now` in which a block wakes; kNever: none.
  Cycle next_cycle(Cycle now) const;

 private:
  static constexpr Cycle kSlots = SlotMap::kSlots;

  void wake_near(unsigned block, Cycle cycle) {
    slots_[(cycle % kSlots) * words_ + block / 64] |= std::uint64_t{1} << (block % 64);
    occupied_.set(cycle);
  }
  void wake_far(unsigned block, Cycle cycle);
  void take_near(Cycle now);
  void act_in_order(Cycle now, const ClockOptions& options);

  std::size_t words_ = 1;             // 64-bit words per slot
  std::vector<std::uint64_t> slots_;  // [slot][word]: blocks that act
  SlotMap occupied_;                  // the slots that are not empty
  std::vector<Block> blocks_;
  std::vector<std::pair<Cycle, unsigned>> far_;  // min-heap of wakes beyond the wheel
  std::vector<unsigned> order_;                  // scratch for scrambling
};

}  // namespace wharf
