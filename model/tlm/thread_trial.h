#pragma once
// Whether edges are processed faster by several threads than by one. That depends on the host: a message between neighbouring cores takes
// some 40 ns, between others 170 ns, and a hypervisor may move them during a run. So both ways are timed from time to time. Results do not
// depend on the choice.

#include <algorithm>
#include <array>
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
      times_[edge_ - (kThreads - kTimed)] = time.count() / blocks;
    }
    ++edge_;
    if (edge_ == kThreads + kTimed) threads_win_ = median(times_.begin()) <= median(times_.begin() + kTimed);
    if (edge_ == kPeriod) edge_ = kThreads - kTimed;  // the next trial
  }

 private:
  static constexpr std::uint32_t kThreads = 4096;  // edges with threads before the first with one; the last of them are timed
  static constexpr std::uint32_t kTimed = 256, kPeriod = kThreads + 32'768;
  using Times = std::array<double, 2 * kTimed>;  // seconds per block: with threads, and with one

  static double median(typename Times::iterator first) {
    std::nth_element(first, first + kTimed / 2, first + kTimed);
    return first[kTimed / 2];
  }

  std::uint32_t edge_ = 0;
  bool threads_win_ = true;
  Times times_{};
};

using ThreadTrial = ThreadTrialBy<std::chrono::steady_clock>;

}  // namespace wharf
