// The functions for dynamic programming against plain arithmetic on long long, on the device and on the host.
#include <cstdint>
#include <cstdio>

constexpr int kCases = 4096;

// The name without the type, and the result of x, y and z before it wraps around; `sum` wraps at the width of the type.
#define OF_THREE(F)                                    \
  F(__vimax3, x > y ? (x > z ? x : z) : y > z ? y : z) \
  F(__vimin3, x < y ? (x < z ? x : z) : y < z ? y : z) \
  F(__viaddmax, sum > z ? sum : z)                     \
  F(__viaddmin, sum < z ? sum : z)

template <class T>
__host__ __device__ long long wrapped(long long value) {
  return static_cast<T>(value);
}

#define PLAIN(name, value)                                                                            \
  template <class T>                                                                                  \
  __host__ __device__ unsigned plain##name(unsigned a, unsigned b, unsigned c, bool relu) {           \
    const long long x = wrapped<T>(a), y = wrapped<T>(b), z = wrapped<T>(c), sum = wrapped<T>(x + y); \
    (void)sum;                                                                                        \
    const long long result = value;                                                                   \
    return static_cast<unsigned>(relu && result < 0 ? 0 : result);                                    \
  }
OF_THREE(PLAIN)

template <class Half, class Plain>
__host__ __device__ unsigned by_halves(Plain plain, unsigned a, unsigned b, unsigned c, bool relu) {
  return plain(a >> 16, b >> 16, c >> 16, relu) << 16 | (plain(a & 0xFFFF, b & 0xFFFF, c & 0xFFFF, relu) & 0xFFFF);
}

/// Numbers near the ends of the ranges as often as others.
__host__ __device__ unsigned number(unsigned seed) {
  seed = (seed ^ seed >> 16) * 0x45D9F3Bu;
  seed = (seed ^ seed >> 16) * 0x45D9F3Bu;
  seed ^= seed >> 16;
  const unsigned edges[] = {0x7FFF7FFF, 0x80008000, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x00010001, 0, 0xFFFE0002};
  return seed % 3 == 0 ? edges[seed / 3 % 8] + seed / 24 % 3 - 1 : seed;
}

__host__ __device__ int wrong_of(unsigned seed) {
  const unsigned a = number(3 * seed), b = number(3 * seed + 1), c = number(3 * seed + 2);
  int wrong = 0;
#define COMPARE(name, value)                                                                    \
  wrong += static_cast<unsigned>(name##_s32(a, b, c)) != plain##name<int>(a, b, c, false);      \
  wrong += name##_u32(a, b, c) != plain##name<unsigned>(a, b, c, false);                        \
  wrong += static_cast<unsigned>(name##_s32_relu(a, b, c)) != plain##name<int>(a, b, c, true);  \
  wrong += name##_s16x2(a, b, c) != by_halves<int16_t>(plain##name<int16_t>, a, b, c, false);   \
  wrong += name##_u16x2(a, b, c) != by_halves<uint16_t>(plain##name<uint16_t>, a, b, c, false); \
  wrong += name##_s16x2_relu(a, b, c) != by_halves<int16_t>(plain##name<int16_t>, a, b, c, true);
  OF_THREE(COMPARE)
  wrong += static_cast<unsigned>(__vimax_s32_relu(a, b)) != plain__vimax3<int>(a, b, a, true);
  wrong += static_cast<unsigned>(__vimin_s32_relu(a, b)) != plain__vimin3<int>(a, b, a, true);
  wrong += __vimax_s16x2_relu(a, b) != by_halves<int16_t>(plain__vimax3<int16_t>, a, b, b, true);
  wrong += __vimin_s16x2_relu(a, b) != by_halves<int16_t>(plain__vimin3<int16_t>, a, b, b, true);
  bool high = false, low = false;
#define BOTH(of_two, of_three, relation)                                                                        \
  wrong += static_cast<unsigned>(of_two##_s32(a, b, &low)) != plain##of_three<int>(a, b, b, false);             \
  wrong += low != (static_cast<int>(a) relation static_cast<int>(b));                                           \
  wrong += of_two##_u32(a, b, &low) != plain##of_three<unsigned>(a, b, b, false);                               \
  wrong += low != (a relation b);                                                                               \
  wrong += of_two##_s16x2(a, b, &high, &low) != by_halves<int16_t>(plain##of_three<int16_t>, a, b, b, false);   \
  wrong += high != (wrapped<int16_t>(a >> 16) relation wrapped<int16_t>(b >> 16));                              \
  wrong += low != (wrapped<int16_t>(a) relation wrapped<int16_t>(b));                                           \
  wrong += of_two##_u16x2(a, b, &high, &low) != by_halves<uint16_t>(plain##of_three<uint16_t>, a, b, b, false); \
  wrong += high != (a >> 16 relation b >> 16);                                                                  \
  wrong += low != ((a & 0xFFFF) relation(b & 0xFFFF));
  BOTH(__vibmax, __vimax3, >=)
  BOTH(__vibmin, __vimin3, <=)
  return wrong;
}

__global__ void compare(int* wrong) { atomicAdd(wrong, wrong_of(blockIdx.x * blockDim.x + threadIdx.x)); }

int main() {
  int* wrong;
  cudaMallocManaged(&wrong, sizeof *wrong);
  compare<<<kCases / 128, 128>>>(wrong);
  const cudaError_t error = cudaDeviceSynchronize();
  int on_host = 0;
  for (int i = 0; i < kCases; ++i) on_host += wrong_of(i);
  // As the guide to the functions has them.
  const bool known = __viaddmax_s32(2, 3, 4) == 5 && __viaddmin_s16x2(0x00010002, 0x00030004, 0x00050005) == 0x00040005;
  std::printf("%d wrong on the device, %d on the host, known %d: %s\n", *wrong, on_host, known, cudaGetErrorString(error));
  return *wrong != 0 || on_host != 0 || !known || error != cudaSuccess;
}
