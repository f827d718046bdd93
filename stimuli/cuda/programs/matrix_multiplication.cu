// Matrix multiplication twice: naively, and with tiles in shared memory. Both compute C = A B of square matrices.
//
//   wharf cuda matrix_multiplication.cu             128 x 128
//   wharf cuda matrix_multiplication.cu -- 256      another size, a multiple of 16
//
// Shows: reuse. The naive kernel reads each element of A and B from L1 or L2 once per product; the tiled one reads it once per tile and
// keeps it in shared memory, so its global loads are 16 times fewer. Compare the hit rates of L1 and the bytes from L2 of the two kernels.

#include "check.h"

constexpr int kTile = 16;

__global__ void multiply_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void multiply_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 128);
  if (n <= 0 || n % kTile != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", kTile);
    return 2;
  }
  Random random;
  std::vector<float> a(n * n), b(n * n), expected(n * n);
  for (float& value : a) value = random.uniform();
  for (float& value : b) value = random.uniform() - 0.5f;
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < n; ++k)
      for (int column = 0; column < n; ++column) expected[row * n + column] += a[row * n + k] * b[k * n + column];

  const DeviceArray<float> device_a(a), device_b(b);
  DeviceArray<float> device_c(n * n);
  const dim3 grid(n / kTile, n / kTile), block(kTile, kTile);
  multiply_naive<<<grid, block>>>(device_a.data(), device_b.data(), device_c.data(), n);
  CHECK(cudaGetLastError());
  int wrong = count_wrong(device_c.to_host(), expected, 1e-4);
  device_c.clear();
  multiply_tiled<<<grid, block>>>(device_a.data(), device_b.data(), device_c.data(), n);
  CHECK(cudaGetLastError());
  wrong += count_wrong(device_c.to_host(), expected, 1e-4);
  return verdict("matrix multiplication", wrong);
}
