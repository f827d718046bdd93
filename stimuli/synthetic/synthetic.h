#pragma once
// The bench stimulus (docs/performance.md): coalesced loads of a given share and locality, with compute instructions between them. It only
// loads the simulator evenly, and computes nothing.
//
// A load reads `lines` lines, one by default, which its lanes share equally. Three kinds of line give the mix: one line per CTA and lane
// group that its warps read repeatedly (L1); a region that all warps read at random, far larger than an L1 and smaller than an L2 (L2); and
// lines that no warp has read before (DRAM). The next instruction of the warp waits for the load, so a warp has that many lines
// outstanding.

#include <cstdint>
#include <memory>
#include <string>

#include "stimuli/stimulus.h"

namespace wharf {

struct SyntheticParams {
  std::uint32_t loads = 50;           // % of the warp instructions, 0 to 100
  std::uint32_t l1 = 50, l2 = 30;     // % of the loads; the rest goes to DRAM
  std::uint32_t lines = 1;            // lines per load, 1 to 32: the divergence of its lanes
  std::uint32_t ctas = 640;           // 1 to 2^20
  std::uint32_t warps = 8;            // per CTA, 1 to 32
  std::uint32_t instructions = 1000;  // per warp, 1 to 10^9
  std::uint32_t l2_lines = 4096;      // size of the region that all warps read, 1 to 2^24
  std::uint32_t run = 16;             // longest run of identical compute instructions handed over at once, 1 to 1000
};

/// Parses "loads=10,ctas=80": any subset of the fields above. Throws InputError for an unknown, duplicate or out-of-range field.
SyntheticParams parse_synthetic(const std::string& arguments);

std::unique_ptr<Stimulus> make_synthetic(const SyntheticParams& params, std::uint64_t seed);

}  // namespace wharf
