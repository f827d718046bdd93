// What a program asks about the nodes and edges of graphs, and how it changes edges.

#include <algorithm>

#include "stimuli/cuda/runtime/device_properties.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

/// From CUDA 13 on, functions of edges have the data of the edges as a further parameter before the last one. Whole nodes depend on each
/// other here, which those data (zeros) say.
template <class Last>
Last last_parameter(Last before_13, Last since_13) {
  return kRuntimeVersion >= 13000 ? since_13 : before_13;
}

constexpr std::size_t kEdgeDataBytes = 8;

/// Writes the number of entries, or where `given` is not null up to `*count` of them, and how many there were; the rest becomes null.
cudaError_t give(const std::vector<cudaGraphNode_t>& nodes, cudaGraphNode_t* given, std::size_t* count) {
  if (given != nullptr) {
    std::fill(std::copy_n(nodes.begin(), std::min(*count, nodes.size()), given), given + *count, nullptr);
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return cudaSuccess;
}

cudaError_t give_edges(Session& s, cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (count == nullptr || s.graphs.count(graph) == 0 || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> first, second;
  for (const auto& node : graph->nodes)
    for (const cudaGraphNode_t dependency : node->dependencies) first.push_back(dependency), second.push_back(node.get());
  std::size_t firsts = *count;
  give(first, from, &firsts);
  return give(second, to, count);
}

std::vector<cudaGraphNode_t> dependents_of(const CUgraphNode_st& node) {
  std::vector<cudaGraphNode_t> dependents;
  for (const auto& other : node.graph->nodes)
    if (std::find(other->dependencies.begin(), other->dependencies.end(), &node) != other->dependencies.end())
      dependents.push_back(other.get());
  return dependents;
}

/// Calls change(dependencies of to[i], from[i]), which returns false for an edge that cannot be changed so, for each edge.
template <class Change>
cudaError_t change_edges(Session& s, cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count,
                         Change change) {
  if (s.graphs.count(graph) == 0 || (count != 0 && (from == nullptr || to == nullptr))) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    const bool are_nodes = s.nodes.count(from[i]) != 0 && s.nodes.count(to[i]) != 0 && from[i] != to[i];
    if (!are_nodes || from[i]->graph != graph || to[i]->graph != graph || !change(to[i]->dependencies, from[i]))
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

bool add_edge(std::vector<cudaGraphNode_t>& dependencies, cudaGraphNode_t from) {
  if (std::find(dependencies.begin(), dependencies.end(), from) != dependencies.end()) return false;
  dependencies.push_back(from);
  return true;
}
bool remove_edge(std::vector<cudaGraphNode_t>& dependencies, cudaGraphNode_t from) {
  const auto found = std::find(dependencies.begin(), dependencies.end(), from);
  if (found == dependencies.end()) return false;
  dependencies.erase(found);
  return true;
}

cudaError_t destroy_node(Session& s, cudaGraphNode_t node) {
  if (s.nodes.count(node) == 0) return cudaErrorInvalidValue;
  for (const auto& [stream, captured] : s.captures)
    if (captured.capture->graph == node->graph) return cudaErrorIllegalState;  // streams still depend on its nodes
  for (const auto& other : node->graph->nodes) remove_edge(other->dependencies, node);
  auto& nodes = node->graph->nodes;
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [node](const auto& own) { return own.get() == node; }));
  return cudaSuccess;
}

/// Zeros for edge data that a program asks for.
void give_edge_data(void* data, cudaGraphNode_t* nodes, const std::size_t* count) {
  if (data != nullptr && nodes != nullptr && count != nullptr) std::fill_n(static_cast<char*>(data), *count * kEdgeDataBytes, '\0');
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

// The forms with the data of edges, which CUDA 12.3 calls _v2; CUDA 13 has no others. `asm` gives both forms one name without the header's
// declaration, so that a function takes its last parameter from where the version has it.
#define WHARF_BY_VERSION(name, own_name, ...)   \
  cudaError_t own_name(__VA_ARGS__) asm(#name); \
  cudaError_t own_name(__VA_ARGS__)

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_call("cudaGraphGetNodes", [&](Session& s) {
    if (count == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return give(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_call("cudaGraphGetRootNodes", [&](Session& s) {
    if (count == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> roots;
    for (const auto& node : graph->nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    return give(roots, nodes, count);
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api_call("cudaGraphDestroyNode", [&](Session& s) { return destroy_node(s, node); });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api_call("cudaGraphNodeGetType", [&](Session& s) {
    if (type == nullptr || s.nodes.count(node) == 0) return cudaErrorInvalidValue;
    *type = node->work.type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* data, size_t* count) {
  return api_call("cudaGraphGetEdges", [&](Session& s) {
    const cudaError_t error = give_edges(s, graph, from, to, count);
    if (error == cudaSuccess) give_edge_data(data, from, count);
    return error;
  });
}
WHARF_BY_VERSION(cudaGraphGetEdges, edges_by_version, cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* data,
                 size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, kRuntimeVersion >= 13000 ? data : nullptr, last_parameter(data, count));
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes, void* data, size_t* count) {
  return api_call("cudaGraphNodeGetDependencies", [&](Session& s) {
    if (count == nullptr || s.nodes.count(node) == 0) return cudaErrorInvalidValue;
    give(node->dependencies, nodes, count);
    give_edge_data(data, nodes, count);
    return cudaSuccess;
  });
}
WHARF_BY_VERSION(cudaGraphNodeGetDependencies, dependencies_by_version, cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* data,
                 size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, kRuntimeVersion >= 13000 ? data : nullptr, last_parameter(data, count));
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes, void* data, size_t* count) {
  return api_call("cudaGraphNodeGetDependentNodes", [&](Session& s) {
    if (count == nullptr || s.nodes.count(node) == 0) return cudaErrorInvalidValue;
    give(dependents_of(*node), nodes, count);
    give_edge_data(data, nodes, count);
    return cudaSuccess;
  });
}
WHARF_BY_VERSION(cudaGraphNodeGetDependentNodes, dependents_by_version, cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* data,
                 size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, kRuntimeVersion >= 13000 ? data : nullptr, last_parameter(data, count));
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void*,
                                        size_t count) {
  return api_call("cudaGraphAddDependencies", [&](Session& s) { return change_edges(s, graph, from, to, count, add_edge); });
}
WHARF_BY_VERSION(cudaGraphAddDependencies, add_by_version, cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                 size_t data, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, last_parameter(data, count));
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void*,
                                           size_t count) {
  return api_call("cudaGraphRemoveDependencies", [&](Session& s) { return change_edges(s, graph, from, to, count, remove_edge); });
}
WHARF_BY_VERSION(cudaGraphRemoveDependencies, remove_by_version, cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                 size_t data, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, last_parameter(data, count));
}
}
#undef WHARF_BY_VERSION
