// Streams and events. Every command is done when its call returns (CU-16), so waiting is checking the handle.

#include "stimuli/cuda/runtime/streams/captures.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t create_stream(Session& s, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = new CUstream_st{++s.streams_made, flags, {}};
  (*stream)->attributes.priority = priority;
  s.streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t create_event(Session& s, cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || (flags & ~7u) != 0) return cudaErrorInvalidValue;
  *event = new CUevent_st{flags, false, 0};
  s.events.insert(*event);
  return cudaSuccess;
}

cudaError_t check_event(const Session& s, cudaEvent_t event) {
  return s.events.count(event) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
/// An event for which the program waits, or whose time it asks for.
cudaError_t check_uncaptured(const Session& s, cudaEvent_t event) {
  if (check_event(s, event) != cudaSuccess) return cudaErrorInvalidResourceHandle;
  return event->capture != 0 ? cudaErrorCapturedEvent : cudaSuccess;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api_call("cudaStreamCreate", [&](Session& s) { return create_stream(s, stream, cudaStreamDefault, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api_call("cudaStreamCreateWithFlags", [&](Session& s) { return create_stream(s, stream, flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api_call("cudaStreamCreateWithPriority", [&](Session& s) { return create_stream(s, stream, flags, priority); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api_call("cudaStreamGetPriority", [&](Session& s) {
    if (priority == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    *priority = attributes_of(s, stream).priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api_call("cudaStreamGetFlags", [&](Session& s) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    *flags = stream_number(stream) == 0 ? cudaStreamDefault : stream->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api_call("cudaStreamDestroy", [&](Session& s) {
    if (s.streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    if (const CapturedStream* const captured = capture_of(s, stream); captured != nullptr) {
      const std::shared_ptr<Capture> capture = captured->capture;
      s.captures.erase(stream);
      if (capture->origin == stream) release_capture(s, *capture);
    }
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api_call("cudaStreamSynchronize", [&](Session& s) { return wait_for_stream(s, stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api_call("cudaStreamQuery", [&](Session& s) { return wait_for_stream(s, stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return api_call("cudaStreamWaitEvent", [&](Session& s) {
    if (check_event(s, event) != cudaSuccess || !is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    return wait_for_event(s, stream, event, flags);
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  return api_call("cudaStreamAddCallback", [&](Session& s) {
    if (callback == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    refuse_in_capture(s, stream, "cudaStreamAddCallback", "use cudaLaunchHostFunc");
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return api_call("cudaLaunchHostFunc", [&](Session& s) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    Work call;
    make_work(s, cudaHostNodeParams{function, data}, call);
    return submit(s, stream, std::move(call));
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return api_call("cudaEventCreate", [&](Session& s) { return create_event(s, event, cudaEventDefault); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api_call("cudaEventCreateWithFlags", [&](Session& s) { return create_event(s, event, flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api_call("cudaEventDestroy", [&](Session& s) {
    if (s.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return api_call("cudaEventRecord", [&](Session& s) {
    if (check_event(s, event) != cudaSuccess || !is_stream(s, stream)) return cudaErrorInvalidResourceHandle;
    return record_event(s, event, stream, flags);
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return uncaptured_call("cudaEventSynchronize", [&](Session& s) { return check_uncaptured(s, event); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return uncaptured_call("cudaEventQuery", [&](Session& s) { return check_uncaptured(s, event); });
}
// Elapsed times are those of the simulated GPU (CU-22).
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call("cudaEventElapsedTime", [&](Session& s) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    for (const cudaEvent_t event : {start, end})
      if (const cudaError_t error = check_uncaptured(s, event); error != cudaSuccess) return error;
    if (((start->flags | end->flags) & cudaEventDisableTiming) != 0 || !start->recorded || !end->recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->seconds - start->seconds) * 1e3);
    return cudaSuccess;
  });
}

WHARF_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
WHARF_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
WHARF_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
WHARF_ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);
WHARF_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);
WHARF_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
WHARF_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);
WHARF_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);
WHARF_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
WHARF_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
}
