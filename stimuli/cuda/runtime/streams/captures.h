#pragma once
// Stream capture: streams put their commands into a graph in place of running them, and events carry a capture from stream to stream. What
// CUDA refuses during a capture invalidates it (CUDA C++ Programming Guide, section on graphs by stream capture).

#include "stimuli/cuda/runtime/streams/graphs.h"

namespace wharf::cuda::runtime {

/// A capture from its begin to its end. Owns its graph.
struct Capture {
  Capture(std::uint64_t count, cudaStream_t begun_in, cudaStreamCaptureMode with_mode);
  ~Capture();
  Capture(const Capture&) = delete;

  const std::uint64_t number;  // from 1
  const cudaStream_t origin;   // where it began
  const cudaStreamCaptureMode mode;
  const std::thread::id thread = std::this_thread::get_id();
  CUgraph_st* graph;
  bool is_invalid = false;
};

/// The capture of which the stream is a part, or nullptr.
CapturedStream* capture_of(Session& session, cudaStream_t stream);
/// Takes all streams out of the capture, which ends.
void release_capture(Session& session, const Capture& capture);

/// What cudaThreadExchangeStreamCaptureMode sets.
cudaStreamCaptureMode& thread_capture_mode();

/// True for the legacy default stream while a capture has a stream that would wait for it.
bool is_legacy_in_capture(const Session& session, cudaStream_t stream);

/// Runs the work, or adds it to the graph that captures the stream. Returns CUDA's error where the capture is invalid, or where work in the
/// legacy default stream would wait for a captured stream. The work must hold its arguments itself.
cudaError_t submit(Session& session, cudaStream_t stream, Work work);
/// Waits for a stream, or for all. Returns CUDA's error where a capture forbids it; a stream that is captured cannot be waited for.
cudaError_t wait_for_stream(Session& session, cudaStream_t stream);
cudaError_t wait_for_device(Session& session);
/// Returns cudaErrorStreamCaptureUnsupported where the modes of captures forbid the calling thread what may wait for streams unseen:
/// allocations and queries of events.
cudaError_t check_capture_modes(Session& session);

/// In a captured stream, events carry the capture unless `flags` ask for a node.
cudaError_t record_event(Session& session, cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t wait_for_event(Session& session, cudaStream_t stream, cudaEvent_t event, unsigned flags);
/// Nodes that record an event, and wait for one: what it waits for is done when the graph runs.
Work record_work(cudaEvent_t event);
Work wait_work(cudaEvent_t event);

constexpr cudaGraphNodeType kCopy = cudaGraphNodeTypeMemcpy, kFill = cudaGraphNodeTypeMemset;

/// The frame of a function that submits a command to a stream. A synchronous function is one of the legacy default stream.
template <class Body>
cudaError_t stream_call(const char* function, cudaStream_t stream, cudaGraphNodeType type, Body body, NodeParameters parameters = {}) {
  return api_call(function, [&](Session& session) { return submit(session, stream, {type, std::move(body), std::move(parameters)}); });
}

/// The frame of a function that the modes of captures forbid.
template <class Body>
cudaError_t uncaptured_call(const char* function, Body body) {
  return api_call(function, [&](Session& session) {
    const cudaError_t error = check_capture_modes(session);
    return error != cudaSuccess ? error : body(session);
  });
}

/// Ends the program where the stream is captured and a graph cannot hold the function's command.
inline void refuse_in_capture(Session& session, cudaStream_t stream, const char* function, const char* remedy) {
  if (capture_of(session, stream) != nullptr)
    end_program(std::string(function) + " is not supported in a stream that is captured; " + remedy);
}

}  // namespace wharf::cuda::runtime
