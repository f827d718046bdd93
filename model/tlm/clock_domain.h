#pragma once
// One hardware clock, with a timing wheel for all blocks that run on it. One kernel event, which all clocks share, triggers its edges
// (clock_edges.h).
//
// A block without work sleeps. It is woken in a cycle that it asked for, or in which something sent to it arrives. Wakes are hints: they
// are never cancelled, and a woken block checks its state again (CM-3).
//
// The three phases of CM-2: *Deliver* needs no calls, because everything sent carries an arrival time later than its departure, and a block
// looks only at what has arrived by the current cycle. *Act* calls the blocks that are awake. *Commit* calls the blocks that asked for it
// in this cycle, so that they publish the state that others may read.

#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "model/base/host/inline_array.h"
#include "model/base/host/islands.h"
#include "model/base/types.h"
#include "model/tlm/block_wheel.h"
#include "model/tlm/clock_edges.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

class Committed {
 public:
  virtual ~Committed() = default;
  virtual void commit() = 0;
};

class ClockDomain : public sc_core::sc_module {
 public:
  using BlockId = unsigned;

  /// `mhz` is the frequency in MHz, 1..1,000,000.
  ClockDomain(sc_core::sc_module_name name, std::uint32_t mhz, ClockOptions options);
  ~ClockDomain() override { edges_of_all_->remove(number_); }

  /// Adds a block before simulation starts. If `Block` is a final class, its act() is called directly rather than virtually.
  template <class Block>
  BlockId add(Block& block) {
    const unsigned island = Islands::built();
    const unsigned number =
        wheels_[island].add({[](Clocked& clocked, Cycle now) { static_cast<Block&>(clocked).act(now); }, &block, &block});
    return number * kIslands + island;
  }
  /// Names the memory that the block's act() reads first, other than the beginning of its object. It is prefetched before the block acts.
  /// Has no effect on results.
  void prefetch_with(BlockId block, const void* hot) { wheels_[block % kIslands].prefetch_with(block / kIslands, hot); }

  std::uint32_t mhz() const { return mhz_; }
  /// True in the ticking oracle: a block with sleeping parts then wakes them all.
  bool ticking() const { return options_.ticking; }
  /// The cycle being processed; between edges, the last processed one.
  Cycle now() const { return now_; }
  /// The cycle at or before the kernel's time. Calls from another domain must use it, because either domain's edge may come first.
  Cycle present_cycle() const { return ((kernel_time().value() + 1) * mhz() - 1) / 1'000'000; }
  /// Time of edge `cycle`: floor(cycle * 10^6 / MHz) ps (CM-1).
  Picoseconds edge(Cycle cycle) const { return cycle * 1'000'000 / mhz_; }
  /// The first edge at or after `time`.
  Cycle cycle_at(Picoseconds time) const { return (time * mhz() + 999'999) / 1'000'000; }
  /// Time from the present edge to the edge `cycles` later.
  Picoseconds delay(Cycle cycles) const { return cycles == 1 ? next_delay_ : edge(now_ + cycles) - now_ps_; }

  /// The last cycle of the simulation (ClockEdges::last_time).
  Cycle last_cycle() const { return ClockEdges::last_time() / 1'000'000 * mhz_; }

  /// Advances now() to present_cycle(), as blocks expect. For calls at any time from a module that has no clock of this model.
  void refresh() {
    ClockEdges::expect_in_time();
    if (in_edge() || present_cycle() <= now_) return;
    now_ = present_cycle();
    now_ps_ = edge(now_);
    next_delay_ = edge(now_ + 1) - now_ps_;
  }

  /// Asks that `block` act in `cycle`, which must be after the last processed edge.
  void wake(BlockId block, Cycle cycle) {
    wheels_[block % kIslands].wake(block / kIslands, cycle, now_);
    if (cycle < scheduled_) schedule(cycle);
  }

  /// Asks for commit() at the end of the present edge. Several callers may ask for one object; it is called again only if another object
  /// asked in between.
  void request_commit(Committed& committed) {
    std::vector<Committed*>& commits = commits_[Islands::here()];
    if (commits.empty() || commits.back() != &committed) commits.push_back(&committed);
  }

  /// Number of edges processed.
  std::uint64_t edges() const { return edges_; }

 private:
  static constexpr unsigned kIslands = 128;  // > Islands::kMost; a BlockId is a block's number in its wheel, and its island

  friend class ClockEdges;
  // The three parts of an edge; ClockEdges calls them at the edge's time.
  void begin_edge();
  void act_all();
  void act(unsigned island) { wheels_[island].act(now_, options_); }
  /// Commits, and schedules the next edge.
  void end_edge();
  /// Schedules the edge of a wake that could not do so, because islands acted.
  void look_for_wakes();
  /// Blocks of `island` that act in this edge.
  unsigned awake(unsigned island) const { return wheels_[island].awake(now_); }
  bool in_edge() const { return scheduled_ == 0; }
  Cycle next_cycle() const;
  void schedule(Cycle cycle);
  void end_of_elaboration() override;

  // The members that wakes and calls read are adjacent.
  Cycle now_ = 0;
  Picoseconds now_ps_ = 0;
  Picoseconds next_delay_;             // delay(1), the most frequent delay
  Cycle scheduled_ = kNever;           // the next edge; 0 during an edge, which schedules at its end
  InlineArray<BlockWheel, 1> wheels_;  // [island]
  std::shared_ptr<ClockEdges> edges_of_all_;
  ClockEdges::Number number_;                        // this domain's number in edges_of_all_
  InlineArray<std::vector<Committed*>, 1> commits_;  // [island]
  std::uint32_t mhz_;
  ClockOptions options_;
  std::uint64_t edges_ = 0;
};

}  // namespace wharf
