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

// clang declares these alone. The text would be the payload.
static __inline__ __device__ double nan(const char*) { return __builtin_nan(""); }
static __inline__ __device__ float nanf(const char*) { return __builtin_nanf(""); }

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

// Values of 4 and 8 bytes are compared bit by bit.
namespace wharf_matches {
template <class T>
struct Bits {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values have 4 or 8 bytes");
  unsigned int word = 0;
  unsigned long long words = 0;
  __device__ explicit Bits(const T& value) { __builtin_memcpy(sizeof(T) == 4 ? static_cast<void*>(&word) : &words, &value, sizeof value); }
};
}  // namespace wharf_matches
/// The lanes of the mask that have the value too.
template <class T>
static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, T value) {
  const wharf_matches::Bits<T> bits(value);
  unsigned int lanes;
  if (sizeof(T) == 4)
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"(bits.word), "r"(mask));
  else
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(bits.words), "r"(mask));
  return lanes;
}
/// The mask where all its lanes have one value, else 0.
template <class T>
static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, T value, int* all) {
  const wharf_matches::Bits<T> bits(value);
  unsigned int lanes;
#define WHARF_MATCH(type) "{ .reg .pred p; match.all.sync." type " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
  if (sizeof(T) == 4)
    asm volatile(WHARF_MATCH("b32") : "=r"(lanes), "=r"(*all) : "r"(bits.word), "r"(mask));
  else
    asm volatile(WHARF_MATCH("b64") : "=r"(lanes), "=r"(*all) : "l"(bits.words), "r"(mask));
#undef WHARF_MATCH
  return lanes;
}

// Dot products of 16-bit and 8-bit numbers.
#define WHARF_DOT(name, half, Value, type)                                                            \
  static __inline__ __device__ Value name(Value a, Value b, Value sum) {                              \
    Value result;                                                                                     \
    asm("dp2a." half "." type "." type " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum)); \
    return result;                                                                                    \
  }
WHARF_DOT(__dp2a_lo, "lo", int, "s32")
WHARF_DOT(__dp2a_hi, "hi", int, "s32")
WHARF_DOT(__dp2a_lo, "lo", unsigned int, "u32")
WHARF_DOT(__dp2a_hi, "hi", unsigned int, "u32")
#undef WHARF_DOT

#define __assume(condition) __builtin_assume(condition)

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

// Launches from kernels. Headers of libraries name them in code that is never reached.
#define WHARF_NOT_ON_DEVICE __attribute__((error("kernels cannot launch kernels here; launch from the host")))
extern "C" __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size) WHARF_NOT_ON_DEVICE;
extern "C" __device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned int shared_bytes,
                                                   cudaStream_t stream) WHARF_NOT_ON_DEVICE;
#undef WHARF_NOT_ON_DEVICE
