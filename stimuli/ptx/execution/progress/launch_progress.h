#pragma once
// Whether a launch still gets anywhere: its warps that run, those that wait, and those that are in a loop without end.

#include <atomic>
#include <cstdint>

namespace wharf::ptx {

class LaunchProgress {
 public:
  /// Something has happened that loops may wait for: memory has changed, or a warp has passed a barrier or read a clock.
  void note() {
    if (!noted_.load(std::memory_order_relaxed)) noted_.store(true, std::memory_order_relaxed);  // all threads read it, few write
  }
  void begin_warp() { ++warps_, note(); }
  void end_warp() { --warps_, note(); }
  /// A warp waits until the machine lets it go on.
  void wait() { ++waiting_, note(); }
  void go_on() { --waiting_, note(); }

  /// Goes up where something has been noted since the last call.
  std::uint64_t epoch() {
    if (noted_.exchange(false, std::memory_order_relaxed)) ++epoch_, looping_ = 0;
    return epoch_;
  }
  /// A warp goes round in a loop until something is noted; called once in an epoch.
  void loop() { ++looping_; }
  /// Nothing will ever be noted: all warps loop or wait.
  bool is_stuck() const { return looping_ + waiting_ >= warps_; }

 private:
  std::atomic<bool> noted_ = false;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::atomic<std::uint32_t> warps_ = 0, waiting_ = 0, looping_ = 0;
};

}  // namespace wharf::ptx
