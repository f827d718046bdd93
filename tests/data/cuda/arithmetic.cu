// Independent chains of 32-bit arithmetic, 64 CTAs of 256 threads: the rate at which instructions execute without a machine.
#include <cuda_runtime.h>

__global__ void arithmetic(float* out, int steps) {
  unsigned a = threadIdx.x, b = blockIdx.x;
  float x = a, y = b;
#pragma unroll 8
  for (int i = 0; i < steps; ++i) {
    a = a * 1664525u + 1013904223u;
    b = (b ^ a) + (b >> 3);
    x = x * 0.5f + 1.0f;
    y = y * x + 0.25f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + a + b;
}

int main() {
  float* out;
  if (cudaMalloc(&out, 64 * 256 * sizeof *out) != cudaSuccess) return 1;
  arithmetic<<<64, 256>>>(out, 4096);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
