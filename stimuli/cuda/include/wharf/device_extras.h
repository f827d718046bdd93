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

// Loads and stores with a cache operator, of numbers and of vectors. A vector is one access, as it is aligned to its size.
namespace wharf_cached {
template <class T>
struct Bits {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "loads and stores with a cache operator have 1, 2, 4, 8 or 16 bytes");
  typedef T Value;
  unsigned long long low, high;

  static __inline__ __device__ Bits of(const T& value) {
    Bits bits = {};
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
  }
  __inline__ __device__ T value() const {
    T value;
    __builtin_memcpy(&value, this, sizeof value);
    return value;
  }
};
}  // namespace wharf_cached

#define WHARF_CACHED_LOAD(name, op)                                                                                        \
  template <class T>                                                                                                       \
  static __inline__ __device__ T name(const T* address) {                                                                  \
    wharf_cached::Bits<T> bits = {};                                                                                       \
    unsigned int word = 0;                                                                                                 \
    unsigned short half = 0;                                                                                               \
    if (sizeof(T) == 16)                                                                                                   \
      asm volatile("ld.global." op ".v2.u64 {%0, %1}, [%2];" : "=l"(bits.low), "=l"(bits.high) : "l"(address) : "memory"); \
    else if (sizeof(T) == 8)                                                                                               \
      asm volatile("ld.global." op ".u64 %0, [%1];" : "=l"(bits.low) : "l"(address) : "memory");                           \
    else if (sizeof(T) == 4)                                                                                               \
      asm volatile("ld.global." op ".u32 %0, [%1];" : "=r"(word) : "l"(address) : "memory");                               \
    else if (sizeof(T) == 2)                                                                                               \
      asm volatile("ld.global." op ".u16 %0, [%1];" : "=h"(half) : "l"(address) : "memory");                               \
    else                                                                                                                   \
      asm volatile("ld.global." op ".u8 %0, [%1];" : "=h"(half) : "l"(address) : "memory");                                \
    if (sizeof(T) <= 4) bits.low = sizeof(T) == 4 ? word : half;                                                           \
    return bits.value();                                                                                                   \
  }
WHARF_CACHED_LOAD(__ldca, "ca")
WHARF_CACHED_LOAD(__ldcg, "cg")
WHARF_CACHED_LOAD(__ldcs, "cs")
WHARF_CACHED_LOAD(__ldlu, "lu")
WHARF_CACHED_LOAD(__ldcv, "cv")
#undef WHARF_CACHED_LOAD

#define WHARF_CACHED_STORE(name, op)                                                                                      \
  template <class T>                                                                                                      \
  static __inline__ __device__ void name(T* address, typename wharf_cached::Bits<T>::Value value) {                       \
    const wharf_cached::Bits<T> bits = wharf_cached::Bits<T>::of(value);                                                  \
    const unsigned int word = static_cast<unsigned int>(bits.low);                                                        \
    const unsigned short half = static_cast<unsigned short>(bits.low);                                                    \
    if (sizeof(T) == 16)                                                                                                  \
      asm volatile("st.global." op ".v2.u64 [%0], {%1, %2};" : : "l"(address), "l"(bits.low), "l"(bits.high) : "memory"); \
    else if (sizeof(T) == 8)                                                                                              \
      asm volatile("st.global." op ".u64 [%0], %1;" : : "l"(address), "l"(bits.low) : "memory");                          \
    else if (sizeof(T) == 4)                                                                                              \
      asm volatile("st.global." op ".u32 [%0], %1;" : : "l"(address), "r"(word) : "memory");                              \
    else if (sizeof(T) == 2)                                                                                              \
      asm volatile("st.global." op ".u16 [%0], %1;" : : "l"(address), "h"(half) : "memory");                              \
    else                                                                                                                  \
      asm volatile("st.global." op ".u8 [%0], %1;" : : "l"(address), "h"(half) : "memory");                               \
  }
WHARF_CACHED_STORE(__stwb, "wb")
WHARF_CACHED_STORE(__stcg, "cg")
WHARF_CACHED_STORE(__stcs, "cs")
WHARF_CACHED_STORE(__stwt, "wt")
#undef WHARF_CACHED_STORE
