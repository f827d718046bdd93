#pragma once
// Random kernels that ask everything of the memory hierarchy at once: loads, texture loads and bypassing loads, partial and full stores,
// atomics, local space, a small hot set that all warps share, diverged and coalesced, with barriers and empty masks between.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/platform/machines/scripted.h"

namespace wharf::test {

struct TrafficShape {
  unsigned kernels = 2, ctas = 8, warps_per_cta = 2, instructions = 40;  // instructions: of a warp
  unsigned hot_lines = 6;                                                // that all warps read and write
  unsigned cold_lines = 400;                                             // from which they choose now and then
  unsigned local_lines = 3;                                              // of a warp's own
  bool textures = true;                                                  // read what others write
};

std::vector<ScriptedKernel> random_traffic(std::uint64_t seed, const TrafficShape& shape = {});

/// Settings such as "sms=4": both, `over` where they name the same key.
std::vector<std::string> layered(std::vector<std::string> under, const std::vector<std::string>& over);

}  // namespace wharf::test
