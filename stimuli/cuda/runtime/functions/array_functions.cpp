// CUDA arrays: allocation and copies.

#include <algorithm>

#include "stimuli/cuda/runtime/memory/arrays.h"
#include "stimuli/cuda/runtime/memory/transfer.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::size_t kRowAlignment = 32;
constexpr std::size_t kLongestSide = 131072;

std::size_t rows_of(const cudaArray& array) { return std::max<std::size_t>(array.extent.height, 1); }
std::size_t slices_of(const cudaArray& array) { return std::max<std::size_t>(array.extent.depth, 1); }

cudaError_t allocate_array(Session& s, cudaArray_t* result, const cudaChannelFormatDesc* channel, cudaExtent extent, unsigned flags) {
  if (result == nullptr || channel == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  if ((flags & ~static_cast<unsigned>(cudaArrayLayered | cudaArraySurfaceLoadStore)) != 0)
    end_program("arrays for cube maps and texture gathers are not supported; allocate the array without these flags, or use global memory");
  const std::size_t bytes = texel_bytes(*channel);
  if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
  if (extent.width > kLongestSide || extent.height > kLongestSide || extent.depth > kLongestSide) return cudaErrorInvalidValue;
  cudaArray array = {0, *channel, extent, flags, bytes, (extent.width * bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment};
  const Allocation* allocation = allocate_memory(s, array.pitch * rows_of(array) * slices_of(array), AllocationKind::array);
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  array.address = allocation->address;
  const AllocateRecord record{allocation->number, allocation->address, allocation->bytes, allocation->kind};
  const auto error = static_cast<cudaError_t>(s.channel.send(RecordKind::allocate, record));
  if (error != cudaSuccess) return error;
  *result = new cudaArray(array);
  s.arrays.insert(*result);
  return cudaSuccess;
}

/// A copy of rows between the host (or device memory) and an array.
cudaError_t copy_to_array(Session& s, cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t from_pitch,
                          std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  if (s.arrays.count(to) == 0) return cudaErrorInvalidResourceHandle;
  if (kind == cudaMemcpyDeviceToHost) return cudaErrorInvalidMemcpyDirection;
  if (!is_inside(*to, x, y, 0, width, height, 1)) return cudaErrorInvalidValue;
  const Box box = box_of(*to, x, y, 0);
  return copy_rows(s, box.first, box.pitch, from, from_pitch, width, height, kind);
}

cudaError_t copy_from_array(Session& s, void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                            std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  if (s.arrays.count(const_cast<cudaArray_t>(from)) == 0) return cudaErrorInvalidResourceHandle;
  if (kind == cudaMemcpyHostToDevice) return cudaErrorInvalidMemcpyDirection;
  if (!is_inside(*from, x, y, 0, width, height, 1)) return cudaErrorInvalidValue;
  const Box box = box_of(*from, x, y, 0);
  return copy_rows(s, to, to_pitch, box.first, box.pitch, width, height, kind);
}

/// `bytes` bytes in row order from byte `x` of row `y` on: the rest of that row, whole rows, the beginning of the last one.
template <class CopyRow>
cudaError_t copy_linear(const cudaArray& array, std::size_t x, std::size_t y, std::size_t bytes, CopyRow copy_row) {
  const std::size_t row_bytes = array.extent.width * array.texel_bytes;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t size = std::min(row_bytes - std::min(x, row_bytes), bytes - done);
    if (size == 0) return cudaErrorInvalidValue;
    const cudaError_t error = copy_row(x, y, done, size);
    if (error != cudaSuccess) return error;
    done += size;
    x = 0;
    ++y;
  }
  return cudaSuccess;
}

cudaError_t copy_linear_to_array(Session& s, cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                 cudaMemcpyKind kind) {
  if (s.arrays.count(to) == 0) return cudaErrorInvalidResourceHandle;
  return copy_linear(*to, x, y, bytes, [&](std::size_t at, std::size_t row, std::size_t done, std::size_t size) {
    return copy_to_array(s, to, at, row, static_cast<const char*>(from) + done, size, size, 1, kind);
  });
}

}  // namespace

cudaError_t copy_3d(Session& s, const cudaMemcpy3DParms* p) {
  if (p == nullptr || (p->srcArray != nullptr) == (p->srcPtr.ptr != nullptr) || (p->dstArray != nullptr) == (p->dstPtr.ptr != nullptr))
    return cudaErrorInvalidValue;
  if ((p->srcArray != nullptr && s.arrays.count(p->srcArray) == 0) || (p->dstArray != nullptr && s.arrays.count(p->dstArray) == 0))
    return cudaErrorInvalidResourceHandle;
  // Widths and x positions count texels where an array takes part, bytes otherwise.
  const cudaArray* array = p->srcArray != nullptr ? p->srcArray : p->dstArray;
  const std::size_t unit = array != nullptr ? array->texel_bytes : 1;
  const std::size_t width = p->extent.width * unit;
  const auto side = [&](cudaArray_t in_array, const cudaPitchedPtr& pointer, const cudaPos& at, Box& box) {
    if (in_array != nullptr) {
      if (!is_inside(*in_array, at.x * unit, at.y, at.z, width, p->extent.height, p->extent.depth)) return false;
      box = box_of(*in_array, at.x * unit, at.y, at.z);
      return true;
    }
    const std::size_t slice = pointer.pitch * std::max<std::size_t>(pointer.ysize, 1);
    const std::size_t x = array != nullptr ? at.x * unit : at.x;
    box = {static_cast<char*>(pointer.ptr) + at.z * slice + at.y * pointer.pitch + x, pointer.pitch, slice};
    return p->extent.height <= std::max<std::size_t>(pointer.ysize, 1) || p->extent.depth <= 1;
  };
  Box from = {}, to = {};
  if (!side(p->srcArray, p->srcPtr, p->srcPos, from) || !side(p->dstArray, p->dstPtr, p->dstPos, to)) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error =
        copy_rows(s, to.first + z * to.slice, to.pitch, from.first + z * from.slice, from.pitch, width, p->extent.height, p->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

std::size_t texel_bytes(const cudaChannelFormatDesc& channel) {
  const int bits[] = {channel.x, channel.y, channel.z, channel.w};
  int channels = 0;
  for (const int width : bits) {
    if (width == 0) break;
    if (width != bits[0]) return 0;
    ++channels;
  }
  const bool known = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  if (!known || channels == 3 || (channels < 4 && bits[3] != 0)) return 0;
  return static_cast<std::size_t>(bits[0] / 8 * channels);
}

Box box_of(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
  const std::size_t slice = array.pitch * rows_of(array);
  return {reinterpret_cast<char*>(array.address + z * slice + y * array.pitch + x_bytes), array.pitch, slice};
}

bool is_inside(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z, std::size_t width, std::size_t height,
               std::size_t depth) {
  const auto fits = [](std::size_t begin, std::size_t size, std::size_t all) { return begin <= all && size <= all - begin; };
  return fits(x_bytes, width, array.extent.width * array.texel_bytes) && fits(y, height, rows_of(array)) &&
         fits(z, depth, slices_of(array));
}

}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channel, size_t width, size_t height, unsigned flags) {
  return uncaptured_call("cudaMallocArray", [&](Session& s) { return allocate_array(s, array, channel, {width, height, 0}, flags); });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channel, cudaExtent extent, unsigned flags) {
  return uncaptured_call("cudaMalloc3DArray", [&](Session& s) { return allocate_array(s, array, channel, extent, flags); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return uncaptured_call("cudaFreeArray", [&](Session& s) {
    if (array == nullptr) return cudaSuccess;
    if (s.arrays.erase(array) == 0) return cudaErrorInvalidResourceHandle;
    const std::uint64_t address = array->address;
    delete array;
    s.heap.release(address);
    return static_cast<cudaError_t>(s.channel.send(RecordKind::release, ReleaseRecord{address}));
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channel, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return api_call("cudaArrayGetInfo", [&](Session& s) {
    if (s.arrays.count(array) == 0) return cudaErrorInvalidResourceHandle;
    if (channel != nullptr) *channel = array->channel;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channel, cudaArray_const_t array) {
  return api_call("cudaGetChannelDesc", [&](Session& s) {
    if (channel == nullptr) return cudaErrorInvalidValue;
    if (s.arrays.count(const_cast<cudaArray_t>(array)) == 0) return cudaErrorInvalidResourceHandle;
    *channel = array->channel;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpyToArray", nullptr, kCopy, [=](Session& s) { return copy_linear_to_array(s, to, x, y, from, bytes, kind); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return stream_call("cudaMemcpyToArrayAsync", stream, kCopy,
                     [=](Session& s) { return copy_linear_to_array(s, to, x, y, from, bytes, kind); });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind) {
  return stream_call("cudaMemcpyFromArray", nullptr, kCopy, [=](Session& s) {
    if (s.arrays.count(const_cast<cudaArray_t>(from)) == 0) return cudaErrorInvalidResourceHandle;
    return copy_linear(*from, x, y, bytes, [&](std::size_t at, std::size_t row, std::size_t done, std::size_t size) {
      return copy_from_array(s, static_cast<char*>(to) + done, size, from, at, row, size, 1, kind);
    });
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return stream_call("cudaMemcpy2DToArray", nullptr, kCopy,
                     [=](Session& s) { return copy_to_array(s, to, x, y, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return stream_call("cudaMemcpy2DToArrayAsync", stream, kCopy,
                     [=](Session& s) { return copy_to_array(s, to, x, y, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return stream_call("cudaMemcpy2DFromArray", nullptr, kCopy,
                     [=](Session& s) { return copy_from_array(s, to, to_pitch, from, x, y, width, height, kind); });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return stream_call("cudaMemcpy2DFromArrayAsync", stream, kCopy,
                     [=](Session& s) { return copy_from_array(s, to, to_pitch, from, x, y, width, height, kind); });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return stream_call("cudaMemcpy3D", nullptr, kCopy, [=](Session& s) { return copy_3d(s, parameters); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return cudaMemcpy3D(nullptr);
  return stream_call(
      "cudaMemcpy3DAsync", stream, kCopy, [copied = *parameters](Session& s) { return copy_3d(s, &copied); }, *parameters);
}

WHARF_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
WHARF_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
WHARF_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
WHARF_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
WHARF_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
WHARF_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
WHARF_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
WHARF_ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);
WHARF_ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);
}
