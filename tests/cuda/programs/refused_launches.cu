// Launches that the device refuses, each for another reason. Prints the line of the first mistake.
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(condition)                                                \
  do {                                                                   \
    if (!(condition)) {                                                  \
      std::printf("refused_launches.cu:%d: %s\n", __LINE__, #condition); \
      return 1;                                                          \
    }                                                                    \
  } while (false)

__global__ void k() {}

cudaError_t run(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  k<<<grid, block, shared_bytes, stream>>>();
  return cudaGetLastError();
}

cudaError_t run_with(cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = 32;
  config.attrs = &attribute, config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, k);
}

int main() {
  void* none[] = {nullptr};
  EXPECT(run(dim3(1, 70000), 32) == cudaErrorInvalidConfiguration);
  EXPECT(run(0, 32) == cudaErrorInvalidConfiguration);
  EXPECT(run(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
  EXPECT(run(1, dim3(32, 64)) == cudaErrorInvalidConfiguration);
  EXPECT(run(1, 32, 64 << 10) == cudaErrorInvalidValue);
  EXPECT(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) == cudaSuccess);
  EXPECT(run(1, 32, 64 << 10) == cudaSuccess);
  EXPECT(run(1, 32, (64 << 10) + 1) == cudaErrorInvalidValue);
  EXPECT(run(1, 1024) == cudaErrorLaunchOutOfResources);
  EXPECT(cudaLaunchCooperativeKernel(k, 80, 256, none) == cudaSuccess);
  EXPECT(cudaLaunchCooperativeKernel(k, 81, 256, none) == cudaErrorCooperativeLaunchTooLarge);
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
  EXPECT(run(1, 32, 0, stream) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaLaunchKernel(nullptr, 1, 32, none, 0, nullptr) == cudaErrorInvalidDeviceFunction);
  cudaLaunchAttribute attribute = {};
  attribute.id = static_cast<cudaLaunchAttributeID>(99);
  EXPECT(run_with(attribute) == cudaErrorInvalidValue);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
  EXPECT(run_with(attribute) == cudaErrorNotSupported);
  void (*function)() = k;
  function();
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  return 0;
}
