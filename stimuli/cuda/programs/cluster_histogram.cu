// A histogram whose bins are spread over the shared memory of a thread-block cluster, and the same with atomics in global memory.
//
//   wharf cuda cluster_histogram.cu --config cluster/h100                    65,536 values, 1,024 bins, clusters of 8
//   wharf cuda cluster_histogram.cu --config cluster/h100 -- 16384 2048 4    values, bins, blocks of a cluster
//
// Shows: distributed shared memory. Each block holds a part of the bins and adds to those of its peers; global memory gets the sums once.
// Compare the cycles of the two kernels on more and fewer values: the sums cost the same.

#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

__global__ void in_global(const unsigned* values, int count, unsigned* bins, int number) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) atomicAdd(&bins[values[i] % number], 1u);
}

__global__ void in_cluster(const unsigned* values, int count, unsigned* bins, int number) {
  extern __shared__ unsigned own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int part = number / static_cast<int>(cluster.num_blocks()), rank = static_cast<int>(cluster.block_rank());
  for (int i = threadIdx.x; i < part; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const int bin = static_cast<int>(values[i] % number);
    atomicAdd(cluster.map_shared_rank(own, bin / part) + bin % part, 1u);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < part; i += blockDim.x) atomicAdd(&bins[rank * part + i], own[i]);
}

int main(int argc, char** argv) {
  const int count = argument(argc, argv, 1, 65536), number = argument(argc, argv, 2, 1024), blocks = argument(argc, argv, 3, 8);
  if (count <= 0 || blocks <= 0 || number <= 0 || number % blocks != 0) {
    std::fprintf(stderr, "the number of bins must be a multiple of the blocks of a cluster\n");
    return 2;
  }
  Random random;
  std::vector<unsigned> values(count), expected(number);
  for (unsigned& value : values) ++expected[(value = random.below(1u << 20)) % number];
  const DeviceArray<unsigned> device_values(values);
  DeviceArray<unsigned> bins(number);

  bins.clear();
  in_global<<<4 * blocks, kThreads>>>(device_values.data(), count, bins.data(), number);
  CHECK(cudaGetLastError());
  int wrong = count_wrong(bins.to_host(), expected);

  bins.clear();
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = blocks, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = 4 * blocks, launch.blockDim = kThreads;
  launch.dynamicSmemBytes = number / blocks * sizeof(unsigned);
  launch.attrs = &cluster, launch.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&launch, in_cluster, static_cast<const unsigned*>(device_values.data()), count, bins.data(), number));
  wrong += count_wrong(bins.to_host(), expected);
  return verdict("cluster histogram", wrong);
}
