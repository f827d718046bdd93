#pragma once
// The fragments of mma.sync by the formulas of the PTX ISA ("Matrix Fragments for mma.m16n8k16" and its neighbours), and products by a plain
// loop in 113 bits.

#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/stimuli/ptx/oracle.h"

namespace wharf::ptx {

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
  std::string name() const { return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k); }
};

/// The bits of the elements, row by row.
struct Matrix {
  Type type = Type::none;
  unsigned rows = 0, columns = 0;
  std::vector<std::uint64_t> bits;
  std::uint64_t& at(unsigned row, unsigned column) { return bits[row * columns + column]; }
  std::uint64_t at(unsigned row, unsigned column) const { return bits[row * columns + column]; }
};

struct RowColumn {
  unsigned row, column;
};

/// Element i of a lane, of A: g and t are the lane's group and its place in the group.
inline RowColumn place_in_a(Type type, unsigned rows, unsigned lane, unsigned i) {
  const unsigned g = lane / 4, t = lane % 4, halves = rows / 8;  // 16 rows: the group's row, and the one 8 below
  switch (bytes_of(type)) {
    case 1:
      return {g + 8 * (i / 4 % halves), 4 * t + i % 4 + 16 * (i / 4 / halves)};
    case 2:
      return {g + 8 * (i / 2 % halves), 2 * t + i % 2 + 8 * (i / 2 / halves)};
    default:
      return {g + 8 * (i % halves), t + 4 * (i / halves)};
  }
}
/// Of B, which has 8 columns.
inline RowColumn place_in_b(Type type, unsigned lane, unsigned i) {
  const unsigned g = lane / 4, t = lane % 4;
  switch (bytes_of(type)) {
    case 1:
      return {4 * t + i % 4 + 16 * (i / 4), g};
    case 2:
      return {2 * t + i % 2 + 8 * (i / 2), g};
    default:
      return {t + 4 * i, g};
  }
}
/// Of C and D, which have 8 columns.
inline RowColumn place_in_c(unsigned lane, unsigned i) { return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2}; }

/// What the product sees of a value: tf32 ignores the low 13 bits of an f32.
inline Wide factor_value(Type type, std::uint64_t bits) {
  if (type == Type::tf32) return wide_value(Type::f32, bits & ~std::uint64_t{0x1FFF});
  return is_float(type) ? wide_value(type, bits) : static_cast<Wide>(number_of(type, bits));
}

/// A B + C, each sum rounded to `to` from k = 0 on.
inline Matrix plain_product(const Matrix& a, const Matrix& b, const Matrix& c, Type to, bool saturates) {
  Matrix d{to, c.rows, c.columns, std::vector<std::uint64_t>(c.bits.size())};
  for (unsigned row = 0; row < c.rows; ++row)
    for (unsigned column = 0; column < c.columns; ++column) {
      Wide sum = factor_value(c.type, c.at(row, column));
      for (unsigned k = 0; k < a.columns; ++k) {
        sum += factor_value(a.type, a.at(row, k)) * factor_value(b.type, b.at(k, column));
        if (is_float(to)) sum = wide_value(to, round_to(to, sum, 'n'));
      }
      const Wide least = -2147483648.0, most = 2147483647.0;
      if (saturates) sum = sum < least ? least : sum > most ? most : sum;
      d.at(row, column) = is_float(to) ? round_to(to, sum, 'n') : static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
    }
  return d;
}

}  // namespace wharf::ptx
