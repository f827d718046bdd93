#pragma once
// Moves loads ahead within basic blocks, as assemblers do (CU-68).

#include <cstdint>
#include <vector>

#include "stimuli/ptx/program/analysis/flow_graph.h"
#include "stimuli/ptx/program/analysis/liveness.h"
#include "stimuli/ptx/program/draft.h"

namespace wharf::ptx {

/// Orders the drafts of each block anew: loads as early as their addresses are known, and everything else in the order of the text. Nothing
/// crosses a barrier, fence, atomic, ordered access, call, clock, or function that waits for lanes; a load crosses a store only where the
/// two cannot overlap. No point has more than `most_registers` live 32-bit registers, which must be at least `live.most_registers`. Returns
/// the former number of each draft.
std::vector<std::uint32_t> hoist_loads(DraftFunction& function, const FlowGraph& graph, const Liveness& live,
                                       const std::vector<CallSite>& calls, std::uint32_t most_registers);

}  // namespace wharf::ptx
