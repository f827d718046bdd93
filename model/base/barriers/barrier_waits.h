#pragma once
// Which warps of a CTA wait at which barrier, for the report of a deadlock. The SM and the functional run write it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/base/barriers/cluster_barrier.h"
#include "model/base/barriers/cta_barriers.h"
#include "model/base/barriers/mbarriers.h"

namespace wharf {

struct BarrierWait {
  std::string resource;     // "mbarrier"
  std::string state;        // "barrier 1, at which 1 of 2 warps have arrived,"
  std::uint64_t warps = 0;  // those that wait; the owner numbers them
};

/// The barriers at which warps of a CTA wait. `live`: its warps that have not ended.
std::vector<BarrierWait> barrier_waits(const CtaBarriers& barriers, const ClusterBarrier& of_cluster, const Mbarriers& mbarriers,
                                       std::uint64_t live);

/// Warps that test an mbarrier again and again, whose phase does not end.
BarrierWait vain_tests(std::uint64_t warps);

/// "barrier 1, at which 1 of 2 warps have arrived, is awaited by warp 0 at k.cu:17". `first`: the number of the CTA's first warp. `place_of`
/// returns the line of the instruction at which a warp waits; empty where nobody knows.
std::string describe(const BarrierWait& wait, unsigned first, const std::function<std::string(unsigned warp)>& place_of);

}  // namespace wharf
