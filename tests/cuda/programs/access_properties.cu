// Pointers with access properties read and write what others do, and properties are the policies that createpolicy makes.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/access_property>
#include <cuda/annotated_ptr>
#include <cuda/discard_memory>
#include <cuda/pipeline>

using cuda::access_property;
constexpr int kThreads = 64;

struct Pair {
  int first, second;
};

using Dynamic = cuda::annotated_ptr<int, access_property>;
static_assert(sizeof(Dynamic) == 2 * sizeof(int*), "a pointer and a property");
static_assert(sizeof(cuda::annotated_ptr<int, access_property::streaming>) == sizeof(int*), "the property is in the type");
static_assert(access_property::persisting() == cudaAccessPropertyPersisting, "names of the runtime's properties");
static_assert(static_cast<unsigned long long>(access_property()) == 0x10F0000000000000ull, "no hint");

template <class In, class Out>
__device__ void add(In in, Out out, int times) {
  const int i = threadIdx.x;
  for (int n = 0; n < times; ++n) out[i] += in[i];
}

__global__ void access(const int* in, int* out, Pair* pairs, Dynamic dynamic) {
  const int i = threadIdx.x;
  __shared__ int own[kThreads];
  const cuda::annotated_ptr<const int, access_property::persisting> kept(in);
  const cuda::annotated_ptr<int, access_property::shared> shared(own);
  add(kept, cuda::annotated_ptr<int, access_property::streaming>(out), 2);                               // 2 i
  add(Dynamic(const_cast<int*>(in), access_property(access_property::persisting(), 0.5f)), dynamic, 1);  // i
  const cuda::annotated_ptr<const int, access_property> copied(kept);
  shared[i] =
      *(cuda::associate_access_property(in, access_property::normal()) + i) + *cuda::annotated_ptr<const int, access_property::global>(in);
  cuda::annotated_ptr<Pair, access_property::normal> pair(pairs + i);
  pair->first = shared[i] + static_cast<int>(copied - decltype(copied)(in));  // i
  (*pair).second = kept[i] + atomicAdd(&dynamic[i + kThreads], 1);            // i
  cuda::apply_access_property(in, kThreads * sizeof(int), access_property::persisting());
  cuda::apply_access_property(in, cuda::aligned_size_t<128>(128), access_property::normal());
}

__global__ void copy(const int* in, int* out, int* scratch) {
  __shared__ __align__(16) int tile[4 * kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, kThreads);
  __syncthreads();
  const cuda::annotated_ptr<const int, access_property::streaming> from(in);
  const cuda::annotated_ptr<int, access_property::shared> to(tile + kThreads);
  const int i = threadIdx.x;
  cuda::memcpy_async(tile + i, cuda::annotated_ptr<const int, access_property::streaming>(in + i), sizeof(int), arrived);
  cuda::memcpy_async(block, to, from, sizeof(int) * kThreads, arrived);
  arrived.arrive_and_wait();
  auto pipeline = cuda::make_pipeline();
  cuda::memcpy_async(block, tile + 2 * kThreads, from, sizeof(int) * kThreads, pipeline);
  cuda::memcpy_async(cuda::annotated_ptr<int, access_property::shared>(tile + 3 * kThreads + i),
                     cuda::annotated_ptr<const int, access_property::streaming>(in + i), sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  __syncthreads();
  scratch[i] = i;
  cuda::discard_memory(scratch, kThreads * sizeof(int));
  out[i] = tile[i] + tile[i + kThreads] + tile[i + 2 * kThreads] + tile[i + 3 * kThreads];  // 4 i
}

#define CREATE(result, words, ...) asm("createpolicy." words : "=l"(result) : __VA_ARGS__)

/// Counts the properties that are not the policies of the same words.
__global__ void compare(char* base, int* wrong) {
  unsigned long long policy;
  for (unsigned n = 1; n <= 100; ++n) {
    const float share = n / 100.0f;
    CREATE(policy, "fractional.L2::evict_last.b64 %0, %1;", "f"(share));
    *wrong += policy != static_cast<unsigned long long>(access_property(access_property::persisting(), share));
    CREATE(policy, "fractional.L2::evict_normal.L2::evict_first.b64 %0, %1;", "f"(share));
    *wrong += policy != static_cast<unsigned long long>(access_property(access_property::normal(), share, access_property::streaming()));
    const unsigned total = n * n * 12345, leading = total / n;
    char* const begin = base + n * 4321;
    CREATE(policy, "range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], %2, %3;", "l"(begin), "r"(leading), "r"(total));
    *wrong += policy != static_cast<unsigned long long>(
                            access_property(begin, leading, total, access_property::persisting(), access_property::streaming()));
    CREATE(policy, "range.global.L2::evict_first.b64 %0, [%1], %2, %3;", "l"(begin), "r"(total), "r"(total));
    *wrong += policy != static_cast<unsigned long long>(access_property(begin, total, total, access_property::streaming()));
  }
}

int main() {
  int *in, *out, *wrong;
  Pair* pairs;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&out, 4 * kThreads * sizeof(int));
  cudaMallocManaged(&pairs, kThreads * sizeof(Pair));
  cudaMallocManaged(&wrong, sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i;
  Dynamic dynamic = nullptr;
  if (dynamic || cuda::associate_access_property(in, access_property::normal()) != in) ++*wrong;
  dynamic = Dynamic(out + kThreads, access_property::streaming());
  access<<<1, kThreads>>>(in, out, pairs, dynamic);
  int* copied;
  cudaMalloc(&copied, 4096);
  copy<<<1, kThreads>>>(in, out + 3 * kThreads, copied);
  compare<<<1, 1>>>(reinterpret_cast<char*>(copied), wrong);
  if (cudaDeviceSynchronize() != cudaSuccess) ++*wrong;
  for (int i = 0; i < kThreads; ++i)
    if (out[i] != 2 * i || out[i + kThreads] != i || out[i + 2 * kThreads] != 1 || out[i + 3 * kThreads] != 4 * i || pairs[i].first != i ||
        pairs[i].second != i)
      std::printf("thread %d: %d %d %d %d, %d %d\n", i, out[i], out[i + kThreads], out[i + 2 * kThreads], out[i + 3 * kThreads],
                  pairs[i].first, pairs[i].second),
          ++*wrong;
  std::printf(*wrong == 0 ? "access properties: PASS\n" : "access properties: FAIL\n");
  return *wrong != 0;
}
