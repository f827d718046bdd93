// Breadth-first search on a random graph, level by level: the host launches a kernel per level until no vertex is new.
//
//   wharf cuda bfs.cu               8,192 vertices, 6 edges each
//   wharf cuda bfs.cu -- 50000 8    other numbers
//
// Shows: irregular accesses and divergence (each thread walks its vertex's edges), and a host loop that depends on the device's results.

#include "check.h"

// `level_of` is volatile, because threads of other blocks store levels while this one reads them.
__global__ void visit_level(const int* first_edge, const int* neighbours, volatile int* level_of, int level, int vertices, int* changed) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices || level_of[vertex] != level) return;
  for (int edge = first_edge[vertex]; edge < first_edge[vertex + 1]; ++edge) {
    const int neighbour = neighbours[edge];
    if (level_of[neighbour] >= 0) continue;
    level_of[neighbour] = level + 1;  // threads that race store the same value
    *changed = 1;
  }
}

int main(int argc, char** argv) {
  const int vertices = argument(argc, argv, 1, 8192), degree = argument(argc, argv, 2, 6);
  Random random;
  std::vector<int> first_edge(vertices + 1), neighbours;
  for (int vertex = 0; vertex < vertices; ++vertex) {
    const int edges = static_cast<int>(random.below(2 * degree + 1));
    for (int i = 0; i < edges; ++i) neighbours.push_back(static_cast<int>(random.below(vertices)));
    first_edge[vertex + 1] = static_cast<int>(neighbours.size());
  }
  neighbours.push_back(0);  // never empty

  std::vector<int> expected(vertices, -1), queue = {0};
  expected[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (int edge = first_edge[queue[at]]; edge < first_edge[queue[at] + 1]; ++edge) {
      if (expected[neighbours[edge]] >= 0) continue;
      expected[neighbours[edge]] = expected[queue[at]] + 1;
      queue.push_back(neighbours[edge]);
    }

  std::vector<int> level_of(vertices, -1);
  level_of[0] = 0;
  const DeviceArray<int> device_first(first_edge), device_neighbours(neighbours), device_levels(level_of);
  DeviceArray<int> device_changed(1);
  const int block = 256, grid = (vertices + block - 1) / block;
  for (int level = 0, changed = 1; changed != 0; ++level) {
    device_changed.clear();
    visit_level<<<grid, block>>>(device_first.data(), device_neighbours.data(), device_levels.data(), level, vertices,
                                 device_changed.data());
    CHECK(cudaGetLastError());
    changed = device_changed.to_host()[0];
  }
  return verdict("bfs", count_wrong(device_levels.to_host(), expected));
}
