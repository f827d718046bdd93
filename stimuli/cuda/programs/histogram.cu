// A histogram of bytes: each CTA counts in shared memory with atomics, then adds its counts to those in global memory.
//
//   wharf cuda histogram.cu               262,144 bytes
//   wharf cuda histogram.cu -- 1000000    another number of bytes
//
// Shows: atomics in shared and in global memory. The values are unevenly distributed, so some counters are contended.

#include "check.h"

constexpr int kBins = 256;

__global__ void count(const unsigned char* values, unsigned* counts, int n) {
  __shared__ unsigned local[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[values[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    if (local[bin] != 0) atomicAdd(&counts[bin], local[bin]);
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 262144);
  Random random;
  std::vector<unsigned char> values(n);
  std::vector<unsigned> expected(kBins);
  for (unsigned char& value : values) {
    value = static_cast<unsigned char>(random.below(16) * random.below(16));
    ++expected[value];
  }
  const DeviceArray<unsigned char> device_values(values);
  DeviceArray<unsigned> device_counts(kBins);
  device_counts.clear();
  count<<<32, 256>>>(device_values.data(), device_counts.data(), n);
  CHECK(cudaGetLastError());
  return verdict("histogram", count_wrong(device_counts.to_host(), expected));
}
