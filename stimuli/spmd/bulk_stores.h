#pragma once
// Bulk copies of a warp from the shared memory of its CTA to global memory, in groups (CL-8). Each call is one instruction of the warp.

#include <cstdint>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/barriers/mbarriers.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

class BulkStores {
 public:
  explicit BulkStores(Warp& w) : w_(w) {}

  /// Copies `count` elements, from element `first` of `from` on, to `to`. The warps that have written them meet this one at a barrier first.
  /// Until a wait, nobody may change `from` or read `to`.
  template <class T>
  void copy(const Array<T>& to, const SharedArray<T>& from, std::uint32_t first, std::uint32_t count, Site site = Site()) {
    if (std::uint64_t{first} + count > from.size || count > to.size) refuse_copy(first, count, from.size, to.size);
    BulkCopy copy;
    copy.direction = BulkCopy::Direction::to_global;
    copy.row_bytes = static_cast<std::uint32_t>(count * sizeof(T));
    copy.from = from.base + first * sizeof(T);
    copy.to = to.base;
    w_.issue_asynchronous(copy, site, static_cast<unsigned>(w_.cluster_size()));
    std::copy_n(from.data + first, count, to.data);  // the values, as the instruction issues
  }
  /// The copies since the last call are a group.
  void commit(Site site = Site()) { use(MbarrierOp::commit_copies, 0, site); }
  /// Waits until all groups but the latest `open` have been written.
  void wait(std::uint32_t open = 0, Site site = Site()) { use(MbarrierOp::wait_copies, open, site); }
  /// As wait(), until they have been read: then `from` may change.
  void wait_for_reads(std::uint32_t open = 0, Site site = Site()) { use(MbarrierOp::wait_reads, open, site); }

 private:
  [[noreturn]] void refuse_copy(std::uint32_t first, std::uint32_t count, std::uint64_t there, std::uint64_t room) const;
  void use(MbarrierOp op, std::uint32_t value, Site site) { w_.issue_asynchronous(MbarrierUse{op, 0, value, 0}, site); }

  Warp& w_;
};

}  // namespace wharf::spmd
