// Lookups in a table while an array streams past it. An access-policy window, or the properties of pointers, let L2 keep the table; without
// them the stream evicts it.
//
//   wharf cuda persisting_window.cu --set l2.hints=true --set l2.persisting_fraction=0.5    a table of half the L2, a stream of four
//   wharf cuda persisting_window.cu --set l2.hints=true ... -- 512 4096 0                   other KiB, and 0 % of the set-aside
//   wharf cuda persisting_window.cu --set l2.hints=true ... -- 512 4096 100 1              pointers with properties instead of a window
//
// Shows: cuda::annotated_ptr, cudaLimitPersistingL2CacheSize, cudaStreamSetAttribute, cudaLaunchKernelEx, cudaCtxResetPersistingL2Cache.

#include <cuda/annotated_ptr>

#include "check.h"

constexpr unsigned kBlock = 256, kWarp = 32, kSteps = 8;

/// The row of the table that a warp reads with each second row of its stream.
__host__ __device__ unsigned row_of(unsigned warp, unsigned step, unsigned rows) { return (warp * 2654435761u + step * 40503u) % rows; }

/// Rows have an element per lane.
template <class Table, class Stream>
__device__ void sum_rows(Table table, unsigned rows, Stream stream, unsigned length, int* sums) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  int sum = 0;
  for (unsigned i = thread, step = 0; i < length; i += threads, ++step) {
    sum += stream[i];
    if (step % 2 == 0) sum += table[row_of(thread / kWarp, step, rows) * kWarp + thread % kWarp];
  }
  sums[thread] = sum;
}

__global__ void look_up(const int* table, unsigned rows, const int* stream, unsigned length, int* sums) {
  sum_rows(table, rows, stream, length, sums);
}

using Kept = cuda::annotated_ptr<const int, cuda::access_property::persisting>;
using Passing = cuda::annotated_ptr<const int, cuda::access_property::streaming>;
__global__ void look_up_annotated(Kept table, unsigned rows, Passing stream, unsigned length, int* sums) {
  sum_rows(table, rows, stream, length, sums);
}

/// Sets aside a part of what the device allows. Returns the bytes of L2 that persisting lines may occupy.
size_t set_aside(const cudaDeviceProp& device, int percent) {
  if (device.persistingL2CacheMaxSize == 0) return 0;
  size_t limit = static_cast<size_t>(device.persistingL2CacheMaxSize) * percent / 100;
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, limit));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  return limit;
}

/// Makes the table a window of the stream.
void protect(cudaStream_t stream, const DeviceArray<int>& table, const cudaDeviceProp& device, size_t limit) {
  if (device.persistingL2CacheMaxSize == 0) return;
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = table.data();
  value.accessPolicyWindow.num_bytes = std::min<size_t>(table.bytes(), device.accessPolicyMaxWindowSize);
  // A larger share than fits would make the lines of the window evict each other.
  value.accessPolicyWindow.hitRatio = std::fmin(1.0f, static_cast<float>(limit) / value.accessPolicyWindow.num_bytes);
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
}

int main(int argc, char** argv) {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const unsigned rows = argument(argc, argv, 1, device.l2CacheSize / 2048) * 8;          // of 128 bytes
  const unsigned length = argument(argc, argv, 2, device.l2CacheSize / 1024 * 4) * 256;  // elements
  const unsigned blocks = (length / kSteps + kBlock - 1) / kBlock, threads = blocks * kBlock;
  Random random;
  std::vector<int> table(rows * kWarp), stream(length), expected(threads);
  for (int& value : table) value = random.below(100);
  for (int& value : stream) value = random.below(100);
  for (unsigned thread = 0; thread < threads; ++thread)
    for (unsigned i = thread, step = 0; i < length; i += threads, ++step)
      expected[thread] += stream[i] + (step % 2 == 0 ? table[row_of(thread / kWarp, step, rows) * kWarp + thread % kWarp] : 0);

  const DeviceArray<int> device_table(table), device_stream(stream), device_sums(threads);
  cudaStream_t ordered;
  CHECK(cudaStreamCreate(&ordered));
  const size_t kept = set_aside(device, argument(argc, argv, 3, 100));
  const bool annotates = argument(argc, argv, 4, 0) != 0;
  if (!annotates) protect(ordered, device_table, device, kept);
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = kBlock;
  config.stream = ordered;
  if (annotates)
    CHECK(cudaLaunchKernelEx(&config, look_up_annotated, Kept(device_table.data()), rows, Passing(device_stream.data()), length,
                             device_sums.data()));
  else
    CHECK(cudaLaunchKernelEx(&config, look_up, device_table.data(), rows, device_stream.data(), length, device_sums.data()));
  const int wrong = count_wrong(device_sums.to_host(), expected);
  CHECK(cudaCtxResetPersistingL2Cache());  // later kernels may use the whole L2
  CHECK(cudaStreamDestroy(ordered));
  std::printf("L2 keeps up to %zu bytes of the table\n", kept);
  return verdict("persisting window", wrong);
}
