// Products in double, which holds every product of two elements of up to 16 bits, of tf32 and of integers exactly, and integer sums as well.
#include "stimuli/ptx/lanes/matrices/product.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "stimuli/half.h"
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

void multiply(const MatrixOperation& product, const Rows& rows) {
  const unsigned lines = product.d.lines, columns = product.d.length, terms = product.a.length;
  double a[kMostElements], b[kMostElements], sums[kMostElements];
  const Operand* const to = product.registers.data();
  const Operand* const from = to + product.d.registers;
  gather(product.a, from, rows, terms, 1, a);
  gather(product.b, from + product.a.registers, rows, 1, columns, b);
  gather(product.c, from + product.a.registers + product.b.registers, rows, columns, 1, sums);
  const auto add = product.d.type == Type::f16   ? &add_products<ToHalf>
                   : product.d.type == Type::f32 ? &add_products<ToSingle>
                   : product.d.type == Type::f64 ? &add_products<ToDouble>
                                                 : &add_products<Exact>;
  add(a, b, sums, lines, columns, terms);
  for (unsigned element = 0; element < product.d.elements(); ++element)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const ElementPlace at = product.d.position(lane, element);
      write_element(product.d, to, rows, lane, element, bits_of(product.d.type, sums[at.line * columns + at.column], product.saturates));
    }
}

}  // namespace wharf::ptx
