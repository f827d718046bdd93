// Which warps wait at which barrier, as the report of a deadlock says it.

#include <catch2/catch.hpp>

#include "model/base/barriers/barrier_waits.h"

using namespace wharf;

namespace {

using Lines = std::vector<std::string>;

constexpr std::uint64_t kFourWarps = 0xf0;  // warp slots 4 to 7

BarrierUse use_of(std::uint8_t number, std::uint8_t warps = 0, bool arrives_only = false) { return {number, warps, arrives_only, false}; }

Lines lines_of(const CtaBarriers& barriers, const ClusterBarrier& of_cluster, const Mbarriers& mbarriers, std::uint64_t live = kFourWarps) {
  Lines lines;
  const auto place_of = [](unsigned warp) { return warp == 7 ? std::string() : "k.cu:" + std::to_string(10 + warp / 6); };
  for (const BarrierWait& wait : barrier_waits(barriers, of_cluster, mbarriers, live)) lines.push_back(describe(wait, 4, place_of));
  return lines;
}

}  // namespace

TEST_CASE("barrier waits: barriers at which no warp waits are not named") {
  CtaBarriers barriers;
  barriers.arrive(4, use_of(1, 2, true));
  ClusterBarrier of_cluster;
  of_cluster.arrive(4);
  Mbarriers mbarriers;
  mbarriers.init(0, 1);
  CHECK(lines_of(barriers, of_cluster, mbarriers).empty());
}

TEST_CASE("barrier waits: a CTA's barrier is named with the warps that have arrived, of those that have not ended or of those it expects") {
  CtaBarriers barriers;
  barriers.arrive(4, use_of(0));
  barriers.arrive(5, use_of(0));
  barriers.arrive(6, use_of(2, 2));
  CHECK(lines_of(barriers, {}, {}, 0x70) == Lines{"barrier 0, at which 2 of 3 warps have arrived, is awaited by warps 0, 1 at k.cu:10",
                                                  "barrier 2, at which 1 of 2 warps have arrived, is awaited by warp 2 at k.cu:11"});
}

TEST_CASE("barrier waits: the barrier of the cluster is named with the warps of the CTA that have arrived") {
  ClusterBarrier of_cluster;
  for (const unsigned warp : {4u, 5u, 6u}) of_cluster.arrive(warp);
  of_cluster.wait(5);
  CHECK(lines_of({}, of_cluster, {}) ==
        Lines{"the barrier of the cluster, at which 3 of 4 warps of the CTA have arrived, is awaited by warp 1 at k.cu:10"});
}

TEST_CASE("barrier waits: an mbarrier is named with its place, its phase, and the arrivals and bytes that it lacks") {
  Mbarriers mbarriers;
  mbarriers.init(64, 1);
  mbarriers.arrive(64, 1);
  mbarriers.expect_arrivals(64, 2);
  mbarriers.arrive(64, 1, 512);
  for (const unsigned warp : {4u, 6u, 7u}) REQUIRE(mbarriers.wait(64, 1, warp));
  CHECK(lines_of({}, {}, mbarriers) ==
        Lines{"the mbarrier at byte 64 of shared memory, whose phase of parity 1 lacks 2 arrivals and 512 bytes, is awaited by warp 3, "
              "warp 0 at k.cu:10, warp 2 at k.cu:11"});
}
