// Surfaces of all shapes: what kernels write there, the host, textures and other kernels read; outside, each mode does what it says.
// An argument makes the last kernel access outside with the mode that traps.
#include <cstdio>

constexpr int kWidth = 20, kHeight = 6, kDepth = 3;

#define OK(call)                                                                                \
  do {                                                                                          \
    const cudaError_t error = call;                                                             \
    if (error != cudaSuccess) return std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
  } while (false)

__host__ __device__ int number(int x, int y, int z) { return 1 + x + 100 * y + 10000 * z; }

__global__ void write_volume(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf3Dwrite(number(x, y, z), volume, 4 * x, y, z);
  surf2DLayeredwrite(make_float2(number(x, y, z), -1), layers, 8 * x, y, z);
}

/// Counts what differs from what was written, by surface reads of the same and of smaller types, and by texture.
__global__ void check_volume(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, cudaTextureObject_t texture, int* wrong) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, right = number(x, y, z);
  int found;
  surf3Dread(&found, volume, 4 * x, y, z);
  const float2 pair = surf2DLayeredread<float2>(layers, 8 * x, y, z);
  const bool differ = found != right || pair.x != right || pair.y != -1 ||
                      surf3Dread<unsigned char>(volume, 4 * x + 1, y, z) != (right >> 8 & 0xFF) ||
                      tex3D<int>(texture, x + 0.5f, y + 0.5f, z + 0.5f) != right;
  if (differ) atomicAdd(wrong, 1);
}

/// A line of bytes, and one of vectors in layers.
__global__ void lines(cudaSurfaceObject_t line, cudaSurfaceObject_t layers, int* wrong) {
  const int x = threadIdx.x;
  surf1Dwrite<unsigned char>(7 * x, line, x);
  surf1DLayeredwrite(make_float4(-x, 0, 0, 0), layers, 16 * x, 0);
  surf1DLayeredwrite(make_float4(x, 1, 2, 3), layers, 16 * x, 1);
  if (surf1Dread<unsigned char>(line, x) != static_cast<unsigned char>(7 * x)) atomicAdd(wrong, 1);
  if (surf1DLayeredread<float4>(layers, 16 * x, 1).x != x || surf1DLayeredread<float4>(layers, 16 * x, 0).x != -x) atomicAdd(wrong, 1);
}

__global__ void outside(cudaSurfaceObject_t plane, int* wrong) {
  for (int y = 0; y < kHeight; ++y) surf2Dwrite(0, plane, 0, y);
  surf2Dwrite(5, plane, 0, 0);
  surf2Dwrite(6, plane, 4 * (kWidth - 1), kHeight - 1);
  surf2Dwrite(9, plane, 4 * kWidth, 0, cudaBoundaryModeZero);
  surf2Dwrite(9, plane, 0, -1, cudaBoundaryModeZero);
  *wrong += surf2Dread<int>(plane, 4 * kWidth, 0, cudaBoundaryModeZero) != 0;
  *wrong += surf2Dread<int>(plane, -4, 0, cudaBoundaryModeZero) != 0;
  *wrong += surf2Dread<int>(plane, -400, -1, cudaBoundaryModeClamp) != 5;
  *wrong += surf2Dread<int>(plane, 4 * kWidth + 40, kHeight, cudaBoundaryModeClamp) != 6;
  *wrong += surf2Dread<short>(plane, 4 * kWidth, kHeight, cudaBoundaryModeClamp) != 0;  // the upper half of 6
  surf2Dwrite(8, plane, -4, 2, cudaBoundaryModeClamp);
  *wrong += surf2Dread<int>(plane, 0, 2) != 8;
}

__global__ void trap(cudaSurfaceObject_t plane) { surf2Dwrite(1, plane, 4 * kWidth, 1); }

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) std::printf("no surface\n");
  return surface;
}

cudaArray_t array_of(cudaChannelFormatDesc channel, int width, int height, int depth, unsigned flags) {
  cudaArray_t array = nullptr;
  if (cudaMalloc3DArray(&array, &channel, make_cudaExtent(width, height, depth), flags | cudaArraySurfaceLoadStore) != cudaSuccess)
    std::printf("no array\n");
  return array;
}

int main(int count, char**) {
  int* wrong;
  OK(cudaMallocManaged(&wrong, sizeof *wrong));
  const cudaArray_t volume = array_of(cudaCreateChannelDesc<int>(), kWidth, kHeight, kDepth, 0);
  const cudaArray_t layers = array_of(cudaCreateChannelDesc<float2>(), kWidth, kHeight, kDepth, cudaArrayLayered);
  const cudaArray_t line = array_of(cudaCreateChannelDesc<unsigned char>(), kWidth, 0, 0, 0);
  const cudaArray_t lines_of_vectors = array_of(cudaCreateChannelDesc<float4>(), kWidth, 0, 2, cudaArrayLayered);
  const cudaArray_t plane = array_of(cudaCreateChannelDesc<int>(), kWidth, kHeight, 0, 0);
  const cudaSurfaceObject_t of_volume = surface_of(volume), of_layers = surface_of(layers), of_plane = surface_of(plane);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = volume;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  write_volume<<<kDepth, dim3(kWidth, kHeight)>>>(of_volume, of_layers);
  check_volume<<<kDepth, dim3(kWidth, kHeight)>>>(of_volume, of_layers, texture, wrong);
  lines<<<1, kWidth>>>(surface_of(line), surface_of(lines_of_vectors), wrong);
  outside<<<1, 1>>>(of_plane, wrong);
  OK(cudaDeviceSynchronize());
  int rows[kHeight][kWidth];
  OK(cudaMemcpy2DFromArray(rows, sizeof rows[0], plane, 0, 0, sizeof rows[0], kHeight, cudaMemcpyDeviceToHost));
  *wrong += rows[0][0] != 5 || rows[kHeight - 1][kWidth - 1] != 6 || rows[2][0] != 8 || rows[1][0] != 0;

  cudaArray_t plain;
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<int>();
  OK(cudaMallocArray(&plain, &channel, kWidth, kHeight));
  resource.res.array.array = plain;
  cudaSurfaceObject_t refused;
  *wrong += cudaCreateSurfaceObject(&refused, &resource) != cudaErrorInvalidValue;  // without cudaArraySurfaceLoadStore
  *wrong += cudaDestroySurfaceObject(texture) != cudaErrorInvalidResourceHandle;
  OK(cudaDestroySurfaceObject(of_layers));
  cudaGetLastError();
  if (count > 1) {
    trap<<<1, 1>>>(of_plane);
    std::printf("trap: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  }
  std::printf("surfaces: %d wrong\n", *wrong);
  return *wrong;
}
