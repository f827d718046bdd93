// Texture objects, texture references (CU-31) and surface objects.

#include <algorithm>

#include "stimuli/cuda/runtime/memory/arrays.h"
#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint64_t kBaseAlignment = 256;  // of what a texture may begin at

void set_channel(TextureView& view, const cudaChannelFormatDesc& channel) {
  const int bits[] = {channel.x, channel.y, channel.z, channel.w};
  std::copy(std::begin(bits), std::end(bits), view.channel_bits);
  view.channel_kind = channel.f;
}

cudaError_t set_array(Session& s, TextureView& view, cudaArray_const_t array) {
  if (s.arrays.count(const_cast<cudaArray_t>(array)) == 0) return cudaErrorInvalidResourceHandle;
  view.shape = TextureShape::array;
  view.address = array->address;
  view.width = array->extent.width;
  view.height = array->extent.height;
  view.depth = array->extent.depth;
  view.pitch = array->pitch;
  view.layered = (array->flags & cudaArrayLayered) != 0;
  set_channel(view, array->channel);
  return cudaSuccess;
}

/// A texture ends where its allocation ends: the default size is 4 GiB, and programs exist that state too much.
cudaError_t set_linear(Session& s, TextureView& view, const void* pointer, const cudaChannelFormatDesc& channel, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* allocation = s.heap.find(address);
  const std::size_t texel = texel_bytes(channel);
  if (allocation == nullptr) return cudaErrorInvalidValue;
  if (texel == 0) return cudaErrorInvalidChannelDescriptor;
  const std::uint64_t rest = allocation->address + allocation->bytes - address;
  bytes = std::min(bytes, rest);
  if (bytes < texel) return cudaErrorInvalidValue;
  view.shape = TextureShape::linear;
  view.address = address;
  view.width = bytes / texel;
  set_channel(view, channel);
  return cudaSuccess;
}

cudaError_t set_pitched(Session& s, TextureView& view, const void* pointer, const cudaChannelFormatDesc& channel, std::size_t width,
                        std::size_t height, std::size_t pitch) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* allocation = s.heap.find(address);
  const std::size_t texel = texel_bytes(channel);
  if (texel == 0) return cudaErrorInvalidChannelDescriptor;
  if (allocation == nullptr || width == 0 || height == 0 || width > pitch / texel) return cudaErrorInvalidValue;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(pitch, height - 1, &bytes) || bytes + width * texel > allocation->address + allocation->bytes - address)
    return cudaErrorInvalidValue;
  view.shape = TextureShape::pitched;
  view.address = address;
  view.width = width;
  view.height = height;
  view.pitch = pitch;
  set_channel(view, channel);
  return cudaSuccess;
}

cudaError_t view_of(Session& s, const cudaResourceDesc& resource, TextureView& view) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return set_array(s, view, resource.res.array.array);
    case cudaResourceTypeLinear:
      return set_linear(s, view, resource.res.linear.devPtr, resource.res.linear.desc, resource.res.linear.sizeInBytes);
    case cudaResourceTypePitch2D:
      return set_pitched(s, view, resource.res.pitch2D.devPtr, resource.res.pitch2D.desc, resource.res.pitch2D.width,
                         resource.res.pitch2D.height, resource.res.pitch2D.pitchInBytes);
    case cudaResourceTypeMipmappedArray:
      end_program("mipmapped textures are not supported; create the texture from an array of one level");
  }
  return cudaErrorInvalidValue;
}

/// Linear filtering interpolates floats: of float texels, or of integers that are read as normalised floats.
bool can_filter(const TextureView& view) { return view.channel_kind == cudaChannelFormatKindFloat || view.normalised_read != 0; }

/// Binds the reference behind `reference`, with the modes that the program has set in it.
cudaError_t bind(Session& s, const textureReference* reference, TextureView view, std::size_t offset = 0) {
  const auto found = s.textures.find(reference);
  if (found == s.textures.end()) return cudaErrorInvalidTexture;
  found->second.offset = offset;
  for (unsigned i = 0; i < 3; ++i) view.address_mode[i] = reference->addressMode[i];
  view.filter = reference->filterMode;
  view.normalised_coordinates = reference->normalized != 0;
  view.normalised_read = found->second.record.normalised_read;
  if (view.filter == cudaFilterModeLinear && !can_filter(view)) return cudaErrorInvalidFilterSetting;
  const TextureRecord& record = found->second.record;
  return static_cast<cudaError_t>(s.channel.send(RecordKind::bind_texture, BindTextureRecord{0, record.module, record.name, view}));
}

}  // namespace
}  // namespace wharf::cuda::runtime

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource, const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* resource_view) {
  return api_call("cudaCreateTextureObject", [&](Session& s) {
    if (object == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
    if (resource_view != nullptr && resource_view->format != cudaResViewFormatNone)
      end_program("resource views with a format of their own are not supported; create the texture with the array's own format");
    TextureView view;
    const cudaError_t error = view_of(s, *resource, view);
    if (error != cudaSuccess) return error;
    for (unsigned i = 0; i < 3; ++i) view.address_mode[i] = texture->addressMode[i];
    view.filter = texture->filterMode;
    view.normalised_read = texture->readMode == cudaReadModeNormalizedFloat;
    view.normalised_coordinates = texture->normalizedCoords != 0;
    std::copy(std::begin(texture->borderColor), std::end(texture->borderColor), view.border);
    if (view.normalised_read != 0 && view.channel_bits[0] == 32 && view.channel_kind != cudaChannelFormatKindFloat)
      return cudaErrorInvalidNormSetting;
    if (view.filter == cudaFilterModeLinear && !can_filter(view)) return cudaErrorInvalidFilterSetting;
    *object = ++s.texture_objects_made;
    s.texture_objects.insert(*object);
    return static_cast<cudaError_t>(s.channel.send(RecordKind::bind_texture, BindTextureRecord{*object, 0, {}, view}));
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_call("cudaDestroyTextureObject", [&](Session& s) {
    if (s.texture_objects.erase(object) == 0) return cudaErrorInvalidResourceHandle;
    return static_cast<cudaError_t>(s.channel.send(RecordKind::unbind_texture, UnbindTextureRecord{object, 0, {}}));
  });
}

// For the executor, a surface is a texture whose element a kernel addresses (CU-19).
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api_call("cudaCreateSurfaceObject", [&](Session& s) {
    if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    TextureView view;
    const cudaError_t error = set_array(s, view, resource->res.array.array);
    if (error != cudaSuccess) return error;
    if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
    *object = ++s.texture_objects_made;
    s.surface_objects.insert(*object);
    return static_cast<cudaError_t>(s.channel.send(RecordKind::bind_texture, BindTextureRecord{*object, 0, {}, view}));
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api_call("cudaDestroySurfaceObject", [&](Session& s) {
    if (s.surface_objects.erase(object) == 0) return cudaErrorInvalidResourceHandle;
    return static_cast<cudaError_t>(s.channel.send(RecordKind::unbind_texture, UnbindTextureRecord{object, 0, {}}));
  });
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer, const cudaChannelFormatDesc* channel,
                            size_t bytes) {
  return api_call("cudaBindTexture", [&](Session& s) {
    if (reference == nullptr || channel == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t misaligned = reinterpret_cast<std::uint64_t>(pointer) % kBaseAlignment;
    if (misaligned != 0 && offset == nullptr) return cudaErrorInvalidValue;
    TextureView view;
    const char* base = static_cast<const char*>(pointer) - misaligned;
    const cudaError_t error = set_linear(s, view, base, *channel, bytes + misaligned);
    if (error != cudaSuccess) return error;
    if (offset != nullptr) *offset = misaligned;
    return bind(s, reference, view, misaligned);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer, const cudaChannelFormatDesc* channel,
                              size_t width, size_t height, size_t pitch) {
  return api_call("cudaBindTexture2D", [&](Session& s) {
    if (reference == nullptr || channel == nullptr || reinterpret_cast<std::uint64_t>(pointer) % kBaseAlignment != 0)
      return cudaErrorInvalidValue;
    TextureView view;
    const cudaError_t error = set_pitched(s, view, pointer, *channel, width, height, pitch);
    if (error != cudaSuccess) return error;
    if (offset != nullptr) *offset = 0;
    return bind(s, reference, view);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array, const cudaChannelFormatDesc*) {
  return api_call("cudaBindTextureToArray", [&](Session& s) {
    if (reference == nullptr) return cudaErrorInvalidValue;
    TextureView view;
    const cudaError_t error = set_array(s, view, array);
    return error == cudaSuccess ? bind(s, reference, view) : error;
  });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return api_call("cudaUnbindTexture", [&](Session& s) {
    const auto found = s.textures.find(reference);
    if (found == s.textures.end()) return cudaErrorInvalidTexture;
    const TextureRecord& record = found->second.record;
    return static_cast<cudaError_t>(s.channel.send(RecordKind::unbind_texture, UnbindTextureRecord{0, record.module, record.name}));
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return api_call("cudaGetTextureReference", [&](Session& s) {
    if (reference == nullptr) return cudaErrorInvalidValue;
    if (s.textures.find(symbol) == s.textures.end()) return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return api_call("cudaGetTextureAlignmentOffset", [&](Session& s) {
    if (offset == nullptr) return cudaErrorInvalidValue;
    const auto found = s.textures.find(reference);
    if (found == s.textures.end()) return cudaErrorInvalidTexture;
    *offset = found->second.offset;
    return cudaSuccess;
  });
}
}
