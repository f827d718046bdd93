// Reads texels.
#include "stimuli/ptx/execution/textures/texture_fetch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/floats/half.h"

namespace wharf::ptx {

namespace {

constexpr std::int64_t kOutside = -1;  // a texel of the border

std::int64_t positive_remainder(std::int64_t value, std::int64_t divisor) {
  const std::int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

/// The texel that `index` selects in a dimension of `size` texels.
std::int64_t wrapped(std::int64_t index, std::int64_t size, Texture::AddressMode mode) {
  switch (mode) {
    case Texture::AddressMode::wrap:
      return positive_remainder(index, size);
    case Texture::AddressMode::mirror: {
      const std::int64_t rest = positive_remainder(index, 2 * size);
      return rest < size ? rest : 2 * size - 1 - rest;
    }
    case Texture::AddressMode::border:
      return index < 0 || index >= size ? kOutside : index;
    case Texture::AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(index, 0, size - 1);
}

using Position = std::array<std::int64_t, 3>;

Address address_of(const Texture& texture, const Position& at) {
  return texture.base + static_cast<Address>(at[0]) * texture.texel_bytes() + static_cast<Address>(at[1]) * texture.row_bytes +
         static_cast<Address>(at[2]) * texture.layer_bytes;
}

/// A channel as a number; integers of up to 32 bits are exact in a double.
double number_of(const Texture& texture, std::uint32_t bits) {
  const unsigned width = 8 * texture.channel_bytes;
  if (texture.kind == Texture::Kind::floating) {
    if (texture.channel_bytes == 2) return value_of(Half{static_cast<std::uint16_t>(bits)});
    return static_cast<double>(bit_cast<float>(bits));
  }
  const double most = std::ldexp(1.0, static_cast<int>(width)) - 1;
  if (texture.kind == Texture::Kind::unsigned_integer) return texture.reads_normalized ? bits / most : bits;
  const auto value = static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
  return texture.reads_normalized ? std::max(-1.0, value / (std::ldexp(1.0, static_cast<int>(width) - 1) - 1)) : value;
}

std::array<double, 4> read_texel(const Texture& texture, const Position& at, const DeviceMemory& memory) {
  std::array<double, 4> channels = {0, 0, 0, 0};
  if (at[0] == kOutside || at[1] == kOutside || at[2] == kOutside) return channels;
  channels[3] = 1;
  for (unsigned i = 0; i < texture.channels; ++i) {
    std::uint32_t bits = 0;
    memory.read(address_of(texture, at) + i * texture.channel_bytes, reinterpret_cast<std::byte*>(&bits), texture.channel_bytes);
    channels[i] = number_of(texture, bits);
  }
  return channels;
}

std::uint32_t result_bits(double value, bool wants_float) {
  if (wants_float) return bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

unsigned dimensions_of(TextureShape shape) {
  return shape == TextureShape::line || shape == TextureShape::lines ? 1 : shape == TextureShape::volume ? 3 : 2;
}

/// The face of a cube that a direction meets, as its layer, and the place on it in texels.
void place_on_cube(const Texture& texture, const std::array<float, 3>& direction, std::array<double, 3>& at, std::uint32_t& layer) {
  const double x = direction[0], y = direction[1], z = direction[2];
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  double s = 0, t = 0, major = 1;
  if (ax >= ay && ax >= az) {
    layer = x < 0 ? 1 : 0;
    s = x < 0 ? z : -z, t = -y, major = ax;
  } else if (ay >= az) {
    layer = y < 0 ? 3 : 2;
    s = x, t = y < 0 ? -z : z, major = ay;
  } else {
    layer = z < 0 ? 5 : 4;
    s = z < 0 ? -x : x, t = -y, major = az;
  }
  if (major == 0) major = 1;
  at[0] = (s / major + 1) / 2 * texture.size[0];
  at[1] = (t / major + 1) / 2 * texture.size[1];
}

}  // namespace

Texel fetch_texel(const Texture& texture, TextureShape shape, const TextureCoordinates& coordinates, bool wants_float,
                  const DeviceMemory& memory) {
  const unsigned dimensions = dimensions_of(shape);
  std::uint32_t layer = coordinates.layer;
  std::array<double, 3> at{};
  for (unsigned i = 0; i < dimensions; ++i) {
    at[i] = coordinates.is_integer ? coordinates.texel[i] + 0.5 : static_cast<double>(coordinates.at[i]);
    if (!coordinates.is_integer && texture.has_normalized_coordinates) at[i] *= texture.size[i];
  }
  if (shape == TextureShape::cube) place_on_cube(texture, coordinates.at, at, layer);
  const bool layered = shape == TextureShape::lines || shape == TextureShape::planes || shape == TextureShape::cube;
  const bool linear = texture.is_linear && !coordinates.is_integer;
  // Coordinates beyond any texture, and NaN, count as the edge.
  constexpr double kFarthest = 1e9;
  Position low{};
  std::array<double, 3> weight{};
  for (unsigned i = 0; i < dimensions; ++i) {
    const double place = at[i] == at[i] ? std::clamp(at[i], -kFarthest, kFarthest) - (linear ? 0.5 : 0.0) : 0.0;
    low[i] = static_cast<std::int64_t>(std::floor(place));
    if (linear) weight[i] = std::floor((place - static_cast<double>(low[i])) * 256 + 0.5) / 256;  // fixed point with eight fractional bits
  }
  Texel texel;
  std::array<double, 4> sum{};
  for (unsigned corner = 0; corner < (linear ? 1u << dimensions : 1u); ++corner) {
    Position place{};
    double share = 1;
    for (unsigned i = 0; i < dimensions; ++i) {
      const bool upper = (corner >> i & 1) != 0;
      place[i] = wrapped(low[i] + (upper ? 1 : 0), texture.size[i], texture.modes[i]);
      share *= linear ? (upper ? weight[i] : 1 - weight[i]) : 1;
    }
    if (layered) place[2] = std::min<std::int64_t>(layer, std::int64_t{texture.size[2]} - 1);
    const std::array<double, 4> channels = read_texel(texture, place, memory);
    for (unsigned i = 0; i < 4; ++i) sum[i] += share == 0 ? 0 : share * channels[i];
    if (corner == 0)
      for (std::int64_t& index : place) index = std::max<std::int64_t>(index, 0);
    if (corner == 0) texel.origin = address_of(texture, place);
  }
  for (unsigned i = 0; i < 4; ++i) texel.channels[i] = result_bits(sum[i], wants_float);
  return texel;
}

}  // namespace wharf::ptx
