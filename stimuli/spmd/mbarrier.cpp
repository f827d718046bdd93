#include "stimuli/spmd/mbarrier.h"

#include <algorithm>
#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf::spmd {

void Mbarrier::arrive(int rank, Site site) {
  if (rank < 0 || rank >= w_.cluster_size())
    throw InputError(w_.launch_.name + ": an arrival at an mbarrier of rank " + std::to_string(rank) + " in a cluster of " +
                     std::to_string(w_.cluster_size()) + " CTAs; choose a rank below that");
  issue(MbarrierOp::arrive, rank, 1, 0, site);
}

void Mbarrier::expect_bytes(std::uint32_t bytes, Site site) {
  if (bytes == 0 || bytes % BulkCopy::kGranule != 0)
    throw InputError(w_.launch_.name + ": an mbarrier that expects " + std::to_string(bytes) +
                     " bytes; choose a multiple of 16, the granule of copies");
  issue(MbarrierOp::arrive, w_.cluster_rank(), 0, static_cast<std::int32_t>(bytes), site);
}

/// The values are copied as the instruction issues.
void Mbarrier::start_copy(const BulkCopy& copy, const std::byte* from, Site site) {
  w_.issue_asynchronous(copy, site, static_cast<unsigned>(w_.cluster_size()));
  for (const unsigned rank : set_bits(copy.ranks)) std::copy_n(from, copy.read(), w_.cta_->cluster->shared[rank].data() + copy.to);
}

void Mbarrier::refuse_copy(std::uint32_t first, std::uint32_t count, std::uint32_t room, std::uint32_t there) const {
  throw InputError(w_.launch_.name + ": a bulk copy of " + std::to_string(count) + " elements, of which the source has " +
                   std::to_string(there) + ", to element " + std::to_string(first) + " of " + std::to_string(room) +
                   "; keep it within both arrays");
}

void Mbarrier::issue(MbarrierOp op, int rank, std::uint32_t value, std::int32_t bytes, Site site) {
  w_.issue_asynchronous(MbarrierUse{op, cluster_address(static_cast<unsigned>(rank), offset_), value, bytes}, site);
}

}  // namespace wharf::spmd
