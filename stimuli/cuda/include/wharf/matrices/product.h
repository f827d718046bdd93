#pragma once
// Products of the fragments of nvcuda::wmma: D = A B + C, one instruction each.

namespace nvcuda {
namespace wmma {

#define WHARF_MULTIPLY(text, D, A, B, C)                                                                                             \
  {                                                                                                                                  \
    auto* const x = wharf_registers(to.x);                                                                                           \
    const auto *const a = wharf_registers(left.x), *const b = wharf_registers(right.x);                                              \
    const auto* const c = wharf_registers(sum.x);                                                                                    \
    asm("wmma.mma.sync.aligned." text " " WHARF_TEXT_##D(x) ", " WHARF_TEXT_##A(a) ", " WHARF_TEXT_##B(b) ", " WHARF_TEXT_##C(c) ";" \
        : WHARF_OUT_##D(x)                                                                                                           \
        : WHARF_IN_##A(a), WHARF_IN_##B(b), WHARF_IN_##C(c));                                                                        \
  }
#define WHARF_PARAMETERS(M, N, K, T, a_layout, b_layout, to_type, sum_type)                        \
  fragment<accumulator, M, N, K, to_type>&to, const fragment<matrix_a, M, N, K, T, a_layout>&left, \
      const fragment<matrix_b, M, N, K, T, b_layout>&right, const fragment<accumulator, M, N, K, sum_type>&sum
// One function for each pair of layouts.
#define WHARF_EACH_LAYOUT(define, ...)                                                                            \
  define(row_major, "row", row_major, "row", __VA_ARGS__) define(row_major, "row", col_major, "col", __VA_ARGS__) \
      define(col_major, "col", row_major, "row", __VA_ARGS__) define(col_major, "col", col_major, "col", __VA_ARGS__)

#define WHARF_FLOATS(a_layout, a_word, b_layout, b_word, M, N, K, T, to_type, sum_type, types, D, A, B, C) \
  WHARF_MATRIX void mma_sync(WHARF_PARAMETERS(M, N, K, T, a_layout, b_layout, to_type, sum_type))          \
      WHARF_MULTIPLY(a_word "." b_word WHARF_SHAPE(M, N, K) types, D, A, B, C)
#define WHARF_HALVES(M, N, K)                                                             \
  WHARF_EACH_LAYOUT(WHARF_FLOATS, M, N, K, __half, float, float, ".f32.f32", 8, 8, 8, 8)  \
  WHARF_EACH_LAYOUT(WHARF_FLOATS, M, N, K, __half, float, __half, ".f32.f16", 8, 8, 8, 4) \
  WHARF_EACH_LAYOUT(WHARF_FLOATS, M, N, K, __half, __half, float, ".f16.f32", 4, 8, 8, 8) \
  WHARF_EACH_LAYOUT(WHARF_FLOATS, M, N, K, __half, __half, __half, ".f16.f16", 4, 8, 8, 4)
WHARF_HALVES(16, 16, 16)
WHARF_HALVES(32, 8, 16)
WHARF_HALVES(8, 32, 16)
WHARF_EACH_LAYOUT(WHARF_FLOATS, 16, 16, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", 8, 4, 4, 8)
WHARF_EACH_LAYOUT(WHARF_FLOATS, 32, 8, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", 8, 8, 2, 8)
WHARF_EACH_LAYOUT(WHARF_FLOATS, 8, 32, 16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", 8, 2, 8, 8)
WHARF_EACH_LAYOUT(WHARF_FLOATS, 16, 16, 8, precision::tf32, float, float, ".f32.tf32.tf32.f32", 8, 4, 4, 8)
WHARF_EACH_LAYOUT(WHARF_FLOATS, 8, 8, 4, double, double, double, ".rn.f64.f64.f64.f64", D2, D1, D1, D2)

/// `saturates` clamps sums to the range of int.
#define WHARF_INTEGERS(a_layout, a_word, b_layout, b_word, M, N, K, T, type, A, B)                                 \
  WHARF_MATRIX void mma_sync(WHARF_PARAMETERS(M, N, K, T, a_layout, b_layout, int, int), bool saturates = false) { \
    if (saturates)                                                                                                 \
      WHARF_MULTIPLY(a_word "." b_word WHARF_SHAPE(M, N, K) ".satfinite.s32." type "." type ".s32", 8, A, B, 8)    \
    else                                                                                                           \
      WHARF_MULTIPLY(a_word "." b_word WHARF_SHAPE(M, N, K) ".s32." type "." type ".s32", 8, A, B, 8)              \
  }
#define WHARF_BYTES(M, N, K, A, B)                                    \
  WHARF_EACH_LAYOUT(WHARF_INTEGERS, M, N, K, signed char, "s8", A, B) \
  WHARF_EACH_LAYOUT(WHARF_INTEGERS, M, N, K, unsigned char, "u8", A, B)
WHARF_BYTES(16, 16, 16, 2, 2)
WHARF_BYTES(32, 8, 16, 4, 1)
WHARF_BYTES(8, 32, 16, 1, 4)

#undef WHARF_MULTIPLY
#undef WHARF_PARAMETERS
#undef WHARF_EACH_LAYOUT
#undef WHARF_FLOATS
#undef WHARF_HALVES
#undef WHARF_INTEGERS
#undef WHARF_BYTES

}  // namespace wmma
}  // namespace nvcuda
