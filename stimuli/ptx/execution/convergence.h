#pragma once
// Which lanes of a warp run together: splits, the points where they meet again, and a guarantee of progress (CU-50).

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/warp_instruction.h"
#include "stimuli/ptx/execution/frame.h"

namespace wharf::ptx {

/// Lanes at one pc. The last split of the list runs.
struct Split {
  enum class State : std::uint8_t { runs, at_barrier, waits_for_lanes };
  std::uint32_t pc = 0;
  LaneMask mask = 0;
  Frame* frame = nullptr;
  std::uint32_t meeting = kNone;  // the innermost meeting it is expected at
  std::uint32_t executed = 0;     // operations since it last gave way
  State state = State::runs;
  BarrierUse barrier;      // where it is at one
  bool is_forced = false;  // goes on without the lanes that it waited for
};

/// Lanes that went on without `others`, with whom they were to meet at `pc`, because those waited at a barrier or for lanes.
struct Parted {
  std::uint32_t pc = 0;
  LaneMask lanes = 0, others = 0;
};

class Convergence {
 public:
  /// All threads of the warp begin at the kernel's first instruction.
  Convergence(const FunctionCode& kernel, LaneMask threads, std::pmr::memory_resource& pool);

  bool ended() const { return splits_.empty(); }
  Split& running() { return splits_.back(); }
  const std::vector<Split>& splits() const { return splits_; }
  LaneMask live() const { return live_; }

  /// The running split goes on at `pc`.
  void go_to(std::uint32_t pc) {
    Split& split = splits_.back();
    split.pc = pc;
    ++split.executed;
    if (split.meeting != kNone && meetings_[split.meeting].pc == pc) arrive();
  }
  /// The lanes of `taken` go to `target` and run first, the others to `other`; they meet at `join`.
  void diverge(LaneMask taken, std::uint32_t target, std::uint32_t other, std::uint32_t join);
  /// The lanes of `mask` enter `function`; they, and the other lanes of the split, go on at `return_pc`. Returns the new frame.
  Frame& call(LaneMask mask, const FunctionCode& function, const CallSite& site, std::uint32_t return_pc);
  /// The lanes of `mask` return from their function; in a kernel they exit. Other lanes go on at the next pc.
  void return_lanes(LaneMask mask);
  /// The lanes of `mask`, of the running split, end.
  void exit_lanes(LaneMask mask);

  /// The running split cannot go on: lets another one run, or lanes that wait at a meeting. Returns false where nothing else can run.
  bool block();
  /// The running split may be waiting for others: lanes that wait at a meeting run on, or else the next split does.
  void yield_turn();
  /// The running split has had its turn: the next split runs on, if there is one.
  void take_turns();
  /// True where another split could run.
  bool has_others() const;
  /// Another split's turn, without a limit for the lanes that wait at meetings.
  void give_way() { rotate(); }
  /// True where the running split has executed `most` operations while others could not.
  bool is_turn_over(std::uint32_t most) {
    if (splits_.size() == 1 && waiting_ == 0) splits_.back().executed = 0;
    return splits_.back().executed >= most;
  }
  /// Adds the lanes that wait for lanes at the running split's instruction.
  void join_waiting();
  /// After block() has returned false: a split that waits for lanes goes on without them. Returns false where none waits so.
  bool force_waiting();
  /// All splits, which are at barriers, go on behind their own instructions.
  void release_barrier();
  /// The splits of `mask`, which wait for lanes at different instructions, go on.
  void release_lanes(LaneMask mask);

  /// The lanes whose others still wait.
  const std::vector<Parted>& parted() const { return parted_; }
  /// The lanes of `mask` do not wait any more.
  void end_wait(LaneMask mask) {
    for (Parted& one : parted_) one.others &= ~mask;
  }

 private:
  struct Meeting {
    std::uint32_t pc = 0;  // kAtReturn: at the return of `frame`
    LaneMask expected = 0, arrived = 0;
    Frame* frame = nullptr;
    std::uint32_t outer = kNone;
    std::uint32_t executed = 0;
    bool is_call = false;  // ends with the frame
    bool in_use = false;
  };
  std::uint32_t new_meeting(const Meeting& meeting);
  void arrive();
  void complete(std::uint32_t meeting);
  void leave(const Meeting& meeting, LaneMask mask);
  void push(Split split);
  void complete_meetings();
  bool release_waiting();
  void rotate();
  void note_parted(std::uint32_t pc, LaneMask mask, LaneMask expected);
  void release_frame(Frame* frame);

  std::pmr::memory_resource& pool_;  // of frames
  LaneMask live_;
  LaneMask waiting_ = 0;  // lanes that have arrived at a meeting
  std::vector<Split> splits_;
  std::vector<Meeting> meetings_;
  std::vector<Parted> parted_;
  std::vector<std::unique_ptr<Frame>> frames_;
};

/// Copies `from` to `to` for the lanes of `mask`: a value in a parameter area or in a row.
struct ValuePlace {
  const Parameter& parameter;
  const Rows& rows;
  const Frame& frame;
};
void copy_value(const ValuePlace& from, const ValuePlace& to, LaneMask mask);

}  // namespace wharf::ptx
