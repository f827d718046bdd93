#pragma once
// A kernel's view of an mbarrier: a word of shared memory that counts arrivals and bytes in phases (CL-6, CL-8). Each call is one
// instruction of the warp.

#include <cstdint>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/barriers/mbarriers.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

class Mbarrier {
 public:
  /// The mbarrier at byte `offset` of the CTA's shared memory, a multiple of 8. One warp initialises it; the others meet that warp at a
  /// barrier before they use it.
  Mbarrier(Warp& w, std::uint32_t offset) : w_(w), offset_(offset) { w.shared_bytes(offset, Mbarriers::kBytes); }

  /// `arrivals` of warps end each phase.
  void init(std::uint32_t arrivals, Site site = Site()) { issue(MbarrierOp::init, 0, arrivals, 0, site); }
  void arrive(Site site = Site()) { arrive(w_.cluster_rank(), site); }
  /// Arrives at the mbarrier at this offset of another CTA, after earlier stores to the cluster's shared memory.
  void arrive(int rank, Site site = Site());
  /// The present phase also waits until `bytes` more have been copied. Call it before the phase's last arrival.
  void expect_bytes(std::uint32_t bytes, Site site = Site());
  /// Copies `count` elements, from `from` on, to element `first` and those behind it of the array `to` of each CTA whose rank has its bit in
  /// `ranks`. The mbarrier at this offset of each of these CTAs counts the bytes as they come. Until then nobody may read `to` or change `from`.
  template <class T>
  void copy(const Array<T>& to, std::uint32_t first, const Array<T>& from, std::uint32_t count, unsigned ranks, Site site = Site()) {
    if (std::uint64_t{first} + count > to.size || count > from.size) refuse_copy(first, count, to.size, from.size);
    start_copy(
        {offset_, static_cast<std::uint32_t>(count * sizeof(T)), from.base, static_cast<std::uint32_t>(to.base + first * sizeof(T)), ranks},
        reinterpret_cast<const std::byte*>(from.data), site);
  }
  /// Waits until phase number `phase` has ended; the first is 0. Phases `phase` + 2 and later must not have ended.
  void wait(unsigned phase, Site site = Site()) { issue(MbarrierOp::wait, 0, phase % 2, 0, site); }

 private:
  void start_copy(const BulkCopy& copy, const std::byte* from, Site site);
  [[noreturn]] void refuse_copy(std::uint32_t first, std::uint32_t count, std::uint32_t room, std::uint32_t there) const;
  void issue(MbarrierOp op, int rank, std::uint32_t value, std::int32_t bytes, Site site);

  Warp& w_;
  std::uint32_t offset_;
};

}  // namespace wharf::spmd
