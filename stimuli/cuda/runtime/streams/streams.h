#pragma once
// Streams: all commands run in the order of submission, so a stream is only a name (CU-16).

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// True for the default stream, the two named ones (legacy and per thread), and what cudaStreamCreate made.
inline bool is_stream(const Session& session, cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || session.streams.count(stream) != 0;
}
/// 0 for the default stream under all its names.
inline std::uint64_t stream_number(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ? 0 : stream->number;
}
inline StreamAttributes& attributes_of(Session& session, cudaStream_t stream) {
  return stream_number(stream) == 0 ? session.default_stream : stream->attributes;
}

}  // namespace wharf::cuda::runtime
