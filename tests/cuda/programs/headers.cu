// clang-format off
// nvcc's own first header brings the integers of fixed size.
typedef uintptr_t AddressOfNvcc;
// Compiles only where the headers avoid the traps of CU-10. Headers of C++ come first, and every old name is included.
#include <new>
#include <algorithm>
#include <vector>

#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_occupancy.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_30_intrinsics.h>
#include <sm_35_intrinsics.h>
#include <texture_fetch_functions.h>
#include <vector_functions.h>
#include <vector_types.h>
// clang-format on

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__) || \
    !defined(__HOST_DEFINES_H__) || !defined(__cuda_cuda_h__) || !defined(__CUDACC__)
#error "a guard that programs' helper headers test is missing"
#endif

static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16 && alignof(uchar4) == 4 && alignof(short3) == 2,
              "layouts");
static_assert(sizeof(cudaDeviceProp) == 728, "the layout of CUDA 11");
static_assert(cudaErrorAlreadyMapped == 208 && cudaErrorDeviceAlreadyInUse == 216 && cudaErrorIllegalAddress == 700 &&
                  cudaMemcpyDefault == 4,
              "numbers of the API");

__noinline__ __device__ int not_inlined(int x) { return x + 1; }
__forceinline__ __device__ int inlined(int x) { return x + 2; }

template <class T>
__host__ __device__ T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

texture<float4, 1> vectors;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
texture<int, 3, cudaReadModeElementType> volume;

__launch_bounds__(256, 2) __global__ void all_of_it(float* out, const int* in, cudaTextureObject_t object) {
  __shared__ int shared[4];
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  int* heap = static_cast<int*>(malloc(16));
  assert(in[1] > 0);
  printf("%d %f\n", in[0], 1.5);
  free(heap);
  shared[thread.x & 3] = __ldg(in) + not_inlined(1) + inlined(2) + static_cast<int>(block.x);
  __syncthreads();
  __threadfence_block();
  out[0] = clamp(1.5f, 0.0f, 1.0f) + clamp(3u, 1u, 2u) + min(1, 2u) + max(1.0, 2.0f) + std::max(1, 2) + std::abs(-1.5f);
  out[1] = tex1Dfetch(vectors, 1).w + tex2D(image, 0.5f, 0.5f) + tex3D(volume, 0, 0, 0) + tex2D<float4>(object, 0, 0).x +
           tex1Dfetch<int>(object, 3);
  out[2] = __int_as_float(atomicCAS(shared, 1, 2)) + atomicAdd(out, 1.0f) + static_cast<float>(atomicMax(shared, 7)) +
           __shfl_sync(~0u, out[0], 3);
  out[3] = rsqrtf(out[0]) + __expf(out[1]) + __fdividef(out[0], out[1]) + powf(out[0], 2) + static_cast<float>(normcdf(0.5)) + CUDART_PI_F;
  out[4] = static_cast<float>(__dp4a(1, 2, 3) + __funnelshift_l(1, 2, 3) + __byte_perm(1, 2, 3) + __mul24(3, 4) + __umulhi(5, 6) +
                              __sad(1, 2, 3u));
  out[5] = static_cast<float>(clock64()) + __ballot_sync(~0u, 1) + __activemask() + static_cast<float>(__isGlobal(out)) + __ldcg(out);
  double sum = 0.25;
  atomicAdd(reinterpret_cast<double*>(out + 8), sum);
  new (out + 16) float(1.0f);
}

#if !defined(__CUDA_ARCH__)
// The host's pass reads launches from kernels in headers of libraries.
__device__ cudaError_t launch_from_kernel(void* kernel, cudaStream_t stream) {
  return cudaLaunchDevice(kernel, cudaGetParameterBuffer(64, 8), dim3(1), dim3(32), 0, stream);
}
#endif

int main() {
  const float host = clamp(2.0f, 0.0f, 1.0f) + rsqrtf(4.0f) + static_cast<float>(max(2u, 3)) + make_float4(1, 2, 3, 4).w;
  std::vector<int> values = {3, 1, 2};
  std::sort(values.begin(), values.end());
  return host == 8.5f && values[0] == 1 ? 0 : 1;
}
