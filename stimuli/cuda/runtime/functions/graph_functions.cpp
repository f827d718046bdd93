// Stream capture, and graphs made by it.

#include "stimuli/cuda/runtime/streams/graphs.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t begin_capture(Session& s, cudaStream_t stream) {
  if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  if (capture_of(s, stream) != nullptr) return cudaErrorIllegalState;
  auto* const graph = new CUgraph_st{++s.graphs_made, stream};
  s.captures[stream] = graph;
  return cudaSuccess;
}

cudaError_t end_capture(Session& s, cudaStream_t stream, cudaGraph_t* ended) {
  CUgraph_st* const graph = capture_of(s, stream);
  if (ended == nullptr) return cudaErrorInvalidValue;
  *ended = nullptr;
  if (graph == nullptr) return cudaErrorIllegalState;
  if (graph->origin != stream) return cudaErrorStreamCaptureUnmatched;
  for (auto capture = s.captures.begin(); capture != s.captures.end();)
    capture = capture->second == graph ? s.captures.erase(capture) : std::next(capture);
  if (graph->is_invalid) {
    delete graph;
    return cudaErrorStreamCaptureInvalidated;
  }
  s.graphs.insert(graph);
  *ended = graph;
  return cudaSuccess;
}

cudaError_t instantiate(Session& s, cudaGraphExec_t* executable, cudaGraph_t graph) {
  if (executable == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
  *executable = new CUgraphExec_st{std::make_shared<const std::vector<Command>>(graph->commands)};
  s.executables.insert(*executable);
  return cudaSuccess;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

// The modes differ in which calls of other threads are errors.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return api_call("cudaStreamBeginCapture", [&](Session& s) { return begin_capture(s, stream); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api_call("cudaStreamEndCapture", [&](Session& s) { return end_capture(s, stream, graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api_call("cudaStreamIsCapturing", [&](Session& s) {
    if (status == nullptr) return cudaErrorInvalidValue;
    const CUgraph_st* const graph = capture_of(s, stream);
    *status = graph == nullptr    ? cudaStreamCaptureStatusNone
              : graph->is_invalid ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
    return is_stream(s, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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
    return submit(s, stream, [commands = executable->commands](Session& session) {
      for (const Command& command : *commands)
        if (const cudaError_t error = command(session); error != cudaSuccess) return error;
      return cudaSuccess;
    });
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api_call("cudaGraphExecDestroy", [&](Session& s) {
    if (s.executables.erase(executable) == 0) return cudaErrorInvalidValue;
    delete executable;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call("cudaGraphDestroy", [&](Session& s) {
    if (s.graphs.erase(graph) == 0) return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_call("cudaGraphClone", [&](Session& s) {
    if (clone == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
    *clone = new CUgraph_st(*graph);
    s.graphs.insert(*clone);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_call("cudaGraphGetNodes", [&](Session& s) {
    if (count == nullptr || s.graphs.count(graph) == 0) return cudaErrorInvalidValue;
    if (nodes != nullptr)
      end_program("cudaGraphGetNodes tells the number of nodes only; pass null for the nodes, and capture another graph to change one");
    *count = graph->commands.size();
    return cudaSuccess;
  });
}

WHARF_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WHARF_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
WHARF_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WHARF_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);
WHARF_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);
}
