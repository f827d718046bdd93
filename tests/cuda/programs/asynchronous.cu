// Asynchronous copies and barriers in shared memory: the C functions, cooperative groups, cuda::barrier and cuda::pipeline compute what
// they should.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int kThreads = 64, kStages = 2, kRounds = 6;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

/// Reverses each block of `in` through shared memory that `copy` fills.
template <class Copy>
__device__ void reverse(const int* in, int* out, int* tile, Copy copy) {
  copy(tile, in);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void by_primitives(const int* in, int* out) {
  __shared__ int tile[kThreads];
  reverse(in, out, tile, [](int* to, const int* from) {
    __pipeline_memcpy_async(to + threadIdx.x, from + threadIdx.x, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  });
}

__global__ void by_groups(const int* in, int* out) {
  __shared__ int tile[kThreads];
  reverse(in, out, tile, [](int* to, const int* from) {
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, to, from, sizeof(int) * kThreads);
    cg::wait(block);
  });
}

__global__ void by_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  __syncthreads();
  reverse(in, out, tile, [](int* to, const int* from) {
    cuda::memcpy_async(to + threadIdx.x, from + threadIdx.x, cuda::aligned_size_t<4>(sizeof(int)), bar);
    bar.arrive_and_wait();
  });
}

__global__ void by_token(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  Barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void by_mbarrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0) __mbarrier_init(&bar, kThreads);
  __syncthreads();
  reverse(in, out, tile, [](int* to, const int* from) {
    __pipeline_memcpy_async(to + threadIdx.x, from + threadIdx.x, sizeof(int));
    __pipeline_arrive_on(&bar);
    const __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
  });
}

/// Half of the threads leave after the first phase.
__global__ void by_dropping(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ Barrier bar;
  __shared__ __mbarrier_t other;
  if (threadIdx.x == 0) init(&bar, kThreads), __mbarrier_init(&other, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x >= kThreads / 2) {
    __mbarrier_arrive_and_drop(&other);
    bar.arrive_and_drop();
    return;
  }
  for (int phase = 0; phase < 3; ++phase) {
    const __mbarrier_token_t token = __mbarrier_arrive(&other);
    bar.arrive_and_wait();
    while (!__mbarrier_test_wait(&other, token)) {
    }
  }
  for (int i = threadIdx.x; i < kThreads; i += kThreads / 2) out[i] = tile[kThreads - 1 - i];
}

/// Sums `kRounds` reversed parts of `in`, of which the next is on its way while one is added.
template <class Pipeline>
__device__ void sum_reversed(Pipeline pipe, const int* in, int* out, int (*tiles)[kThreads]) {
  const cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int round = 0, fetched = 0; round < kRounds; ++round) {
    for (; fetched < kRounds && fetched < round + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles[fetched % kStages], in + fetched * kThreads, sizeof(int) * kThreads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    block.sync();
    sum += (round + 1) * tiles[round % kStages][kThreads - 1 - threadIdx.x];
    block.sync();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_thread_pipeline(const int* in, int* out) {
  __shared__ int tiles[kStages][kThreads];
  sum_reversed(cuda::make_pipeline(), in, out, tiles);
}
__global__ void by_block_pipeline(const int* in, int* out) {
  __shared__ int tiles[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  sum_reversed(cuda::make_pipeline(cg::this_thread_block(), &state), in, out, tiles);
}

int wrong = 0;

void check(const char* what, void (*kernel)(const int*, int*), const int* in, int* out, int rounds) {
  kernel<<<1, kThreads>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(cudaGetLastError())), ++wrong;
  for (int i = 0; i < kThreads; ++i) {
    int expected = 0;
    for (int round = 0; round < rounds; ++round) expected += (round + 1) * in[round * kThreads + kThreads - 1 - i];
    if (out[i] != expected) std::printf("%s: %d is %d, not %d\n", what, i, out[i], expected), ++wrong;
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, kRounds * kThreads * sizeof(int));
  cudaMallocManaged(&out, kThreads * sizeof(int));
  for (int i = 0; i < kRounds * kThreads; ++i) in[i] = i * i % 1009;
  check("primitives", by_primitives, in, out, 1);
  check("groups", by_groups, in, out, 1);
  check("barrier", by_barrier, in, out, 1);
  check("token", by_token, in, out, 1);
  check("mbarrier", by_mbarrier, in, out, 1);
  check("dropping", by_dropping, in, out, 1);
  check("pipeline of a thread", by_thread_pipeline, in, out, kRounds);
  check("pipeline of a block", by_block_pipeline, in, out, kRounds);
  std::printf(wrong == 0 ? "asynchronous: PASS\n" : "asynchronous: FAIL\n");
  return wrong != 0;
}
