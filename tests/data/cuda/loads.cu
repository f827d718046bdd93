// Each warp reads whole lines, one after the other: the rate at which coalesced loads execute without a machine.
#include <cuda_runtime.h>

__global__ void loads(const unsigned* in, unsigned* out, int rows, int elements) {
  unsigned sum = 0;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 16
  for (int i = 0; i < rows; ++i) sum += in[i * elements + thread];
  out[thread] = sum;
}

int main() {
  constexpr int kRows = 512, kElements = 64 * 256;
  unsigned *in, *out;
  if (cudaMalloc(&in, sizeof *in * kRows * kElements) != cudaSuccess || cudaMalloc(&out, sizeof *out * kElements) != cudaSuccess) return 1;
  for (int i = 0; i < 8; ++i) loads<<<64, 256>>>(in, out, kRows, kElements);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
