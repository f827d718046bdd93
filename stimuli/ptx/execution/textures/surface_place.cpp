#include "stimuli/ptx/execution/textures/surface_place.h"

#include <algorithm>

namespace wharf::ptx {

std::optional<Address> surface_place(const Texture& array, std::array<std::int64_t, 3> at, unsigned bytes, bool clamps) {
  const std::array<std::int64_t, 3> last = {std::int64_t{array.size[0]} * array.texel_bytes() - bytes, std::int64_t{array.size[1]} - 1,
                                            std::int64_t{array.size[2]} - 1};
  for (unsigned i = 0; i < at.size(); ++i) {
    if (clamps && last[i] >= 0) at[i] = std::clamp<std::int64_t>(at[i], 0, last[i]);
    if (at[i] < 0 || at[i] > last[i]) return std::nullopt;
  }
  return array.base + static_cast<Address>(at[0]) + static_cast<Address>(at[1]) * array.row_bytes +
         static_cast<Address>(at[2]) * array.layer_bytes;
}

}  // namespace wharf::ptx
