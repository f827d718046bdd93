// Rows of moves and conversions. Costs: CU-54.
#include "stimuli/ptx/lanes/convert.h"
#include "stimuli/ptx/lanes/floats/byte_float.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {}  // namespace

void add_conversion_rows(std::vector<Instruction>& table) {
  const std::vector<Instruction> rows = {
      // Literals, addresses of variables and vectors are read by the instruction itself.
      {"mov", "pred", "=0 0", kCompute, moves::mov, kFree},
      {"mov", "VALUE|f16|f16x2", "*", kCompute, moves::mov, alu(1), CostRule::special},
      {"cvta", "to? global|shared|shared::cta|shared::cluster|local|const|param|param::entry u32|u64", "=0 0", kCompute, moves::cvta,
       kFree},
      {"isspacep", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry", "=pred u64", kCompute, moves::isspacep,
       alu(2)},
      // Register widths may exceed the types'.
      {"cvt", "sat? u32|s32|u64|s64 u32|s32|u64|s64", "=0 1", kCompute, convert::cvt, kFree},
      {"cvt", "sat? CVTINT CVTINT", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "RNDI ftz? sat? CVTINT f16|f32|f64", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RND sat? f16|f32|f64 CVTINT", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RND ftz? sat? f16 f32", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "RND ftz? sat? f16|f32 f64", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "ftz? sat? f32 f16", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "ftz? sat? f64 f16|f32", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RNDI? ftz? sat? f32 f32", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RNDI? sat? f64 f64", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RNDI? ftz? sat? f16 f16", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "rn|rz bf16 f32", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "RND bf16 u8|s8|u16|s16|u32|s32|f64", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "RNDI CVTINT bf16", "=0 1", kCompute, convert::cvt, conversion(1)},
      {"cvt", "f32|f64 bf16", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "rna tf32 f32", "=0 1", kCompute, convert::cvt, alu(1)},
      {"cvt", "rn|rz f16x2|bf16x2 f32", "=0 1 1", kCompute, convert::cvt_pair, alu(1)},
      {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f32", "=0 1 1", kCompute, byte_float::pack, alu(1), CostRule::fixed, 89},
      {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f16x2", "=0 1", kCompute, byte_float::narrow, alu(1), CostRule::fixed, 89},
      {"cvt", "rn relu? f16x2 e4m3x2|e5m2x2", "=0 1", kCompute, byte_float::widen, alu(1), CostRule::fixed, 89},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
