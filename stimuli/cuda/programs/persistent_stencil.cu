// A stencil whose steps are all in one cooperative launch: the blocks stay, and the whole grid meets after each step.
//
//   wharf cuda persistent_stencil.cu                 128 x 128, 6 steps
//   wharf cuda persistent_stencil.cu -- 512 256 20   other sizes
//
// Shows: cudaLaunchCooperativeKernel, cooperative_groups::grid_group, and a grid as large as the GPU holds.

#include <cooperative_groups.h>

#include "check.h"

__host__ __device__ float mean_of_neighbours(const float* at, int width) {
  return 0.25f * (at[-1] + at[1]) + 0.25f * (at[-width] + at[width]);
}

__global__ void stencil(float* from, float* to, int width, int height, int steps) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int cells = width * height;
  for (int step = 0; step < steps; ++step) {
    for (int i = static_cast<int>(grid.thread_rank()); i < cells; i += static_cast<int>(grid.size())) {
      const int x = i % width, y = i / width;
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) to[i] = mean_of_neighbours(from + i, width);
    }
    grid.sync();
    float* const written = to;
    to = from;
    from = written;
  }
}

int main(int argc, char** argv) {
  int width = argument(argc, argv, 1, 128), height = argument(argc, argv, 2, 128), steps = argument(argc, argv, 3, 6);
  std::vector<float> plate(width * height);
  for (int i = 0; i < width * height; ++i) plate[i] = static_cast<float>(i % 97 + (i / width) % 13);
  DeviceArray<float> first(plate), second(plate);

  int sms = 0, per_sm = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, stencil, 256, 0));
  float *from = first.data(), *to = second.data();
  void* arguments[] = {&from, &to, &width, &height, &steps};
  CHECK(cudaLaunchCooperativeKernel(stencil, dim3(static_cast<unsigned>(sms * per_sm)), dim3(256), arguments));
  CHECK(cudaDeviceSynchronize());

  std::vector<float> expected = plate, next = plate;
  for (int step = 0; step < steps; ++step) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) next[y * width + x] = mean_of_neighbours(&expected[y * width + x], width);
    expected.swap(next);
  }
  return verdict("persistent stencil", count_wrong((steps % 2 == 0 ? first : second).to_host(), expected));
}
