#pragma once
// Loads and stores of the fragments of nvcuda::wmma: one instruction each. `stride` counts elements.

namespace nvcuda {
namespace wmma {

#define WHARF_LOAD(text, registers)                                                        \
  {                                                                                        \
    auto* const x = wharf_registers(to.x);                                                 \
    asm volatile("wmma.load." text " " WHARF_TEXT_##registers(x) ", [%[from]], %[stride];" \
                 : WHARF_OUT_##registers(x)                                                \
                 : [from] "l"(from), [stride] "r"(stride)                                  \
                 : "memory");                                                              \
  }
#define WHARF_LOAD_FACTOR(use, letter, layout, word, M, N, K, T, name, registers)                                                \
  WHARF_MATRIX void load_matrix_sync(fragment<use, M, N, K, T, layout>& to, const wharf_element<T>::type* from, unsigned stride) \
      WHARF_LOAD(letter ".sync.aligned." word WHARF_SHAPE(M, N, K) "." name, registers)
#define WHARF_LOAD_FACTORS(M, N, K, T, name, a, b)                        \
  WHARF_LOAD_FACTOR(matrix_a, "a", row_major, "row", M, N, K, T, name, a) \
  WHARF_LOAD_FACTOR(matrix_a, "a", col_major, "col", M, N, K, T, name, a) \
  WHARF_LOAD_FACTOR(matrix_b, "b", row_major, "row", M, N, K, T, name, b) \
  WHARF_LOAD_FACTOR(matrix_b, "b", col_major, "col", M, N, K, T, name, b)
WHARF_LOAD_FACTORS(16, 16, 16, __half, "f16", 8, 8)
WHARF_LOAD_FACTORS(32, 8, 16, __half, "f16", 8, 8)
WHARF_LOAD_FACTORS(8, 32, 16, __half, "f16", 8, 8)
WHARF_LOAD_FACTORS(16, 16, 16, __nv_bfloat16, "bf16", 4, 4)
WHARF_LOAD_FACTORS(32, 8, 16, __nv_bfloat16, "bf16", 8, 2)
WHARF_LOAD_FACTORS(8, 32, 16, __nv_bfloat16, "bf16", 2, 8)
WHARF_LOAD_FACTORS(16, 16, 16, signed char, "s8", 2, 2)
WHARF_LOAD_FACTORS(32, 8, 16, signed char, "s8", 4, 1)
WHARF_LOAD_FACTORS(8, 32, 16, signed char, "s8", 1, 4)
WHARF_LOAD_FACTORS(16, 16, 16, unsigned char, "u8", 2, 2)
WHARF_LOAD_FACTORS(32, 8, 16, unsigned char, "u8", 4, 1)
WHARF_LOAD_FACTORS(8, 32, 16, unsigned char, "u8", 1, 4)
WHARF_LOAD_FACTORS(16, 16, 8, precision::tf32, "tf32", 4, 4)
WHARF_LOAD_FACTORS(8, 8, 4, double, "f64", D1, D1)

#define WHARF_STORE(text, registers)                                                                     \
  {                                                                                                      \
    const auto* const x = wharf_registers(from.x);                                                       \
    asm volatile("wmma.store.d.sync.aligned." text " [%[to]], " WHARF_TEXT_##registers(x) ", %[stride];" \
                 :                                                                                       \
                 : [to] "l"(to), [stride] "r"(stride), WHARF_IN_##registers(x)                           \
                 : "memory");                                                                            \
  }
#define WHARF_ACCUMULATOR(M, N, K, T, name, registers)                                                                          \
  WHARF_MATRIX void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const T* from, unsigned stride, layout_t layout) {  \
    if (layout == mem_row_major)                                                                                                \
      WHARF_LOAD("c.sync.aligned.row" WHARF_SHAPE(M, N, K) "." name, registers)                                                 \
    else                                                                                                                        \
      WHARF_LOAD("c.sync.aligned.col" WHARF_SHAPE(M, N, K) "." name, registers)                                                 \
  }                                                                                                                             \
  WHARF_MATRIX void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& from, unsigned stride, layout_t layout) { \
    if (layout == mem_row_major)                                                                                                \
      WHARF_STORE("row" WHARF_SHAPE(M, N, K) "." name, registers)                                                               \
    else                                                                                                                        \
      WHARF_STORE("col" WHARF_SHAPE(M, N, K) "." name, registers)                                                               \
  }
WHARF_ACCUMULATOR(16, 16, 16, float, "f32", 8)
WHARF_ACCUMULATOR(32, 8, 16, float, "f32", 8)
WHARF_ACCUMULATOR(8, 32, 16, float, "f32", 8)
WHARF_ACCUMULATOR(16, 16, 8, float, "f32", 8)
WHARF_ACCUMULATOR(16, 16, 16, __half, "f16", 4)
WHARF_ACCUMULATOR(32, 8, 16, __half, "f16", 4)
WHARF_ACCUMULATOR(8, 32, 16, __half, "f16", 4)
WHARF_ACCUMULATOR(16, 16, 16, int, "s32", 8)
WHARF_ACCUMULATOR(32, 8, 16, int, "s32", 8)
WHARF_ACCUMULATOR(8, 32, 16, int, "s32", 8)
WHARF_ACCUMULATOR(8, 8, 4, double, "f64", D2)

#undef WHARF_LOAD
#undef WHARF_LOAD_FACTOR
#undef WHARF_LOAD_FACTORS
#undef WHARF_STORE
#undef WHARF_ACCUMULATOR

}  // namespace wmma
}  // namespace nvcuda
