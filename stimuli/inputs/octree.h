#pragma once
// The bodies of a globular cluster, and the octree over them in the layout of LonestarGPU's Barnes-Hut (workloads section 4.14).

#include <cstdint>
#include <vector>

namespace wharf {

/// One number per body and coordinate.
struct Bodies {
  std::vector<float> x, y, z, vx, vy, vz;
  float mass;  // of each
};

/// A Plummer sphere in virial equilibrium: total mass 1, dense in the middle, in random order.
Bodies plummer_sphere(std::int32_t count, std::uint64_t seed);

/// Nodes 0 to bodies - 1 are the bodies; cells lie from `root` downwards, in order of creation.
struct Octree {
  static constexpr int kDeepest = 32;  // levels of cells

  std::int32_t bodies, root;
  float radius;                      // half the side of the root
  std::vector<std::int32_t> child;   // 8 per node; those of a cell come first, then -1
  std::vector<float> x, y, z, mass;  // of bodies; for cells, centre of mass and sum
  std::vector<std::int32_t> order;   // bodies in the order of a walk over the tree: neighbours in space are neighbours here
};

/// `root` is the number of the root, which bounds the number of cells. Throws SimulationError if there are too few or two bodies coincide.
Octree octree(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& z, float mass, std::int32_t root);

}  // namespace wharf
