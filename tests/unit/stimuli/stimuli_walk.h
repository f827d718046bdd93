#pragma once
// Runs a stimulus without an SM: CTAs one after another, the warps of a CTA in turn, with barriers. Counts the accesses of each static
// instruction as in the oracle table (workloads appendix B).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf::test {

/// Figures of one access, or of several combined.
class AccessFigures {
 public:
  Unit unit = Unit::load;
  std::uint64_t accesses = 0, lanes = 0, lines = 0, sectors = 0;

  /// `warp` is numbered through the grid.
  void add(const WarpInstruction& instruction, std::uint64_t warp, unsigned warps_per_cta);
  void add(const AccessFigures& other);

  double lanes_per_access() const { return double(lanes) / double(accesses); }
  double lines_per_access() const { return double(lines) / double(accesses); }
  double sectors_per_access() const { return double(sectors) / double(accesses); }
  std::uint64_t distinct_lines() const { return touched_.size(); }
  double warps_per_line() const;
  double ctas_per_line() const;
  /// First and last byte address.
  std::pair<Address, Address> range() const { return {lowest_, highest_}; }

 private:
  using Warps = std::vector<std::uint64_t>;           // one bit per warp of the grid
  std::unordered_map<std::uint64_t, Warps> touched_;  // by line
  Address lowest_ = ~Address{0}, highest_ = 0;
  unsigned warps_per_cta_ = 1;
};

struct WalkResult {
  std::uint64_t kernels = 0, warps = 0, instructions = 0;  // instructions: with repeats
  std::uint64_t by_unit[kUnits] = {};
};

/// Called for each instruction, before it is issued.
using Observer = std::function<void(const KernelLaunch&, const WarpInstruction&, std::uint64_t cta, unsigned warp)>;

/// Runs the stimulus to its end.
WalkResult walk(Stimulus& stimulus, const Observer& observe = {});

/// The launches of a kernel that are combined.
struct Launches {
  std::uint64_t first = ~std::uint64_t{0};  // number of launches
  bool warps_differ = false;                // warp n of one launch is not warp n of another
};

/// Global-memory accesses of one kernel, in the order of their pcs (and so of its source).
std::vector<AccessFigures> accesses_of(Stimulus& stimulus, const std::string& kernel, const Launches& launches = {});

}  // namespace wharf::test
