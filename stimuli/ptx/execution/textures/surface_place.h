#pragma once
// Where an access to a surface goes: an array's element by its coordinates, of which the first counts bytes (CU-19).

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/types.h"
#include "stimuli/ptx/memory/textures.h"

namespace wharf::ptx {

/// The address of the `bytes` bytes at (x, y, z); of layered arrays, z is the layer. Outside of the array none, or with `clamps` that of the
/// nearest ones.
std::optional<Address> surface_place(const Texture& array, std::array<std::int64_t, 3> at, unsigned bytes, bool clamps);

}  // namespace wharf::ptx
