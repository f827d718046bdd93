// Texture fetches of a warp.
#include <fmt/format.h>

#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {

namespace {

constexpr unsigned kChannels = 4;

TextureCoordinates coordinates_of(const Operation& operation, const Rows& rows, unsigned lane) {
  TextureCoordinates coordinates;
  coordinates.is_integer = operation.reads_integers;
  const auto shape = static_cast<TextureShape>(operation.target);
  unsigned next = kChannels + 1;
  const auto take = [&] { return row_of<std::uint32_t>(rows, operation.operands[next++])[lane]; };
  if (shape == TextureShape::lines || shape == TextureShape::planes) coordinates.layer = take();
  for (unsigned i = 0; next < operation.operands.size() && operation.operands[next].present() && i < coordinates.at.size(); ++i) {
    const std::uint32_t bits = take();
    coordinates.texel[i] = static_cast<std::int32_t>(bits);
    coordinates.at[i] = bit_cast<float>(bits);
  }
  return coordinates;
}

}  // namespace

/// Fetches the texels of the lanes, whose places the instruction shows. Reading memory has no effect on it.
void PtxWarp::show_texture(const Operation& operation) {
  const LaunchState& launch = cta_->launch;
  const std::uint64_t* const handles = row_of<std::uint64_t>(rows_, operation.operands[kChannels]);
  instruction_.space = Space::global;
  instruction_.cache_op = CacheOp::all;
  instruction_.eviction = Eviction::unhinted;
  for (LaneMask rest = mask_; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const auto texture = launch.textures.find(handles[lane]);
    if (texture == launch.textures.end())
      fail(fmt::format("{:#x} is the handle of no texture; a texture reference must be bound before the launch", handles[lane]), lane);
    const Texel texel = fetch_texel(texture->second, static_cast<TextureShape>(operation.target), coordinates_of(operation, rows_, lane),
                                    operation.type == Type::f32, launch.memory);
    instruction_.addresses[lane] = texel.origin;
    instruction_.access_bytes = static_cast<std::uint8_t>(texture->second.texel_bytes());
  }
}

void PtxWarp::execute_texture(const Operation& operation, LaneMask mask) {
  const std::uint64_t* const handles = row_of<std::uint64_t>(rows_, operation.operands[kChannels]);
  std::array<std::array<std::uint32_t, kLanes>, kChannels> out{};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const Texel texel = fetch_texel(cta_->launch.textures.at(handles[lane]), static_cast<TextureShape>(operation.target),
                                    coordinates_of(operation, rows_, lane), operation.type == Type::f32, cta_->launch.memory);
    for (unsigned i = 0; i < kChannels; ++i) out[i][lane] = texel.channels[i];
  }
  for (unsigned i = 0; i < kChannels; ++i)
    if (operation.operands[i].present()) write_row(rows_.of(operation.operands[i]), out[i].data(), mask);
}

}  // namespace wharf::ptx
