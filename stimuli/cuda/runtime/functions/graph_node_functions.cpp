// Nodes of graphs: adding them, and reading and replacing what they do.

#include "stimuli/cuda/runtime/memory/transfer.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

/// Where a node comes.
struct Place {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};

cudaError_t add(Session& s, const Place& place, Work work) {
  if (place.node == nullptr || s.graphs.count(place.graph) == 0) return cudaErrorInvalidValue;
  if (place.count != 0 && place.dependencies == nullptr) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> dependencies;
  std::set<cudaGraphNode_t> seen;
  for (std::size_t i = 0; i < place.count; ++i) {
    const cudaGraphNode_t dependency = place.dependencies[i];
    if (s.nodes.count(dependency) == 0 || dependency->graph != place.graph || !seen.insert(dependency).second) return cudaErrorInvalidValue;
    dependencies.push_back(dependency);
  }
  *place.node = add_node(*place.graph, std::move(work), std::move(dependencies));
  return cudaSuccess;
}

/// Kernel nodes keep their attributes when their parameters are replaced.
cudaError_t make_work(Session& s, const cudaKernelNodeParams& launch, Work& work) {
  const auto* const former = std::get_if<KernelParameters>(&work.parameters);
  return make_work(s, launch, former != nullptr ? former->attributes : LaunchAttributes{}, work);
}

template <class Parameters>
cudaError_t make_and_add(Session& s, const Place& place, const Parameters& parameters) {
  Work work;
  const cudaError_t error = make_work(s, parameters, work);
  return error != cudaSuccess ? error : add(s, place, std::move(work));
}
template <class Parameters>
cudaError_t add_call(const char* function, const Place& place, const Parameters* parameters) {
  return api_call(function,
                  [&](Session& s) { return parameters == nullptr ? cudaErrorInvalidValue : make_and_add(s, place, *parameters); });
}

/// Replaces what a node does. The new work is of the same type.
template <class Parameters>
cudaError_t replace(Session& s, cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* parameters) {
  if (parameters == nullptr || node == nullptr || node->work.type != type) return cudaErrorInvalidValue;
  Work work = node->work;
  const cudaError_t error = make_work(s, *parameters, work);
  if (error == cudaSuccess) node->work = std::move(work);
  return error;
}
template <class Parameters>
cudaError_t set_call(const char* function, cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* parameters) {
  return api_call(function, [&](Session& s) { return replace(s, s.nodes.count(node) != 0 ? node : nullptr, type, parameters); });
}
/// The same in an executable graph, by the node of the graph of which it was made.
template <class Parameters>
cudaError_t set_call(const char* function, cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                     const Parameters* parameters) {
  return api_call(function, [&](Session& s) {
    if (s.executables.count(executable) == 0 || s.nodes.count(node) == 0) return cudaErrorInvalidValue;
    return replace(s, find_copy(*executable->graph, *node), type, parameters);
  });
}

cudaError_t check_type(const Session& s, cudaGraphNode_t node, cudaGraphNodeType type, const void* result) {
  return result != nullptr && s.nodes.count(node) != 0 && node->work.type == type ? cudaSuccess : cudaErrorInvalidValue;
}

template <class Parameters>
cudaError_t get_call(const char* function, cudaGraphNode_t node, cudaGraphNodeType type, Parameters* parameters) {
  return api_call(function, [&](Session& s) {
    if (check_type(s, node, type, parameters) != cudaSuccess) return cudaErrorInvalidValue;
    const auto* const own = std::get_if<Parameters>(&node->work.parameters);
    if (own == nullptr)
      end_program(std::string(function) +
                  " does not know the parameters of captured copies of symbols and arrays and of cudaMemset3DAsync; add such nodes by "
                  "cudaGraphAddMemcpyNode and cudaGraphAddMemsetNode");
    *parameters = *own;
    return cudaSuccess;
  });
}

cudaError_t set_attribute(Session& s, cudaGraphNode_t node, cudaLaunchAttributeID id, const cudaLaunchAttributeValue* value) {
  if (check_type(s, node, cudaGraphNodeTypeKernel, value) != cudaSuccess) return cudaErrorInvalidValue;
  const KernelParameters& kernel = std::get<KernelParameters>(node->work.parameters);
  cudaLaunchAttribute attribute = {};
  attribute.id = id;
  attribute.val = *value;
  cudaLaunchConfig_t config = {};
  config.attrs = &attribute, config.numAttrs = 1;
  LaunchAttributes attributes = kernel.attributes;
  if (const LaunchRefusal refusal = read_attributes(s.channel.device(), config, attributes); refusal.error != cudaSuccess)
    return refusal.error;
  Work work;
  const cudaError_t error = make_work(s, kernel.launch, attributes, work);
  if (error == cudaSuccess) node->work = std::move(work);
  return error;
}

cudaError_t get_attribute(Session& s, cudaGraphNode_t node, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  if (check_type(s, node, cudaGraphNodeTypeKernel, value) != cudaSuccess) return cudaErrorInvalidValue;
  const LaunchAttributes& attributes = std::get<KernelParameters>(node->work.parameters).attributes;
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value->accessPolicyWindow = attributes.window.value_or(cudaAccessPolicyWindow{});
      return cudaSuccess;
    case cudaLaunchAttributeCooperative:
      value->cooperative = attributes.cooperative ? 1 : 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const dim3 cluster = attributes.cluster.value_or(dim3(0, 0, 0));
      value->clusterDim.x = cluster.x, value->clusterDim.y = cluster.y, value->clusterDim.z = cluster.z;
      return cudaSuccess;
    }
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

#define WHARF_NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count

extern "C" {

cudaError_t cudaGraphAddKernelNode(WHARF_NEW_NODE, const cudaKernelNodeParams* parameters) {
  return add_call("cudaGraphAddKernelNode", {node, graph, dependencies, count}, parameters);
}
cudaError_t cudaGraphAddMemcpyNode(WHARF_NEW_NODE, const cudaMemcpy3DParms* parameters) {
  return add_call("cudaGraphAddMemcpyNode", {node, graph, dependencies, count}, parameters);
}
cudaError_t cudaGraphAddMemcpyNode1D(WHARF_NEW_NODE, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = copy_parameters(to, from, bytes, kind);
  return add_call("cudaGraphAddMemcpyNode1D", {node, graph, dependencies, count}, &parameters);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(WHARF_NEW_NODE, const void* symbol, const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
  return api_call("cudaGraphAddMemcpyNodeToSymbol", [&](Session& s) {
    void* to = nullptr;
    const cudaError_t error = address_of(s, symbol, offset, bytes, to);
    return error != cudaSuccess ? error : make_and_add(s, {node, graph, dependencies, count}, copy_parameters(to, from, bytes, kind));
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(WHARF_NEW_NODE, void* to, const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return api_call("cudaGraphAddMemcpyNodeFromSymbol", [&](Session& s) {
    void* from = nullptr;
    const cudaError_t error = address_of(s, symbol, offset, bytes, from);
    return error != cudaSuccess ? error : make_and_add(s, {node, graph, dependencies, count}, copy_parameters(to, from, bytes, kind));
  });
}
cudaError_t cudaGraphAddMemsetNode(WHARF_NEW_NODE, const cudaMemsetParams* parameters) {
  return add_call("cudaGraphAddMemsetNode", {node, graph, dependencies, count}, parameters);
}
cudaError_t cudaGraphAddHostNode(WHARF_NEW_NODE, const cudaHostNodeParams* parameters) {
  return add_call("cudaGraphAddHostNode", {node, graph, dependencies, count}, parameters);
}
cudaError_t cudaGraphAddChildGraphNode(WHARF_NEW_NODE, cudaGraph_t child) {
  return api_call("cudaGraphAddChildGraphNode", [&](Session& s) {
    if (s.graphs.count(child) == 0) return cudaErrorInvalidValue;
    const ChildGraph borrowed(ChildGraph(), child);  // the node makes a copy
    return add(s, {node, graph, dependencies, count}, {cudaGraphNodeTypeGraph, {}, borrowed});
  });
}
cudaError_t cudaGraphAddEmptyNode(WHARF_NEW_NODE) {
  return api_call("cudaGraphAddEmptyNode", [&](Session& s) { return add(s, {node, graph, dependencies, count}, {}); });
}
cudaError_t cudaGraphAddEventRecordNode(WHARF_NEW_NODE, cudaEvent_t event) {
  return api_call("cudaGraphAddEventRecordNode", [&](Session& s) {
    return s.events.count(event) == 0 ? cudaErrorInvalidValue : add(s, {node, graph, dependencies, count}, record_work(event));
  });
}
cudaError_t cudaGraphAddEventWaitNode(WHARF_NEW_NODE, cudaEvent_t event) {
  return api_call("cudaGraphAddEventWaitNode", [&](Session& s) {
    return s.events.count(event) == 0 ? cudaErrorInvalidValue : add(s, {node, graph, dependencies, count}, wait_work(event));
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api_call("cudaGraphKernelNodeGetParams", [&](Session& s) {
    const cudaError_t error = check_type(s, node, cudaGraphNodeTypeKernel, parameters);
    if (error == cudaSuccess) *parameters = std::get<KernelParameters>(node->work.parameters).launch;
    return error;
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get_call("cudaGraphMemcpyNodeGetParams", node, cudaGraphNodeTypeMemcpy, parameters);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get_call("cudaGraphMemsetNodeGetParams", node, cudaGraphNodeTypeMemset, parameters);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get_call("cudaGraphHostNodeGetParams", node, cudaGraphNodeTypeHost, parameters);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return api_call("cudaGraphChildGraphNodeGetGraph", [&](Session& s) {
    const cudaError_t error = check_type(s, node, cudaGraphNodeTypeGraph, graph);
    if (error == cudaSuccess) *graph = std::get<ChildGraph>(node->work.parameters).get();
    return error;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set_call("cudaGraphKernelNodeSetParams", node, cudaGraphNodeTypeKernel, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set_call("cudaGraphMemcpyNodeSetParams", node, cudaGraphNodeTypeMemcpy, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = copy_parameters(to, from, bytes, kind);
  return set_call("cudaGraphMemcpyNodeSetParams1D", node, cudaGraphNodeTypeMemcpy, &parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_call("cudaGraphMemsetNodeSetParams", node, cudaGraphNodeTypeMemset, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_call("cudaGraphHostNodeSetParams", node, cudaGraphNodeTypeHost, parameters);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value) {
  return api_call("cudaGraphKernelNodeSetAttribute", [&](Session& s) { return set_attribute(s, node, attribute, value); });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value) {
  return api_call("cudaGraphKernelNodeGetAttribute", [&](Session& s) { return get_attribute(s, node, attribute, value); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set_call("cudaGraphExecKernelNodeSetParams", executable, node, cudaGraphNodeTypeKernel, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set_call("cudaGraphExecMemcpyNodeSetParams", executable, node, cudaGraphNodeTypeMemcpy, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = copy_parameters(to, from, bytes, kind);
  return set_call("cudaGraphExecMemcpyNodeSetParams1D", executable, node, cudaGraphNodeTypeMemcpy, &parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_call("cudaGraphExecMemsetNodeSetParams", executable, node, cudaGraphNodeTypeMemset, parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_call("cudaGraphExecHostNodeSetParams", executable, node, cudaGraphNodeTypeHost, parameters);
}
}
#undef WHARF_NEW_NODE
