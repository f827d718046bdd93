// Lowers instructions on matrices: fragments are lists of registers, whose number follows from shape and types.
#include <fmt/format.h>

#include <charconv>

#include "stimuli/ptx/program/statement_lowering.h"

namespace wharf::ptx {
namespace {

using Kind = OperandSyntax::Kind;

/// m16n8k16: D has m rows and n columns, and k products are summed.
struct Shape {
  unsigned m = 0, n = 0, k = 0;
};

Shape shape_of(const Form& form) {
  for (const std::string_view word : form.words) {
    Shape shape;
    const char *next = word.data(), *const end = next + word.size();
    const auto read = [&](char letter, unsigned& number) {
      if (next == end || *next != letter) return false;
      next = std::from_chars(next + 1, end, number).ptr;
      return number != 0;
    };
    if (read('m', shape.m) && read('n', shape.n) && read('k', shape.k)) return shape;
  }
  return {};
}

/// Fragments of halves of wmma have eight registers, whatever their shape (PTX ISA, "Matrix Fragments for WMMA").
Fragment wmma_factor(Type type, unsigned lines, unsigned length) {
  constexpr std::uint8_t kRegistersOfHalves = 8;
  Fragment fragment = factor_fragment(type, lines, length);
  if (type == Type::f16) fragment.registers = kRegistersOfHalves;
  return fragment;
}

Fragment accessed_fragment(const Form& form) {
  if (form.opcode != "wmma") {  // ldmatrix and stmatrix: one, two or four matrices of 8 x 8
    const unsigned count = form.has("x4") ? 4 : form.has("x2") ? 2 : 1;
    return factor_fragment(Type::b16, 8 * count, 8);
  }
  const Shape shape = shape_of(form);
  if (form.has("a")) return wmma_factor(form.type(), shape.m, shape.k);
  if (form.has("b")) return wmma_factor(form.type(), shape.n, shape.k);
  return sum_fragment(form.type(), shape.m, shape.n);
}

/// A line of B is a column, which is contiguous with layout col.
Placement placement_of(const Form& form) {
  if (form.opcode != "wmma") return form.has("trans") ? Placement::transposed_rows : Placement::rows;
  return form.has("row") == form.has("b") ? Placement::columns : Placement::lines;
}

MatrixOperation product_of(const Form& form) {
  Shape shape = shape_of(form);
  const bool is_wmma = form.opcode == "wmma", names_all = form.types.size() == 4;  // wmma names only D and C of halves
  const Type a = names_all ? form.type(1) : Type::f16, b = names_all ? form.type(2) : Type::f16;
  MatrixOperation product;
  if (!is_wmma && a == Type::f16 && form.has("m8n8k4")) {
    constexpr unsigned kQuads = 4;
    product.function = MatrixFunction::quad_products;
    const auto is_col = [&](unsigned from_end) { return form.words[form.words.size() - from_end] == "col"; };  // words end with the layouts
    product.a_by_column = is_col(2);
    product.b_by_row = !is_col(1);
    shape.m *= kQuads;
    shape.n = shape.m;
    product.d = sum_fragment(form.type(0), shape.m, 8);
    product.a = factor_fragment(a, shape.m, shape.k);
    product.b = factor_fragment(b, shape.n, shape.k);
    product.c = sum_fragment(form.types.back(), shape.m, 8);
    return product;
  }
  product.d = sum_fragment(form.type(0), shape.m, shape.n);
  product.a = is_wmma ? wmma_factor(a, shape.m, shape.k) : factor_fragment(a, shape.m, shape.k);
  product.b = is_wmma ? wmma_factor(b, shape.n, shape.k) : factor_fragment(b, shape.n, shape.k);
  product.c = sum_fragment(form.types.back(), shape.m, shape.n);
  product.saturates = form.has("satfinite");
  return product;
}

}  // namespace

/// Appends the registers of a fragment: {a, b, ...}, or the register alone where there is one.
void StatementLowering::lower_fragment(const OperandSyntax& syntax, const Fragment& fragment, bool is_destination, Draft& draft) {
  const bool is_list = syntax.kind == Kind::list;
  const std::size_t count = is_list ? syntax.parts.size() : 1;
  if (count != fragment.registers)
    fail(syntax.place, fmt::format("the list has {} of the fragment's {} registers", count, fragment.registers),
         fmt::format("write one of {} bits for each, as in {{%r1, %r2}}", fragment.bytes() == 8 ? 64 : 32));
  const Type type = fragment.bytes() == 8 ? Type::f64 : Type::b32;
  draft.fragments.emplace_back();
  for (std::size_t i = 0; i < count; ++i) {
    const OperandSyntax& part = is_list ? syntax.parts[i] : syntax;
    draft.fragments.back().push_back(is_destination ? operands_.destination(part, type) : operands_.source(part, type));
  }
  draft.writes_fragment |= is_destination;
}

void StatementLowering::lower_matrix_product(const Statement& statement, const Form& form, Draft& draft) {
  if (form.opcode == "movmatrix") return lower_transposition(statement, draft);
  require_count(statement, 4, 4);
  const MatrixOperation product = product_of(form);
  lower_fragment(statement.operands[0], product.d, true, draft);
  lower_fragment(statement.operands[1], product.a, false, draft);
  lower_fragment(statement.operands[2], product.b, false, draft);
  lower_fragment(statement.operands[3], product.c, false, draft);
  add_matrix(product, draft);
}

/// movmatrix d, a.
void StatementLowering::lower_transposition(const Statement& statement, Draft& draft) {
  require_count(statement, 2, 2);
  MatrixOperation matrix;
  matrix.function = MatrixFunction::transposition;
  matrix.d = matrix.a = factor_fragment(Type::b16, 8, 8);
  lower_fragment(statement.operands[0], matrix.d, true, draft);
  lower_fragment(statement.operands[1], matrix.a, false, draft);
  add_matrix(matrix, draft);
}

/// wmma.load.x r, [p](, stride); wmma.store.d [p], r(, stride); ldmatrix r, [p]; stmatrix [p], r.
void StatementLowering::lower_matrix_access(const Statement& statement, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  require_count(statement, 2, form.opcode == "wmma" ? 3 : 2);
  MatrixOperation access;
  access.d = accessed_fragment(form);
  access.placement = placement_of(form);
  for (const std::string_view word : form.words)
    if (const auto space = space_named(word)) operation.space = *space;
  const bool loads = operation.action == Action::matrix_load;
  lower_fragment(statement.operands[loads ? 0 : 1], access.d, loads, draft);
  operation.operands[0] = operands_.address(statement.operands[loads ? 1 : 0], operation);
  if (statement.operands.size() == 3) operation.operands[1] = operands_.source(statement.operands[2], Type::u32);
  add_matrix(access, draft);
}

void StatementLowering::add_matrix(const MatrixOperation& matrix, Draft& draft) {
  draft.operation.target = static_cast<std::uint32_t>(around_.matrices.size());
  around_.matrices.push_back(matrix);  // its registers are known when they have rows
}

}  // namespace wharf::ptx
