// Matrix transposition twice: directly, and through a tile in shared memory.
//
//   wharf cuda transpose.cu             256 x 256
//   wharf cuda transpose.cu -- 512      another size, a multiple of 32
//
// Shows: coalescing. The direct kernel stores a column: its warps write 32 lines with 4 bytes each. The tiled one reads and writes whole
// lines, and a column of padding keeps its shared memory free of bank conflicts. Compare the transactions per store of the two kernels.

#include "check.h"

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_direct(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) out[x * n + y + i] = in[(y + i) * n + x];
}

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 256);
  if (n <= 0 || n % kTile != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", kTile);
    return 2;
  }
  std::vector<float> in(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) {
    in[i] = static_cast<float>(i);
    expected[i % n * n + i / n] = in[i];
  }
  const DeviceArray<float> device_in(in);
  DeviceArray<float> device_out(n * n);
  const dim3 grid(n / kTile, n / kTile), block(kTile, kRows);
  transpose_direct<<<grid, block>>>(device_in.data(), device_out.data(), n);
  CHECK(cudaGetLastError());
  int wrong = count_wrong(device_out.to_host(), expected);
  device_out.clear();
  transpose_tiled<<<grid, block>>>(device_in.data(), device_out.data(), n);
  CHECK(cudaGetLastError());
  wrong += count_wrong(device_out.to_host(), expected);
  return verdict("transpose", wrong);
}
