#include "stimuli/cuda/runtime/streams/graphs.h"

#include <algorithm>
#include <map>

namespace wharf::cuda::runtime {

cudaGraphNode_t add_node(CUgraph_st& graph, Work work, std::vector<cudaGraphNode_t> dependencies) {
  if (auto* const child = std::get_if<ChildGraph>(&work.parameters)) {
    auto copy = std::make_shared<CUgraph_st>();
    copy_nodes(*copy, **child);
    *child = std::move(copy);
  }
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(&graph, std::move(work), 0));
  graph.nodes.back()->dependencies = std::move(dependencies);
  return graph.nodes.back().get();
}

void copy_nodes(CUgraph_st& copy, const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : graph.nodes) {
    Work work = node->work;
    if (auto* const child = std::get_if<ChildGraph>(&work.parameters)) {
      auto children = std::make_shared<CUgraph_st>();
      copy_nodes(*children, **child);
      *child = std::move(children);
    }
    copy.nodes.push_back(std::make_unique<CUgraphNode_st>(&copy, std::move(work), node->number));
    copies[node.get()] = copy.nodes.back().get();
  }
  for (const auto& node : graph.nodes)
    for (const cudaGraphNode_t dependency : node->dependencies) copies[node.get()]->dependencies.push_back(copies[dependency]);
}

cudaGraphNode_t find_copy(const CUgraph_st& copy, const CUgraphNode_st& node) {
  for (const auto& candidate : copy.nodes) {
    if (candidate->copied_from == node.number) return candidate.get();
    if (const auto* const child = std::get_if<ChildGraph>(&candidate->work.parameters))
      if (const cudaGraphNode_t found = find_copy(**child, node); found != nullptr) return found;
  }
  return nullptr;
}

bool sort(CUgraph_st& graph) {
  for (const auto& node : graph.nodes)
    if (const auto* const child = std::get_if<ChildGraph>(&node->work.parameters); child != nullptr && !sort(**child)) return false;
  std::set<cudaGraphNode_t> placed;
  std::vector<std::unique_ptr<CUgraphNode_st>> sorted;
  const auto is_free = [&placed](const CUgraphNode_st& node) {
    return std::all_of(node.dependencies.begin(), node.dependencies.end(), [&](cudaGraphNode_t on) { return placed.count(on) != 0; });
  };
  // Most dependencies lead to earlier nodes, so that one round mostly places all.
  for (bool has_placed = true; has_placed;) {
    has_placed = false;
    for (auto& node : graph.nodes) {
      if (node == nullptr || !is_free(*node)) continue;
      placed.insert(node.get());
      sorted.push_back(std::move(node));
      has_placed = true;
    }
  }
  if (sorted.size() != graph.nodes.size()) return false;
  graph.nodes = std::move(sorted);
  return true;
}

cudaError_t run(Session& session, const Work& work) {
  const auto* const child = std::get_if<ChildGraph>(&work.parameters);
  if (child == nullptr) return work.command ? work.command(session) : cudaSuccess;
  for (const auto& node : (*child)->nodes)
    if (const cudaError_t error = run(session, node->work); error != cudaSuccess) return error;
  return cudaSuccess;
}

}  // namespace wharf::cuda::runtime

using wharf::cuda::runtime::session;

CUgraphNode_st::CUgraphNode_st(CUgraph_st* in_graph, wharf::cuda::runtime::Work does, std::uint64_t original)
    : number(++session().nodes_made), copied_from(original), graph(in_graph), work(std::move(does)) {
  session().nodes.insert(this);
}
CUgraphNode_st::~CUgraphNode_st() { session().nodes.erase(this); }
CUgraph_st::CUgraph_st() { session().graphs.insert(this); }
CUgraph_st::~CUgraph_st() { session().graphs.erase(this); }
