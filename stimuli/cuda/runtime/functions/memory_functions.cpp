// Allocation: cudaMalloc and its kin.

#include <iterator>

#include "stimuli/cuda/runtime/functions/allocate.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {

cudaError_t allocate(Session& s, void** pointer, std::size_t bytes, AllocationKind kind) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const Allocation* allocation = allocate_memory(s, bytes, kind);
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  const AllocateRecord record{allocation->number, allocation->address, allocation->bytes, kind};
  const auto error = static_cast<cudaError_t>(s.channel.send(RecordKind::allocate, record));
  if (error != cudaSuccess) return error;
  if (kind == AllocationKind::pinned || kind == AllocationKind::managed) s.channel.allow_host_access(record.address, record.bytes, true);
  *pointer = reinterpret_cast<void*>(record.address);
  return cudaSuccess;
}

namespace {

constexpr std::size_t kPitchAlignment = 512;

cudaError_t release(Session& s, void* pointer, bool host_function) {
  if (pointer == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* allocation = s.heap.find(address);
  if (allocation == nullptr || allocation->address != address || allocation->kind == AllocationKind::array) return cudaErrorInvalidValue;
  if (s.registered.find_copy(address) != nullptr) return cudaErrorInvalidValue;
  if ((allocation->kind == AllocationKind::pinned) != host_function) return cudaErrorInvalidValue;
  if (allocation->kind != AllocationKind::device) s.channel.allow_host_access(address, allocation->bytes, false);
  if (const auto pooled = s.pool_of.find(address); pooled != s.pool_of.end()) {
    pooled->second->used -= allocation->bytes;
    s.pool_of.erase(pooled);
  }
  s.heap.release(address);
  return static_cast<cudaError_t>(s.channel.send(RecordKind::release, ReleaseRecord{address}));
}

/// The region that holds `pointer`, an address of the host or of the device.
const RegisteredMemory::Region* registered_at(const Session& s, const void* pointer) {
  const RegisteredMemory::Region* region = s.registered.find(pointer);
  return region != nullptr ? region : s.registered.find_copy(reinterpret_cast<std::uint64_t>(pointer));
}

cudaError_t register_memory(Session& s, void* host, std::size_t bytes, unsigned flags) {
  constexpr unsigned kFlags = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  if (host == nullptr || bytes == 0 || (flags & ~kFlags) != 0) return cudaErrorInvalidValue;
  const auto address = reinterpret_cast<std::uint64_t>(host);
  const bool is_device = address >= kMemoryBase && address < kMemoryBase + kMemorySpan;
  if (is_device || s.registered.find(host, bytes) != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
  if (!is_mapped(host, bytes)) return cudaErrorInvalidValue;
  void* copy = nullptr;
  if (const cudaError_t error = allocate(s, &copy, bytes, AllocationKind::pinned); error != cudaSuccess) return error;
  s.registered.add({static_cast<char*>(host), bytes, reinterpret_cast<std::uint64_t>(copy), flags});
  return cudaSuccess;
}

cudaError_t unregister_memory(Session& s, void* host) {
  const RegisteredMemory::Region* region = s.registered.find(host);
  if (region == nullptr || region->host != host) return cudaErrorHostMemoryNotRegistered;
  const std::uint64_t copy = region->copy;
  s.registered.remove(*region);
  return release(s, reinterpret_cast<void*>(copy), true);
}

bool is_in_managed_variable(const Session& s, const void* pointer) {
  const auto after = s.variables.upper_bound(pointer);
  if (after == s.variables.begin()) return false;
  const Variable& variable = std::prev(after)->second;
  return variable.managed && reinterpret_cast<std::uint64_t>(pointer) - variable.place.address < variable.place.bytes;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return uncaptured_call("cudaMalloc", [&](Session& s) { return allocate(s, pointer, bytes, AllocationKind::device); });
}

cudaError_t cudaFree(void* pointer) {
  return uncaptured_call("cudaFree", [&](Session& s) { return release(s, pointer, false); });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return uncaptured_call("cudaMallocHost", [&](Session& s) { return allocate(s, pointer, bytes, AllocationKind::pinned); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return uncaptured_call("cudaHostAlloc", [&](Session& s) { return allocate(s, pointer, bytes, AllocationKind::pinned); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return uncaptured_call("cudaFreeHost", [&](Session& s) { return release(s, pointer, true); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return uncaptured_call("cudaMallocManaged", [&](Session& s) {
    if (bytes == 0) return cudaErrorInvalidValue;
    return allocate(s, pointer, bytes, AllocationKind::managed);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return uncaptured_call("cudaMallocPitch", [&](Session& s) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    if (height != 0 && *pitch > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    return allocate(s, pointer, *pitch * height, AllocationKind::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return uncaptured_call("cudaMalloc3D", [&](Session& s) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const std::size_t pitch = (extent.width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    std::size_t bytes;
    if (__builtin_mul_overflow(pitch, extent.height, &bytes) || __builtin_mul_overflow(bytes, extent.depth, &bytes))
      return cudaErrorMemoryAllocation;
    *pointer = make_cudaPitchedPtr(nullptr, pitch, extent.width, extent.height);
    return allocate(s, &pointer->ptr, bytes, AllocationKind::device);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api_call("cudaFreeAsync", [&](Session& s) {
    refuse_in_capture(s, stream, "cudaFreeAsync", "free the memory after the last launch of the graph");
    return release(s, pointer, false);
  });
}

cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned flags) {
  return uncaptured_call("cudaHostRegister", [&](Session& s) { return register_memory(s, host, bytes, flags); });
}

cudaError_t cudaHostUnregister(void* host) {
  return uncaptured_call("cudaHostUnregister", [&](Session& s) { return unregister_memory(s, host); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api_call("cudaHostGetDevicePointer", [&](Session& s) {
    if (const RegisteredMemory::Region* region = s.registered.find(host); region != nullptr && device != nullptr && flags == 0) {
      *device = reinterpret_cast<void*>(region->copy + static_cast<std::uint64_t>(static_cast<char*>(host) - region->host));
      return cudaSuccess;
    }
    const Allocation* allocation = s.heap.find(reinterpret_cast<std::uint64_t>(host));
    if (device == nullptr || flags != 0 || allocation == nullptr || allocation->kind != AllocationKind::pinned)
      return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api_call("cudaHostGetFlags", [&](Session& s) {
    if (const RegisteredMemory::Region* region = s.registered.find(host); region != nullptr && flags != nullptr) {
      *flags = region->flags | cudaHostRegisterMapped;
      return cudaSuccess;
    }
    const Allocation* allocation = s.heap.find(reinterpret_cast<std::uint64_t>(host));
    if (flags == nullptr || allocation == nullptr || allocation->kind != AllocationKind::pinned) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api_call("cudaMemGetInfo", [&](Session& s) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    *free_bytes = s.heap.capacity() - s.heap.used();
    *total_bytes = s.heap.capacity();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call("cudaPointerGetAttributes", [&](Session& s) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, const_cast<void*>(pointer)};
    if (const RegisteredMemory::Region* region = registered_at(s, pointer)) {
      const bool is_host = s.registered.find(pointer) == region;
      const auto address = reinterpret_cast<std::uint64_t>(pointer);
      const std::uint64_t offset = address - (is_host ? reinterpret_cast<std::uint64_t>(region->host) : region->copy);
      *attributes = {cudaMemoryTypeHost, 0, reinterpret_cast<void*>(region->copy + offset), region->host + offset};
      return cudaSuccess;
    }
    const Allocation* allocation = s.heap.find(reinterpret_cast<std::uint64_t>(pointer));
    const bool is_managed_variable = is_in_managed_variable(s, pointer);
    if (allocation == nullptr && !is_managed_variable) return cudaSuccess;
    attributes->device = 0;
    attributes->devicePointer = const_cast<void*>(pointer);
    switch (is_managed_variable ? AllocationKind::managed : allocation->kind) {
      case AllocationKind::device:
      case AllocationKind::array:
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = nullptr;
        break;
      case AllocationKind::pinned:
        attributes->type = cudaMemoryTypeHost;
        break;
      case AllocationKind::managed:
        attributes->type = cudaMemoryTypeManaged;
        break;
    }
    return cudaSuccess;
  });
}

// Advice about where managed memory lies has no effect: it lies on the device while kernels run (CU-29).
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) {
  return api_call("cudaMemPrefetchAsync", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return api_call("cudaMemAdvise", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) {
  return api_call("cudaStreamAttachMemAsync", [](Session&) { return cudaSuccess; });
}

WHARF_ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);
WHARF_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
WHARF_ALIAS(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync);
WHARF_ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync);
WHARF_ALIAS(cudaMemAdvise_v2, cudaMemAdvise);
WHARF_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);
}
