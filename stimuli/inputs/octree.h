#pragma once
// Bodies of a globular cluster and the octree over them, as LonestarGPU's Barnes-Hut lays them out (workloads section 4.14).

#include <cstdint>
#include <vector>

namespace wharf {

/// One number a body and coordinate.
struct Bodies {
  std::vector<float> x, y, z, vx, vy, vz;
  float mass;  // of each
};

/// A Plummer sphere in virial equilibrium: total mass 1, dense in the middle, in random order.
Bodies plummer_sphere(std::int32_t count, std::uint64_t seed);

/// Nodes 0 to bodies - 1 are the bodies, cells lie from `root` downwards in the order in which they were made.
struct Octree {
  static constexpr int kDeepest = 32;  // levels of cells

  std::int32_t bodies, root;
  float radius;                      // half the side of the root
  std::vector<std::int32_t> child;   // 8 of each node; those of a cell first, then -1
  std::vector<float> x, y, z, mass;  // of bodies, and of cells the centre of mass and the sum
  std::vector<std::int32_t> order;   // the bodies as a walk over the tree meets them: neighbours in space are neighbours here
};

/// With `root` as the number of the root, which bounds the cells. Throws SimulationError if they do not suffice or two bodies coincide.
Octree octree(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& z, float mass, std::int32_t root);

}  // namespace wharf
