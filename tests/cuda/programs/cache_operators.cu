// Loads and stores with cache operators, of numbers and vectors, and cache policies by inline assembly, move what they should.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;
int wrong = 0;

template <class T>
__global__ void copy(const T* in, T* out) {
  const int i = threadIdx.x;
  __stwb(out + i, __ldca(in + i));
  __stcg(out + kThreads + i, __ldcg(in + i));
  __stcs(out + 2 * kThreads + i, __ldcs(in + i));
  __stwt(out + 3 * kThreads + i, __ldlu(in + i));
  __stcg(out + 4 * kThreads + i, __ldcv(in + i));
}

template <class T>
void check(const char* type) {
  T *in, *out;
  cudaMallocManaged(&in, kThreads * sizeof(T));
  cudaMallocManaged(&out, 5 * kThreads * sizeof(T));
  for (unsigned i = 0; i < kThreads * sizeof(T); ++i) reinterpret_cast<unsigned char*>(in)[i] = static_cast<unsigned char>(i * 7 + 3);
  copy<<<1, kThreads>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) ++wrong;
  for (int part = 0; part < 5; ++part)
    if (std::memcmp(in, out + part * kThreads, kThreads * sizeof(T)) != 0) std::printf("%s: part %d is wrong\n", type, part), ++wrong;
}

/// Reads each element under a policy for the first half of the range, as an access property too.
__global__ void by_policies(const int* in, int* out, unsigned bytes) {
  unsigned long long range, property;
  asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], %2, %3;" : "=l"(range) : "l"(in), "r"(bytes / 2), "r"(bytes));
  asm("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(property) : "l"(range));
  int first, second;
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(first) : "l"(in + threadIdx.x), "l"(range));
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(second) : "l"(in + threadIdx.x), "l"(property));
  out[threadIdx.x] = first + second + (range == property ? 0 : 1);
}

int main() {
  check<signed char>("signed char");
  check<unsigned short>("unsigned short");
  check<int>("int");
  check<long long>("long long");
  check<float>("float");
  check<double>("double");
  check<char4>("char4");
  check<short2>("short2");
  check<int2>("int2");
  check<uint4>("uint4");
  check<float2>("float2");
  check<float4>("float4");
  check<double2>("double2");
  check<longlong2>("longlong2");
  int *in, *out;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&out, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i;
  by_policies<<<1, kThreads>>>(in, out, kThreads * sizeof(int));
  if (cudaDeviceSynchronize() != cudaSuccess) ++wrong;
  for (int i = 0; i < kThreads; ++i)
    if (out[i] != 2 * i) std::printf("policies: %d is %d\n", i, out[i]), ++wrong;
  std::printf(wrong == 0 ? "cache operators: PASS\n" : "cache operators: FAIL\n");
  return wrong != 0;
}
