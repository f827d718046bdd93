// Sparse matrix times vector, in compressed rows, twice: a thread per row, and a warp per row.
//
//   wharf cuda spmv.cu               4,096 rows, 24 elements each on average
//   wharf cuda spmv.cu -- 16384 32   other numbers
//
// Shows: how the mapping of work to threads decides about coalescing. Threads of a warp that walk rows of their own read 32 places at once;
// a warp that shares a row reads consecutive elements. The vector is gathered at random in both.

#include "check.h"

struct Matrix {
  int rows;
  const int* first;
  const int* columns;
  const float* values;
};

__global__ void multiply_by_threads(Matrix matrix, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= matrix.rows) return;
  float sum = 0;
  for (int i = matrix.first[row]; i < matrix.first[row + 1]; ++i) sum += matrix.values[i] * x[matrix.columns[i]];
  y[row] = sum;
}

__global__ void multiply_by_warps(Matrix matrix, const float* __restrict__ x, float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= matrix.rows) return;
  float sum = 0;
  for (int i = matrix.first[row] + lane; i < matrix.first[row + 1]; i += 32) sum += matrix.values[i] * __ldg(&x[matrix.columns[i]]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = sum;
}

int main(int argc, char** argv) {
  const int rows = argument(argc, argv, 1, 4096), average = argument(argc, argv, 2, 24);
  Random random;
  std::vector<int> first(rows + 1), columns;
  std::vector<float> values, x(rows), expected(rows);
  for (float& value : x) value = random.uniform();
  for (int row = 0; row < rows; ++row) {
    const int count = 1 + static_cast<int>(random.below(2 * average - 1));
    for (int i = 0; i < count; ++i) {
      columns.push_back(static_cast<int>(random.below(rows)));
      values.push_back(random.uniform());
      expected[row] += values.back() * x[columns.back()];
    }
    first[row + 1] = static_cast<int>(columns.size());
  }
  const DeviceArray<int> device_first(first), device_columns(columns);
  const DeviceArray<float> device_values(values), device_x(x);
  DeviceArray<float> device_y(rows);
  const Matrix matrix = {rows, device_first.data(), device_columns.data(), device_values.data()};
  const int block = 128;
  multiply_by_threads<<<(rows + block - 1) / block, block>>>(matrix, device_x.data(), device_y.data());
  CHECK(cudaGetLastError());
  int wrong = count_wrong(device_y.to_host(), expected, 1e-5);
  device_y.clear();
  multiply_by_warps<<<(rows * 32 + block - 1) / block, block>>>(matrix, device_x.data(), device_y.data());
  CHECK(cudaGetLastError());
  wrong += count_wrong(device_y.to_host(), expected, 1e-5);
  return verdict("spmv", wrong);
}
