#pragma once
// Textures that kernels read, by handle (CU-31).

#include <array>
#include <cstdint>
#include <map>

#include "model/base/types.h"

namespace wharf::ptx {

/// How the runtime has described a texture object, or has bound a texture reference.
struct Texture {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, floating };
  enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

  Address base = 0;                               // of texel (0, 0, 0)
  std::array<std::uint32_t, 3> size = {1, 1, 1};  // texels; of layered textures and cubes, the last is the number of layers
  std::uint64_t row_bytes = 0, layer_bytes = 0;   // from one row or layer to the next
  unsigned channels = 1, channel_bytes = 4;       // 1, 2 or 4 of 1, 2 or 4 bytes each
  Kind kind = Kind::floating;                     // of a channel; floating with 2 bytes is half precision
  std::array<AddressMode, 3> modes = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool is_linear = false;                   // filters between neighbours; else the nearest texel
  bool reads_normalized = false;            // integer channels as floats in [0, 1] or [-1, 1]
  bool has_normalized_coordinates = false;  // coordinates in [0, 1) span the whole size

  unsigned texel_bytes() const { return channels * channel_bytes; }
};

/// Textures by handle: the value of a texture object, or the address of the variable of a texture reference.
using Textures = std::map<std::uint64_t, Texture>;

}  // namespace wharf::ptx
