#include "stimuli/cuda/runtime/device_properties.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "stimuli/cuda/runtime/property_layouts.h"

namespace wharf::cuda::runtime {
namespace {

// Limits that are the same for all GPUs of compute capability 7.0 and that no configuration changes.
constexpr int kLongestGridX = 0x7fffffff, kLongestGridYZ = 65535;
constexpr int kTexture1D = 131072, kTexture1DLinear = 1 << 27, kTexture2D = 65536, kTexture3D = 16384, kLayers = 2048;
constexpr int kTextureAlignment = 512, kTexturePitchAlignment = 32, kConstantBytes = 65536;

constexpr cudaDeviceAttr kAbsent[] = {cudaDevAttrKernelExecTimeout,
                                      cudaDevAttrIntegrated,
                                      cudaDevAttrComputeMode,
                                      cudaDevAttrConcurrentKernels,
                                      cudaDevAttrEccEnabled,
                                      cudaDevAttrPciBusId,
                                      cudaDevAttrPciDeviceId,
                                      cudaDevAttrTccDriver,
                                      cudaDevAttrPciDomainId,
                                      cudaDevAttrStreamPrioritiesSupported,
                                      cudaDevAttrIsMultiGpuBoard,
                                      cudaDevAttrMultiGpuBoardGroupID,
                                      cudaDevAttrHostNativeAtomicSupported,
                                      cudaDevAttrPageableMemoryAccess,
                                      cudaDevAttrConcurrentManagedAccess,
                                      cudaDevAttrComputePreemptionSupported,
                                      cudaDevAttrCanUseHostPointerForRegisteredMem,
                                      cudaDevAttrCooperativeMultiDeviceLaunch,
                                      cudaDevAttrCanFlushRemoteWrites,
                                      cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                                      cudaDevAttrDirectManagedMemAccessFromHost};

int as_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, 0x7fffffff)); }

int has_clusters(const DeviceDescription& device) { return device.gpc_sms.empty() ? 0 : 1; }

template <std::size_t count>
void set(int (&values)[count], std::initializer_list<int> list) {
  std::copy(list.begin(), list.end(), values);
}

/// What all layouts have.
template <class Properties>
void fill_common(const DeviceDescription& device, Properties& p) {
  p.totalGlobalMem = device.memory_bytes;
  p.sharedMemPerBlock = device.shared_bytes_per_cta;
  p.regsPerBlock = as_int(device.registers_per_cta);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = as_int(device.threads_per_cta);
  set(p.maxThreadsDim, {1024, 1024, 64});
  set(p.maxGridSize, {kLongestGridX, kLongestGridYZ, kLongestGridYZ});
  p.totalConstMem = kConstantBytes;
  p.major = as_int(device.compute_major);
  p.minor = as_int(device.compute_minor);
  p.textureAlignment = kTextureAlignment;
  p.texturePitchAlignment = kTexturePitchAlignment;
  p.multiProcessorCount = as_int(device.sms);
  p.canMapHostMemory = 1;
  p.maxTexture1D = kTexture1D;
  p.maxTexture1DMipmap = kTexture3D;
  set(p.maxTexture2D, {kTexture1D, kTexture2D});
  set(p.maxTexture2DMipmap, {kTexture2D, kTexture2D});
  set(p.maxTexture2DLinear, {kTexture1D, kTexture2D, 0x1fffe0});
  set(p.maxTexture2DGather, {kTexture2D, kTexture2D});
  set(p.maxTexture3D, {kTexture3D, kTexture3D, kTexture3D});
  set(p.maxTexture3DAlt, {kTexture3D / 2, kTexture3D / 2, kTexture3D * 2});
  p.maxTextureCubemap = kTexture2D;
  set(p.maxTexture1DLayered, {kTexture2D, kLayers});
  set(p.maxTexture2DLayered, {kTexture2D, kTexture2D, kLayers});
  set(p.maxTextureCubemapLayered, {kTexture2D, kLayers - 2});
  p.surfaceAlignment = kTextureAlignment;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = as_int(device.memory_bus_bits);
  p.l2CacheSize = as_int(device.l2_bytes);
  p.maxThreadsPerMultiProcessor = as_int(device.threads_per_sm);
  p.streamPrioritiesSupported = 0;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = device.shared_bytes_per_sm;
  p.regsPerMultiprocessor = as_int(device.registers_per_sm);
  p.managedMemory = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = device.shared_bytes_per_cta_optin;
}

/// What the layouts up to CUDA 12 have.
template <class Properties>
void fill_clocks(const DeviceDescription& device, Properties& p) {
  p.clockRate = as_int(device.clock_khz);
  p.deviceOverlap = 1;
  p.maxTexture1DLinear = kTexture1DLinear;
  p.memoryClockRate = as_int(device.memory_clock_khz);
  p.singleToDoublePrecisionPerfRatio = 2;
}

/// What the layouts since CUDA 11 begin and end with.
template <class Properties>
void fill_identity(const DeviceDescription& device, Properties& p) {
  std::strncpy(p.name, device.name.c_str(), sizeof p.name - 1);
  std::memcpy(p.uuid.bytes, "wharf-simulated", sizeof p.uuid.bytes);
  p.maxBlocksPerMultiProcessor = as_int(device.ctas_per_sm);
  p.persistingL2CacheMaxSize = as_int(device.persisting_l2_bytes);
  p.accessPolicyMaxWindowSize = as_int(device.largest_window_bytes);
  p.reservedSharedMemPerBlock = device.shared_bytes_reserved;
}

/// What the layouts since CUDA 12 have.
template <class Properties>
void fill_features(const DeviceDescription& device, Properties& p) {
  p.memoryPoolsSupported = p.hostRegisterSupported = p.hostRegisterReadOnlySupported = 1;
  p.clusterLaunch = has_clusters(device);
}

void fill_11(const DeviceDescription& device, cudaDeviceProp& p) {
  fill_identity(device, p);
  fill_common(device, p);
  fill_clocks(device, p);
}

}  // namespace

void write_properties(const DeviceDescription& device, void* properties) {
  if (kRuntimeVersion >= 13000) {
    PropertiesOf13 filled = {};
    fill_identity(device, filled);
    fill_common(device, filled);
    fill_features(device, filled);
    std::memcpy(properties, &filled, sizeof filled);
    return;
  }
  cudaDeviceProp filled = {};
  fill_11(device, filled);
  if (kRuntimeVersion >= 11000) {
    std::memcpy(properties, &filled, sizeof filled);
    return;
  }
  PropertiesOf10 rest = {};
  fill_common(device, rest);
  fill_clocks(device, rest);
  const std::size_t identity = kRuntimeVersion >= 10000 ? offsetof(cudaDeviceProp, totalGlobalMem) : sizeof filled.name;
  std::memcpy(properties, &filled, identity);
  std::memcpy(static_cast<char*>(properties) + identity, &rest, sizeof rest);
}

void write_properties_v2(const DeviceDescription& device, void* properties) {
  PropertiesOf12 filled = {};
  fill_11(device, filled);
  fill_features(device, filled);
  std::memcpy(properties, &filled, sizeof filled);
}

bool attribute_of(const DeviceDescription& device, cudaDeviceAttr attribute, int& value) {
  cudaDeviceProp p = {};
  fill_11(device, p);
  const std::pair<cudaDeviceAttr, int> known[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, as_int(p.sharedMemPerBlock)},
      {cudaDevAttrTotalConstantMemory, kConstantBytes},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxPitch, as_int(p.memPitch)},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrTextureAlignment, kTextureAlignment},
      {cudaDevAttrGpuOverlap, p.deviceOverlap},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrSurfaceAlignment, kTextureAlignment},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrTexturePitchAlignment, kTexturePitchAlignment},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrGlobalL1CacheSupported, 1},
      {cudaDevAttrLocalL1CacheSupported, 1},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, as_int(p.sharedMemPerMultiprocessor)},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, as_int(p.sharedMemPerBlockOptin)},
      {cudaDevAttrReservedSharedMemoryPerBlock, as_int(device.shared_bytes_reserved)},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
      {cudaDevAttrMemoryPoolsSupported, 1},
      {cudaDevAttrClusterLaunch, has_clusters(device)},
      {cudaDevAttrCooperativeLaunch, 1},
  };
  for (const auto& [name, number] : known) {
    if (name != attribute) continue;
    value = number;
    return true;
  }
  // Features that a simulated device lacks.
  value = 0;
  return std::find(std::begin(kAbsent), std::end(kAbsent), attribute) != std::end(kAbsent);
}

}  // namespace wharf::cuda::runtime
