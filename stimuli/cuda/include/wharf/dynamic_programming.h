#pragma once
// The functions for dynamic programming (DPX) of CUDA 12, for both sides and every architecture: the larger or smaller of numbers, or of a
// number and a sum, which wraps around; with `_relu` at least 0. A word of `x2` has two numbers of 16 bits.

#define WHARF_DPX static __inline__ __host__ __device__

namespace wharf_dpx {

template <class T>
WHARF_DPX T larger(T a, T b) {
  return a < b ? b : a;
}
template <class T>
WHARF_DPX T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
WHARF_DPX T sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}

#define WHARF_OPERATION(name, value) \
  struct name {                      \
    template <class T>               \
    WHARF_DPX T of(T a, T b, T c) {  \
      return value;                  \
    }                                \
  };
WHARF_OPERATION(Max3, larger(larger(a, b), c))
WHARF_OPERATION(Min3, smaller(smaller(a, b), c))
WHARF_OPERATION(AddMax, larger(sum(a, b), c))
WHARF_OPERATION(AddMin, smaller(sum(a, b), c))
#undef WHARF_OPERATION
template <class Operation>
struct Relu {
  template <class T>
  WHARF_DPX T of(T a, T b, T c) {
    return larger(Operation::of(a, b, c), T(0));
  }
};

WHARF_DPX unsigned int pair(unsigned int high, unsigned int low) { return high << 16 | (low & 0xFFFF); }
/// `Half` is the type of the two numbers in each word.
template <class Operation, class Half>
WHARF_DPX unsigned int halves(unsigned int a, unsigned int b, unsigned int c) {
  return pair(Operation::of(Half(a >> 16), Half(b >> 16), Half(c >> 16)), Operation::of(Half(a), Half(b), Half(c)));
}

}  // namespace wharf_dpx

#define WHARF_NUMBERS(name, Operation, Number) \
  WHARF_DPX Number name(Number a, Number b, Number c) { return wharf_dpx::Operation::of(a, b, c); }
#define WHARF_HALVES(name, Operation, Half)                                     \
  WHARF_DPX unsigned int name(unsigned int a, unsigned int b, unsigned int c) { \
    return wharf_dpx::halves<wharf_dpx::Operation, Half>(a, b, c);              \
  }
#define WHARF_OF_THREE(name, Operation)                           \
  WHARF_NUMBERS(name##_s32, Operation, int)                       \
  WHARF_NUMBERS(name##_u32, Operation, unsigned int)              \
  WHARF_HALVES(name##_s16x2, Operation, int16_t)                  \
  WHARF_HALVES(name##_u16x2, Operation, uint16_t)                 \
  WHARF_NUMBERS(name##_s32_relu, Relu<wharf_dpx::Operation>, int) \
  WHARF_HALVES(name##_s16x2_relu, Relu<wharf_dpx::Operation>, int16_t)
WHARF_OF_THREE(__vimax3, Max3)
WHARF_OF_THREE(__vimin3, Min3)
WHARF_OF_THREE(__viaddmax, AddMax)
WHARF_OF_THREE(__viaddmin, AddMin)
#undef WHARF_OF_THREE
#undef WHARF_HALVES
#undef WHARF_NUMBERS

WHARF_DPX int __vimax_s32_relu(int a, int b) { return __vimax3_s32_relu(a, b, b); }
WHARF_DPX int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, b, b); }
WHARF_DPX unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) { return __vimax3_s16x2_relu(a, b, b); }
WHARF_DPX unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) { return __vimin3_s16x2_relu(a, b, b); }

// These also tell whether the result is `a`.
#define WHARF_NUMBERS(name, relation, Number)             \
  WHARF_DPX Number name(Number a, Number b, bool* is_a) { \
    *is_a = a relation b;                                 \
    return *is_a ? a : b;                                 \
  }
#define WHARF_HALVES(name, relation, Half)                                                       \
  WHARF_DPX unsigned int name(unsigned int a, unsigned int b, bool* high_is_a, bool* low_is_a) { \
    *high_is_a = Half(a >> 16) relation Half(b >> 16);                                           \
    *low_is_a = Half(a) relation Half(b);                                                        \
    return wharf_dpx::pair((*high_is_a ? a : b) >> 16, *low_is_a ? a : b);                       \
  }
#define WHARF_OF_TWO(name, relation)                \
  WHARF_NUMBERS(name##_s32, relation, int)          \
  WHARF_NUMBERS(name##_u32, relation, unsigned int) \
  WHARF_HALVES(name##_s16x2, relation, int16_t)     \
  WHARF_HALVES(name##_u16x2, relation, uint16_t)
WHARF_OF_TWO(__vibmax, >=)
WHARF_OF_TWO(__vibmin, <=)
#undef WHARF_OF_TWO
#undef WHARF_HALVES
#undef WHARF_NUMBERS
#undef WHARF_DPX
