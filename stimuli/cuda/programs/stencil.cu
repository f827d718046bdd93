// Heat on a plate: a five-point stencil, iterated with two buffers. The coefficients lie in constant memory, the rows in pitched memory.
//
//   wharf cuda stencil.cu                 256 x 256, 8 steps
//   wharf cuda stencil.cu -- 512 512 20   other sizes
//
// Shows: neighbouring accesses with reuse in L1, __constant__ variables, cudaMallocPitch and cudaMemcpy2D.

#include "check.h"

__constant__ float coefficients[2];  // of the cell itself and of each neighbour

__device__ float* row_of(float* plate, std::size_t pitch, int y) {
  return reinterpret_cast<float*>(reinterpret_cast<char*>(plate) + y * pitch);
}

__global__ void step(float* from, float* to, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;  // the border keeps its temperature
  const float* above = row_of(from, pitch, y - 1);
  const float* row = row_of(from, pitch, y);
  const float* below = row_of(from, pitch, y + 1);
  row_of(to, pitch, y)[x] = coefficients[0] * row[x] + coefficients[1] * ((above[x] + below[x]) + (row[x - 1] + row[x + 1]));
}

int main(int argc, char** argv) {
  const int width = argument(argc, argv, 1, 256), height = argument(argc, argv, 2, 256), steps = argument(argc, argv, 3, 8);
  const float host_coefficients[2] = {0.5f, 0.125f};
  std::vector<float> plate(width * height);
  for (int i = 0; i < width * height; ++i) plate[i] = static_cast<float>(i % 97 + (i / width) % 13);
  std::vector<float> expected = plate, next = plate;
  for (int i = 0; i < steps; ++i) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) {
        const float* at = &expected[y * width + x];
        next[y * width + x] = host_coefficients[0] * at[0] + host_coefficients[1] * ((at[-width] + at[width]) + (at[-1] + at[1]));
      }
    expected.swap(next);
  }

  float *from, *to;
  std::size_t pitch;
  const std::size_t row_bytes = width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(coefficients, host_coefficients, sizeof host_coefficients));
  CHECK(cudaMallocPitch(&from, &pitch, row_bytes, height));
  CHECK(cudaMallocPitch(&to, &pitch, row_bytes, height));
  CHECK(cudaMemcpy2D(from, pitch, plate.data(), row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(to, pitch, plate.data(), row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  for (int i = 0; i < steps; ++i) {
    step<<<grid, block>>>(from, to, pitch, width, height);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  std::vector<float> got(width * height);
  CHECK(cudaMemcpy2D(got.data(), row_bytes, from, pitch, row_bytes, height, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return verdict("stencil", count_wrong(got, expected, 1e-5));
}
