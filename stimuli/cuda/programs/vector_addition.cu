// Vector addition: the smallest whole CUDA program. Each thread adds one pair of elements; the last CTA is only partly full.
//
//   wharf cuda vector_addition.cu                 100,000 elements
//   wharf cuda vector_addition.cu -- 1000000      another number of elements
//
// Shows: cudaMalloc, cudaMemcpy, a launch, and streaming accesses without reuse.

#include "check.h"

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 100000);
  std::vector<float> a(n), b(n), expected(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * (i % 1000);
    b[i] = 3.0f * (i % 77);
    expected[i] = a[i] + b[i];
  }
  const DeviceArray<float> device_a(a), device_b(b), device_sum(n);
  const int block = 256;
  add<<<(n + block - 1) / block, block>>>(device_a.data(), device_b.data(), device_sum.data(), n);
  CHECK(cudaGetLastError());
  return verdict("vector addition", count_wrong(device_sum.to_host(), expected));
}
