#pragma once
// A computed mesh in place of the one that CFD reads, which is not available (workloads section 2.10).

#include <array>
#include <cstdint>
#include <vector>

namespace wharf {

/// A tetrahedron: for each of its four faces, the element beyond it, and the normal into the tetrahedron, whose length is the face's area.
struct TetraElement {
  static constexpr std::int32_t kWing = -1, kFarField = -2;  // the neighbours beyond a boundary face
  std::array<std::int32_t, 4> neighbours;
  std::array<std::array<float, 3>, 4> normals;
};

/// A box of nx * ny * nz unit cubes, each cut into six tetrahedra. Boundary faces across the z axis are the wing, and the others the far
/// field. Elements are numbered cube by cube, x fastest, and then shuffled within windows of `window` numbers (0: not shuffled), like the
/// order of an unstructured mesh generator.
std::vector<TetraElement> tetra_mesh(int nx, int ny, int nz, int window, std::uint64_t seed);

}  // namespace wharf
