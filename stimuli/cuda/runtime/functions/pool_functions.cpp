// Pools of device memory, from which streams allocate (CUDA C++ Programming Guide, section on the stream ordered memory allocator). Commands run
// in the order of submission (CU-16), so memory is there at the call that allocates it, and gone at the call that frees it.

#include <algorithm>
#include <cstring>

#include "stimuli/cuda/runtime/functions/allocate.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

bool is_pool(const Session& s, cudaMemPool_t pool) { return pool == &s.default_pool || s.pools.count(pool) != 0; }

cudaError_t allocate_from(Session& s, cudaMemPool_t pool, void** pointer, std::size_t bytes) {
  if (!is_pool(s, pool)) return cudaErrorInvalidValue;
  if (bytes > pool->limit - pool->used) return cudaErrorMemoryAllocation;
  const cudaError_t error = allocate(s, pointer, bytes, AllocationKind::device);
  if (error != cudaSuccess || *pointer == nullptr) return error;
  s.pool_of[reinterpret_cast<std::uint64_t>(*pointer)] = pool;
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
  pool->most_reserved = std::max(pool->most_reserved, pool->used);
  return cudaSuccess;
}

cudaError_t get_pool(cudaMemPool_t* out, int device, cudaMemPool_t pool) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *out = pool;
  return cudaSuccess;
}

/// Calls body(field) with what holds the attribute. A pool reserves what is in use.
template <class Body>
cudaError_t with_attribute(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, Body body) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return body(pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies]);
    case cudaMemPoolAttrReleaseThreshold:
      return body(pool.release_threshold);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return body(pool.used);
    case cudaMemPoolAttrReservedMemHigh:
      return body(pool.most_reserved);
    case cudaMemPoolAttrUsedMemHigh:
      return body(pool.most_used);
  }
  return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return api_call("cudaMallocAsync", [&](Session& s) {
    refuse_in_capture(s, stream, "cudaMallocAsync", "allocate before the capture begins");
    return allocate_from(s, s.pool, pointer, bytes);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return api_call("cudaMallocFromPoolAsync", [&](Session& s) {
    refuse_in_capture(s, stream, "cudaMallocFromPoolAsync", "allocate before the capture begins");
    return allocate_from(s, pool, pointer, bytes);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api_call("cudaDeviceGetDefaultMemPool", [&](Session& s) { return get_pool(pool, device, &s.default_pool); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api_call("cudaDeviceGetMemPool", [&](Session& s) { return get_pool(pool, device, s.pool); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api_call("cudaDeviceSetMemPool", [&](Session& s) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!is_pool(s, pool)) return cudaErrorInvalidValue;
    s.pool = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_call("cudaMemPoolCreate", [&](Session& s) {
    if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice || properties->handleTypes != cudaMemHandleTypeNone)
      return cudaErrorNotSupported;
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    *pool = new CUmemPoolHandle_st;
    if (properties->maxSize != 0) (*pool)->limit = properties->maxSize;
    s.pools.insert(*pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api_call("cudaMemPoolDestroy", [&](Session& s) {
    if (s.pools.erase(pool) == 0) return cudaErrorInvalidValue;  // nor may the default pool be destroyed
    for (auto pooled = s.pool_of.begin(); pooled != s.pool_of.end();) pooled = pooled->second == pool ? s.pool_of.erase(pooled) : ++pooled;
    if (s.pool == pool) s.pool = &s.default_pool;
    delete pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api_call("cudaMemPoolTrimTo", [&](Session& s) { return is_pool(s, pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call("cudaMemPoolGetAttribute", [&](Session& s) {
    if (!is_pool(s, pool) || value == nullptr) return cudaErrorInvalidValue;
    return with_attribute(*pool, attribute, [&](auto& field) {
      std::memcpy(value, &field, sizeof field);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call("cudaMemPoolSetAttribute", [&](Session& s) {
    if (!is_pool(s, pool) || value == nullptr) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent) return cudaErrorInvalidValue;
    const bool is_high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    return with_attribute(*pool, attribute, [&](auto& field) {
      auto given = field;
      std::memcpy(&given, value, sizeof given);
      if (is_high && given != 0) return cudaErrorInvalidValue;
      field = is_high ? static_cast<decltype(given)>(pool->used) : given;  // the highest from now on
      return cudaSuccess;
    });
  });
}

// The only device may always read and write what a pool holds.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, size_t count) {
  return api_call("cudaMemPoolSetAccess", [&](Session& s) {
    if (!is_pool(s, pool) || (accesses == nullptr && count != 0)) return cudaErrorInvalidValue;
    const auto is_granted = [](const cudaMemAccessDesc& access) {
      return access.location.type == cudaMemLocationTypeDevice && access.location.id == 0 &&
             access.flags == cudaMemAccessFlagsProtReadWrite;
    };
    return std::all_of(accesses, accesses + count, is_granted) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return api_call("cudaMemPoolGetAccess", [&](Session& s) {
    if (!is_pool(s, pool) || flags == nullptr || location == nullptr || location->type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (location->id != 0) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

WHARF_ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);
WHARF_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
}
