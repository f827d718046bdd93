#pragma once
// One hardware clock: a timing wheel for all blocks that run on it. Its edges are called by the one kernel event
// that all clocks share (clock_edges.h).
//
// A block with nothing to do sleeps; it is woken at a cycle it asked for, or at which something it was sent arrives. Wakes are hints:
// they are never cancelled, and a block that is woken re-checks (CM-3).
//
// The three phases of CM-2. *Deliver* needs no calls: everything that is sent carries the time at which it arrives, which is strictly later
// than the time it was sent, and a block looks only at what has arrived by its own cycle. *Act* calls the blocks that are awake. *Commit*
// calls those that asked for it in this cycle, to publish what other blocks may read.

#include <cstdint>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "model/base/host/constant_divider.h"
#include "model/base/host/slot_map.h"
#include "model/base/types.h"
#include "model/tlm/clock_edges.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

/// What a clock domain calls.
class Clocked {
 public:
  virtual ~Clocked() = default;
  virtual void act(Cycle now) = 0;
};

class Committed {
 public:
  virtual ~Committed() = default;
  virtual void commit() = 0;
};

struct ClockOptions {
  bool ticking = false;            // the oracle: every block acts in every cycle while any block is awake
  std::uint64_t scramble_seed = 0; // not 0: blocks act in an order permuted anew every cycle
};

class ClockDomain : public sc_core::sc_module {
 public:
  using BlockId = unsigned;

  /// `mhz`: frequency in MHz, 1..1,000,000.
  ClockDomain(sc_core::sc_module_name name, std::uint32_t mhz, ClockOptions options);
  ~ClockDomain() override { edges_of_all_->remove(number_); }

  /// Before simulation starts. Where the type of the block is named, and final, its act() is called as such and not as a virtual function.
  template <class Block>
  BlockId add(Block& block) {
    return add(block, [](Clocked& clocked, Cycle now) { static_cast<Block&>(clocked).act(now); });
  }
  /// Where the block keeps what its acts look at first, beside the beginning of its own object: fetched before it acts. Changes no result.
  void prefetch_with(BlockId block, const void* hot) { blocks_[block].hot = hot; }

  std::uint32_t mhz() const { return static_cast<std::uint32_t>(mhz_.divisor()); }
  /// The oracle: a block that knows parts of itself that sleep wakes them all.
  bool ticking() const { return options_.ticking; }
  /// The cycle being processed; between edges, the last one that was.
  Cycle now() const { return now_; }
  /// The cycle at or before the kernel's time: what a call from another domain must use, whichever domain's edge comes first.
  Cycle present_cycle() const { return ((kernel_time().value() + 1) * mhz() - 1) / 1'000'000; }
  /// Time of edge `cycle`: floor(cycle * 10^6 / MHz) ps (CM-1).
  Picoseconds edge(Cycle cycle) const { return mhz_.divide(cycle * 1'000'000).quotient; }
  /// The first edge at or after `time`.
  Cycle cycle_at(Picoseconds time) const { return (time * mhz() + 999'999) / 1'000'000; }
  /// Time from the edge being processed to the edge `cycles` later.
  Picoseconds delay(Cycle cycles) const { return cycles == 1 ? next_delay_ : edge(now_ + cycles) - now_ps_; }

  /// A call from a module that has no clock of the model, at any time: now() is present_cycle() again, as it is for calls of blocks.
  void refresh() {
    if (in_edge() || present_cycle() <= now_) return;
    now_ = present_cycle();
    now_ps_ = edge(now_);
    next_delay_ = edge(now_ + 1) - now_ps_;
  }

  /// Ask that `block` acts at `cycle`, which lies after the last processed edge.
  void wake(BlockId block, Cycle cycle) {
    if (cycle - now_ >= kSlots) return wake_far(block, cycle);
    wake_near(block, cycle);
    if (cycle < scheduled_) schedule(cycle);
  }

  /// Ask for commit() at the end of the edge being processed. Blocks that share what they publish may all ask: it is called again only
  /// where another has asked in between.
  void request_commit(Committed& committed) {
    if (commits_.empty() || commits_.back() != &committed) commits_.push_back(&committed);
  }

  /// Edges processed so far.
  std::uint64_t edges() const { return edges_; }

 private:
  static constexpr Cycle kSlots = SlotMap::kSlots;

  using Act = void (*)(Clocked& block, Cycle now);
  struct Block {
    Act act;
    Clocked* block;
    const void* hot;  // see keeps(); the block itself where it has said nothing
  };

  friend class ClockEdges;
  BlockId add(Clocked& block, Act act);
  /// The edge that is due: at its time, by ClockEdges.
  void on_edge();
  bool in_edge() const { return scheduled_ == 0; }
  void act_all(Cycle now);
  void wake_near(BlockId block, Cycle cycle) {
    slots_[(cycle % kSlots) * words_ + block / 64] |= std::uint64_t{1} << (block % 64);
    occupied_.set(cycle);
  }
  void wake_far(BlockId block, Cycle cycle);
  void bring_near();
  Cycle next_cycle() const;
  void schedule(Cycle cycle);
  void end_of_elaboration() override;

  // What wakes and calls look at lies together.
  Cycle now_ = 0;
  Picoseconds now_ps_ = 0;
  Picoseconds next_delay_;                           // delay(1), which nearly everything asks for
  Cycle scheduled_ = kNever;                         // the next edge; 0 in an edge, which schedules at its end
  std::size_t words_ = 1;                            // 64-bit words of one slot
  std::vector<std::uint64_t> slots_;                 // [slot][word]: who acts
  std::shared_ptr<ClockEdges> edges_of_all_;
  ClockEdges::Number number_;                        // in them
  std::vector<Committed*> commits_;
  ConstantDivider mhz_;
  SlotMap occupied_;                                 // which slots are not empty
  std::vector<Block> blocks_;
  std::vector<std::pair<Cycle, BlockId>> far_;       // min-heap of wakes beyond the wheel
  std::vector<BlockId> order_;                       // scratch of the scramble
  ClockOptions options_;
  std::uint64_t edges_ = 0;
};

}  // namespace wharf
