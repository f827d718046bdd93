// Places for the CTAs of a thread-block cluster (modern_gpus section 4).

#include "model/front_end/cluster_placer.h"

#include <catch2/catch.hpp>

#include "model/base/cluster_order.h"

using namespace wharf;

namespace {

using Sms = std::vector<ClusterPlacer::Sm>;
using Places = std::vector<std::uint32_t>;

}  // namespace

// CL-1
TEST_CASE("clusters: the GPC with the most free places takes a cluster, the lowest of several, and its SMs by load and number") {
  const ClusterPlacer spread(ClusterPolicy::spread);
  const Sms first = {{0, 1, 1}, {1, 0, 2}, {2, 2, 0}}, second = {{3, 2, 1}, {4, 0, 1}, {5, 1, 2}};
  CHECK(spread.place(2, {first, second}) == Places{4, 5});  // 4 free places against 3
  CHECK(spread.place(3, {first, second}) == Places{4, 5, 3});
  CHECK(spread.place(2, {first, first}) == Places{1, 0});
}

// CL-1
TEST_CASE("clusters: spread needs as many SMs as CTAs, pack fills the least loaded SM first") {
  const Sms gpc = {{0, 1, 3}, {1, 0, 2}};
  CHECK(ClusterPlacer(ClusterPolicy::spread).place(3, {gpc}).empty());
  CHECK(ClusterPlacer(ClusterPolicy::pack).place(4, {gpc}) == Places{1, 1, 0, 0});
  CHECK(ClusterPlacer(ClusterPolicy::pack).place(6, {gpc}).empty());
  const Sms wide = {{2, 0, 1}, {3, 0, 1}, {4, 0, 1}};  // fewer places, on more SMs
  CHECK(ClusterPlacer(ClusterPolicy::spread).place(3, {gpc, wide}) == Places{2, 3, 4});
}

TEST_CASE("clusters: CTAs are opened cluster by cluster, and by rank in each") {
  const ClusterOrder clusters{{4, 4, 1}, {2, 2, 1}};
  std::vector<std::uint64_t> order;
  for (std::uint64_t nth = 0; nth < 16; ++nth) order.push_back(clusters.cta(nth));
  CHECK(order == std::vector<std::uint64_t>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  for (std::uint64_t nth = 0; nth < 16; ++nth) {
    const Dim3 index = index_in(clusters.grid, order[nth]);
    CHECK(clusters.rank_of(index) == nth % 4);
    CHECK(clusters.cluster_of(index) == nth / 4);
  }
}
