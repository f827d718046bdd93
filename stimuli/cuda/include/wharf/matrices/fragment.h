#pragma once
// The fragments of nvcuda::wmma, and lists of their registers for inline assembly.

#define WHARF_MATRIX static __inline__ __device__ __attribute__((always_inline))

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class T>
struct wharf_element {
  typedef T type;
};
template <>
struct wharf_element<precision::tf32> {
  typedef float type;
};

template <class T, int Count>
struct __attribute__((aligned(sizeof(T) < 4 ? 4 : sizeof(T)))) wharf_fragment {
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = Count, num_storage_elements = Count };
  T x[Count];
};
/// Elements of A or B per lane. Halves have 16, some of them more than once.
template <class T>
constexpr int wharf_count(int elements) {
  return __is_same(T, __half) ? 16 : elements / 32;
}

/// The result has `Rows` x `Columns` elements, each a sum of `Terms` products.
template <class Use, int Rows, int Columns, int Terms, class T, class Layout = void>
class fragment;
template <int Rows, int Columns, int Terms, class T, class Layout>
class fragment<matrix_a, Rows, Columns, Terms, T, Layout>
    : public wharf_fragment<typename wharf_element<T>::type, wharf_count<T>(Rows* Terms)> {};
template <int Rows, int Columns, int Terms, class T, class Layout>
class fragment<matrix_b, Rows, Columns, Terms, T, Layout>
    : public wharf_fragment<typename wharf_element<T>::type, wharf_count<T>(Columns* Terms)> {};
template <int Rows, int Columns, int Terms, class T>
class fragment<accumulator, Rows, Columns, Terms, T> : public wharf_fragment<T, Rows * Columns / 32> {};

/// Rounds to the nearest tf32, ties away from zero.
WHARF_MATRIX float __float_to_tf32(float value) {
  float rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=f"(rounded) : "f"(value));
  return rounded;
}

typedef unsigned __attribute__((may_alias)) wharf_word;
template <class T>
WHARF_MATRIX wharf_word* wharf_registers(T* elements) {
  return reinterpret_cast<wharf_word*>(elements);
}
WHARF_MATRIX double* wharf_registers(double* elements) { return elements; }
template <class T>
WHARF_MATRIX const wharf_word* wharf_registers(const T* elements) {
  return reinterpret_cast<const wharf_word*>(elements);
}
WHARF_MATRIX const double* wharf_registers(const double* elements) { return elements; }

/// Whole registers are written, so that elements of 16 or 8 bits stay packed between products.
template <class Use, int Rows, int Columns, int Terms, class T, class Layout, class Value>
WHARF_MATRIX void fill_fragment(fragment<Use, Rows, Columns, Terms, T, Layout>& to, const Value& value) {
  const typename fragment<Use, Rows, Columns, Terms, T, Layout>::element_type element = value;
  if (sizeof element < sizeof(wharf_word)) {
    unsigned bits = 0;
    memcpy(&bits, &element, sizeof element);
    for (unsigned width = 8 * sizeof element; width < 32; width *= 2) bits |= bits << width;
#pragma unroll
    for (unsigned i = 0; i < sizeof to.x / sizeof(wharf_word); ++i) reinterpret_cast<wharf_word*>(to.x)[i] = bits;
  } else {
#pragma unroll
    for (int i = 0; i < to.num_elements; ++i) to.x[i] = element;
  }
}

// Lists of N registers x[0], x[1], ... of 32 bits, or of 64 bits (D): in the text, as results, and as sources.
#define WHARF_TEXT_1(x) "{%[" #x "0]}"
#define WHARF_TEXT_2(x) "{%[" #x "0],%[" #x "1]}"
#define WHARF_TEXT_4(x) "{%[" #x "0],%[" #x "1],%[" #x "2],%[" #x "3]}"
#define WHARF_TEXT_8(x) "{%[" #x "0],%[" #x "1],%[" #x "2],%[" #x "3],%[" #x "4],%[" #x "5],%[" #x "6],%[" #x "7]}"
#define WHARF_TEXT_D1(x) WHARF_TEXT_1(x)
#define WHARF_TEXT_D2(x) WHARF_TEXT_2(x)
#define WHARF_OUT_1(x) [x##0] "=r"(x[0])
#define WHARF_OUT_2(x) WHARF_OUT_1(x), [x##1] "=r"(x[1])
#define WHARF_OUT_4(x) WHARF_OUT_2(x), [x##2] "=r"(x[2]), [x##3] "=r"(x[3])
#define WHARF_OUT_8(x) WHARF_OUT_4(x), [x##4] "=r"(x[4]), [x##5] "=r"(x[5]), [x##6] "=r"(x[6]), [x##7] "=r"(x[7])
#define WHARF_OUT_D1(x) [x##0] "=d"(x[0])
#define WHARF_OUT_D2(x) WHARF_OUT_D1(x), [x##1] "=d"(x[1])
#define WHARF_IN_1(x) [x##0] "r"(x[0])
#define WHARF_IN_2(x) WHARF_IN_1(x), [x##1] "r"(x[1])
#define WHARF_IN_4(x) WHARF_IN_2(x), [x##2] "r"(x[2]), [x##3] "r"(x[3])
#define WHARF_IN_8(x) WHARF_IN_4(x), [x##4] "r"(x[4]), [x##5] "r"(x[5]), [x##6] "r"(x[6]), [x##7] "r"(x[7])
#define WHARF_IN_D1(x) [x##0] "d"(x[0])
#define WHARF_IN_D2(x) WHARF_IN_D1(x), [x##1] "d"(x[1])
#define WHARF_SHAPE(M, N, K) ".m" #M "n" #N "k" #K

}  // namespace wmma
}  // namespace nvcuda
