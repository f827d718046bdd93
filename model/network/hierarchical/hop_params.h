#pragma once
// Parameters of the SM-to-SM network of a GPC. The defaults are those of an H100 (modern_gpus section 4).

#include <cstdint>
#include <vector>

#include "model/base/config/binder.h"
#include "model/network/ports.h"
#include "model/network/rate/lanes.h"

namespace wharf::network {

struct HopParams {
  std::uint32_t same_tpc = 74, base = 81;
  std::vector<std::uint32_t> cpc = {0, 2, 4};
  PortRate sm_rate{64, 3};
  std::uint32_t queue = 16;
  enum class LaneModel { unlimited, hashed };
  LaneModel lanes = LaneModel::unlimited;
  LaneParams lane;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("same_tpc", same_tpc, Unit::cycles, "one way between two SMs of a TPC", 2, 1024);
    b.integer("base", base, Unit::cycles, "one way between two SMs of different TPCs, without the next", 2, 1024);
    b.integers("cpc", cpc, Unit::cycles, "added for each of the two SMs by the number of its CPC in the GPC; further CPCs have the last", 0,
               1024);
    b.group("sm_rate", sm_rate, "out of an SM, and into it, whatever its neighbours send");
    b.integer("queue", queue, Unit::count, "messages that wait at an SM, per class of traffic, on each of its two sides", 1, 1024);
    b.choice(
        "lanes", lanes, {{"unlimited", LaneModel::unlimited}, {"hashed", LaneModel::hashed}},
        "on which flits leave a CPC. unlimited: they limit nothing. hashed: each flit of 32 B takes the lane of its address, which the "
        "SMs of the CPC use in turns (CL-11)");
    b.integer("cpc_lanes", lane.cpc_lanes, Unit::count, "lanes of a CPC in each plane", 1, 16);
    b.integer("planes", lane.planes, Unit::count, "planes of a GPC, each with lanes of its own", 1, 4);
    b.integer("lane_bytes", lane.lane_bytes, Unit::bytes, "that a lane passes per cycle", 8, 128);
    b.integer("lane_queue", lane.lane_queue, Unit::flits, "of an SM and class of traffic that wait for lanes", 1, 64);
    for (const char* key : {"cpc_lanes", "planes", "lane_bytes", "lane_queue"})
      b.ineffective_unless(lanes == LaneModel::hashed, key, "network.cluster.lanes is unlimited");
    b.require(!cpc.empty(), "cpc", "is empty", "give the cycles of at least one CPC, such as [0]");
  }
};

}  // namespace wharf::network
