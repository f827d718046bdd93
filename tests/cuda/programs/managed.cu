// The host stores to managed memory between launches, and reads what the kernel has written.
#include <cstdio>
__global__ void increment(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++values[i];
}
int main() {
  int* values;
  cudaMallocManaged(&values, 1000 * sizeof(int));
  for (int i = 0; i < 1000; ++i) values[i] = i;
  increment<<<4, 256>>>(values, 1000);
  cudaDeviceSynchronize();
  values[999] = -1;
  increment<<<4, 256>>>(values, 1000);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += values[i] != (i == 999 ? 0 : i + 2);
  cudaFree(values);
  return wrong;
}
