#include "stimuli/cuda/device/texture_view.h"

#include <algorithm>

namespace wharf::cuda {
namespace {

constexpr std::uint32_t kFloat = 2, kUnsigned = 1, kMostModes = 4;  // numbers of cudaChannelFormatKind and cudaTextureAddressMode

std::uint32_t extent(std::uint64_t texels) {
  if (texels > 0xffff'ffff) throw DamagedRecord("a texture has impossible sizes");
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(texels, 1));
}

}  // namespace

ptx::Texture texture_of(const TextureView& view) {
  ptx::Texture texture;
  texture.base = view.address;
  texture.size = {extent(view.width), extent(view.height), extent(view.depth)};
  texture.row_bytes = view.pitch;
  texture.layer_bytes = view.pitch * std::max<std::uint64_t>(view.height, 1);
  const std::uint32_t bits = view.channel_bits[0];
  texture.channels = static_cast<unsigned>(
      std::count_if(std::begin(view.channel_bits), std::end(view.channel_bits), [](std::uint32_t b) { return b != 0; }));
  const bool alike =
      std::all_of(std::begin(view.channel_bits), std::end(view.channel_bits), [bits](std::uint32_t b) { return b == 0 || b == bits; });
  if ((bits != 8 && bits != 16 && bits != 32) || !alike || texture.channels == 3) throw DamagedRecord("a texture has impossible texels");
  texture.channel_bytes = bits / 8;
  using Kind = ptx::Texture::Kind;
  texture.kind = view.channel_kind == kFloat      ? Kind::floating
                 : view.channel_kind == kUnsigned ? Kind::unsigned_integer
                                                  : Kind::signed_integer;
  for (unsigned i = 0; i < texture.modes.size(); ++i) {
    if (view.address_mode[i] >= kMostModes) throw DamagedRecord("a texture has an impossible address mode");
    texture.modes[i] = static_cast<ptx::Texture::AddressMode>(view.address_mode[i]);
  }
  texture.is_linear = view.filter != 0;
  texture.reads_normalized = view.normalised_read != 0;
  texture.has_normalized_coordinates = view.normalised_coordinates != 0;
  return texture;
}

}  // namespace wharf::cuda
