#pragma once
// Textures as the runtime API describes them, for the executor.

#include "stimuli/cuda/recording/records.h"
#include "stimuli/ptx/memory/textures.h"

namespace wharf::cuda {

/// Throws DamagedRecord for texels that no API can describe.
ptx::Texture texture_of(const TextureView& view);

}  // namespace wharf::cuda
