#pragma once
// Reads texels as the texture unit does: coordinates, address modes, filters and formats (CU-31).

#include <array>
#include <cstdint>

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/memory/device_memory.h"
#include "stimuli/ptx/memory/textures.h"

namespace wharf::ptx {

/// A lane's coordinates: numbers of texels where the instruction has integers. The layer of lines and planes stands apart.
struct TextureCoordinates {
  std::array<float, 3> at = {0, 0, 0};
  std::array<std::int32_t, 3> texel = {0, 0, 0};
  std::uint32_t layer = 0;
  bool is_integer = false;
};

/// The four channels as bits of the result's type: floats, or integers where `wants_float` is false.
struct Texel {
  std::array<std::uint32_t, 4> channels{};
  Address origin = 0;  // of the texel of the footprint that is nearest to its origin
};

/// Reads from the image. Channels that the texture lacks are 0, the last one 1.
Texel fetch_texel(const Texture& texture, TextureShape shape, const TextureCoordinates& coordinates, bool wants_float,
                  const DeviceMemory& memory);

}  // namespace wharf::ptx
