#pragma once
// Device functions of the toolkit that clang's headers lack.

static __inline__ __device__ unsigned int __isGlobal(const void* pointer) { return __nvvm_isspacep_global(pointer); }
static __inline__ __device__ unsigned int __isShared(const void* pointer) { return __nvvm_isspacep_shared(pointer); }
static __inline__ __device__ unsigned int __isConstant(const void* pointer) { return __nvvm_isspacep_const(pointer); }
static __inline__ __device__ unsigned int __isLocal(const void* pointer) { return __nvvm_isspacep_local(pointer); }
static __inline__ __device__ size_t __cvta_generic_to_global(const void* pointer) { return __nv_cvta_generic_to_global_impl(pointer); }
static __inline__ __device__ size_t __cvta_generic_to_shared(const void* pointer) { return __nv_cvta_generic_to_shared_impl(pointer); }
static __inline__ __device__ size_t __cvta_generic_to_constant(const void* pointer) { return __nv_cvta_generic_to_constant_impl(pointer); }
static __inline__ __device__ size_t __cvta_generic_to_local(const void* pointer) { return __nv_cvta_generic_to_local_impl(pointer); }
static __inline__ __device__ void* __cvta_global_to_generic(size_t address) { return __nv_cvta_global_to_generic_impl(address); }
static __inline__ __device__ void* __cvta_shared_to_generic(size_t address) { return __nv_cvta_shared_to_generic_impl(address); }

static __inline__ __device__ void __nanosleep(unsigned int nanoseconds) { asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds)); }

// Reductions over the lanes of a mask, of sm_80 and later.
#define WHARF_REDUCE(name, op, Value)                                                     \
  static __inline__ __device__ Value name(unsigned int mask, Value value) {               \
    Value result;                                                                         \
    asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                        \
  }
WHARF_REDUCE(__reduce_add_sync, "add.s32", int)
WHARF_REDUCE(__reduce_add_sync, "add.u32", unsigned int)
WHARF_REDUCE(__reduce_min_sync, "min.s32", int)
WHARF_REDUCE(__reduce_min_sync, "min.u32", unsigned int)
WHARF_REDUCE(__reduce_max_sync, "max.s32", int)
WHARF_REDUCE(__reduce_max_sync, "max.u32", unsigned int)
WHARF_REDUCE(__reduce_and_sync, "and.b32", unsigned int)
WHARF_REDUCE(__reduce_or_sync, "or.b32", unsigned int)
WHARF_REDUCE(__reduce_xor_sync, "xor.b32", unsigned int)
#undef WHARF_REDUCE

static __inline__ __device__ int __dp4a(int a, int b, int sum) {
  int result;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}
static __inline__ __device__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
  unsigned int result;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}
static __inline__ __device__ int __dp4a(char4 a, char4 b, int sum) {
  return __dp4a(reinterpret_cast<const int&>(a), reinterpret_cast<const int&>(b), sum);
}
static __inline__ __device__ unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
  return __dp4a(reinterpret_cast<const unsigned int&>(a), reinterpret_cast<const unsigned int&>(b), sum);
}

// Loads and stores with a cache operator.
#define WHARF_CACHED_LOAD(name, op)                                                         \
  static __inline__ __device__ int name(const int* address) {                               \
    int value;                                                                              \
    asm volatile("ld.global." op ".s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory"); \
    return value;                                                                           \
  }                                                                                         \
  static __inline__ __device__ unsigned int name(const unsigned int* address) {             \
    unsigned int value;                                                                     \
    asm volatile("ld.global." op ".u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory"); \
    return value;                                                                           \
  }                                                                                         \
  static __inline__ __device__ float name(const float* address) {                           \
    float value;                                                                            \
    asm volatile("ld.global." op ".f32 %0, [%1];" : "=f"(value) : "l"(address) : "memory"); \
    return value;                                                                           \
  }                                                                                         \
  static __inline__ __device__ double name(const double* address) {                         \
    double value;                                                                           \
    asm volatile("ld.global." op ".f64 %0, [%1];" : "=d"(value) : "l"(address) : "memory"); \
    return value;                                                                           \
  }
WHARF_CACHED_LOAD(__ldca, "ca")
WHARF_CACHED_LOAD(__ldcg, "cg")
WHARF_CACHED_LOAD(__ldcs, "cs")
WHARF_CACHED_LOAD(__ldcv, "cv")
#undef WHARF_CACHED_LOAD
