// The fragments of nvcuda::wmma in every shape, type and layout, and bfloat16: that the headers have them, and that they compute what they
// should. Names that programs like to define must not disturb the headers.
#define M 7
#define N 11
#define K 13
#define A 17
#include <cuda_bf16.h>
#include <mma.h>
#undef M
#undef N
#undef K
#undef A

#include <cstdio>
#include <vector>

using namespace nvcuda;

constexpr int kStride = 48;  // of all matrices, in elements

template <int Rows, int Columns, int Terms, class T, class Sum, class Result, class LayoutA, class LayoutB, class Element>
__global__ void multiply(const Element* a, const Element* b, const Sum* c, Result* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, Rows, Columns, Terms, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, Rows, Columns, Terms, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, Rows, Columns, Terms, Sum> sum;
  wmma::fragment<wmma::accumulator, Rows, Columns, Terms, Result> result;
  wmma::load_matrix_sync(left, a, kStride);
  wmma::load_matrix_sync(right, b, kStride);
  wmma::load_matrix_sync(sum, c, kStride, layout);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = left.x[i] + left.x[i];  // repeated elements change alike
  wmma::fill_fragment(result, static_cast<Result>(0.0f));
  wmma::mma_sync(result, left, right, sum);
  wmma::store_matrix_sync(d, result, kStride, layout);
}

int at(bool by_row, int row, int column) { return by_row ? row * kStride + column : column * kStride + row; }

/// Small integers, so that every type holds all values and sums.
template <class T>
T* matrix(int seed) {
  T* values;
  cudaMallocManaged(&values, kStride * 32 * sizeof(T));
  for (int i = 0; i < kStride * 32; ++i) values[i] = static_cast<T>(static_cast<float>((i * 7 + seed) % 5));
  return values;
}

template <int Rows, int Columns, int Terms, class T, class Sum, class Result, class LayoutA, class LayoutB, class Element>
int check(wmma::layout_t layout) {
  const bool a_by_row = std::is_same<LayoutA, wmma::row_major>::value, b_by_row = std::is_same<LayoutB, wmma::row_major>::value;
  Element *a = matrix<Element>(1), *b = matrix<Element>(2);
  Sum* c = matrix<Sum>(3);
  Result* d = matrix<Result>(4);
  multiply<Rows, Columns, Terms, T, Sum, Result, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, layout);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column) {
      const int place = at(layout == wmma::mem_row_major, row, column);
      float sum = static_cast<float>(c[place]);
      for (int k = 0; k < Terms; ++k)
        sum += 2 * static_cast<float>(a[at(a_by_row, row, k)]) * static_cast<float>(b[at(b_by_row, k, column)]);
      wrong += static_cast<float>(d[place]) != sum;
    }
  if (wrong != 0) std::printf("%s: %d of %d are wrong\n", __PRETTY_FUNCTION__, wrong, Rows * Columns);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
  return wrong;
}

template <int Rows, int Columns, int Terms, class T, class Sum, class Result, class Element = T>
int check_layouts() {
  using wmma::col_major;
  using wmma::row_major;
  return check<Rows, Columns, Terms, T, Sum, Result, row_major, row_major, Element>(wmma::mem_row_major) +
         check<Rows, Columns, Terms, T, Sum, Result, row_major, col_major, Element>(wmma::mem_col_major) +
         check<Rows, Columns, Terms, T, Sum, Result, col_major, row_major, Element>(wmma::mem_col_major) +
         check<Rows, Columns, Terms, T, Sum, Result, col_major, col_major, Element>(wmma::mem_row_major);
}

template <int Rows, int Columns>
int check_shape() {
  return check_layouts<Rows, Columns, 16, __half, float, float>() + check_layouts<Rows, Columns, 16, __half, __half, float>() +
         check_layouts<Rows, Columns, 16, __half, float, __half>() + check_layouts<Rows, Columns, 16, __half, __half, __half>() +
         check_layouts<Rows, Columns, 16, __nv_bfloat16, float, float>() + check_layouts<Rows, Columns, 16, signed char, int, int>() +
         check_layouts<Rows, Columns, 16, unsigned char, int, int>();
}

/// Every element of `out` becomes 7 - 16 * 15, and of `halves` 1.5.
__global__ void fill(int* out, __half* halves) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> half_sum;
  wmma::fill_fragment(left, -3);
  wmma::fill_fragment(right, 5);
  wmma::fill_fragment(sum, 7);
  wmma::fill_fragment(half_sum, 1.5f);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out, sum, kStride, wmma::mem_row_major);
  wmma::store_matrix_sync(halves, half_sum, kStride, wmma::mem_row_major);
}

__global__ void bfloats(const float* in, float* out, __nv_bfloat16* sum, __nv_bfloat162* sums) {
  const __nv_bfloat16 a = __float2bfloat16(in[0]), b = in[1];
  const __nv_bfloat162 pair = __floats2bfloat162_rn(in[0], in[1]), both = __bfloat162bfloat162(a);
  out[0] = a * b - a / b;
  out[1] = __hfma(a, b, a);
  out[2] = __high2float(__hfma2(pair, both, pair));
  out[3] = hsqrt(b);
  out[4] = __hadd_sat(a, b);
  out[5] = a < b && !__hisnan(a) && __hbge2(pair, both);
  out[6] = __low2float(__hmax2(pair, __hneg2(both)));
  out[7] = __hisinf(a / __nv_bfloat16(0.0f));
  out[8] = wmma::__float_to_tf32(in[2]);
  atomicAdd(sum, b);
  atomicAdd(sums, pair);
}

int main() {
  int wrong = check_shape<16, 16>() + check_shape<32, 8>() + check_shape<8, 32>() +
              check_layouts<16, 16, 8, wmma::precision::tf32, float, float, float>() + check_layouts<8, 8, 4, double, double, double>();
  int* filled = matrix<int>(0);
  __half* filled_halves = matrix<__half>(0);
  fill<<<1, 32>>>(filled, filled_halves);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column)
      wrong += filled[row * kStride + column] != 7 - 16 * 15 || static_cast<float>(filled_halves[row * kStride + column]) != 1.5f;
  float *in = matrix<float>(0), *out = matrix<float>(0);
  __nv_bfloat16* sum = matrix<__nv_bfloat16>(0);
  in[0] = 1.5f, in[1] = 2.25f, in[2] = 1.00048828125f;  // the last one lies half-way between two tf32
  sum[0] = sum[2] = sum[3] = 1.0f;
  bfloats<<<1, 4>>>(in, out, sum, reinterpret_cast<__nv_bfloat162*>(sum + 2));
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  // 3.375 - 0.66796875 = 2.70703125 lies between the bfloats 2.703125 and 2.71875.
  const float expected[] = {2.703125f, 4.875f, 5.625f, 1.5f, 1, 1, 1.5f, 1, 1.0009765625f};
  for (int i = 0; i < 9; ++i)
    if (out[i] != expected[i]) std::printf("result %d: %.9g instead of %.9g\n", i, out[i], expected[i]), ++wrong;
  wrong += __bfloat162float(sum[0]) != 10 || __bfloat162float(sum[2]) != 7 || __bfloat162float(sum[3]) != 10;
  // The host's conversions, at the edges of the format.
  wrong += __bfloat16_as_ushort(__float2bfloat16(3.3961775e38f)) != 0x7f80;
  wrong += __bfloat16_as_ushort(__float2bfloat16(1.00390625f)) != 0x3f80;
  wrong += __bfloat16_as_ushort(__float2bfloat16(-1.01171875f)) != 0xbf82;
  wrong += __bfloat16_as_ushort(__float2bfloat16(0x1p-133f)) != 1;
  wrong += __bfloat16_as_ushort(__float2bfloat16(__builtin_nanf(""))) != 0x7fff;
  std::printf("matrices and bfloats: %s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
