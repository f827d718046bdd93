#pragma once
// The control-flow graph of a function, and where diverging lanes meet again (CU-50).

#include <cstdint>
#include <vector>

#include "stimuli/ptx/program/draft.h"

namespace wharf::ptx {

struct FlowGraph {
  struct Block {
    std::uint32_t begin = 0, end = 0;       // drafts
    std::vector<std::uint32_t> successors;  // blocks; the virtual exit is block `blocks.size()`
  };
  std::vector<Block> blocks;

  std::uint32_t exit() const { return static_cast<std::uint32_t>(blocks.size()); }
};

/// `first` is the pc of draft 0, from which targets count.
FlowGraph flow_graph(const std::vector<Draft>& drafts, std::uint32_t first, const std::vector<std::vector<std::uint32_t>>& branch_tables);

/// The immediate post-dominator of each block; blocks.size() denotes the virtual exit. Blocks that reach no exit are joined to it.
std::vector<std::uint32_t> post_dominators(const FlowGraph& graph);

/// Sets `join` of all branches.
void set_joins(std::vector<Draft>& drafts, std::uint32_t first, const FlowGraph& graph);

}  // namespace wharf::ptx
