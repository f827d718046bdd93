#pragma once
// Whether edges are processed faster by several threads than by one. That depends on the host: a message between neighbouring cores takes
// some 40 ns, between others 170 ns, a hypervisor may move them during a run, and where other programs run, threads wait for one that has
// no processor. So both ways are timed from time to time. Results do not depend on the choice.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wharf {

template <class Clock>
class ThreadTrialBy {
 public:
  /// True if the next edge is to be processed by several threads.
  bool uses_threads() const { return edge_ < kThreads || (edge_ >= kThreads + kTimed && threads_win_); }

  /// Calls `process` for an edge in which `blocks` >= 1 blocks act, and times it if this edge is part of a trial.
  template <class Process>
  void run(unsigned blocks, Process process) {
    if (edge_ < kThreads - kTimed || edge_ >= kThreads + kTimed) {
      process();
    } else {
      const auto begin = Clock::now();
      process();
      const std::chrono::duration<double> time = Clock::now() - begin;
      (edge_ < kThreads ? with_threads_ : with_one_) += time.count() / blocks;
    }
    ++edge_;
    if (edge_ == kThreads + kTimed) {
      threads_win_ = with_threads_ <= with_one_;
      period_ = threads_win_ ? kPeriod : std::min(2 * period_, kLongest);
    }
    if (edge_ != kThreads + period_) return;
    edge_ = kThreads - kTimed;  // the next trial
    with_threads_ = with_one_ = 0;
  }

 private:
  static constexpr std::uint32_t kThreads = 1024, kTimed = 256;  // edges with threads before the first with one; the last of them are timed
  // Edges from a trial to the next; more and more where threads lose, because on a busy host their edges take a hundred times as long.
  static constexpr std::uint32_t kPeriod = 32'768, kLongest = 16 * kPeriod;

  std::uint32_t edge_ = 0, period_ = kPeriod;
  bool threads_win_ = true;
  double with_threads_ = 0, with_one_ = 0;  // sums of seconds per block
};

using ThreadTrial = ThreadTrialBy<std::chrono::steady_clock>;

}  // namespace wharf
