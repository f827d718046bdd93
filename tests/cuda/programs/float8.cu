// Floats of 8 bits: host and device convert alike, and both as a search through all values does; products of them on tensor cores.
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int kValues = 4096, kLanes = 32;
int wrong = 0;

/// The value of a magnitude, by its fields.
double magnitude_of(bool e4m3, int bits) {
  const int digits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, exponent = bits >> digits, fraction = bits & ((1 << digits) - 1);
  return std::ldexp(exponent == 0 ? fraction : fraction + (1 << digits), (exponent == 0 ? 1 : exponent) - bias - digits);
}
int largest_of(bool e4m3) { return e4m3 ? 0x7e : 0x7b; }

/// The nearest of all magnitudes, the even one of two.
int expected_of(bool e4m3, double value, bool saturates) {
  if (value != value) return 0x7f;
  int best = 0;
  const double magnitude = std::fmin(std::fabs(value), 65536);  // an overflow of both
  for (int bits = 1; bits <= largest_of(e4m3) + 1; ++bits) {  // the next one is where an overflow begins
    const double closer = std::fabs(magnitude_of(e4m3, bits) - magnitude) - std::fabs(magnitude_of(e4m3, best) - magnitude);
    if (closer < 0 || (closer == 0 && bits % 2 == 0)) best = bits;
  }
  if (best > largest_of(e4m3)) best = saturates ? largest_of(e4m3) : largest_of(e4m3) + 1;
  return best | (std::signbit(value) ? 0x80 : 0);
}

struct Results {
  unsigned char e4m3[kValues], e5m2[kValues], unbounded[kValues], of_half[kValues];
  float back[2][256], pairs[2][256];
};

__host__ __device__ void convert(const float* values, Results& out, int i) {
  out.e4m3[i] = __nv_fp8_e4m3(values[i]).__x;
  out.e5m2[i] = __nv_fp8_e5m2(static_cast<double>(values[i])).__x;
  out.unbounded[i] = __nv_cvt_float_to_fp8(values[i], __NV_NOSAT, i % 2 == 0 ? __NV_E4M3 : __NV_E5M2);
  out.of_half[i] = __nv_fp8_e4m3(__half(values[i])).__x;
  if (i >= 256) return;
  __nv_fp8_e4m3 one;
  __nv_fp8_e5m2 other;
  one.__x = other.__x = static_cast<unsigned char>(i);
  out.back[0][i] = static_cast<float>(one);
  out.back[1][i] = static_cast<float>(other);
  const __nv_fp8x4_e4m3 four(make_float4(0, out.back[0][i], 1, -2));
  const float4 floats = static_cast<float4>(four);
  out.pairs[0][i] = floats.y + floats.z + floats.w;
  const __nv_fp8x2_e5m2 pair(__half2(__half(out.back[1][i]), __half(1.0f)));
  out.pairs[1][i] = static_cast<float2>(pair).x;
}
__global__ void convert_all(const float* values, Results* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kValues) convert(values, *out, i);
}

/// D = A B, where all of A is `a` and B has lane / 4 + 1 in column lane / 4.
__global__ void multiply(float* d) {
#if __CUDA_ARCH__ >= 890
  const unsigned a = __nv_fp8x4_e4m3(make_float4(1.5f, 1.5f, 1.5f, 1.5f)).__x;
  const float column = static_cast<float>(threadIdx.x / 4 + 1);
  const unsigned b = __nv_fp8x4_e5m2(make_float4(column, column, column, column)).__x;
  float sum[4];
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%6,%6,%6,%6};"
               : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
               : "r"(a), "r"(b), "f"(0.0f));
  for (int i = 0; i < 4; ++i) d[threadIdx.x * 4 + i] = sum[i];
#else
  for (int i = 0; i < 4; ++i) d[threadIdx.x * 4 + i] = 48.0f * static_cast<float>(threadIdx.x % 4 * 2 + i % 2 + 1);
#endif
}

void expect(bool right, const char* what, int i) {
  if (!right) std::printf("%s of %d is wrong\n", what, i), ++wrong;
}
bool same(float a, float b) { return a == b || (a != a && b != b); }

int main() {
  float *values, *products;
  Results *device, *host = new Results;
  cudaMallocManaged(&values, kValues * sizeof(float));
  cudaMallocManaged(&products, 4 * kLanes * sizeof(float));
  cudaMallocManaged(&device, sizeof *device);
  for (int i = 0; i < kValues; ++i) {
    const unsigned bits = (i & 1) << 31 | (100u + i % 45) << 23 | static_cast<unsigned>(i * 2654435761u) >> 9;
    std::memcpy(&values[i], &bits, sizeof bits);
    if (i % 5 == 0) values[i] = std::ldexp(i % 64 + (i % 3) * 0.5f, i % 24 - 14);  // many ties
  }
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 448, 464, 464.1f, 480, -57344, 61439, 61440, 1e30f, 1e-30f};
  std::memcpy(values, special, sizeof special);
  convert_all<<<kValues / 128, 128>>>(values, device);
  multiply<<<1, kLanes>>>(products);
  if (cudaDeviceSynchronize() != cudaSuccess) ++wrong;
  for (int i = 0; i < kValues; ++i) {
    convert(values, *host, i);
    expect(host->e4m3[i] == expected_of(true, values[i], true), "e4m3", i);
    expect(host->e5m2[i] == expected_of(false, values[i], true), "e5m2", i);
    expect(host->unbounded[i] == expected_of(i % 2 == 0, values[i], false), "a value without saturation", i);
    expect(device->e4m3[i] == host->e4m3[i] && device->e5m2[i] == host->e5m2[i] && device->of_half[i] == host->of_half[i] &&
               device->unbounded[i] == host->unbounded[i],
           "the device's value", i);
  }
  for (int type = 0; type < 2; ++type)
    for (int bits = 0; bits < 256; ++bits) {
      const int magnitude = bits & 0x7f;
      float value = static_cast<float>(magnitude_of(type == 0, magnitude)) * (bits >= 128 ? -1.0f : 1.0f);
      if (magnitude > largest_of(type == 0)) value = type == 1 && magnitude == 0x7c ? (bits >= 128 ? -INFINITY : INFINITY) : NAN;
      expect(same(host->back[type][bits], value) && same(device->back[type][bits], value), "a value back", bits);
      const float pair = type == 0 ? value + 1 - 2 : std::isinf(value) ? std::copysign(57344.0f, value) : value;
      expect(same(host->pairs[type][bits], pair) && same(device->pairs[type][bits], pair), "a part of a group", bits);
    }
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 4; ++i) expect(products[lane * 4 + i] == 48.0f * static_cast<float>(lane % 4 * 2 + i % 2 + 1), "a product", lane);
  std::printf(wrong == 0 ? "floats of 8 bits: PASS\n" : "floats of 8 bits: FAIL\n");
  return wrong != 0;
}
