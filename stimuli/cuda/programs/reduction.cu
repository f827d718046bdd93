// The sum of an array: each warp reduces with shuffles, each CTA with one word of shared memory per warp, and a second launch adds the sums
// of the CTAs.
//
//   wharf cuda reduction.cu                1,000,000 elements
//   wharf cuda reduction.cu -- 5000000     another number of elements
//
// Shows: __shfl_down_sync, a template kernel, and two launches that depend on each other.

#include "check.h"

template <class T>
__device__ T sum_of_warp(T value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

template <class T>
__global__ void sum(const T* values, T* sums, int n) {
  __shared__ T of_warp[32];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += values[i];
  mine = sum_of_warp(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : T(0);
  mine = sum_of_warp(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

template <class T>
int run(const std::vector<T>& values, T expected) {
  const int n = static_cast<int>(values.size()), ctas = 64;
  const DeviceArray<T> device_values(values), device_sums(ctas), device_sum(1);
  sum<<<ctas, 256>>>(device_values.data(), device_sums.data(), n);
  sum<<<1, ctas>>>(device_sums.data(), device_sum.data(), ctas);
  CHECK(cudaGetLastError());
  return count_wrong(device_sum.to_host(), std::vector<T>{expected});
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 1000000);
  Random random;
  std::vector<int> integers(n);
  std::vector<double> doubles(n);
  int integer_sum = 0;
  double double_sum = 0;
  for (int i = 0; i < n; ++i) {
    integers[i] = static_cast<int>(random.below(1000)) - 500;
    doubles[i] = integers[i] * 0.125;  // exact in any order
    integer_sum += integers[i];
    double_sum += doubles[i];
  }
  return verdict("reduction", run(integers, integer_sum) + run(doubles, double_sum));
}
