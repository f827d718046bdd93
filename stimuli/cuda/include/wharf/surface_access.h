#pragma once
// Accesses to surface objects in device code: loads and stores whose address the instruction wharf.surface computes, which costs nothing.

namespace wharf_surfaces {

/// The place of (x, y, z), of which x counts bytes. Null where it is outside and the mode is zero.
template <class T>
static __inline__ __device__ void* place_of(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an access to a surface has 1, 2, 4, 8 or 16 bytes");
  void* place;
#define WHARF_PLACE(bounds) \
  asm("wharf.surface." bounds ".b64 %0, %1, %2, %3, %4, %5;" : "=l"(place) : "l"(surface), "r"(x), "r"(y), "r"(z), "n"(sizeof(T)))
  switch (mode) {
    case cudaBoundaryModeZero:
      WHARF_PLACE("zero");
      break;
    case cudaBoundaryModeClamp:
      WHARF_PLACE("clamp");
      break;
    default:
      WHARF_PLACE("trap");
  }
#undef WHARF_PLACE
  return place;
}

template <class T>
static __inline__ __device__ T read(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  T value;
  __builtin_memset(&value, 0, sizeof value);
  const void* const place = place_of<T>(surface, x, y, z, mode);
  if (mode != cudaBoundaryModeZero || place != nullptr) __builtin_memcpy(&value, __builtin_assume_aligned(place, sizeof(T)), sizeof value);
  return value;
}

template <class T>
static __inline__ __device__ void write(const T& value, cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  void* const place = place_of<T>(surface, x, y, z, mode);
  if (mode != cudaBoundaryModeZero || place != nullptr) __builtin_memcpy(__builtin_assume_aligned(place, sizeof(T)), &value, sizeof value);
}

}  // namespace wharf_surfaces

#define WHARF_UNPACK(...) __VA_ARGS__
#define WHARF_SURFACE(name, place, ...)                                                                \
  template <class T>                                                                                   \
  static __inline__ __device__ T name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                  \
                                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return wharf_surfaces::read<T>(surface, WHARF_UNPACK place, mode);                                 \
  }                                                                                                    \
  template <class T>                                                                                   \
  static __inline__ __device__ void name##read(T* value, cudaSurfaceObject_t surface, __VA_ARGS__,     \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *value = wharf_surfaces::read<T>(surface, WHARF_UNPACK place, mode);                               \
  }                                                                                                    \
  template <class T>                                                                                   \
  static __inline__ __device__ void name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,     \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    wharf_surfaces::write<T>(value, surface, WHARF_UNPACK place, mode);                                \
  }
WHARF_SURFACE(surf1D, (x, 0, 0), int x)
WHARF_SURFACE(surf2D, (x, y, 0), int x, int y)
WHARF_SURFACE(surf3D, (x, y, z), int x, int y, int z)
WHARF_SURFACE(surf1DLayered, (x, 0, layer), int x, int layer)
WHARF_SURFACE(surf2DLayered, (x, y, layer), int x, int y, int layer)
#undef WHARF_SURFACE
#undef WHARF_UNPACK
