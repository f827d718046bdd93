// Device functions that clang lacks: matches of values over the lanes of a warp, dot products and NaNs.
#include <cstdio>

constexpr int kLanes = 32;

template <class T>
__global__ void match(const T* values, unsigned* any, unsigned* all, int* same) {
  const int lane = threadIdx.x;
  any[lane] = __match_any_sync(0xffffffff, values[lane]);
  all[lane] = __match_all_sync(0xffffffff, values[lane], same + lane);
  if (lane % 2 == 0) all[lane + kLanes] = __match_all_sync(0x55555555, values[lane] - values[lane], same + kLanes + lane);
}

__global__ void dot(int* out) {
  __assume(out != nullptr);
  out[4] = isnan(nan("")) && isnan(nanf(""));
  out[0] = __dp2a_lo(0x0002ffff, 0x05047f80, 7);                       // 7 - 1 * -128 + 2 * 127
  out[1] = __dp2a_hi(0x0002ffff, 0x05f47f80, 7);                       // 7 - 1 * -12 + 2 * 5
  out[2] = static_cast<int>(__dp2a_lo(0x00020001u, 0x05047f80u, 7u));  // 7 + 128 + 2 * 127
  out[3] = static_cast<int>(__dp2a_hi(0x00020001u, 0x05f47f80u, 7u));  // 7 + 244 + 2 * 5
}

template <class T>
int wrong_of() {
  T* values;
  unsigned* lanes;
  int *same, wrong = 0;
  cudaMallocManaged(&values, kLanes * sizeof(T));
  cudaMallocManaged(&lanes, 3 * kLanes * sizeof(unsigned));
  cudaMallocManaged(&same, 2 * kLanes * sizeof(int));
  for (int i = 0; i < kLanes; ++i) values[i] = static_cast<T>(i * i % 7) * static_cast<T>(1000003);
  match<<<1, kLanes>>>(values, lanes, lanes + kLanes, same);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < kLanes; ++i) {
    unsigned expected = 0;
    for (int j = 0; j < kLanes; ++j) expected |= static_cast<unsigned>(values[i] == values[j]) << j;
    wrong += lanes[i] != expected || lanes[kLanes + i] != 0 || same[i] != 0;
    wrong += i % 2 == 0 && (lanes[2 * kLanes + i] != 0x55555555 || same[kLanes + i] != 1);
  }
  return wrong;
}

int main() {
  int wrong =
      wrong_of<int>() + wrong_of<unsigned>() + wrong_of<long>() + wrong_of<unsigned long long>() + wrong_of<float>() + wrong_of<double>();
  int* out;
  cudaMallocManaged(&out, 5 * sizeof(int));
  dot<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) ++wrong;
  const int expected[] = {7 + 128 + 254, 7 + 12 + 10, 7 + 128 + 254, 7 + 244 + 10, 1};
  for (int i = 0; i < 5; ++i)
    if (out[i] != expected[i]) std::printf("result %d is %d\n", i, out[i]), ++wrong;
  std::printf(wrong == 0 ? "warp matches: PASS\n" : "warp matches: FAIL\n");
  return wrong != 0;
}
