// Stream capture.

#include <utility>

#include "stimuli/cuda/runtime/device_properties.h"
#include "stimuli/cuda/runtime/streams/captures.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t begin_capture(Session& s, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  if (capture_of(s, stream) != nullptr) return cudaErrorIllegalState;
  s.captures[stream] = {std::make_shared<Capture>(++s.captures_made, stream, mode), {}};
  return cudaSuccess;
}

/// True where every node of the capture is one on which work in its origin would now depend.
bool is_joined(const CapturedStream& origin) {
  std::set<cudaGraphNode_t> reached(origin.dependencies.begin(), origin.dependencies.end());
  std::vector<cudaGraphNode_t> open = origin.dependencies;
  while (!open.empty()) {
    const cudaGraphNode_t node = open.back();
    open.pop_back();
    for (const cudaGraphNode_t dependency : node->dependencies)
      if (reached.insert(dependency).second) open.push_back(dependency);
  }
  return reached.size() == origin.capture->graph->nodes.size();
}

cudaError_t end_capture(Session& s, cudaStream_t stream, cudaGraph_t* ended) {
  const CapturedStream* const captured = capture_of(s, stream);
  if (ended == nullptr) return cudaErrorInvalidValue;
  *ended = nullptr;
  if (captured == nullptr) return cudaErrorIllegalState;
  const std::shared_ptr<Capture> capture = captured->capture;
  if (capture->origin != stream || (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())) {
    capture->is_invalid = true;
    return capture->origin != stream ? cudaErrorStreamCaptureUnmatched : cudaErrorStreamCaptureWrongThread;
  }
  const bool joined = is_joined(*captured);
  release_capture(s, *capture);
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (!joined) return cudaErrorStreamCaptureUnjoined;
  *ended = std::exchange(capture->graph, nullptr);
  (*ended)->belongs_to_program = true;
  return cudaSuccess;
}

/// What the functions that describe a capture tell. Any pointer but `status` may be null.
struct CaptureInfo {
  cudaStreamCaptureStatus* status;
  unsigned long long* id;
  cudaGraph_t* graph;
  const cudaGraphNode_t** dependencies;
  size_t* count;
};

cudaError_t describe_capture(Session& s, cudaStream_t stream, const CaptureInfo& info) {
  if (info.status == nullptr) return cudaErrorInvalidValue;
  if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
  if (is_legacy_in_capture(s, stream)) return cudaErrorStreamCaptureImplicit;  // and the capture stays valid
  const CapturedStream* const captured = capture_of(s, stream);
  *info.status = captured == nullptr             ? cudaStreamCaptureStatusNone
                 : captured->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                                 : cudaStreamCaptureStatusActive;
  if (*info.status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (info.id != nullptr) *info.id = captured->capture->number;
  if (info.graph != nullptr) *info.graph = captured->capture->graph;
  if (info.dependencies != nullptr) *info.dependencies = captured->dependencies.data();
  if (info.count != nullptr) *info.count = captured->dependencies.size();
  return cudaSuccess;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api_call("cudaStreamBeginCapture", [&](Session& s) { return begin_capture(s, stream, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api_call("cudaStreamEndCapture", [&](Session& s) { return end_capture(s, stream, graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api_call("cudaStreamIsCapturing", [&](Session& s) {
    return describe_capture(s, stream, {status, nullptr, nullptr, nullptr, nullptr});
  });
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return api_call("cudaStreamGetCaptureInfo", [&](Session& s) {
    return describe_capture(s, stream, {status, id, graph, dependencies, count});
  });
}
/// CUDA 12.3 and later: with the data of edges, of which a capture has none.
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, const void** edges, size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
/// Three parameters before CUDA 13, which calls the form with edges by this name.
cudaError_t capture_info_by_version(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                    const cudaGraphNode_t** dependencies, const void** edges,
                                    size_t* count) asm("cudaStreamGetCaptureInfo");
cudaError_t capture_info_by_version(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                    const cudaGraphNode_t** dependencies, const void** edges, size_t* count) {
  return kRuntimeVersion >= 13000 ? cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count)
                                  : cudaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api_call("cudaThreadExchangeStreamCaptureMode", [&](Session&) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    std::swap(*mode, thread_capture_mode());
    return cudaSuccess;
  });
}

WHARF_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WHARF_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
WHARF_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WHARF_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
WHARF_ALIAS(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
WHARF_ALIAS(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);
}
