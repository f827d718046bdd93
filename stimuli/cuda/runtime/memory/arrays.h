#pragma once
// CUDA arrays: memory of texels in rows, which textures read (CU-31).

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// Bytes of a texel; 0 for a description that is not possible.
std::size_t texel_bytes(const cudaChannelFormatDesc& channel);

/// Where a copy begins and how far its rows and slices lie apart, in bytes.
struct Box {
  char* first;
  std::size_t pitch, slice;
};
/// The place of texel (x, y, z) of an array; `x` in bytes.
Box box_of(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z);
/// True where the box of `width` bytes, `height` rows and `depth` slices at (x, y, z) lies inside the array.
bool is_inside(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z, std::size_t width, std::size_t height,
               std::size_t depth);

/// Copies a box of texels or bytes; the parameters of cudaMemcpy3D.
cudaError_t copy_3d(Session& session, const cudaMemcpy3DParms* parameters);

}  // namespace wharf::cuda::runtime
