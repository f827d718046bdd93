#pragma once
// Random kernels that use every feature of the memory hierarchy at once: loads, texture loads and bypassing loads, partial and full stores,
// atomics, local space, a small hot set that all warps share, diverged and coalesced accesses, with barriers, fences and empty masks in
// between.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/platform/machines/scripted.h"

namespace wharf::test {

struct TrafficShape {
  unsigned kernels = 2, ctas = 8, warps_per_cta = 2, instructions = 40;  // instructions: per warp
  unsigned hot_lines = 6;                                                // all warps read and write them
  unsigned cold_lines = 400;                                             // read or written occasionally
  unsigned local_lines = 3;                                              // per warp
  bool textures = true;                                                  // textures read lines that other warps write
  unsigned streams = 1;                                                  // kernels of different streams may run together
  bool hints = false;                                                    // accesses have hints for L2, and kernels windows and resets
};

std::vector<ScriptedKernel> random_traffic(std::uint64_t seed, const TrafficShape& shape = {});

/// Settings such as "sms=4": both lists; `over` wins if they have the same key.
std::vector<std::string> layered(std::vector<std::string> under, const std::vector<std::string>& over);

}  // namespace wharf::test
