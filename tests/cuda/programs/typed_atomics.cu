// cuda::atomic and cuda::atomic_ref: every operation against a plain loop, on the device and the host, and hand-over between blocks.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/atomic>

constexpr int kThreads = 256, kBlocks = 4, kAll = kThreads * kBlocks;

template <class T>
struct Results {
  cuda::atomic<T, cuda::thread_scope_device> sum, difference, least, greatest, count;
  T plain[4];
};

template <class T>
__global__ void numbers(Results<T>* r, T* before) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  r->sum.fetch_add(static_cast<T>(i % 7), cuda::memory_order_relaxed);
  r->difference -= static_cast<T>(i % 3);
  r->least.fetch_min(static_cast<T>((i * 37 + 5) % 101));
  r->greatest.fetch_max(static_cast<T>((i * 37 + 5) % 101));
  before[i] = r->count++;
  cuda::atomic_ref<T, cuda::thread_scope_device> plain(r->plain[i % 4]);
  T expected = plain.load();
  while (!plain.compare_exchange_weak(expected, static_cast<T>(expected + 1), cuda::memory_order_acq_rel, cuda::memory_order_relaxed)) {
  }
}

template <class T>
__global__ void bits(cuda::std::atomic<T>* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T bit = static_cast<T>(T{1} << i % (8 * sizeof(T)));
  __shared__ cuda::atomic<T, cuda::thread_scope_block> own;
  if (threadIdx.x == 0) own.store(0);
  __syncthreads();
  own |= bit;
  __syncthreads();
  if (threadIdx.x == 0 && own == static_cast<T>(~T{0})) b[3].fetch_add(1);
  b[0] |= bit;
  if (i < static_cast<int>(4 * sizeof(T))) b[1] &= static_cast<T>(~bit);
  b[2] ^= bit;
}

/// Block 0 gives a value to block 1, which spins.
__global__ void hand_over(int* data, cuda::atomic<int, cuda::thread_scope_device>* flag, int* got) {
  if (blockIdx.x == 0) {
    *data = 42;
    flag->store(1, cuda::memory_order_release);
    flag->notify_all();
  } else {
    flag->wait(0, cuda::memory_order_acquire);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    *got = *data + flag->exchange(7);
  }
}

template <class T>
int wrong_numbers(const char* name) {
  Results<T>* r;
  T* before;
  cudaMallocManaged(&r, sizeof *r);
  cudaMallocManaged(&before, kAll * sizeof(T));
  r->least = static_cast<T>(100);
  numbers<<<kBlocks, kThreads>>>(r, before);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  T sum = 0, difference = 0;
  for (int i = 0; i < kAll; ++i) sum += static_cast<T>(i % 7), difference -= static_cast<T>(i % 3);
  int wrong = r->sum != sum || r->difference != difference || r->least != 0 || r->greatest != 100;
  wrong += r->count != static_cast<T>(kAll) || r->plain[3] != static_cast<T>(kAll / 4);
  bool seen[kAll] = {};
  for (int i = 0; i < kAll && sizeof(T) > 1; ++i) seen[static_cast<int>(before[i])] = true;
  for (int i = 0; i < kAll && sizeof(T) > 1; ++i) wrong += !seen[i];
  r->sum.store(3);
  T expected = 4;
  wrong += r->sum.compare_exchange_strong(expected, 5) || expected != 3 || !r->sum.compare_exchange_strong(expected, 5);
  wrong += r->sum.exchange(6) != 5 || r->sum.fetch_max(9) != 6 || ++r->sum != 10 || r->sum-- != 10 || r->sum.load() != 9;
  if (wrong != 0) std::printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

template <class T>
int wrong_bits(const char* name) {
  cuda::std::atomic<T>* b;
  cudaMallocManaged(&b, 4 * sizeof *b);
  b[0] = b[2] = b[3] = 0;
  b[1] = static_cast<T>(~T{0});
  bits<<<kBlocks, kThreads>>>(b);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const T half = static_cast<T>(static_cast<T>(~T{0}) << 4 * sizeof(T));
  const int wrong = (b[0] != static_cast<T>(~T{0})) + (b[1] != half) + (b[2] != 0) + (b[3] != kBlocks);
  if (wrong != 0) std::printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

int main() {
  int wrong = wrong_numbers<int>("int") + wrong_numbers<unsigned>("unsigned") + wrong_numbers<long long>("long long") +
              wrong_numbers<unsigned long>("unsigned long") + wrong_numbers<float>("float") + wrong_numbers<double>("double") +
              wrong_numbers<short>("short") + wrong_numbers<unsigned char>("unsigned char");
  wrong += wrong_bits<unsigned>("unsigned") + wrong_bits<unsigned long long>("unsigned long long") +
           wrong_bits<unsigned short>("unsigned short") + wrong_bits<unsigned char>("unsigned char");
  int *data, *got;
  cuda::atomic<int, cuda::thread_scope_device>* flag;
  cudaMallocManaged(&data, sizeof(int));
  cudaMallocManaged(&got, sizeof(int));
  cudaMallocManaged(&flag, sizeof *flag);
  *flag = 0;
  hand_over<<<2, 1>>>(data, flag, got);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong += 1;
  wrong += *got != 43 || *flag != 7;
  std::printf("typed atomics: %s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
