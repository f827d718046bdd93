// Matrix multiplication on tensor cores twice: with nvcuda::wmma, and with ldmatrix and mma.sync. Both compute C = A B of square matrices
// of halves, with sums in single precision.
//
//   wharf cuda wmma_gemm.cu --config gpus/ampere_a100             128 x 128; the target must be sm_80 or later
//   wharf cuda wmma_gemm.cu --config gpus/ampere_a100 -- 256      another size, a multiple of 64
//
// Shows: loads of tiles. Both kernels keep tiles of A and B in shared memory, whose rows are 16 bytes longer than their data, so that the
// eight rows of a matrix lie in different banks: set kPadding to 0 and compare sm.shared.conflict_cycles.

#include <cuda_fp16.h>
#include <mma.h>

#include "check.h"

constexpr int kBlock = 64, kDepth = 32;  // a block of 4 warps computes 64 x 64 elements, 32 products of each at a time
constexpr int kWarp = 32, kWarps = 4;    // a warp computes 32 x 32 elements
constexpr int kPadding = 8;              // halves
constexpr int kLengthA = kDepth + kPadding, kLengthB = kBlock + kPadding;  // of rows in shared memory

/// Copies `rows` x `columns` halves, eight per thread at a time.
__device__ void copy_tile(const half* from, int stride, half* to, int length, int rows, int columns) {
  for (int i = threadIdx.x; i < rows * columns / 8; i += blockDim.x) {
    const int row = i / (columns / 8), column = i % (columns / 8) * 8;
    *reinterpret_cast<uint4*>(to + row * length + column) = *reinterpret_cast<const uint4*>(from + row * stride + column);
  }
}

__global__ void multiply_wmma(const half* a, const half* b, float* c, int n) {
  using namespace nvcuda;
  __shared__ __align__(32) half tile_a[kBlock * kLengthA], tile_b[kDepth * kLengthB];
  const int warp = threadIdx.x / warpSize, row = warp / 2 * kWarp, column = warp % 2 * kWarp;  // of the warp in the block
  const int block_row = blockIdx.y * kBlock, block_column = blockIdx.x * kBlock;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (auto& line : sums)
    for (auto& sum : line) wmma::fill_fragment(sum, 0.0f);
  for (int first = 0; first < n; first += kDepth) {
    copy_tile(a + block_row * n + first, n, tile_a, kLengthA, kBlock, kDepth);
    copy_tile(b + first * n + block_column, n, tile_b, kLengthB, kDepth, kBlock);
    __syncthreads();
    for (int k = 0; k < kDepth; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(left[i], tile_a + (row + 16 * i) * kLengthA + k, kLengthA);
        wmma::load_matrix_sync(right[i], tile_b + k * kLengthB + column + 16 * i, kLengthB);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(c + (block_row + row + 16 * i) * n + block_column + column + 16 * j, sums[i][j], n, wmma::mem_row_major);
}

/// Four matrices of 8 x 8 halves; lane l gives the address of row l % 8 of matrix l / 8.
__device__ void load_four(unsigned (&to)[4], const half* row, bool transposed) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

__device__ void multiply_add(float (&sum)[4], const unsigned (&left)[4], unsigned right0, unsigned right1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

__global__ void multiply_mma(const half* a, const half* b, float* c, int n) {
  __shared__ __align__(16) half tile_a[kBlock * kLengthA], tile_b[kDepth * kLengthB];
  const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  const int row = warp / 2 * kWarp, column = warp % 2 * kWarp;
  const int block_row = blockIdx.y * kBlock, block_column = blockIdx.x * kBlock;
  float sums[2][4][4] = {};  // 16 x 8 elements each
  for (int first = 0; first < n; first += kDepth) {
    copy_tile(a + block_row * n + first, n, tile_a, kLengthA, kBlock, kDepth);
    copy_tile(b + first * n + block_column, n, tile_b, kLengthB, kDepth, kBlock);
    __syncthreads();
    for (int k = 0; k < kDepth; k += 16) {
      unsigned left[2][4], right[2][4];
      for (int i = 0; i < 2; ++i) {
        load_four(left[i], tile_a + (row + 16 * i + lane % 16) * kLengthA + k + lane / 16 * 8, false);
        load_four(right[i], tile_b + (k + lane % 16) * kLengthB + column + 16 * i + lane / 16 * 8, true);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) multiply_add(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int part = 0; part < 2; ++part) {
        float* const to = c + (block_row + row + 16 * i + 8 * part + lane / 4) * n + block_column + column + 8 * j + lane % 4 * 2;
        *reinterpret_cast<float2*>(to) = make_float2(sums[i][j][2 * part], sums[i][j][2 * part + 1]);
      }
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 128);
  if (n <= 0 || n % kBlock != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", kBlock);
    return 2;
  }
  Random random;
  std::vector<half> a(n * n), b(n * n);
  for (half& value : a) value = random.uniform();
  for (half& value : b) value = random.uniform() - 0.5f;
  std::vector<float> plain_b(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) plain_b[i] = b[i];
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < n; ++k) {
      const float factor = a[row * n + k];
      for (int column = 0; column < n; ++column) expected[row * n + column] += factor * plain_b[k * n + column];
    }

  const DeviceArray<half> device_a(a), device_b(b);
  DeviceArray<float> device_c(n * n);
  const dim3 grid(n / kBlock, n / kBlock);
  multiply_wmma<<<grid, 32 * kWarps>>>(device_a.data(), device_b.data(), device_c.data(), n);
  CHECK(cudaGetLastError());
  int wrong = count_wrong(device_c.to_host(), expected, 1e-4);
  device_c.clear();
  multiply_mma<<<grid, 32 * kWarps>>>(device_a.data(), device_b.data(), device_c.data(), n);
  CHECK(cudaGetLastError());
  wrong += count_wrong(device_c.to_host(), expected, 1e-4);
  return verdict("matrix multiplication on tensor cores", wrong);
}
