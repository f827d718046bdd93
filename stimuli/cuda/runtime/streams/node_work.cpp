// The work of nodes, made from the parameters that the API has for it.

#include <algorithm>
#include <cstring>

#include "stimuli/cuda/runtime/kernels.h"
#include "stimuli/cuda/runtime/memory/arrays.h"
#include "stimuli/cuda/runtime/memory/transfer.h"

namespace wharf::cuda::runtime {
namespace {

/// Sets `width` elements of 1, 2 or 4 bytes in each of `height` rows.
cudaError_t fill_elements(Session& s, const cudaMemsetParams& p) {
  constexpr std::size_t kPiece = 4096;  // elements that are written at a time
  char pattern[kPiece * sizeof p.value];
  for (std::size_t i = 0; i < kPiece; ++i) std::memcpy(pattern + i * p.elementSize, &p.value, p.elementSize);
  const bool is_of_one_byte = std::all_of(pattern, pattern + p.elementSize, [&](char byte) { return byte == pattern[0]; });
  for (std::size_t row = 0; row < p.height; ++row) {
    char* to = static_cast<char*>(p.dst) + row * p.pitch;
    cudaError_t error = cudaSuccess;
    if (is_of_one_byte) error = fill(s, to, pattern[0], p.width * p.elementSize);
    for (std::size_t done = 0; !is_of_one_byte && done < p.width && error == cudaSuccess; done += kPiece)
      error = copy(s, to + done * p.elementSize, pattern, std::min(kPiece, p.width - done) * p.elementSize, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t make_work(Session& session, const cudaKernelNodeParams& launch, LaunchAttributes attributes, Work& work) {
  if (launch.extra != nullptr)
    end_program("`extra` of a kernel node is not supported; give the addresses of the arguments in `kernelParams`");
  const cudaLaunchConfig_t config = {launch.gridDim, launch.blockDim, launch.sharedMemBytes, nullptr, nullptr, 0};
  if (!attributes.window) attributes.window = cudaAccessPolicyWindow{};  // not that of a stream
  return prepare_launch(session, launch.func, config, attributes, launch.kernelParams, work);
}

cudaError_t make_work(Session&, const cudaMemcpy3DParms& copy, Work& work) {
  if ((copy.srcArray != nullptr) == (copy.srcPtr.ptr != nullptr) || (copy.dstArray != nullptr) == (copy.dstPtr.ptr != nullptr))
    return cudaErrorInvalidValue;
  work = {cudaGraphNodeTypeMemcpy, [copy](Session& s) { return copy_3d(s, &copy); }, copy};
  return cudaSuccess;
}

cudaError_t make_work(Session&, const cudaMemsetParams& fill, Work& work) {
  const bool has_size = fill.elementSize == 1 || fill.elementSize == 2 || fill.elementSize == 4;
  if (fill.dst == nullptr || !has_size || fill.width > SIZE_MAX / fill.elementSize) return cudaErrorInvalidValue;
  if (fill.height > 1 && fill.width * fill.elementSize > fill.pitch) return cudaErrorInvalidValue;
  work = {cudaGraphNodeTypeMemset, [fill](Session& s) { return fill_elements(s, fill); }, fill};
  return cudaSuccess;
}

cudaError_t make_work(Session&, const cudaHostNodeParams& call, Work& work) {
  if (call.fn == nullptr) return cudaErrorInvalidValue;
  work = {cudaGraphNodeTypeHost,
          [call](Session&) {
            call.fn(call.userData);
            return cudaSuccess;
          },
          call};
  return cudaSuccess;
}

cudaMemcpy3DParms copy_parameters(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_parameters(to, bytes, from, bytes, bytes, 1, kind);
}

cudaMemcpy3DParms copy_parameters(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), from_pitch, width, height);
  copy.dstPtr = make_cudaPitchedPtr(to, to_pitch, width, height);
  copy.extent = make_cudaExtent(width, height, 1);
  copy.kind = kind;
  return copy;
}

}  // namespace wharf::cuda::runtime
