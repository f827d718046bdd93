// Vector addition: the smallest whole CUDA program. Each thread adds one pair of elements; the last CTA is only partly full.
//
//   wharf cuda vector_addition.cu                 100,000 elements
//   wharf cuda vector_addition.cu -- 1000000      another number of elements
//
// Shows: cudaMalloc, cudaMemcpy, a launch, and streaming accesses without reuse. Prints PASS where every sum is right.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                        \
  do {                                                                                                     \
    const cudaError_t error = (call);                                                                      \
    if (error != cudaSuccess) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));       \
      std::exit(1);                                                                                        \
    }                                                                                                      \
  } while (false)

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100000;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * (i % 1000);
    b[i] = 3.0f * (i % 77);
  }

  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_sum, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));
  const int block = 256;
  add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_sum, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += sum[i] != a[i] + b[i];
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  std::printf("vector addition of %d elements: %s\n", n, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
