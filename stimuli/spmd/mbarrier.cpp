#include "stimuli/spmd/mbarrier.h"

#include <string>

#include "model/base/error.h"

namespace wharf::spmd {

void Mbarrier::arrive(int rank, Site site) {
  if (rank < 0 || rank >= w_.cluster_size())
    throw InputError(w_.launch_.name + ": an arrival at an mbarrier of rank " + std::to_string(rank) + " in a cluster of " +
                     std::to_string(w_.cluster_size()) + " CTAs; choose a rank below that");
  issue(MbarrierOp::arrive, rank, 0, site);
}

void Mbarrier::issue(MbarrierOp op, int rank, std::uint32_t value, Site site) {
  w_.prepare(Unit::barrier, site, kNoRegister, {});
  MbarrierUse{op, cluster_address(static_cast<unsigned>(rank), offset_), value}.put_into(w_.instruction_);
  w_.issue();
  w_.instruction_.barrier = {};
}

}  // namespace wharf::spmd
