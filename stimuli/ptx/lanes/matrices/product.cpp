// Products in double, which holds every product of two elements of up to 16 bits, of tf32 and of integers exactly, and integer sums as well.
#include "stimuli/ptx/lanes/matrices/product.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "stimuli/half.h"
#include "stimuli/ptx/lanes/floats/byte_float.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"

namespace wharf::ptx {

namespace {

constexpr unsigned kMostElements = 32 * 16;  // of A, B, C and D

std::size_t offset_in_row(const Fragment& fragment, unsigned lane, unsigned element) {
  const unsigned bytes = fragment.bytes();
  return lane * std::max(bytes, 4u) + element % fragment.elements_per_register() * bytes;
}

double value_of(Type type, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (type) {
    case Type::f16:
      return static_cast<double>(float_of_half(static_cast<std::uint16_t>(word)));
    case Type::bf16:
      return static_cast<double>(bit_cast<float>(word << 16));
    case Type::tf32:
      return static_cast<double>(bit_cast<float>(word & 0xFFFFE000u));
    case Type::f32:
      return static_cast<double>(bit_cast<float>(word));
    case Type::f64:
      return bit_cast<double>(bits);
    case Type::e4m3:
    case Type::e5m2:
      return byte_float::value_of(type, static_cast<std::uint8_t>(word));
    case Type::s8:
      return static_cast<std::int8_t>(word);
    case Type::u8:
      return static_cast<std::uint8_t>(word);
    default:
      return static_cast<std::int32_t>(word);
  }
}

std::uint64_t bits_of_integer(double value, bool saturates) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(), kMost = std::numeric_limits<std::int32_t>::max();
  const auto sum = static_cast<std::int64_t>(value);
  return static_cast<std::uint32_t>(saturates ? std::min(std::max(sum, kLeast), kMost) : sum);
}

std::uint64_t bits_of(Type type, double value, bool saturates) {
  switch (type) {
    case Type::f16:
      return half_of_float(static_cast<float>(value));  // which is a half already
    case Type::f32:
      return bit_cast<std::uint32_t>(canonical(static_cast<float>(value)));
    case Type::f64:
      return bit_cast<std::uint64_t>(canonical(value));
    default:
      return bits_of_integer(value, saturates);
  }
}

/// Element (line, column) of the fragment at [line * line_stride + column * column_stride].
void gather(const Fragment& fragment, const Operand* registers, const Rows& rows, unsigned line_stride, unsigned column_stride,
            double* values) {
  for (unsigned element = 0; element < fragment.elements(); ++element)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const ElementPlace at = fragment.position(lane, element);
      values[at.line * line_stride + at.column * column_stride] =
          value_of(fragment.type, read_element(fragment, registers, rows, lane, element));
    }
}

/// Rounds to an odd last digit where the value is not exact, so that a second rounding to fewer digits is the only one.
float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value) return nearest;
  auto bits = bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
  return bit_cast<float>(bits | 1u);
}

// One term more of a sum.
struct ToHalf {
  static double of(double sum, double a, double b) {
    return static_cast<double>(float_of_half(half_of_float(rounded_to_odd(sum + a * b))));
  }
};
struct ToSingle {
  static double of(double sum, double a, double b) { return static_cast<double>(static_cast<float>(sum + a * b)); }
};
struct ToDouble {
  static double of(double sum, double a, double b) { return std::fma(a, b, sum); }
};
struct Exact {
  static double of(double sum, double a, double b) { return sum + a * b; }
};

/// `a` has `terms` elements per line, `b` and `sums` have `columns`.
template <class Term>
void add_products(const double* a, const double* b, double* sums, unsigned lines, unsigned columns, unsigned terms) {
  for (unsigned line = 0; line < lines; ++line)
    for (unsigned term = 0; term < terms; ++term) {
      const double factor = a[line * terms + term];
      const double* const others = b + term * columns;
      double* const row = sums + line * columns;
      for (unsigned column = 0; column < columns; ++column) row[column] = Term::of(row[column], factor, others[column]);
    }
}

}  // namespace

std::uint64_t read_element(const Fragment& fragment, const Operand* registers, const Rows& rows, unsigned lane, unsigned element) {
  const std::byte* const row = rows.of(registers[element / fragment.elements_per_register()]);
  std::uint64_t bits = 0;  // the first bytes are the low ones
  std::memcpy(&bits, row + offset_in_row(fragment, lane, element), fragment.bytes());
  return bits;
}

void write_element(const Fragment& fragment, const Operand* registers, const Rows& rows, unsigned lane, unsigned element,
                   std::uint64_t bits) {
  const unsigned step = fragment.elements() / fragment.elements_per_register();
  for (unsigned i = element / fragment.elements_per_register(); i < fragment.registers; i += step)
    if (registers[i].present()) std::memcpy(rows.of(registers[i]) + offset_in_row(fragment, lane, element), &bits, fragment.bytes());
}

namespace {

using AddProducts = void (*)(const double* a, const double* b, double* sums, unsigned lines, unsigned columns, unsigned terms);
AddProducts add_products_to(Type type) {
  return type == Type::f16   ? &add_products<ToHalf>
         : type == Type::f32 ? &add_products<ToSingle>
         : type == Type::f64 ? &add_products<ToDouble>
                             : &add_products<Exact>;
}

void multiply(const MatrixOperation& product, const Rows& rows) {
  const unsigned lines = product.d.lines, columns = product.d.length, terms = product.a.length;
  double a[kMostElements], b[kMostElements], sums[kMostElements];
  const Operand* const to = product.registers.data();
  const Operand* const from = to + product.d.registers;
  gather(product.a, from, rows, terms, 1, a);
  gather(product.b, from + product.a.registers, rows, 1, columns, b);
  gather(product.c, from + product.a.registers + product.b.registers, rows, columns, 1, sums);
  add_products_to(product.d.type)(a, b, sums, lines, columns, terms);
  for (unsigned element = 0; element < product.d.elements(); ++element)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const ElementPlace at = product.d.position(lane, element);
      write_element(product.d, to, rows, lane, element, bits_of(product.d.type, sums[at.line * columns + at.column], product.saturates));
    }
}

/// Where lane `lane` of eight has its elements of a product of 8 x 8 x 4 (PTX ISA, "Matrix Fragments for mma.m8n8k4").
ElementPlace place_in_line(unsigned lane, unsigned element) { return {lane, element}; }
ElementPlace place_in_column(unsigned lane, unsigned element) { return {lane / 4 * 4 + element, lane % 4}; }
ElementPlace place_of_single(unsigned lane, unsigned element) {
  return {lane / 4 * 4 + lane % 2 + (element & 2), (element & 4) + (lane & 2) + element % 2};
}

/// Lanes 4 q to 4 q + 3 and those 16 above have product q.
void multiply_quads(const MatrixOperation& product, const Rows& rows) {
  constexpr unsigned kQuads = 4, kQuadLanes = 8, kSize = 8, kTerms = 4;
  const Operand* const to = product.registers.data();
  const Operand *const a = to + product.d.registers, *const b = a + product.a.registers, *const c = b + product.b.registers;
  const auto place_of_sum = [](Type type) { return type == Type::f32 ? &place_of_single : &place_in_line; };
  for (unsigned quad = 0; quad < kQuads; ++quad) {
    const auto for_each = [&](const Fragment& fragment, auto place, auto visit) {
      for (unsigned element = 0; element < fragment.elements(); ++element)
        for (unsigned i = 0; i < kQuadLanes; ++i) visit(i % 4 + i / 4 * 16 + 4 * quad, element, place(i, element));
    };
    double left[kSize * kTerms], right[kTerms * kSize], sums[kSize * kSize];
    for_each(product.a, product.a_by_column ? &place_in_column : &place_in_line, [&](unsigned lane, unsigned element, ElementPlace at) {
      left[at.line * kTerms + at.column] = value_of(product.a.type, read_element(product.a, a, rows, lane, element));
    });
    for_each(product.b, product.b_by_row ? &place_in_column : &place_in_line, [&](unsigned lane, unsigned element, ElementPlace at) {
      right[at.column * kSize + at.line] = value_of(product.b.type, read_element(product.b, b, rows, lane, element));
    });
    for_each(product.c, place_of_sum(product.c.type), [&](unsigned lane, unsigned element, ElementPlace at) {
      sums[at.line * kSize + at.column] = value_of(product.c.type, read_element(product.c, c, rows, lane, element));
    });
    add_products_to(product.d.type)(left, right, sums, kSize, kSize, kTerms);
    for_each(product.d, place_of_sum(product.d.type), [&](unsigned lane, unsigned element, ElementPlace at) {
      write_element(product.d, to, rows, lane, element, bits_of(product.d.type, sums[at.line * kSize + at.column], false));
    });
  }
}

void transpose(const MatrixOperation& matrix, const Rows& rows) {
  std::uint64_t bits[kMostElements];
  const Operand* const to = matrix.registers.data();
  const Operand* const from = to + matrix.d.registers;
  const auto for_each = [&](auto visit) {
    for (unsigned element = 0; element < matrix.d.elements(); ++element)
      for (unsigned lane = 0; lane < kLanes; ++lane) visit(lane, element, matrix.d.position(lane, element));
  };
  for_each([&](unsigned lane, unsigned element, ElementPlace at) {
    bits[at.line * matrix.d.length + at.column] = read_element(matrix.a, from, rows, lane, element);
  });
  for_each([&](unsigned lane, unsigned element, ElementPlace at) {
    write_element(matrix.d, to, rows, lane, element, bits[at.column * matrix.d.length + at.line]);
  });
}

}  // namespace

void compute_matrix(const MatrixOperation& matrix, const Rows& rows) {
  switch (matrix.function) {
    case MatrixFunction::product:
      return multiply(matrix, rows);
    case MatrixFunction::quad_products:
      return multiply_quads(matrix, rows);
    case MatrixFunction::transposition:
      return transpose(matrix, rows);
  }
}

}  // namespace wharf::ptx
