// Every form of mma and wmma against a plain loop.
#include <catch2/catch.hpp>
#include <random>

#include "stimuli/ptx/table/instruction_table.h"
#include "tests/unit/stimuli/ptx/matrices/matrix_layouts.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

/// Random elements, some of them special. Those of f64 have few digits, so that the loop's sums are exact.
Matrix random_matrix(Type type, unsigned rows, unsigned columns, std::mt19937& random) {
  Matrix matrix{type, rows, columns, {}};
  for (unsigned i = 0; i < rows * columns; ++i) {
    std::uint64_t bits = random();
    const double value = static_cast<int>(random() % 4001 - 2000) / 64.0;
    const bool special = random() % 512 == 0;
    if (type == Type::f16 || type == Type::bf16) bits = special ? bits & 0xFFFF : round_to(type, value, 'n');
    if (type == Type::f32 || type == Type::tf32) bits = special ? bits : round_to(Type::f32, value * 1.0001, 'n');
    if (type == Type::f64) bits = round_to(type, value, 'n');
    if (bytes_of(type) == 1) bits &= 0xFF;
    matrix.bits.push_back(bits);
  }
  return matrix;
}

MatrixShape shape_named(const std::vector<std::string_view>& words) {
  MatrixShape shape;
  for (const std::string_view word : words)
    if (std::sscanf(std::string(word).c_str(), "m%un%uk%u", &shape.m, &shape.n, &shape.k) == 3) break;
  return shape;
}

std::string registers(const std::string& bank, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + bank + std::to_string(first + i);
  return text + "}";
}

std::string join(std::string_view opcode, const std::vector<std::string_view>& words) {
  std::string text(opcode);
  for (const std::string_view word : words) text += "." + std::string(word);
  return text;
}

/// The elements of all lanes as registers in memory: those of lane 0, of lane 1, ...
template <class Place>
std::vector<std::byte> packed(const Matrix& matrix, Place place) {
  const unsigned bytes = bytes_of(matrix.type), each = matrix.rows * matrix.columns / 32;
  std::vector<std::byte> memory(std::size_t{each} * 32 * bytes);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < each; ++i) {
      const RowColumn at = place(lane, i);
      const std::uint64_t bits = matrix.at(at.row, at.column);
      std::memcpy(memory.data() + (lane * each + i) * bytes, &bits, bytes);
    }
  return memory;
}

Address in_memory(PtxMachine& machine, const std::vector<std::byte>& bytes) {
  const Address base = machine.memory.allocate(bytes.size(), "fragments");
  std::memcpy(machine.memory.at(base), bytes.data(), bytes.size());
  return base;
}

/// Runs a form of mma on fragments that lie lane by lane in memory. Returns "" or what is wrong.
std::string check_mma(const std::vector<std::string_view>& words, std::mt19937& random) {
  Form form;
  REQUIRE(find_instruction("mma", words, form) != nullptr);
  const MatrixShape shape = shape_named(words);
  const Matrix a = random_matrix(form.type(1), shape.m, shape.k, random), b = random_matrix(form.type(2), shape.k, shape.n, random),
               c = random_matrix(form.type(3), shape.m, shape.n, random);
  const bool wide = form.type(0) == Type::f64;
  const std::string bank = wide ? "%fd" : "%r";
  PtxMachine machine;
  std::string body = "mov.u32 %r39, %laneid;\n", text[4];
  unsigned next = 0;
  const auto list = [&](const Matrix& matrix, unsigned slot, const char* access) {
    const unsigned bytes = matrix.rows * matrix.columns / 32 * bytes_of(matrix.type), size = wide ? 8 : 4, count = bytes / size;
    body += "ld.param.u64 %rd1, [p" + std::to_string(slot) + "]; mad.wide.u32 %rd1, %r39, " + std::to_string(bytes) + ", %rd1;\n";
    for (unsigned i = 0; i < count; ++i) {
      const std::string at = "[%rd1+" + std::to_string(size * i) + "]", name = bank + std::to_string(next + i);
      body += std::string(access) + (wide ? ".b64 " : ".b32 ") + (access[0] == 'l' ? name + ", " + at : at + ", " + name) + ";\n";
    }
    text[slot] = registers(bank, next, count);
    next += count;
  };
  list(a, 1, "ld.global");
  list(b, 2, "ld.global");
  list(c, 3, "ld.global");
  std::string load = body;
  body.clear();
  Matrix d{form.type(0), shape.m, shape.n, std::vector<std::uint64_t>(std::size_t{shape.m} * shape.n)};
  if (wide) next = 10;  // 20 registers: D may replace A
  list(d, 0, "st.global");
  const auto of_c = [](unsigned lane, unsigned i) { return place_in_c(lane, i); };
  const Address out = in_memory(machine, packed(d, of_c));
  const Address from_a = in_memory(machine, packed(a, [&](unsigned lane, unsigned i) { return place_in_a(a.type, shape.m, lane, i); }));
  const Address from_b = in_memory(machine, packed(b, [&](unsigned lane, unsigned i) { return place_in_b(b.type, lane, i); }));
  const Address from_c = in_memory(machine, packed(c, of_c));
  const std::string instruction = join("mma", words);
  machine.run(kernel_of(load + instruction + " " + text[0] + ", " + text[1] + ", " + text[2] + ", " + text[3] + ";\n" + body + "ret;"), "k",
              {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out).add(from_a).add(from_b).add(from_c));
  const auto expected = packed(plain_product(a, b, c, form.type(0), form.has("satfinite")), of_c);
  return machine.read<std::byte>(out, expected.size()) == expected ? "" : instruction;
}

/// A matrix in memory with a stride, row by row or column by column.
std::vector<std::byte> strided(const Matrix& matrix, bool by_row, unsigned stride) {
  const unsigned bytes = bytes_of(matrix.type);
  std::vector<std::byte> memory(std::size_t{stride} * (by_row ? matrix.rows : matrix.columns) * bytes, std::byte{0x55});
  for (unsigned row = 0; row < matrix.rows; ++row)
    for (unsigned column = 0; column < matrix.columns; ++column) {
      const std::uint64_t bits = matrix.at(row, column);
      std::memcpy(memory.data() + (by_row ? row * stride + column : column * stride + row) * bytes, &bits, bytes);
    }
  return memory;
}

/// Loads, multiplies and stores whole matrices. Lines lie 48 elements apart.
std::string check_wmma(const std::vector<std::string_view>& words, bool c_by_row, std::mt19937& random) {
  constexpr unsigned kStride = 48;
  Form form;
  REQUIRE(find_instruction("wmma", words, form) != nullptr);
  const MatrixShape shape = shape_named(words);
  const Type d_type = form.type(0), c_type = form.types.back(), factor = form.types.size() == 4 ? form.type(1) : Type::f16;
  const std::size_t layouts = static_cast<std::size_t>(std::find(words.begin(), words.end(), shape.name()) - words.begin()) - 2;
  const std::string layout_a(words[layouts]), layout_b(words[layouts + 1]), layout_c = c_by_row ? "row" : "col";
  const Matrix a = random_matrix(factor, shape.m, shape.k, random), b = random_matrix(factor, shape.k, shape.n, random),
               c = random_matrix(c_type, shape.m, shape.n, random);
  const Matrix expected = plain_product(a, b, c, d_type, form.has("satfinite"));
  const bool wide = d_type == Type::f64;
  const std::string bank = wide ? "%fd" : "%r";
  const auto count = [&](Type type, unsigned elements) {
    return type == Type::f16 && elements != shape.m * shape.n ? 8 : elements / 32 * bytes_of(type) / (wide ? 8 : 4);
  };
  const unsigned in_a = factor == Type::f16 ? 8 : count(factor, shape.m * shape.k),
                 in_b = factor == Type::f16 ? 8 : count(factor, shape.n * shape.k);
  const unsigned in_c = shape.m * shape.n / 32 * bytes_of(c_type) / (wide ? 8 : 4),
                 in_d = shape.m * shape.n / 32 * bytes_of(d_type) / (wide ? 8 : 4);
  const std::string ra = registers(bank, 0, in_a), rb = registers(bank, in_a, in_b), rc = registers(bank, in_a + in_b, in_c),
                    rd = registers(bank, in_a + in_b + in_c, in_d);
  const auto load = [&](const char* letter, const std::string& layout, Type type, const std::string& to, const char* from) {
    return std::string("wmma.load.") + letter + ".sync.aligned." + layout + "." + shape.name() + ".global." + std::string(name_of(type)) +
           " " + to + ", [" + from + "], %r39;\n";
  };
  PtxMachine machine;
  const Address from_a = in_memory(machine, strided(a, layout_a == "row", kStride)),
                from_b = in_memory(machine, strided(b, layout_b == "row", kStride)),
                from_c = in_memory(machine, strided(c, c_by_row, kStride));
  const auto wanted = strided(expected, c_by_row, kStride);
  const Address out = in_memory(machine, std::vector<std::byte>(wanted.size(), std::byte{0x55}));
  const std::string instruction = join("wmma", words);
  machine.run(
      kernel_of("ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ld.param.u64 %rd2, [p2]; ld.param.u64 %rd3, [p3]; mov.u32 %r39, 48;\n" +
                load("a", layout_a, factor, ra, "%rd1") + load("b", layout_b, factor, rb, "%rd2") +
                load("c", layout_c, c_type, rc, "%rd3") + instruction + " " + rd + ", " + ra + ", " + rb + ", " + rc +
                ";\nwmma.store.d.sync.aligned." + layout_c + "." + shape.name() + ".global." + std::string(name_of(d_type)) + " [%rd0], " +
                rd + ", %r39;\nret;"),
      "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out).add(from_a).add(from_b).add(from_c));
  return machine.read<std::byte>(out, wanted.size()) == wanted ? "" : instruction + " and C by " + layout_c;
}

/// True for mma.m8n8k4 of halves, which is four products.
bool is_of_quads(const std::vector<std::string_view>& words) { return words[2] == "m8n8k4" && words.back() != "f64"; }

/// Element i of lane l of a quad of a product of 8 x 8 x 4, by the formulas of the PTX ISA; `lane` is that of the warp.
RowColumn quad_place_in_a(bool by_row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return by_row ? RowColumn{lane % 4 + upper, i} : RowColumn{i % 4 + upper, lane % 4};
}
RowColumn quad_place_in_b(bool by_row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return by_row ? RowColumn{lane % 4, i + upper} : RowColumn{i, lane % 4 + upper};
}
RowColumn quad_place_in_c(Type type, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  if (type == Type::f16) return {lane % 4 + upper, i};
  return {(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

/// Four matrices as registers in memory, `each` elements per lane.
template <class Place>
std::vector<std::byte> packed_quads(const std::vector<Matrix>& matrices, unsigned each, Place place) {
  const unsigned bytes = bytes_of(matrices[0].type);
  std::vector<std::byte> memory(std::size_t{each} * 32 * bytes);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < each; ++i) {
      const RowColumn at = place(lane, i);
      const std::uint64_t bits = matrices[lane % 16 / 4].at(at.row, at.column);
      std::memcpy(memory.data() + (lane * each + i) * bytes, &bits, bytes);
    }
  return memory;
}

std::string check_quads(const std::vector<std::string_view>& words, std::mt19937& random) {
  Form form;
  REQUIRE(find_instruction("mma", words, form) != nullptr);
  const Type to = form.type(0), from = form.type(3);
  const bool a_by_row = words[3] == "row", b_by_row = words[4] == "row";
  std::vector<Matrix> a, b, c, d;
  for (unsigned quad = 0; quad < 4; ++quad) {
    a.push_back(random_matrix(Type::f16, 8, 4, random));
    b.push_back(random_matrix(Type::f16, 4, 8, random));
    c.push_back(random_matrix(from, 8, 8, random));
    d.push_back(plain_product(a.back(), b.back(), c.back(), to, false));
  }
  const auto place = [](auto place_of, auto how) { return [=](unsigned lane, unsigned i) { return place_of(how, lane, i); }; };
  PtxMachine machine;
  const unsigned of_c = from == Type::f16 ? 4 : 8, of_d = to == Type::f16 ? 4 : 8;
  const auto expected = packed_quads(d, 8, place(quad_place_in_c, to));
  const Address out = machine.zeros<std::byte>(expected.size()),
                in_a = in_memory(machine, packed_quads(a, 4, place(quad_place_in_a, a_by_row))),
                in_b = in_memory(machine, packed_quads(b, 4, place(quad_place_in_b, b_by_row))),
                in_c = in_memory(machine, packed_quads(c, 8, place(quad_place_in_c, from)));
  std::string body = "mov.u32 %r39, %laneid;\n";
  const auto access = [&](bool loads, unsigned slot, unsigned first, unsigned count) {
    body += "ld.param.u64 %rd1, [p" + std::to_string(slot) + "]; mad.wide.u32 %rd1, %r39, " + std::to_string(4 * count) + ", %rd1;\n";
    for (unsigned i = 0; i < count; ++i) {
      const std::string at = "[%rd1+" + std::to_string(4 * i) + "]", name = "%r" + std::to_string(first + i);
      body += (loads ? "ld.global.b32 " + name + ", " + at : "st.global.b32 " + at + ", " + name) + ";\n";
    }
    return registers("%r", first, count);
  };
  const std::string ra = access(true, 1, 0, 2), rb = access(true, 2, 2, 2), rc = access(true, 3, 4, of_c), rd = registers("%r", 12, of_d);
  body += join("mma", words) + " " + rd + ", " + ra + ", " + rb + ", " + rc + ";\n";
  access(false, 0, 12, of_d);
  machine.run(kernel_of(body + "ret;"), "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out).add(in_a).add(in_b).add(in_c));
  return machine.read<std::byte>(out, expected.size()) == expected ? "" : join("mma", words);
}

/// All forms of the products of an opcode.
std::vector<std::vector<std::string_view>> product_forms(std::string_view opcode) {
  std::vector<std::vector<std::string_view>> forms;
  for (const Instruction& row : instruction_table()) {
    if (row.opcode != opcode || row.action != Action::matrix_product) continue;
    for (const auto& words : expand_pattern(row.words)) forms.push_back(words);
  }
  return forms;
}

}  // namespace

TEST_CASE("every form of mma computes what a plain loop computes, with the fragments of the PTX ISA") {
  std::mt19937 random(1);
  const auto forms = product_forms("mma");
  CHECK(forms.size() == 2 + 2 + 2 + 2 + 2 * 2 * 4 + 3 * 2 * 4 + 4 + 4 * 3);
  for (const auto& words : forms)
    if (const std::string wrong = is_of_quads(words) ? check_quads(words, random) : check_mma(words, random); !wrong.empty())
      FAIL_CHECK(wrong);
}

TEST_CASE("every form of wmma computes what a plain loop computes, in each layout of the matrices in memory") {
  std::mt19937 random(2);
  const auto forms = product_forms("wmma");
  CHECK(forms.size() == 2 * 4 * (3 * 4 + 3 + 1 + 2 * 3 * 2 + 2));
  for (const auto& words : forms)
    for (const bool c_by_row : {true, false})
      if (const std::string wrong = check_wmma(words, c_by_row, random); !wrong.empty()) FAIL_CHECK(wrong);
}
