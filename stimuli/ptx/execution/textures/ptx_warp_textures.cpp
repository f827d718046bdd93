// Texture fetches of a warp, and the addresses of its accesses to surfaces.
#include <fmt/format.h>

#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/execution/textures/surface_place.h"
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

/// An address of 0 stands for no access.
void PtxWarp::execute_surface_place(const Operation& operation, LaneMask mask) {
  const std::uint64_t* const handles = row_of<std::uint64_t>(rows_, operation.operands[1]);
  const auto coordinate = [&](unsigned i, unsigned lane) {
    return static_cast<std::int32_t>(row_of<std::uint32_t>(rows_, operation.operands[2 + i])[lane]);
  };
  const std::uint32_t* const bytes = row_of<std::uint32_t>(rows_, operation.operands[5]);
  const auto bounds = static_cast<SurfaceBounds>(operation.target);
  std::uint64_t places[kLanes] = {};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const auto array = cta_->launch.textures.find(handles[lane]);
    if (array == cta_->launch.textures.end()) fail(fmt::format("{:#x} is the handle of no surface", handles[lane]), lane);
    const std::array<std::int64_t, 3> at = {coordinate(0, lane), coordinate(1, lane), coordinate(2, lane)};
    const auto place = surface_place(array->second, at, bytes[lane], bounds == SurfaceBounds::clamp);
    if (!place && bounds == SurfaceBounds::trap) {
      const std::array<std::uint32_t, 3>& size = array->second.size;
      fail(fmt::format("{} bytes at ({}, {}, {}) of a surface are outside of it: it has {} bytes in a row, {} rows and {} layers; x counts "
                       "bytes, and other boundary modes do not trap",
                       bytes[lane], at[0], at[1], at[2], size[0] * array->second.texel_bytes(), size[1], size[2]),
           lane);
    }
    places[lane] = place.value_or(0);
  }
  if (operation.operands[0].present()) write_row(rows_.of(operation.operands[0]), places, mask);
}

}  // namespace wharf::ptx
