// The inclusive prefix sums of an array, in three launches: each CTA scans its part, one CTA scans the parts' totals, and every CTA adds
// the total before its part.
//
//   wharf cuda scan.cu               100,000 elements
//   wharf cuda scan.cu -- 200000     another number of elements, at most 262,144
//
// Shows: __shfl_up_sync, barriers between phases, dynamic shared memory, and __device__ functions.

#include "check.h"

constexpr int kBlock = 512;

__device__ int scan_warp(int value, int lane) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += left;
  }
  return value;
}

__device__ int scan_cta(int value, int* totals) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = scan_warp(value, lane);
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) totals[lane] = scan_warp(lane < static_cast<int>(blockDim.x) / 32 ? totals[lane] : 0, lane);
  __syncthreads();
  return warp > 0 ? value + totals[warp - 1] : value;
}

__global__ void scan_parts(const int* values, int* sums, int* totals, int n) {
  extern __shared__ int of_warp[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = scan_cta(i < n ? values[i] : 0, of_warp);
  if (i < n) sums[i] = sum;
  if (totals != nullptr && threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = sum;
}

__global__ void add_totals(int* sums, const int* totals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) sums[i] += totals[blockIdx.x - 1];
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 100000);
  const int ctas = (n + kBlock - 1) / kBlock;
  if (n <= 0 || ctas > kBlock) {
    std::fprintf(stderr, "between 1 and %d elements are possible\n", kBlock * kBlock);
    return 2;
  }
  Random random;
  std::vector<int> values(n), expected(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<int>(random.below(100));
    expected[i] = sum += values[i];
  }
  const DeviceArray<int> device_values(values), device_sums(n), device_totals(ctas);
  const std::size_t shared_bytes = 32 * sizeof(int);
  scan_parts<<<ctas, kBlock, shared_bytes>>>(device_values.data(), device_sums.data(), device_totals.data(), n);
  scan_parts<<<1, kBlock, shared_bytes>>>(device_totals.data(), device_totals.data(), nullptr, ctas);
  add_totals<<<ctas, kBlock>>>(device_sums.data(), device_totals.data(), n);
  CHECK(cudaGetLastError());
  return verdict("scan", count_wrong(device_sums.to_host(), expected));
}
