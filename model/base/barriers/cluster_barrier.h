#pragma once
// A CTA's part in the barrier of its cluster: warps arrive, and wait for the arrival of all warps of the cluster in another instruction.
// The SM and the functional run use it.

#include <cstdint>

namespace wharf {

class ClusterBarrier {
 public:
  using Warps = std::uint64_t;  // a mask; the owner numbers the warps

  /// Returns false if the warp has already arrived since the barrier opened last: a misuse().
  bool arrive(unsigned warp) {
    if ((arrived_ >> warp & 1) != 0) return false;
    arrived_ |= Warps{1} << warp;
    return true;
  }
  /// All warps of the CTA have arrived or `ended`, and the cluster has not been notified. `members`: its warps.
  bool is_complete(Warps members, Warps ended) const { return arrived_ != 0 && !notified_ && (arrived_ | ended) == members; }
  /// The CTA's arrival is on its way to the other CTAs.
  void notified() { notified_ = true; }

  enum class Wait { passes, waits, never_arrived };
  /// What a warp of a wrong program does, with the remedy. `arrives`: arrive() returned false; else wait() returned never_arrived.
  static const char* misuse(bool arrives) {
    return arrives ? "arrives twice at the barrier of its cluster; let it wait in between"
                   : "waits at the barrier of its cluster, at which it has not arrived; let it arrive first";
  }
  Wait wait(unsigned warp) {
    const Warps bit = Warps{1} << warp;
    if ((may_pass_ & bit) != 0) {
      may_pass_ &= ~bit;
      return Wait::passes;
    }
    if ((arrived_ & bit) == 0) return Wait::never_arrived;
    waiting_ |= bit;
    return Wait::waits;
  }
  /// All warps of the cluster have arrived. Returns the warps that waited.
  Warps open() {
    const Warps released = waiting_;
    may_pass_ |= arrived_ & ~waiting_;
    arrived_ = waiting_ = 0;
    notified_ = false;
    return released;
  }
  Warps waiting() const { return waiting_; }
  Warps arrived() const { return arrived_; }
  bool is_notified() const { return notified_; }

 private:
  Warps arrived_ = 0, waiting_ = 0;
  Warps may_pass_ = 0;  // arrived before the barrier opened, and have not waited yet
  bool notified_ = false;
};

}  // namespace wharf
