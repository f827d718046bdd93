#pragma once
// The runtime API for graphs and stream capture, as runtime_functions.h has the rest.

#if defined(__cplusplus)
extern "C" {
#endif
#define WHARF_API cudaError_t
// What every function that adds a node begins with: the result, and where the node comes.
#define WHARF_NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count

// Capture.
WHARF_API cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
WHARF_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
WHARF_API cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
WHARF_API cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id);
WHARF_API cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                      const cudaGraphNode_t** dependencies, size_t* count);
WHARF_API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode);

// Graphs.
WHARF_API cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
WHARF_API cudaGraphDestroy(cudaGraph_t graph);
WHARF_API cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
WHARF_API cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone);
WHARF_API cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
WHARF_API cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
WHARF_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count);
WHARF_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count);
WHARF_API cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count);
WHARF_API cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);

// Nodes.
WHARF_API cudaGraphAddKernelNode(WHARF_NEW_NODE, const struct cudaKernelNodeParams* parameters);
WHARF_API cudaGraphAddMemcpyNode(WHARF_NEW_NODE, const struct cudaMemcpy3DParms* parameters);
WHARF_API cudaGraphAddMemcpyNode1D(WHARF_NEW_NODE, void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
WHARF_API cudaGraphAddMemcpyNodeToSymbol(WHARF_NEW_NODE, const void* symbol, const void* from, size_t bytes, size_t offset,
                                         enum cudaMemcpyKind kind);
WHARF_API cudaGraphAddMemcpyNodeFromSymbol(WHARF_NEW_NODE, void* to, const void* symbol, size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind);
WHARF_API cudaGraphAddMemsetNode(WHARF_NEW_NODE, const struct cudaMemsetParams* parameters);
WHARF_API cudaGraphAddHostNode(WHARF_NEW_NODE, const struct cudaHostNodeParams* parameters);
WHARF_API cudaGraphAddChildGraphNode(WHARF_NEW_NODE, cudaGraph_t child);
WHARF_API cudaGraphAddEmptyNode(WHARF_NEW_NODE);
WHARF_API cudaGraphAddEventRecordNode(WHARF_NEW_NODE, cudaEvent_t event);
WHARF_API cudaGraphAddEventWaitNode(WHARF_NEW_NODE, cudaEvent_t event);
WHARF_API cudaGraphDestroyNode(cudaGraphNode_t node);
WHARF_API cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type);
WHARF_API cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count);
WHARF_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count);
WHARF_API cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph);
WHARF_API cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams* parameters);
WHARF_API cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams* parameters);
WHARF_API cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value);
WHARF_API cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value);
WHARF_API cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms* parameters);
WHARF_API cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms* parameters);
WHARF_API cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
WHARF_API cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams* parameters);
WHARF_API cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams* parameters);
WHARF_API cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams* parameters);
WHARF_API cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams* parameters);

// Executable graphs.
WHARF_API cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log, size_t log_bytes);
WHARF_API cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags);
WHARF_API cudaGraphExecDestroy(cudaGraphExec_t executable);
WHARF_API cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
WHARF_API cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
WHARF_API cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                              enum cudaGraphExecUpdateResult* result);
WHARF_API cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const struct cudaKernelNodeParams* parameters);
WHARF_API cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const struct cudaMemcpy3DParms* parameters);
WHARF_API cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                             enum cudaMemcpyKind kind);
WHARF_API cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const struct cudaMemsetParams* parameters);
WHARF_API cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const struct cudaHostNodeParams* parameters);

#undef WHARF_NEW_NODE
#undef WHARF_API
#if defined(__cplusplus)
}
// The forms of CUDA 12, and symbols by name.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  info->errorFromNode = nullptr;
  return cudaGraphExecUpdate(executable, graph, &info->errorNode, &info->result);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                                   cudaGraph_t* graph, const cudaGraphNode_t** dependencies = nullptr,
                                                   size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                                         size_t count, const T& symbol, const void* from, size_t bytes, size_t offset,
                                                         cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count, static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                                           size_t count, void* to, const T& symbol, size_t bytes, size_t offset,
                                                           cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
#endif
