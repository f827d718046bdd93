#include "stimuli/cuda/runtime/streams/captures.h"

#include <algorithm>

#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

/// Marks every capture invalid for which `matches` holds. Returns whether there is one.
template <class Matches>
bool invalidate_captures(Session& session, Matches matches) {
  bool found = false;
  for (auto& [stream, captured] : session.captures) {
    if (!matches(stream, *captured.capture)) continue;
    captured.capture->is_invalid = found = true;
  }
  return found;
}

bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }
/// True for a stream for which the legacy default stream waits.
bool is_blocking(cudaStream_t stream) { return stream == cudaStreamPerThread || (stream->flags & cudaStreamNonBlocking) == 0; }

/// The ongoing capture in which the event was recorded last, or nullptr.
std::shared_ptr<Capture> capture_of_event(const Session& session, cudaEvent_t event) {
  for (const auto& [stream, captured] : session.captures)
    if (captured.capture->number == event->capture) return captured.capture;
  return nullptr;
}

/// A stream outside of captures waits for an event of one: it joins.
cudaError_t join(Session& session, cudaStream_t stream, cudaEvent_t event, const std::shared_ptr<Capture>& capture) {
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (is_legacy(stream)) {  // cannot be captured
    capture->is_invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  session.captures[stream] = {capture, event->dependencies};
  return cudaSuccess;
}

cudaError_t record_now(Session& session, cudaEvent_t event) {
  if (session.events.count(event) == 0) return cudaErrorInvalidResourceHandle;  // destroyed since
  SimulatedTime time;
  int error = 0;
  if (!session.channel.ask(RecordKind::time_query, EndRecord{}, time, error)) return static_cast<cudaError_t>(error);
  event->recorded = true;
  event->seconds = time.seconds;
  event->capture = 0;
  return cudaSuccess;
}

}  // namespace

Capture::Capture(std::uint64_t count, cudaStream_t begun_in, cudaStreamCaptureMode with_mode)
    : number(count), origin(begun_in), mode(with_mode), graph(new CUgraph_st) {}
Capture::~Capture() { delete graph; }

cudaStreamCaptureMode& thread_capture_mode() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

CapturedStream* capture_of(Session& session, cudaStream_t stream) {
  const auto found = session.captures.find(stream);
  return found == session.captures.end() ? nullptr : &found->second;
}

void release_capture(Session& session, const Capture& capture) {
  const std::uint64_t number = capture.number;
  for (auto captured = session.captures.begin(); captured != session.captures.end();)
    captured = captured->second.capture->number == number ? session.captures.erase(captured) : std::next(captured);
}

bool is_legacy_in_capture(const Session& session, cudaStream_t stream) {
  return is_legacy(stream) &&
         std::any_of(session.captures.begin(), session.captures.end(), [](const auto& captured) { return is_blocking(captured.first); });
}

cudaError_t submit(Session& session, cudaStream_t stream, Work work) {
  if (is_legacy_in_capture(session, stream)) {
    invalidate_captures(session, [](cudaStream_t captured, const Capture&) { return is_blocking(captured); });
    return cudaErrorStreamCaptureImplicit;
  }
  CapturedStream* const captured = capture_of(session, stream);
  if (captured == nullptr) return run(session, work);
  if (captured->capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  captured->dependencies = {add_node(*captured->capture->graph, std::move(work), captured->dependencies)};
  return cudaSuccess;
}

cudaError_t wait_for_stream(Session& session, cudaStream_t stream) {
  if (!is_stream(session, stream)) return cudaErrorInvalidResourceHandle;
  if (CapturedStream* const captured = capture_of(session, stream); captured != nullptr && !captured->capture->is_invalid) {
    captured->capture->is_invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return submit(session, stream, {});
}

cudaError_t wait_for_device(Session& session) {
  return invalidate_captures(session, [](cudaStream_t, const Capture&) { return true; }) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t check_capture_modes(Session& session) {
  const cudaStreamCaptureMode own_mode = thread_capture_mode();
  const auto forbids = [&](cudaStream_t, const Capture& capture) {
    return capture.thread == std::this_thread::get_id()
               ? own_mode != cudaStreamCaptureModeRelaxed && capture.mode != cudaStreamCaptureModeRelaxed
               : own_mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
  };
  return invalidate_captures(session, forbids) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

Work record_work(cudaEvent_t event) {
  return {cudaGraphNodeTypeEventRecord, [event](Session& session) { return record_now(session, event); }, event};
}
Work wait_work(cudaEvent_t event) { return {cudaGraphNodeTypeWaitEvent, {}, event}; }

cudaError_t record_event(Session& session, cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  const CapturedStream* const captured = capture_of(session, stream);
  if (captured == nullptr && flags != cudaEventRecordDefault) return cudaErrorInvalidValue;
  if (captured == nullptr || flags == cudaEventRecordExternal) return submit(session, stream, record_work(event));
  if (captured->capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  event->capture = captured->capture->number;
  event->dependencies = captured->dependencies;
  return cudaSuccess;
}

cudaError_t wait_for_event(Session& session, cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  CapturedStream* const captured = capture_of(session, stream);
  if (flags == cudaEventWaitExternal) return captured != nullptr ? submit(session, stream, wait_work(event)) : cudaErrorInvalidValue;
  const std::shared_ptr<Capture> source = capture_of_event(session, event);
  if (captured == nullptr) return source != nullptr ? join(session, stream, event, source) : submit(session, stream, {});
  Capture& capture = *captured->capture;
  if (capture.is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (source == captured->capture) {
    for (const cudaGraphNode_t node : event->dependencies)
      if (std::find(captured->dependencies.begin(), captured->dependencies.end(), node) == captured->dependencies.end())
        captured->dependencies.push_back(node);
    return cudaSuccess;
  }
  if (!event->recorded && event->capture == 0) return cudaSuccess;  // never recorded
  capture.is_invalid = true;
  if (source == nullptr) return cudaErrorStreamCaptureIsolation;
  source->is_invalid = true;
  return cudaErrorStreamCaptureMerge;
}

}  // namespace wharf::cuda::runtime
