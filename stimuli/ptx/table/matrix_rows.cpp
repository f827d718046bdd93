// Rows of products, loads and stores of matrices. A product is one instruction of the tensor unit per 16 x 8 elements of its result, as
// machine code has since sm_80, and at least one.
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

constexpr Cost kOne = cost_of(Unit::tensor, 1), kTwo = cost_of(Unit::tensor, 2);
/// Products of doubles: 128 multiplications take as long as 2048 of halves (A100: 19.5 and 312 TFLOP/s, H100: 67 and 989).
constexpr Cost of_doubles(std::uint16_t k, std::uint16_t rows) {
  return cost_of(Unit::tensor, static_cast<std::uint16_t>(rows * 8 * k / 128));
}

/// Forms and the first target that has them (PTX ISA, "Target ISA Notes").
struct Forms {
  unsigned target;
  std::string_view words;
};

void add(std::vector<Instruction>& table, std::string_view opcode, Action action, const Cost& cost, std::initializer_list<Forms> all) {
  for (const Forms& forms : all) table.push_back({opcode, forms.words, "*", action, nullptr, cost, CostRule::fixed, forms.target});
}

void add_mma_rows(std::vector<Instruction>& table) {
  add(table, "mma", Action::matrix_product, kOne,
      {{75, "sync aligned m16n8k8 row col f16 f16 f16 f16"},
       {75, "sync aligned m16n8k8 row col f32 f16 f16 f32"},
       {80, "sync aligned m16n8k16 row col f16 f16 f16 f16"},
       {80, "sync aligned m16n8k16 row col f32 f16 f16 f32"},
       {80, "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32"},
       {80, "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32"},
       {89, "sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16"},
       {89, "sync aligned m16n8k16|m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32"},
       {75, "sync aligned m8n8k16 row col satfinite? s32 s8|u8 s8|u8 s32"},
       {80, "sync aligned m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32"}});
  add(table, "mma", Action::matrix_product, of_doubles(4, 8), {{80, "sync aligned m8n8k4 row col f64 f64 f64 f64"}});
  add(table, "mma", Action::matrix_product, of_doubles(4, 16), {{90, "sync aligned m16n8k4 row col f64 f64 f64 f64"}});
  add(table, "mma", Action::matrix_product, of_doubles(8, 16), {{90, "sync aligned m16n8k8 row col f64 f64 f64 f64"}});
  add(table, "mma", Action::matrix_product, of_doubles(16, 16), {{90, "sync aligned m16n8k16 row col f64 f64 f64 f64"}});
  add(table, "mma", Action::matrix_product, kTwo,
      {{70, "sync aligned m8n8k4 row|col row|col f16 f16 f16 f16"}, {70, "sync aligned m8n8k4 row|col row|col f32 f16 f16 f16|f32"}});
}

void add_wmma_rows(std::vector<Instruction>& table) {
  add(table, "wmma", Action::matrix_product, kTwo,
      {{70, "mma sync aligned? row|col row|col WMMASHAPE f16|f32 f16|f32"},
       {80, "mma sync aligned? row|col row|col WMMASHAPE f32 bf16 bf16 f32"},
       {80, "mma sync aligned? row|col row|col m16n16k8 f32 tf32 tf32 f32"},
       {72, "mma sync aligned? row|col row|col WMMASHAPE satfinite? s32 s8 s8 s32"},
       {72, "mma sync aligned? row|col row|col WMMASHAPE satfinite? s32 u8 u8 s32"}});
  add(table, "wmma", Action::matrix_product, of_doubles(4, 8), {{80, "mma sync aligned? row|col row|col m8n8k4 rn? f64 f64 f64 f64"}});
  add(table, "wmma", Action::matrix_load, alu(1),
      {{70, "load a|b sync aligned? row|col WMMASHAPE MATRIXSPACE? f16"},
       {72, "load a|b sync aligned? row|col WMMASHAPE MATRIXSPACE? s8|u8"},
       {80, "load a|b sync aligned? row|col WMMASHAPE MATRIXSPACE? bf16"},
       {80, "load a|b sync aligned? row|col m16n16k8 MATRIXSPACE? tf32"},
       {70, "load c sync aligned? row|col WMMASHAPE MATRIXSPACE? f16|f32"},
       {72, "load c sync aligned? row|col WMMASHAPE MATRIXSPACE? s32"},
       {80, "load c sync aligned? row|col m16n16k8 MATRIXSPACE? f32"},
       {80, "load a|b|c sync aligned? row|col m8n8k4 MATRIXSPACE? f64"}});
  add(table, "wmma", Action::matrix_store, alu(1),
      {{70, "store d sync aligned? row|col WMMASHAPE MATRIXSPACE? f16|f32"},
       {72, "store d sync aligned? row|col WMMASHAPE MATRIXSPACE? s32"},
       {80, "store d sync aligned? row|col m16n16k8 MATRIXSPACE? f32"},
       {80, "store d sync aligned? row|col m8n8k4 MATRIXSPACE? f64"}});
}

}  // namespace

void add_matrix_rows(std::vector<Instruction>& table) {
  add_mma_rows(table);
  add_wmma_rows(table);
  // Assemblers take the shape in both places.
  for (const std::string_view words :
       {"sync aligned m8n8 x1|x2|x4 trans? SHAREDSPACE? b16", "sync aligned x1|x2|x4 trans? m8n8 SHAREDSPACE? b16"}) {
    add(table, "ldmatrix", Action::matrix_load, alu(1), {{75, words}});
    add(table, "stmatrix", Action::matrix_store, alu(1), {{90, words}});
  }
  add(table, "movmatrix", Action::matrix_product, alu(1), {{75, "sync aligned m8n8 trans b16"}});
}

}  // namespace wharf::ptx
