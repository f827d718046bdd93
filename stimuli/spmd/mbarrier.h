#pragma once
// A kernel's view of an mbarrier: a word of shared memory that counts arrivals in phases (CL-6). Each call is one
// instruction of the warp.

#include <cstdint>

#include "model/base/barriers/mbarriers.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

class Mbarrier {
 public:
  /// The mbarrier at byte `offset` of the CTA's shared memory, a multiple of 8. One warp initialises it; the others meet that warp at a
  /// barrier before they use it.
  Mbarrier(Warp& w, std::uint32_t offset) : w_(w), offset_(offset) { w.shared_bytes(offset, Mbarriers::kBytes); }

  /// `arrivals` of warps end each phase.
  void init(std::uint32_t arrivals, Site site = Site()) { issue(MbarrierOp::init, 0, arrivals, site); }
  void arrive(Site site = Site()) { arrive(w_.cluster_rank(), site); }
  /// Arrives at the mbarrier at this offset of another CTA, after earlier stores to the cluster's shared memory.
  void arrive(int rank, Site site = Site());
  /// Waits until phase number `phase` has ended; the first is 0. Phases `phase` + 2 and later must not have ended.
  void wait(unsigned phase, Site site = Site()) { issue(MbarrierOp::wait, 0, phase % 2, site); }

 private:
  void issue(MbarrierOp op, int rank, std::uint32_t value, Site site);

  Warp& w_;
  std::uint32_t offset_;
};

}  // namespace wharf::spmd
