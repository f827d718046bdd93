// The device: properties, attributes, limits, synchronisation.

#include <algorithm>
#include <cstring>

#include "stimuli/cuda/runtime/device_properties.h"
#include "stimuli/cuda/runtime/streams/captures.h"

namespace wharf::cuda::runtime {
namespace {

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

/// Local memory of a thread (CUDA C++ Programming Guide, technical specifications per compute capability: 512 KB on all).
constexpr std::size_t kMostLocalBytes = 512 << 10;
/// By an L2 miss (CUDA Runtime API, cudaLimitMaxL2FetchGranularity: a hint from 0 to 128 bytes).
constexpr std::size_t kMostFetched = 128;

std::size_t default_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return 1 << 20;
    case cudaLimitMallocHeapSize:
      return 8 << 20;
    case cudaLimitDevRuntimeSyncDepth:
      return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitPersistingL2CacheSize:
      return 0;
  }
  return 0;
}

bool has_limit(const Session& s, cudaLimit limit) {
  return limit < cudaLimitPersistingL2CacheSize || (limit == cudaLimitPersistingL2CacheSize && s.channel.device().persisting_l2_bytes != 0);
}

cudaError_t set_limit(Session& s, cudaLimit limit, std::size_t value) {
  switch (limit) {
    case cudaLimitStackSize:
      if (value > kMostLocalBytes) return cudaErrorInvalidValue;
      [[fallthrough]];
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize: {
      const LimitRecord record{static_cast<std::uint32_t>(limit), value};
      const auto error = static_cast<cudaError_t>(s.channel.send(RecordKind::limit, record));
      if (error == cudaSuccess) s.limits[limit] = value;
      return error;
    }
    case cudaLimitMaxL2FetchGranularity:
      if (value > kMostFetched) return cudaErrorInvalidValue;
      s.limits[limit] = value;  // a hint
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      if (!has_limit(s, limit)) return cudaErrorUnsupportedLimit;
      s.limits[limit] = std::min<std::size_t>(value, s.channel.device().persisting_l2_bytes);
      return cudaSuccess;
    default:
      return cudaErrorUnsupportedLimit;
  }
}

cudaError_t get_limit(Session& s, std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (!has_limit(s, limit)) return cudaErrorUnsupportedLimit;
  const auto set = s.limits.find(limit);
  *value = set != s.limits.end() ? set->second : default_limit(limit);
  return cudaSuccess;
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

// Commands are done when their call returns (CU-16).
cudaError_t cudaDeviceSynchronize(void) { return api_call("cudaDeviceSynchronize", wait_for_device); }
cudaError_t cudaThreadSynchronize(void) { return api_call("cudaThreadSynchronize", wait_for_device); }
// Allocations stay: a program that ends loses nothing by it, and one that goes on finds its dangling pointers alive.
cudaError_t cudaDeviceReset(void) {
  return api_call("cudaDeviceReset", [](Session& s) {
    s.last_error = cudaSuccess;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit(void) {
  return api_call("cudaThreadExit", [](Session& s) {
    s.last_error = cudaSuccess;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return api_call("cudaGetDeviceCount", [&](Session&) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* device) {
  return api_call("cudaGetDevice", [&](Session&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return api_call("cudaSetDevice", [&](Session&) { return check_device(device); });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api_call("cudaSetValidDevices", [&](Session&) {
    if (count != 0 && devices == nullptr) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (devices[i] != 0) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned) {
  return api_call("cudaSetDeviceFlags", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api_call("cudaGetDeviceFlags", [&](Session&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call("cudaDeviceGetAttribute", [&](Session& s) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return attribute_of(s.channel.device(), attribute, *value) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_call("cudaGetDeviceProperties", [&](Session& s) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    write_properties(s.channel.device(), properties);
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties_v2(void* properties, int device) {
  return api_call("cudaGetDeviceProperties_v2", [&](Session& s) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    write_properties_v2(s.channel.device(), properties);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api_call("cudaDeviceSetLimit", [&](Session& s) { return set_limit(s, limit, value); });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return api_call("cudaThreadSetLimit", [&](Session& s) { return set_limit(s, limit, value); });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api_call("cudaDeviceGetLimit", [&](Session& s) { return get_limit(s, value, limit); });
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return api_call("cudaThreadGetLimit", [&](Session& s) { return get_limit(s, value, limit); });
}

// Takes effect when the next kernel starts, because no line is used before.
cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return api_call("cudaCtxResetPersistingL2Cache", [](Session& s) {
    s.resets_persisting = s.channel.device().persisting_l2_bytes != 0;
    return cudaSuccess;
  });
}

// Hints about L1 and banks: the machine's configuration decides.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return api_call("cudaDeviceSetCacheConfig", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) {
  return api_call("cudaThreadSetCacheConfig", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api_call("cudaDeviceGetCacheConfig", [&](Session&) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return api_call("cudaDeviceSetSharedMemConfig", [](Session&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api_call("cudaDeviceGetSharedMemConfig", [&](Session&) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api_call("cudaDeviceGetStreamPriorityRange", [&](Session&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return api_call("cudaDeviceGetPCIBusId", [&](Session&) {
    constexpr char kId[] = "0000:00:00.0";
    if (id == nullptr || length < static_cast<int>(sizeof kId)) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::memcpy(id, kId, sizeof kId);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* possible, int device, int peer) {
  return api_call("cudaDeviceCanAccessPeer", [&](Session&) {
    if (possible == nullptr) return cudaErrorInvalidValue;
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    *possible = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return api_call("cudaDeviceEnablePeerAccess", [](Session&) { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return api_call("cudaDeviceDisablePeerAccess", [](Session&) { return cudaErrorPeerAccessNotEnabled; });
}

// The version of the headers that the program was built with decides which library it loads, and that knows its version.
cudaError_t cudaRuntimeGetVersion(int* version) {
  return api_call("cudaRuntimeGetVersion", [&](Session&) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = kRuntimeVersion;
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return api_call("cudaDriverGetVersion", [&](Session&) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = kRuntimeVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaProfilerStart(void) {
  return api_call("cudaProfilerStart",
                  [](Session& s) { return static_cast<cudaError_t>(s.channel.send(RecordKind::region, RegionRecord{true})); });
}
cudaError_t cudaProfilerStop(void) {
  return api_call("cudaProfilerStop",
                  [](Session& s) { return static_cast<cudaError_t>(s.channel.send(RecordKind::region, RegionRecord{false})); });
}

WHARF_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);
}
