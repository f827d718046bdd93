// Graphs and executable graphs.

#include <cstdio>
#include <cstring>

#include "stimuli/cuda/runtime/device_properties.h"
#include "stimuli/cuda/runtime/streams/captures.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t instantiate(Session& s, cudaGraphExec_t* executable, cudaGraph_t graph) {
  if (executable == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
  auto copy = std::make_shared<CUgraph_st>();
  copy_nodes(*copy, *graph);
  if (!sort(*copy)) return cudaErrorInvalidValue;
  *executable = new CUgraphExec_st{std::move(copy)};
  s.executables.insert(*executable);
  return cudaSuccess;
}

/// The first node of `graph` whose type or dependencies differ from those of `other`, with how; both are sorted.
struct Difference {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  cudaGraphNode_t node = nullptr;
};
Difference difference_of(const CUgraph_st& graph, const CUgraph_st& other) {
  if (graph.nodes.size() != other.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  std::map<cudaGraphNode_t, cudaGraphNode_t> counterparts;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    CUgraphNode_st &node = *graph.nodes[i], &counterpart = *other.nodes[i];
    if (node.work.type != counterpart.work.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, &node};
    std::set<cudaGraphNode_t> dependencies;
    for (const cudaGraphNode_t dependency : node.dependencies) dependencies.insert(counterparts[dependency]);
    if (dependencies != std::set<cudaGraphNode_t>(counterpart.dependencies.begin(), counterpart.dependencies.end()))
      return {cudaGraphExecUpdateErrorTopologyChanged, &node};
    counterparts[&node] = &counterpart;
    const auto *child = std::get_if<ChildGraph>(&node.work.parameters), *old = std::get_if<ChildGraph>(&counterpart.work.parameters);
    if (child == nullptr) continue;
    if (const Difference difference = difference_of(**child, **old); difference.result != cudaGraphExecUpdateSuccess) return difference;
  }
  return {};
}

/// The nodes take the work of those of a graph of the same shape.
void adopt(CUgraph_st& graph, const CUgraph_st& other) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Work& work = graph.nodes[i]->work;
    const Work& newer = other.nodes[i]->work;
    if (const auto* const child = std::get_if<ChildGraph>(&work.parameters))
      adopt(**child, **std::get_if<ChildGraph>(&newer.parameters));
    else
      work = newer;
  }
}

/// Replaces what the nodes of an executable graph do by what those of a graph of the same shape do.
cudaError_t update(Session& s, cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResult& result, cudaGraphNode_t& node) {
  result = cudaGraphExecUpdateError, node = nullptr;
  if (s.executables.count(executable) == 0 || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
  auto copy = std::make_shared<CUgraph_st>();
  copy_nodes(*copy, *graph);
  if (!sort(*copy)) return cudaErrorInvalidValue;
  const Difference difference = difference_of(*copy, *executable->graph);
  result = difference.result;
  if (difference.result != cudaGraphExecUpdateSuccess) {
    for (const auto& original : graph->nodes)
      if (difference.node != nullptr && original->number == difference.node->copied_from) node = original.get();
    return cudaErrorGraphExecUpdateFailure;
  }
  adopt(*executable->graph, *copy);
  return cudaSuccess;
}

/// As text in the language of graphviz.
cudaError_t print(const Session& s, const CUgraph_st& graph, const char* path) {
  static const char* const kTypes[] = {"kernel", "memcpy", "memset", "host", "graph", "empty", "wait for event", "record event"};
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return cudaErrorOperatingSystem;
  std::fputs("digraph dot {\n", file);
  for (const auto& node : graph.nodes) {
    std::string label = kTypes[node->work.type];
    if (const auto* const kernel = std::get_if<KernelParameters>(&node->work.parameters))
      label += " " + s.kernels.find(kernel->launch.func)->second.record.name;
    std::fprintf(file, "\"%llu\" [label=\"%s\"];\n", static_cast<unsigned long long>(node->number), label.c_str());
    for (const cudaGraphNode_t dependency : node->dependencies)
      std::fprintf(file, "\"%llu\" -> \"%llu\";\n", static_cast<unsigned long long>(dependency->number),
                   static_cast<unsigned long long>(node->number));
  }
  std::fputs("}\n", file);
  return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return api_call("cudaGraphCreate", [&](Session&) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = new CUgraph_st;
    (*graph)->belongs_to_program = true;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call("cudaGraphDestroy", [&](Session& s) {
    if (s.graphs.count(graph) == 0 || !graph->belongs_to_program) return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_call("cudaGraphClone", [&](Session& s) {
    if (clone == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
    *clone = new CUgraph_st;
    (*clone)->belongs_to_program = true;
    copy_nodes(**clone, *graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone) {
  return api_call("cudaGraphNodeFindInClone", [&](Session& s) {
    if (found == nullptr || s.nodes.count(node) == 0 || s.graphs.count(clone) == 0) return cudaErrorInvalidValue;
    *found = find_copy(*clone, *node);
    return *found != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return api_call("cudaGraphDebugDotPrint", [&](Session& s) {
    if (s.graphs.count(graph) == 0 || path == nullptr) return cudaErrorInvalidValue;
    return print(s, *graph, path);
  });
}

// From CUDA 12 on it has a third parameter only, flags; none of the three further ones says anything of a graph that is right.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
  return api_call("cudaGraphInstantiate", [&](Session& s) { return instantiate(s, executable, graph); });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return api_call("cudaGraphInstantiateWithFlags", [&](Session& s) { return instantiate(s, executable, graph); });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return api_call("cudaGraphUpload",
                  [&](Session& s) { return s.executables.count(executable) != 0 ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call("cudaGraphLaunch", [&](Session& s) {
    if (s.executables.count(executable) == 0 || !is_stream(s, stream)) return cudaErrorInvalidValue;
    return submit(s, stream, {cudaGraphNodeTypeGraph, {}, executable->graph});
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api_call("cudaGraphExecDestroy", [&](Session& s) {
    if (s.executables.erase(executable) == 0) return cudaErrorInvalidValue;
    delete executable;
    return cudaSuccess;
  });
}
/// From CUDA 12 on the third parameter is a cudaGraphExecUpdateResultInfo, and there is no fourth.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* node_or_info,
                                cudaGraphExecUpdateResult* result) {
  return api_call("cudaGraphExecUpdate", [&](Session& s) {
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t error = update(s, executable, graph, info.result, info.errorNode);
    if (kRuntimeVersion >= 12000) {
      if (node_or_info != nullptr) std::memcpy(node_or_info, &info, sizeof info);
      return error;
    }
    if (node_or_info != nullptr) *node_or_info = info.errorNode;
    if (result != nullptr) *result = info.result;
    return error;
  });
}

WHARF_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);
WHARF_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);
}
