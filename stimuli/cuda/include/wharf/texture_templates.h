#pragma once
// Channel descriptions by element type, and binding of texture references.

template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define WHARF_CHANNEL(type, x, y, z, w, kind)                              \
  template <>                                                              \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {             \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); \
  }
#define WHARF_CHANNELS(name, element, bits, kind) \
  WHARF_CHANNEL(element, bits, 0, 0, 0, kind)     \
  WHARF_CHANNEL(name##1, bits, 0, 0, 0, kind)     \
  WHARF_CHANNEL(name##2, bits, bits, 0, 0, kind)  \
  WHARF_CHANNEL(name##4, bits, bits, bits, bits, kind)
WHARF_CHANNEL(char, 8, 0, 0, 0, Signed)
WHARF_CHANNELS(char, signed char, 8, Signed)
WHARF_CHANNELS(uchar, unsigned char, 8, Unsigned)
WHARF_CHANNELS(short, short, 16, Signed)
WHARF_CHANNELS(ushort, unsigned short, 16, Unsigned)
WHARF_CHANNELS(int, int, 32, Signed)
WHARF_CHANNELS(uint, unsigned int, 32, Unsigned)
WHARF_CHANNELS(float, float, 32, Float)
#undef WHARF_CHANNELS
#undef WHARF_CHANNEL

#if defined(__CUDA__)
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaChannelFormatDesc texture<T, dimensions, mode>::channel() {
  return cudaCreateChannelDesc<T>();
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                          const cudaChannelFormatDesc& channel, size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&reference), pointer, &channel, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                          size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                            const cudaChannelFormatDesc& channel, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&reference), pointer, &channel, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channel) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array, &channel);
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference, cudaArray_const_t array) {
  cudaChannelFormatDesc channel;
  const cudaError_t error = cudaGetChannelDesc(&channel, array);
  return error == cudaSuccess ? cudaBindTextureToArray(reference, array, channel) : error;
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode>& reference) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&reference));
}
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dimensions, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&reference));
}
#endif
