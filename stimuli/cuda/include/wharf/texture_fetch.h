#pragma once
// Texture fetches in device code: through texture objects and through texture references.
//
// clang's __nv_tex_surf_handler builds the PTX instruction from the fetch's name. References go through their handle and the object form,
// because clang 14 cannot compile a fetch of a normalised integer texel through a reference (CU-10.6).

#define WHARF_OBJECT_FETCH(name, parameters, ...)                                             \
  template <class T>                                                                          \
  static __inline__ __device__ T name(cudaTextureObject_t object, __VA_ARGS__) {              \
    T value;                                                                                  \
    __nv_tex_surf_handler("__i" #name, &value, object, WHARF_UNPACK parameters);              \
    return value;                                                                             \
  }                                                                                           \
  template <class T>                                                                          \
  static __inline__ __device__ void name(T* value, cudaTextureObject_t object, __VA_ARGS__) { \
    __nv_tex_surf_handler("__i" #name, value, object, WHARF_UNPACK parameters);               \
  }
#define WHARF_UNPACK(...) __VA_ARGS__

WHARF_OBJECT_FETCH(tex1Dfetch, (x), int x)
WHARF_OBJECT_FETCH(tex1D, (x), float x)
WHARF_OBJECT_FETCH(tex1DLod, (x, level), float x, float level)
WHARF_OBJECT_FETCH(tex2D, (x, y), float x, float y)
WHARF_OBJECT_FETCH(tex2DLod, (x, y, level), float x, float y, float level)
WHARF_OBJECT_FETCH(tex3D, (x, y, z), float x, float y, float z)
WHARF_OBJECT_FETCH(tex3DLod, (x, y, z, level), float x, float y, float z, float level)
WHARF_OBJECT_FETCH(tex1DLayered, (x, layer), float x, int layer)
WHARF_OBJECT_FETCH(tex2DLayered, (x, y, layer), float x, float y, int layer)
WHARF_OBJECT_FETCH(texCubemap, (x, y, z), float x, float y, float z)
#undef WHARF_OBJECT_FETCH

// The type that a fetch returns: the element's, or floats where integers are read as normalised floats.
template <class T, cudaTextureReadMode mode>
struct wharf_texel {
  typedef T type;
};
#define WHARF_NORMALISED(integer, floats)                    \
  template <>                                                \
  struct wharf_texel<integer, cudaReadModeNormalizedFloat> { \
    typedef floats type;                                     \
  };
WHARF_NORMALISED(char, float)
WHARF_NORMALISED(signed char, float)
WHARF_NORMALISED(unsigned char, float)
WHARF_NORMALISED(short, float)
WHARF_NORMALISED(unsigned short, float)
WHARF_NORMALISED(char1, float1)
WHARF_NORMALISED(uchar1, float1)
WHARF_NORMALISED(short1, float1)
WHARF_NORMALISED(ushort1, float1)
WHARF_NORMALISED(char2, float2)
WHARF_NORMALISED(uchar2, float2)
WHARF_NORMALISED(short2, float2)
WHARF_NORMALISED(ushort2, float2)
WHARF_NORMALISED(char4, float4)
WHARF_NORMALISED(uchar4, float4)
WHARF_NORMALISED(short4, float4)
WHARF_NORMALISED(ushort4, float4)
#undef WHARF_NORMALISED

#define WHARF_REFERENCE_FETCH(name, parameters, ...)                                                                           \
  template <class T, int dimensions, cudaTextureReadMode mode>                                                                 \
  static __inline__ __device__ typename wharf_texel<T, mode>::type name(texture<T, dimensions, mode> reference, __VA_ARGS__) { \
    typename wharf_texel<T, mode>::type value;                                                                                 \
    __nv_tex_surf_handler("__i" #name, &value, __cuda_tex::__tex_handle_to_obj(reference), WHARF_UNPACK parameters);           \
    return value;                                                                                                              \
  }
WHARF_REFERENCE_FETCH(tex1Dfetch, (x), int x)
WHARF_REFERENCE_FETCH(tex1D, (x), float x)
WHARF_REFERENCE_FETCH(tex2D, (x, y), float x, float y)
WHARF_REFERENCE_FETCH(tex3D, (x, y, z), float x, float y, float z)
WHARF_REFERENCE_FETCH(tex1DLayered, (x, layer), float x, int layer)
WHARF_REFERENCE_FETCH(tex2DLayered, (x, y, layer), float x, float y, int layer)
WHARF_REFERENCE_FETCH(texCubemap, (x, y, z), float x, float y, float z)
#undef WHARF_REFERENCE_FETCH
#undef WHARF_UNPACK
