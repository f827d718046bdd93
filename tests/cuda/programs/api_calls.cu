// Calls each function of tier 1 that needs no kernel's result, and checks what it returns. Prints the line of the first mistake.
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define EXPECT(condition)                                         \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("api_calls.cu:%d: %s\n", __LINE__, #condition); \
      return 1;                                                   \
    }                                                             \
  } while (false)
#define OK(call) EXPECT((call) == cudaSuccess)

__constant__ float coefficients[4];
__device__ int counter = 7;
texture<float, 1> linear_texture;
texture<uchar4, 2, cudaReadModeNormalizedFloat> image_texture;

__global__ void use(const int* in, int* out, int n, char flag, double scale) {
  extern __shared__ int buffer[];
  const int i = threadIdx.x;
  buffer[i] = in[i] + counter;
  __syncthreads();
  out[i] = buffer[n - 1 - i] * static_cast<int>(scale * coefficients[i & 3]) + flag + static_cast<int>(tex1Dfetch(linear_texture, i)) +
           static_cast<int>(tex2D(image_texture, i, 0).x);
}

int memory() {
  void* pointer = nullptr;
  OK(cudaFree(nullptr));
  OK(cudaMalloc(&pointer, 1 << 20));
  EXPECT(reinterpret_cast<unsigned long long>(pointer) % (2 << 20) == 0);
  size_t free_bytes, total_bytes;
  OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(total_bytes - free_bytes == 1 << 20);
  const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPrefetchAsync(pointer, 1 << 20, here, 0));
  OK(cudaMemAdvise(pointer, 1 << 20, cudaMemAdviseSetReadMostly, here));
  EXPECT(cudaMalloc(&pointer, total_bytes) == cudaErrorMemoryAllocation);
  EXPECT(pointer == nullptr);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaFree(&total_bytes) == cudaErrorInvalidValue);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

  int* pinned;
  int* device_view;
  OK(cudaMallocHost(&pinned, 4096));
  pinned[1023] = 5;
  OK(cudaHostGetDevicePointer(&device_view, pinned, 0));
  EXPECT(device_view == pinned);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
  EXPECT(cudaFree(pinned) == cudaErrorInvalidValue);
  OK(cudaFreeHost(pinned));

  char* pitched;
  size_t pitch;
  OK(cudaMallocPitch(&pitched, &pitch, 100, 8));
  EXPECT(pitch == 512);
  std::vector<char> rows(800), back(800);
  for (int i = 0; i < 800; ++i) rows[i] = static_cast<char>(i);
  OK(cudaMemcpy2D(pitched, pitch, rows.data(), 100, 100, 8, cudaMemcpyHostToDevice));
  OK(cudaMemset2D(pitched, pitch, 9, 1, 8));
  OK(cudaMemcpy2D(back.data(), 100, pitched, pitch, 100, 8, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 800; ++i) EXPECT(back[i] == (i % 100 == 0 ? 9 : rows[i]));
  EXPECT(cudaMemcpy(back.data(), pitched, 512 * 8 + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(rows.data(), back.data(), 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(rows.data(), back.data(), 8, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  OK(cudaFree(pitched));
  cudaGetLastError();
  return 0;
}

int symbols() {
  const float values[4] = {1, 2, 3, 4};
  float back[2];
  OK(cudaMemcpyToSymbol(coefficients, values, sizeof values));
  OK(cudaMemcpyFromSymbol(back, coefficients, sizeof back, 2 * sizeof(float)));
  EXPECT(back[0] == 3 && back[1] == 4);
  EXPECT(cudaMemcpyToSymbol(coefficients, values, sizeof values, 4) == cudaErrorInvalidValue);
  int* address;
  size_t bytes;
  OK(cudaGetSymbolAddress(&address, counter));
  OK(cudaGetSymbolSize(&bytes, counter));
  EXPECT(bytes == sizeof counter);
  OK(cudaMemset(address, 1, bytes));
  int value;
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 0x01010101);
  int no_symbol = 0;
  EXPECT(cudaGetSymbolSize(&bytes, no_symbol) == cudaErrorInvalidSymbol);
  cudaGetLastError();
  return 0;
}

int device() {
  int count, value;
  OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  OK(cudaSetDevice(0));
  EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  std::memset(&properties, 0xee, sizeof properties);
  OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(std::strcmp(properties.name, "Wharf test") == 0);
  EXPECT(properties.multiProcessorCount == 12 && properties.warpSize == 32 && properties.ECCEnabled == 0);
  EXPECT(properties.reservedSharedMemPerBlock == 0 && properties.major == 7);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == 12);
  EXPECT(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
  OK(cudaRuntimeGetVersion(&value));
  EXPECT(value == CUDART_VERSION);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  size_t limit;
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 4096);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 512 << 10));
  EXPECT(cudaDeviceSetLimit(cudaLimitStackSize, (512 << 10) + 1) == cudaErrorInvalidValue);
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 512 << 10);
  EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3) == cudaErrorUnsupportedLimit);
  OK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  EXPECT(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 129) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceGetLimit(&limit, (cudaLimit)99) == cudaErrorUnsupportedLimit);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
  cudaGetLastError();
  return 0;
}

int streams() {
  cudaStream_t stream;
  cudaEvent_t start, end;
  float milliseconds;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  EXPECT(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  OK(cudaEventRecord(start, stream));
  OK(cudaStreamWaitEvent(stream, start, 0));
  use<<<1, 32, 128, stream>>>(nullptr, nullptr, 0, 0, 0);
  OK(cudaEventRecord(end, stream));
  OK(cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  EXPECT(milliseconds == 250);
  OK(cudaStreamQuery(stream));
  OK(cudaStreamDestroy(stream));
  EXPECT(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  OK(cudaEventDestroy(start));
  EXPECT(cudaEventRecord(start) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  return 0;
}

int launches() {
  use<<<1, 2048>>>(nullptr, nullptr, 0, 0, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  use<<<0, 32>>>(nullptr, nullptr, 0, 0, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  use<<<1, 32, 50000>>>(nullptr, nullptr, 0, 0, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(use, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  use<<<1, 32, 50000>>>(nullptr, nullptr, 0, 0, 0);
  OK(cudaGetLastError());
  EXPECT(cudaFuncSetAttribute(use, cudaFuncAttributeMaxDynamicSharedMemorySize, 98305) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  int blocks, grid, block;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use, 256, 0));
  EXPECT(blocks == 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use, 256, 32 << 10));
  EXPECT(blocks == 3);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, use));
  EXPECT(block == 1024 && grid == 24);
  int* in;
  OK(cudaMalloc(&in, 4));
  dim3 shape(3, 2, 1);
  use<<<shape, dim3(4, 2, 2), 64>>>(in, in + 1, 0x11223344, 'x', 2.5);
  OK(cudaGetLastError());
  OK(cudaFree(in));
  cudaGetLastError();
  return 0;
}

int textures() {
  float* values;
  OK(cudaMalloc(&values, 1000 * sizeof(float)));
  size_t offset;
  OK(cudaBindTexture(&offset, linear_texture, values + 8, 64));
  EXPECT(offset == 32);
  OK(cudaUnbindTexture(linear_texture));
  cudaArray_t array;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<uchar4>();
  EXPECT(channel.w == 8 && channel.f == cudaChannelFormatKindUnsigned);
  OK(cudaMallocArray(&array, &channel, 5, 3));
  std::vector<uchar4> image(15), back(15);
  for (int i = 0; i < 15; ++i) image[i].x = static_cast<unsigned char>(i);
  OK(cudaMemcpyToArray(array, 0, 0, image.data(), 60, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(back.data(), 20, array, 0, 0, 20, 3, cudaMemcpyDeviceToHost));
  EXPECT(back[14].x == 14 && back[7].x == 7);
  image_texture.filterMode = cudaFilterModeLinear;
  OK(cudaBindTextureToArray(image_texture, array));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  OK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  EXPECT(object == 1);
  OK(cudaDestroyTextureObject(object));
  description.filterMode = cudaFilterModeLinear;
  EXPECT(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaErrorInvalidFilterSetting);
  OK(cudaFreeArray(array));
  OK(cudaBindTexture(nullptr, linear_texture, values, 8000));  // twice what is there
  OK(cudaFree(values));
  cudaGetLastError();
  return 0;
}

int main() {
  OK(cudaProfilerStart());
  const int mistakes = memory() + symbols() + device() + streams() + launches() + textures();
  OK(cudaProfilerStop());
  OK(cudaDeviceSynchronize());
  return mistakes;
}
