// Control flow: blocks, and post-dominators by iteration over the reversed graph in post-order (Cooper, Harvey, Kennedy).
#include "stimuli/ptx/program/analysis/flow_graph.h"

#include <algorithm>
#include <utility>

namespace wharf::ptx {

namespace {

bool ends_function(Action action) { return action == Action::ret || action == Action::exit || action == Action::trap; }
bool ends_block(Action action) { return action == Action::branch || action == Action::branch_indexed || ends_function(action); }

/// The reversed graph: predecessors of the virtual exit are the blocks that end the function.
std::vector<std::vector<std::uint32_t>> predecessors_of(const FlowGraph& graph) {
  std::vector<std::vector<std::uint32_t>> predecessors(graph.blocks.size() + 1);
  for (std::uint32_t block = 0; block < graph.blocks.size(); ++block)
    for (const std::uint32_t next : graph.blocks[block].successors) predecessors[next].push_back(block);
  return predecessors;
}

/// Marks what reaches `from` backwards.
void mark(std::uint32_t from, const std::vector<std::vector<std::uint32_t>>& predecessors, std::vector<bool>& reached) {
  std::vector<std::uint32_t> open = {from};
  reached[from] = true;
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    for (const std::uint32_t before : predecessors[block]) {
      if (reached[before]) continue;
      reached[before] = true;
      open.push_back(before);
    }
  }
}

/// Joins infinite loops to the exit: for each, its last block.
void join_infinite_loops(FlowGraph& graph) {
  std::vector<bool> reached(graph.blocks.size() + 1);
  mark(graph.exit(), predecessors_of(graph), reached);
  for (std::uint32_t block = graph.exit(); block-- > 0;) {
    if (reached[block]) continue;
    graph.blocks[block].successors.push_back(graph.exit());
    mark(block, predecessors_of(graph), reached);
  }
}

/// Blocks in post-order of a walk over the reversed graph from the exit.
std::vector<std::uint32_t> reversed_post_order(const FlowGraph& graph, const std::vector<std::vector<std::uint32_t>>& predecessors) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(graph.blocks.size() + 1);
  std::vector<std::pair<std::uint32_t, std::size_t>> path = {{graph.exit(), 0}};
  seen[graph.exit()] = true;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next < predecessors[block].size()) {
      const std::uint32_t before = predecessors[block][next++];
      if (!seen[before]) {
        seen[before] = true;
        path.push_back({before, 0});
      }
    } else {
      order.push_back(block);
      path.pop_back();
    }
  }
  return order;
}

}  // namespace

FlowGraph flow_graph(const std::vector<Draft>& drafts, std::uint32_t first, const std::vector<std::vector<std::uint32_t>>& branch_tables) {
  const auto count = static_cast<std::uint32_t>(drafts.size());
  std::vector<bool> leads(count + 1);
  leads[0] = true;
  const auto targets = [&](const Operation& operation, auto visit) {
    if (operation.action == Action::branch) visit(operation.target - first);
    if (operation.action == Action::branch_indexed)
      for (const std::uint32_t target : branch_tables[operation.target]) visit(target - first);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    targets(drafts[i].operation, [&](std::uint32_t target) { leads[target] = true; });
    if (ends_block(drafts[i].operation.action)) leads[i + 1] = true;
  }
  FlowGraph graph;
  std::vector<std::uint32_t> block_of(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leads[i]) graph.blocks.push_back({i, i, {}});
    block_of[i] = static_cast<std::uint32_t>(graph.blocks.size()) - 1;
    graph.blocks.back().end = i + 1;
  }
  block_of[count] = graph.exit();
  for (FlowGraph::Block& block : graph.blocks) {
    const Operation& last = drafts[block.end - 1].operation;
    targets(last, [&](std::uint32_t target) { block.successors.push_back(block_of[target]); });
    const bool falls_through = !ends_block(last.action) || last.guard.present();
    if (ends_function(last.action)) block.successors.push_back(graph.exit());
    if (falls_through) block.successors.push_back(block_of[block.end]);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
  }
  return graph;
}

std::vector<std::uint32_t> post_dominators(const FlowGraph& given) {
  FlowGraph graph = given;
  join_infinite_loops(graph);
  const std::vector<std::uint32_t> order = reversed_post_order(graph, predecessors_of(graph));
  std::vector<std::uint32_t> rank(graph.blocks.size() + 1, kNone), dominator(graph.blocks.size() + 1, kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  dominator[graph.exit()] = graph.exit();
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = dominator[a];
      while (rank[b] < rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = order.rbegin(); block != order.rend(); ++block) {
      if (*block == graph.exit()) continue;
      std::uint32_t common = kNone;
      for (const std::uint32_t next : graph.blocks[*block].successors)
        if (dominator[next] != kNone) common = common == kNone ? next : meet(common, next);
      if (common != dominator[*block]) {
        dominator[*block] = common;
        changed = true;
      }
    }
  }
  return dominator;
}

void set_joins(std::vector<Draft>& drafts, std::uint32_t first, const FlowGraph& graph) {
  const std::vector<std::uint32_t> dominators = post_dominators(graph);
  for (std::uint32_t block = 0; block < graph.blocks.size(); ++block) {
    const std::uint32_t join = dominators[block];
    drafts[graph.blocks[block].end - 1].operation.join = join >= graph.exit() ? kAtReturn : first + graph.blocks[join].begin;
  }
}

}  // namespace wharf::ptx
