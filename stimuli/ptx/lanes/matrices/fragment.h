#pragma once
// Matrices in the registers of a warp: which lane holds which element, and where that element lies in memory. One rule gives the layouts
// that the PTX ISA documents for the fragments of mma, ldmatrix and stmatrix. It leaves those of wmma open; they follow the same rule here.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stimuli/ptx/lanes/operation.h"

namespace wharf::ptx {

/// The place of an element in a matrix.
struct ElementPlace {
  unsigned line = 0, column = 0;
};

/// A matrix spread over the 32 lanes. A line is a row of A, C and D, and a column of B, so that a product sums along the lines of A and B.
/// The matrix consists of tiles of 8 lines and 4 runs of neighbours. Lane 4 l + r holds run r of line l of each tile. Tiles are numbered
/// down the lines first; a lane's elements are those of tile 0, tile 1, ...
struct Fragment {
  Type type = Type::none;  // of an element
  std::uint8_t lines = 0, length = 0;
  std::uint8_t run = 0;        // elements
  std::uint8_t registers = 0;  // per lane, of 32 bits, or of 64 bits for f64

  constexpr unsigned bytes() const { return bytes_of(type); }
  /// Elements per lane. Registers beyond them repeat the first ones.
  constexpr unsigned elements() const { return unsigned{lines} * length / kLanes; }
  constexpr unsigned elements_per_register() const { return bytes() == 8 ? 1 : 4 / bytes(); }
  constexpr ElementPlace position(unsigned lane, unsigned element) const {
    constexpr unsigned kTileLines = 8, kRuns = 4;
    const unsigned tile = element / run, tiles_down = lines / kTileLines;
    return {lane / kRuns + tile % tiles_down * kTileLines, (tile / tiles_down * kRuns + lane % kRuns) * run + element % run};
  }
};

constexpr Fragment fragment_of(Type type, unsigned lines, unsigned length, unsigned run) {
  const unsigned elements = lines * length / kLanes, bytes = bytes_of(type);
  return {type, static_cast<std::uint8_t>(lines), static_cast<std::uint8_t>(length), static_cast<std::uint8_t>(run),
          static_cast<std::uint8_t>(bytes == 8 ? elements : elements * bytes / 4)};
}
/// A or B: `length` elements are summed. A run fills a register of 32 bits.
constexpr Fragment factor_fragment(Type type, unsigned lines, unsigned length) {
  return fragment_of(type, lines, length, std::max(1u, 4 / bytes_of(type)));
}
/// C or D.
constexpr Fragment sum_fragment(Type type, unsigned lines, unsigned length) { return fragment_of(type, lines, length, 2); }

/// Where an access finds the lines of a fragment.
enum class Placement : std::uint8_t {
  lines,           // each line is contiguous, one stride behind the one before
  columns,         // so are the columns
  rows,            // line i lies at the address of lane i
  transposed_rows  // as `rows`, but each tile of 8 x 8 is transposed
};

/// What an instruction computes of matrices in registers.
enum class MatrixFunction : std::uint8_t {
  product,        // D = A B + C
  quad_products,  // four of 8 x 8 x 4 (mma.m8n8k4 of halves); the fragments have the lines of all four
  transposition   // D = A, transposed
};

/// An instruction on matrices.
struct MatrixOperation {
  MatrixFunction function = MatrixFunction::product;
  Fragment d, a, b, c;  // of an access: d alone
  Placement placement = Placement::lines;
  bool a_by_column = false, b_by_row = false;  // of quad_products
  bool saturates = false;                      // integer sums are clamped instead of wrapped
  std::vector<Operand> registers;              // those of d, then of a, b and c
};

/// The fragment of an access as memory has it: lines that are contiguous, in pieces of 16 bytes, or shorter lines. Pieces are numbered down the lines first.
/// The lanes of a warp access 32 pieces at a time, so that eight lanes access a tile of 16-bit elements as ldmatrix does.
class Pieces {
 public:
  explicit Pieces(const MatrixOperation& access)
      : placement_(access.placement),
        bytes_(access.d.bytes()),
        lines_(access.placement == Placement::columns ? access.d.length : access.d.lines),
        length_(access.placement == Placement::columns ? access.d.lines : access.d.length) {}

  static constexpr unsigned kMostBytes = 16;
  unsigned bytes() const { return std::min(kMostBytes, length_ * bytes_); }
  unsigned count() const { return lines_ * length_ * bytes_ / bytes(); }
  unsigned length() const { return length_; }  // of a line, in elements
  unsigned line(unsigned piece) const { return piece % lines_; }
  unsigned first_byte(unsigned piece) const { return piece / lines_ * bytes(); }  // of its line

  struct Place {
    unsigned piece = 0, byte = 0;
  };
  /// Where an element of the fragment lies.
  Place place(ElementPlace position) const {
    constexpr unsigned kTile = 8;
    if (placement_ == Placement::columns) position = {position.column, position.line};
    if (placement_ == Placement::transposed_rows) position = {position.line / kTile * kTile + position.column, position.line % kTile};
    const unsigned byte = position.column * bytes_;
    return {byte / bytes() * lines_ + position.line, byte % bytes()};
  }

 private:
  Placement placement_;
  unsigned bytes_, lines_, length_;
};

}  // namespace wharf::ptx
