#pragma once
// The vector types (char1 ... double4), their make_ functions, and dim3.

#if defined(__cplusplus)
#define WHARF_MAKE static __inline__ __host__ __device__ constexpr
#else
#define WHARF_MAKE static __inline__
#endif

// One element type: `name`2 and `name`4 are aligned to their size, up to 16 bytes; `name`1 and `name`3 as the element.
#define WHARF_VECTOR_TYPE(name, type, align2, align4)                 \
  struct name##1 {                                                    \
    type x;                                                           \
  };                                                                  \
  struct __attribute__((aligned(align2))) name##2 {                   \
    type x, y;                                                        \
  };                                                                  \
  struct name##3 {                                                    \
    type x, y, z;                                                     \
  };                                                                  \
  struct __attribute__((aligned(align4))) name##4 {                   \
    type x, y, z, w;                                                  \
  };                                                                  \
  typedef struct name##1 name##1;                                     \
  typedef struct name##2 name##2;                                     \
  typedef struct name##3 name##3;                                     \
  typedef struct name##4 name##4;                                     \
  WHARF_MAKE name##1 make_##name##1(type x) {                         \
    name##1 value = {x};                                              \
    return value;                                                     \
  }                                                                   \
  WHARF_MAKE name##2 make_##name##2(type x, type y) {                 \
    name##2 value = {x, y};                                           \
    return value;                                                     \
  }                                                                   \
  WHARF_MAKE name##3 make_##name##3(type x, type y, type z) {         \
    name##3 value = {x, y, z};                                        \
    return value;                                                     \
  }                                                                   \
  WHARF_MAKE name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 value = {x, y, z, w};                                     \
    return value;                                                     \
  }

WHARF_VECTOR_TYPE(char, signed char, 2, 4)
WHARF_VECTOR_TYPE(uchar, unsigned char, 2, 4)
WHARF_VECTOR_TYPE(short, short, 4, 8)
WHARF_VECTOR_TYPE(ushort, unsigned short, 4, 8)
WHARF_VECTOR_TYPE(int, int, 8, 16)
WHARF_VECTOR_TYPE(uint, unsigned int, 8, 16)
WHARF_VECTOR_TYPE(long, long, 16, 16)
WHARF_VECTOR_TYPE(ulong, unsigned long, 16, 16)
WHARF_VECTOR_TYPE(longlong, long long, 16, 16)
WHARF_VECTOR_TYPE(ulonglong, unsigned long long, 16, 16)
WHARF_VECTOR_TYPE(float, float, 8, 16)
WHARF_VECTOR_TYPE(double, double, 16, 16)

#undef WHARF_VECTOR_TYPE
#undef WHARF_MAKE

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
