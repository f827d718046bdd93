#pragma once
// Which registers hold values that are still needed, and what follows: registers per thread (CU-52), rows of the frame, and names in the
// scoreboard (CU-53).

#include <cstdint>
#include <vector>

#include "stimuli/ptx/program/analysis/flow_graph.h"
#include "stimuli/ptx/program/analysis/register_set.h"
#include "stimuli/ptx/program/draft.h"
#include "stimuli/ptx/program/program.h"

namespace wharf::ptx {

/// First and last draft at which a virtual register is live, in program order; first > last for one that is never used.
struct LiveRange {
  std::uint32_t first = kNone, last = 0;
  bool used() const { return first <= last; }
};

struct Liveness {
  std::vector<LiveRange> ranges;     // of each virtual register
  std::uint32_t most_registers = 0;  // 32-bit registers that live at once: 64-bit ones count twice, predicates not at all
  std::uint32_t most_at_calls = 0;   // across a call
  std::vector<RegisterSet> live_in;  // of each block: the registers that live where it begins
};

Liveness liveness(const DraftFunction& function, const FlowGraph& graph, const std::vector<CallSite>& calls);

/// Places of all virtual registers in the frame: registers whose ranges do not overlap may share a row of their class.
struct FrameLayout {
  std::vector<std::uint32_t> offsets;  // bytes
  std::uint32_t bytes = 0;
  std::vector<RowBytes> cleared;  // of registers that live where the function begins, or that its caller reads
};
FrameLayout lay_out_frame(const DraftFunction& function, const Liveness& live);

/// Scoreboard names, below kNoRegister: two registers that live at once have different names, as far as there are enough. Names are taken
/// in turn, so that results do not wait for one another. Registers that one vector load writes share a name.
std::vector<RegisterId> scoreboard_names(const DraftFunction& function, const Liveness& live);

}  // namespace wharf::ptx
