#pragma once
// Atomic operations on words of 4 and 8 bytes, on the device by the functions of CUDA C++ and on the host by those of the compiler.

namespace wharf_atomics {

/// The unsigned word of `size` bytes.
template <size_t size>
struct WordOf {
  using Word = unsigned;
};
template <>
struct WordOf<8> {
  using Word = unsigned long long;
};

/// On the device a fence on either side gives an operation its order: `order` is that of std::memory_order.
template <cuda::thread_scope scope>
__host__ __device__ inline void fence(int order) {
  if (order == __ATOMIC_RELAXED) return;
#if defined(__CUDA_ARCH__)
  if (scope == cuda::thread_scope_system) __threadfence_system();
  if (scope == cuda::thread_scope_device) __threadfence();
  if (scope == cuda::thread_scope_block) __threadfence_block();
#else
  __atomic_thread_fence(order);
#endif
}

constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }
constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

// One function per operation, which chooses the scope.
#if defined(__CUDA_ARCH__)
#define WHARF_WORD_OPERATION(name, function)                           \
  template <cuda::thread_scope scope, class Word, class... Values>     \
  __host__ __device__ inline Word name(Word* word, Values... values) { \
    if constexpr (scope == cuda::thread_scope_system)                  \
      return function##_system(word, values...);                       \
    else if constexpr (scope == cuda::thread_scope_device)             \
      return function(word, values...);                                \
    else                                                               \
      return function##_block(word, values...);                        \
  }
WHARF_WORD_OPERATION(exchange, atomicExch)
WHARF_WORD_OPERATION(compare_and_swap, atomicCAS)
WHARF_WORD_OPERATION(fetch_add, atomicAdd)
WHARF_WORD_OPERATION(fetch_and, atomicAnd)
WHARF_WORD_OPERATION(fetch_or, atomicOr)
WHARF_WORD_OPERATION(fetch_xor, atomicXor)
#undef WHARF_WORD_OPERATION
template <class Word>
__host__ __device__ inline Word load(const Word* word) {
  return *const_cast<const volatile Word*>(word);
}
template <class Word>
__host__ __device__ inline void store(Word* word, Word value) {
  *const_cast<volatile Word*>(word) = value;
}
#else
#define WHARF_WORD_OPERATION(name, function)                     \
  template <cuda::thread_scope scope, class Word>                \
  __host__ __device__ inline Word name(Word* word, Word value) { \
    return function(word, value, __ATOMIC_RELAXED);              \
  }
WHARF_WORD_OPERATION(exchange, __atomic_exchange_n)
WHARF_WORD_OPERATION(fetch_add, __atomic_fetch_add)
WHARF_WORD_OPERATION(fetch_and, __atomic_fetch_and)
WHARF_WORD_OPERATION(fetch_or, __atomic_fetch_or)
WHARF_WORD_OPERATION(fetch_xor, __atomic_fetch_xor)
#undef WHARF_WORD_OPERATION
template <cuda::thread_scope scope, class Word>
__host__ __device__ inline Word compare_and_swap(Word* word, Word expected, Word desired) {
  __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
template <class Word>
__host__ __device__ inline Word load(const Word* word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
template <class Word>
__host__ __device__ inline void store(Word* word, Word value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
#endif

}  // namespace wharf_atomics
