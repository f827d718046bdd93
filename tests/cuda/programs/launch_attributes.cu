// Attributes of streams, launches and kernels, on a device with windows and clusters and on one without. Prints the line of the first
// mistake.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("launch_attributes.cu:%d: %s\n", __LINE__, #condition); \
      return 1;                                                           \
    }                                                                     \
  } while (false)
#define OK(call) EXPECT((call) == cudaSuccess)

// The layouts of CUDA 12, which programs built by nvcc have.
static_assert(sizeof(cudaAccessPolicyWindow) == 32 && offsetof(cudaAccessPolicyWindow, num_bytes) == 8, "");
static_assert(offsetof(cudaAccessPolicyWindow, hitRatio) == 16 && offsetof(cudaAccessPolicyWindow, hitProp) == 20, "");
static_assert(offsetof(cudaAccessPolicyWindow, missProp) == 24, "");
static_assert(sizeof(cudaLaunchAttributeValue) == 64 && alignof(cudaLaunchAttributeValue) == 8, "");
static_assert(sizeof(cudaLaunchAttribute) == 72 && offsetof(cudaLaunchAttribute, val) == 8, "");
static_assert(sizeof(cudaLaunchConfig_t) == 56 && offsetof(cudaLaunchConfig_t, blockDim) == 12, "");
static_assert(offsetof(cudaLaunchConfig_t, dynamicSmemBytes) == 24 && offsetof(cudaLaunchConfig_t, stream) == 32, "");
static_assert(offsetof(cudaLaunchConfig_t, attrs) == 40 && offsetof(cudaLaunchConfig_t, numAttrs) == 48, "");
static_assert(cudaStreamAttributeAccessPolicyWindow == 1 && cudaStreamAttributePriority == 8, "");
static_assert(cudaErrorInvalidClusterSize == 912 && cudaDevAttrClusterLaunch == 120, "");

__global__ void use(double scale, const int* in, char flag) {
  if (in != nullptr) printf("%f %d", scale * *in, flag);
}

cudaLaunchAttributeValue window_of(void* base, size_t bytes, float ratio, cudaAccessProperty hit, cudaAccessProperty miss) {
  cudaLaunchAttributeValue value = {};
  value.accessPolicyWindow = {base, bytes, ratio, hit, miss};
  return value;
}

struct Launch {
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config = {};

  explicit Launch(dim3 grid, cudaStream_t stream = nullptr) {
    config.gridDim = grid;
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = attributes;
  }
  cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
    attributes[config.numAttrs].id = id;
    return attributes[config.numAttrs++].val;
  }
  void add_cluster(unsigned x, unsigned y, unsigned z) {
    cudaLaunchAttributeValue& value = add(cudaLaunchAttributeClusterDimension);
    value.clusterDim.x = x, value.clusterDim.y = y, value.clusterDim.z = z;
  }
  cudaError_t run() { return cudaLaunchKernelEx(&config, use, 1, nullptr, 'x'); }
};

cudaError_t run_in_clusters(dim3 grid, unsigned x, unsigned y = 1, unsigned z = 1) {
  Launch launch(grid);
  launch.add_cluster(x, y, z);
  return launch.run();
}

int windows() {
  cudaDeviceProp device;
  int value;
  OK(cudaGetDeviceProperties(&device, 0));
  EXPECT(device.persistingL2CacheMaxSize == 1 << 20 && device.accessPolicyMaxWindowSize == 8 << 20);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPersistingL2CacheSize, 0));
  EXPECT(value == 1 << 20);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  EXPECT(value == 8 << 20);
  size_t limit;
  OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  EXPECT(limit == 0);
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 2 << 20));
  OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  EXPECT(limit == 1 << 20);
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 4096));

  cudaStream_t stream, other;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  char* base;
  OK(cudaMalloc(&base, 4096));
  const auto set = [&](size_t bytes, float ratio, int hit, int miss) {
    const cudaLaunchAttributeValue window =
        window_of(base, bytes, ratio, static_cast<cudaAccessProperty>(hit), static_cast<cudaAccessProperty>(miss));
    return cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
  };
  EXPECT(set((8 << 20) + 1, 1, 2, 0) == cudaErrorInvalidValue);
  EXPECT(set(4096, -0.1f, 2, 0) == cudaErrorInvalidValue);
  EXPECT(set(4096, 1.1f, 2, 0) == cudaErrorInvalidValue);
  EXPECT(set(4096, 0.0f / 0.0f, 2, 0) == cudaErrorInvalidValue);
  EXPECT(set(4096, 1, 3, 0) == cudaErrorInvalidValue);
  EXPECT(set(4096, 1, 2, cudaAccessPropertyPersisting) == cudaErrorInvalidValue);
  OK(set(4096, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming));
  cudaStreamAttrValue read = {};
  EXPECT(cudaStreamGetAttribute(stream, cudaLaunchAttributeClusterDimension, &read) == cudaErrorInvalidValue);
  EXPECT(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &read) == cudaErrorInvalidValue);
  EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, nullptr) == cudaErrorInvalidValue);
  OK(cudaStreamCopyAttributes(other, stream));
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &read));
  EXPECT(read.accessPolicyWindow.base_ptr == base && read.accessPolicyWindow.num_bytes == 4096);
  EXPECT(read.accessPolicyWindow.hitRatio == 0.5f && read.accessPolicyWindow.missProp == cudaAccessPropertyStreaming);
  read.priority = -1;
  OK(cudaStreamSetAttribute(other, cudaStreamAttributePriority, &read));
  OK(cudaStreamGetPriority(other, &value));
  EXPECT(value == -1);
  OK(cudaStreamGetAttribute(nullptr, cudaStreamAttributeSynchronizationPolicy, &read));
  EXPECT(read.syncPolicy == cudaSyncPolicyAuto);

  OK(Launch(4, other).run());  // launch 0: the window of the stream
  OK(cudaCtxResetPersistingL2Cache());
  Launch own(4, other);  // 1: its own window, and the reset
  own.add(cudaLaunchAttributeAccessPolicyWindow) = window_of(base + 128, 256, 1, cudaAccessPropertyStreaming, cudaAccessPropertyNormal);
  own.add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
  OK(own.run());
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  cudaGetLastError();
  use<<<4, 64>>>(1, nullptr, 'x');  // 2: nothing
  OK(cudaGetLastError());
  OK(cudaStreamDestroy(other));
  EXPECT(cudaStreamSetAttribute(other, cudaStreamAttributePriority, &read) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaStreamCopyAttributes(stream, other) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  return 0;
}

int clusters() {
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  EXPECT(value == 1);
  OK(run_in_clusters(dim3(4, 2, 2), 2, 1, 2));  // 3
  EXPECT(run_in_clusters(6, 4) == cudaErrorInvalidClusterSize);
  EXPECT(run_in_clusters(16, 16) == cudaErrorInvalidClusterSize);
  EXPECT(run_in_clusters(4, 0) == cudaErrorInvalidClusterSize);
  EXPECT(run_in_clusters(4, 1u << 31, 1u << 31, 4) == cudaErrorInvalidClusterSize);
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  OK(run_in_clusters(16, 16));  // 4
  EXPECT(run_in_clusters(dim3(16, 2), 16, 2) == cudaErrorInvalidClusterSize);
  Launch asked(16);
  int count = 0;
  OK(cudaOccupancyMaxPotentialClusterSize(&count, use, &asked.config));
  EXPECT(count == 16);
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  OK(cudaOccupancyMaxPotentialClusterSize(&count, use, &asked.config));
  EXPECT(count == 8);
  EXPECT(cudaOccupancyMaxActiveClusters(&count, use, &asked.config) == cudaErrorInvalidClusterSize);
  asked.add_cluster(8, 1, 1);
  asked.config.dynamicSmemBytes = 48 << 10;  // two CTAs per SM
  OK(cudaOccupancyMaxActiveClusters(&count, use, &asked.config));
  EXPECT(count == 4);  // of the GPC of 16 SMs; the other has 4

  OK(cudaFuncSetAttribute(use, cudaFuncAttributeClusterDimMustBeSet, 1));
  cudaGetLastError();
  use<<<4, 64>>>(1, nullptr, 'x');
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeRequiredClusterWidth, 2));
  use<<<4, 64>>>(1, nullptr, 'x');
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);  // its other sides are 0
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeRequiredClusterHeight, 1));
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeRequiredClusterDepth, 1));
  use<<<4, 64>>>(1, nullptr, 'x');  // 5
  OK(cudaGetLastError());
  EXPECT(run_in_clusters(4, 4) == cudaErrorInvalidClusterSize);
  OK(cudaOccupancyMaxPotentialClusterSize(&count, use, &asked.config));
  EXPECT(count == 2);
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeClusterSchedulingPolicyPreference, cudaClusterSchedulingPolicySpread));
  EXPECT(cudaFuncSetAttribute(use, cudaFuncAttributeClusterSchedulingPolicyPreference, 3) == cudaErrorInvalidValue);

  Launch unknown(4);
  unknown.add(static_cast<cudaLaunchAttributeID>(99));
  EXPECT(unknown.run() == cudaErrorInvalidValue);
  Launch cooperative(4);
  cooperative.add(cudaLaunchAttributeCooperative).cooperative = 1;
  OK(cooperative.run());             // 6
  cooperative.config.gridDim = 642;  // in clusters of two; of CTAs of 64 threads, 4 and 16 SMs hold 640
  EXPECT(cooperative.run() == cudaErrorCooperativeLaunchTooLarge);
  void* arguments[3] = {};
  EXPECT(cudaLaunchCooperativeKernel(use, 642, 64, arguments) == cudaErrorCooperativeLaunchTooLarge);
  OK(cudaDeviceGetAttribute(&count, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(count == 1);
  cooperative.config.attrs = nullptr;
  EXPECT(cooperative.run() == cudaErrorInvalidValue);
  cudaGetLastError();
  return 0;
}

int without() {
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  EXPECT(value == 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  EXPECT(value == 0);
  size_t limit;
  EXPECT(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) == cudaErrorUnsupportedLimit);
  EXPECT(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaErrorUnsupportedLimit);
  cudaLaunchAttributeValue window = window_of(nullptr, 128, 1, cudaAccessPropertyPersisting, cudaAccessPropertyNormal);
  EXPECT(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &window) == cudaErrorInvalidValue);
  window.accessPolicyWindow.num_bytes = 0;
  OK(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &window));
  OK(cudaCtxResetPersistingL2Cache());
  EXPECT(run_in_clusters(4, 2) == cudaErrorNotSupported);
  OK(run_in_clusters(4, 1));
  Launch asked(4);
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&value, use, &asked.config) == cudaErrorNotSupported);
  cudaGetLastError();
  return 0;
}

int main() {
  cudaDeviceProp device;
  OK(cudaGetDeviceProperties(&device, 0));
  return device.persistingL2CacheMaxSize == 0 ? without() : windows() + clusters();
}
