// Rows of logic, shifts, bit fields, comparisons and choices. Costs: CU-54.
#include "stimuli/ptx/lanes/bits.h"
#include "stimuli/ptx/lanes/compare.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {}  // namespace

void add_bit_rows(std::vector<Instruction>& table) {
  const std::vector<Instruction> rows = {
      {"and", "pred|b16|b32", "=0 0 0", kCompute, bits::bit_and, alu(1)},
      {"and", "b64", "=0 0 0", kCompute, bits::bit_and, alu(2)},
      {"or", "pred|b16|b32", "=0 0 0", kCompute, bits::bit_or, alu(1)},
      {"or", "b64", "=0 0 0", kCompute, bits::bit_or, alu(2)},
      {"xor", "pred|b16|b32", "=0 0 0", kCompute, bits::bit_xor, alu(1)},
      {"xor", "b64", "=0 0 0", kCompute, bits::bit_xor, alu(2)},
      {"not", "pred|b16|b32", "=0 0", kCompute, bits::bit_not, alu(1)},
      {"not", "b64", "=0 0", kCompute, bits::bit_not, alu(2)},
      {"cnot", "b16|b32", "=0 0", kCompute, bits::cnot, alu(2)},
      {"cnot", "b64", "=0 0", kCompute, bits::cnot, alu(3)},
      {"shl", "b16|b32", "=0 0 b32", kCompute, bits::shl, alu(1)},
      {"shl", "b64", "=0 0 b32", kCompute, bits::shl, alu(2)},
      {"shr", "b16|u16|s16|b32|u32|s32", "=0 0 b32", kCompute, bits::shr, alu(1)},
      {"shr", "b64|u64|s64", "=0 0 b32", kCompute, bits::shr, alu(2)},
      {"shf", "l|r clamp|wrap b32", "=0 0 0 b32", kCompute, bits::shf, alu(1)},
      {"lop3", "b32", "=0 0 0 0 imm", kCompute, bits::lop3, alu(1)},
      {"prmt", "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "=0 0 0 0", kCompute, bits::prmt, alu(1)},
      {"popc", "b32", "=b32 0", kCompute, bits::popc, conversion(1)},
      {"popc", "b64", "=b32 0", kCompute, bits::popc, conversion_and_alu(2, 1)},
      {"clz", "b32", "=b32 0", kCompute, bits::clz, conversion_and_alu(1, 1)},
      {"clz", "b64", "=b32 0", kCompute, bits::clz, conversion_and_alu(2, 5)},
      {"brev", "b32", "=0 0", kCompute, bits::brev, conversion(1)},
      {"brev", "b64", "=0 0", kCompute, bits::brev, conversion(2)},
      {"bfind", "shiftamt? INT32", "=b32 0", kCompute, bits::bfind, conversion(1)},
      {"bfind", "shiftamt? INT64", "=b32 0", kCompute, bits::bfind, conversion(2)},
      {"bfe", "INT32", "=0 0 b32 b32", kCompute, bits::bfe, alu(5), CostRule::bit_field},
      {"bfe", "INT64", "=0 0 b32 b32", kCompute, bits::bfe, alu(10), CostRule::bit_field},
      {"bfi", "b32", "=0 0 0 b32 b32", kCompute, bits::bfi, alu(6), CostRule::bit_field},
      {"bfi", "b64", "=0 0 0 b32 b32", kCompute, bits::bfi, alu(12), CostRule::bit_field},
      {"bmsk", "clamp|wrap b32", "=0 0 0", kCompute, bits::bmsk, alu(1)},
      {"setp", "COMPARE ftz? f32", "=pred|pred 0 0", kCompute, compare::setp, fp32(1)},
      {"setp", "COMPARE COMBINE ftz? f32", "=pred|pred 0 0 pred", kCompute, compare::setp, fp32(1)},
      {"setp", "COMPARE f64", "=pred|pred 0 0", kCompute, compare::setp, fp64(1)},
      {"setp", "COMPARE COMBINE f64", "=pred|pred 0 0 pred", kCompute, compare::setp, fp64(1)},
      {"setp", "COMPARE ftz? f16|f16x2", "=pred|pred 0 0", kCompute, compare::setp, fp32(1)},
      {"setp", "COMPARE COMBINE ftz? f16|f16x2", "=pred|pred 0 0 pred", kCompute, compare::setp, fp32(1)},
      {"setp", "COMPARE bf16|bf16x2", "=pred|pred 0 0", kCompute, compare::setp, fp32(1)},
      {"setp", "COMPARE COMBINE bf16|bf16x2", "=pred|pred 0 0 pred", kCompute, compare::setp, fp32(1)},
      {"setp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs b16|u16|s16|b32|u32|s32", "=pred|pred 0 0", kCompute, compare::setp, alu(1)},
      {"setp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs b64|u64|s64", "=pred|pred 0 0", kCompute, compare::setp, alu(2)},
      {"setp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs COMBINE b16|u16|s16|b32|u32|s32", "=pred|pred 0 0 pred", kCompute, compare::setp, alu(1)},
      {"setp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs COMBINE b64|u64|s64", "=pred|pred 0 0 pred", kCompute, compare::setp, alu(2)},
      {"set", "COMPARE ftz? u32|s32|f32 f32", "=0 1 1", kCompute, compare::set, fp32(1)},
      {"set", "COMPARE COMBINE ftz? u32|s32|f32 f32", "=0 1 1 pred", kCompute, compare::set, fp32(1)},
      {"set", "COMPARE u32|s32|f32 f64", "=0 1 1", kCompute, compare::set, fp64(2)},
      {"set", "COMPARE COMBINE u32|s32|f32 f64", "=0 1 1 pred", kCompute, compare::set, fp64(2)},
      {"set", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs u32|s32|f32 b16|u16|s16|b32|u32|s32|b64|u64|s64", "=0 1 1", kCompute, compare::set, alu(2)},
      {"set", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs COMBINE u32|s32|f32 b16|u16|s16|b32|u32|s32|b64|u64|s64", "=0 1 1 pred", kCompute,
       compare::set, alu(2)},
      {"selp", "b16|u16|s16|b32|u32|s32|f32", "=0 0 0 pred", kCompute, compare::selp, alu(1)},
      {"selp", "b64|u64|s64|f64", "=0 0 0 pred", kCompute, compare::selp, alu(2)},
      {"slct", "ftz? VALUE f32|s32", "=0 0 0 1", kCompute, compare::slct, alu(2)},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
