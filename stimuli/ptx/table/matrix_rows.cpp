// Rows of products, loads and stores of matrices. A product is one instruction of the tensor unit per 16 x 8 elements of its result, as
// machine code has since sm_80, and at least one.
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

constexpr Cost kOne = cost_of(Unit::tensor, 1), kTwo = cost_of(Unit::tensor, 2);

void add_mma_rows(std::vector<Instruction>& table) {
  for (const std::string_view words :
       {"sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16", "sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32",
        "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32",
        "sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32",
        "sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col f64 f64 f64 f64"})
    table.push_back({"mma", words, "*", Action::matrix_product, nullptr, kOne});
}

void add_wmma_rows(std::vector<Instruction>& table) {
  for (const std::string_view words :
       {"mma sync aligned? row|col row|col WMMASHAPE f16|f32 f16|f32", "mma sync aligned? row|col row|col WMMASHAPE f32 bf16 bf16 f32",
        "mma sync aligned? row|col row|col m16n16k8 f32 tf32 tf32 f32",
        "mma sync aligned? row|col row|col WMMASHAPE satfinite? s32 s8 s8 s32",
        "mma sync aligned? row|col row|col WMMASHAPE satfinite? s32 u8 u8 s32"})
    table.push_back({"wmma", words, "*", Action::matrix_product, nullptr, kTwo});
  table.push_back({"wmma", "mma sync aligned? row|col row|col m8n8k4 rn? f64 f64 f64 f64", "*", Action::matrix_product, nullptr, kOne});
  for (const std::string_view words :
       {"load a|b sync aligned? row|col WMMASHAPE MATRIXSPACE? f16|bf16|s8|u8", "load a|b sync aligned? row|col m16n16k8 MATRIXSPACE? tf32",
        "load c sync aligned? row|col WMMASHAPE MATRIXSPACE? f16|f32|s32", "load c sync aligned? row|col m16n16k8 MATRIXSPACE? f32",
        "load a|b|c sync aligned? row|col m8n8k4 MATRIXSPACE? f64"})
    table.push_back({"wmma", words, "*", Action::matrix_load, nullptr, alu(1)});
  for (const std::string_view words :
       {"store d sync aligned? row|col WMMASHAPE MATRIXSPACE? f16|f32|s32", "store d sync aligned? row|col m16n16k8 MATRIXSPACE? f32",
        "store d sync aligned? row|col m8n8k4 MATRIXSPACE? f64"})
    table.push_back({"wmma", words, "*", Action::matrix_store, nullptr, alu(1)});
}

}  // namespace

void add_matrix_rows(std::vector<Instruction>& table) {
  add_mma_rows(table);
  add_wmma_rows(table);
  // Assemblers take the shape in both places.
  for (const std::string_view words :
       {"sync aligned m8n8 x1|x2|x4 trans? SHAREDSPACE? b16", "sync aligned x1|x2|x4 trans? m8n8 SHAREDSPACE? b16"}) {
    table.push_back({"ldmatrix", words, "*", Action::matrix_load, nullptr, alu(1)});
    table.push_back({"stmatrix", words, "*", Action::matrix_store, nullptr, alu(1)});
  }
}

}  // namespace wharf::ptx
