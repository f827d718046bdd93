// Copies and fills: cudaMemcpy and its kin. Asynchronous ones are done when they return (CU-16).

#include "stimuli/cuda/runtime/memory/transfer.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t copy_to_symbol(Session& s, const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void* to = nullptr;
  const cudaError_t error = address_of(s, symbol, offset, bytes, to);
  return error != cudaSuccess ? error : copy(s, to, from, bytes, kind);
}

cudaError_t copy_from_symbol(Session& s, void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void* from = nullptr;
  const cudaError_t error = address_of(s, symbol, offset, bytes, from);
  return error != cudaSuccess ? error : copy(s, to, from, bytes, kind);
}

cudaError_t fill_rows(Session& s, void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width > pitch && height > 1) return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = fill(s, static_cast<char*>(pointer) + row * pitch, value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t fill_slices(Session& s, const cudaPitchedPtr& pointer, int value, const cudaExtent& extent) {
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    void* first = static_cast<char*>(pointer.ptr) + slice * pointer.pitch * pointer.ysize;
    const cudaError_t error = fill_rows(s, first, pointer.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

/// The parameters of a fill of bytes.
cudaMemsetParams fill_parameters(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return {pointer, pitch, static_cast<unsigned char>(value), 1, width, height};
}

cudaError_t copy_between(Session& s, void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return copy(s, to, from, bytes, cudaMemcpyDeviceToDevice);
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpy", nullptr, kCopy, [=](Session& s) { return copy(s, to, from, bytes, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return stream_call(
      "cudaMemcpyAsync", stream, kCopy, [=](Session& s) { return copy(s, to, from, bytes, kind); }, copy_parameters(to, from, bytes, kind));
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return stream_call("cudaMemcpyPeer", nullptr, kCopy,
                     [=](Session& s) { return copy_between(s, to, to_device, from, from_device, bytes); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes, cudaStream_t stream) {
  return stream_call(
      "cudaMemcpyPeerAsync", stream, kCopy, [=](Session& s) { return copy_between(s, to, to_device, from, from_device, bytes); },
      copy_parameters(to, from, bytes, cudaMemcpyDeviceToDevice));
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpy2D", nullptr, kCopy,
                     [=](Session& s) { return copy_rows(s, to, to_pitch, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return stream_call(
      "cudaMemcpy2DAsync", stream, kCopy, [=](Session& s) { return copy_rows(s, to, to_pitch, from, from_pitch, width, height, kind); },
      copy_parameters(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpyToSymbol", nullptr, kCopy,
                     [=](Session& s) { return copy_to_symbol(s, symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return stream_call("cudaMemcpyToSymbolAsync", stream, kCopy,
                     [=](Session& s) { return copy_to_symbol(s, symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpyFromSymbol", nullptr, kCopy,
                     [=](Session& s) { return copy_from_symbol(s, to, symbol, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return stream_call("cudaMemcpyFromSymbolAsync", stream, kCopy,
                     [=](Session& s) { return copy_from_symbol(s, to, symbol, bytes, offset, kind); });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api_call("cudaGetSymbolAddress", [&](Session& s) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    VariablePlace place;
    const cudaError_t error = place_of(s, symbol, place);
    if (error == cudaSuccess) *pointer = reinterpret_cast<void*>(place.address);
    return error;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api_call("cudaGetSymbolSize", [&](Session& s) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    VariablePlace place;
    const cudaError_t error = place_of(s, symbol, place);
    if (error == cudaSuccess) *bytes = place.bytes;
    return error;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return stream_call("cudaMemset", nullptr, kFill, [=](Session& s) { return fill(s, pointer, value, bytes); });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return stream_call(
      "cudaMemsetAsync", stream, kFill, [=](Session& s) { return fill(s, pointer, value, bytes); },
      fill_parameters(pointer, bytes, value, bytes, 1));
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return stream_call("cudaMemset2D", nullptr, kFill, [=](Session& s) { return fill_rows(s, pointer, pitch, value, width, height); });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return stream_call(
      "cudaMemset2DAsync", stream, kFill, [=](Session& s) { return fill_rows(s, pointer, pitch, value, width, height); },
      fill_parameters(pointer, pitch, value, width, height));
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return stream_call("cudaMemset3D", nullptr, kFill, [=](Session& s) { return fill_slices(s, pointer, value, extent); });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return stream_call("cudaMemset3DAsync", stream, kFill, [=](Session& s) { return fill_slices(s, pointer, value, extent); });
}

WHARF_ALIAS(cudaMemcpy_ptds, cudaMemcpy);
WHARF_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
WHARF_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);
WHARF_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
WHARF_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
WHARF_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
WHARF_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
WHARF_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
WHARF_ALIAS(cudaMemset_ptds, cudaMemset);
WHARF_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);
WHARF_ALIAS(cudaMemset2D_ptds, cudaMemset2D);
WHARF_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
WHARF_ALIAS(cudaMemset3D_ptds, cudaMemset3D);
WHARF_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
}
