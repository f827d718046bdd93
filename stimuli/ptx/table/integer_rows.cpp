// Rows of integer arithmetic. Costs: CU-54.
#include "stimuli/ptx/lanes/integers/carry.h"
#include "stimuli/ptx/lanes/integers/integer.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

/// Division by way of the special-function unit: a reciprocal, two conversions, and corrections with five multiplications.
constexpr Cost division(std::uint16_t others) {
  return {{Share{Unit::sfu, 1}, Share{Unit::imad, 5}, Share{Unit::conversion, 2}, Share{Unit::alu, others}}};
}
constexpr Cost kDivision32u = division(10), kDivision32s = division(17), kRemainder32u = division(9), kRemainder32s = division(15);
constexpr Cost kWideProduct = imad_and_alu(3, 1), kWideHighProduct = imad_and_alu(4, 4);  // of 64 bits, in parts

}  // namespace

void add_integer_rows(std::vector<Instruction>& table) {
  const std::vector<Instruction> rows = {
      {"add", "sat s32", "=0 0 0", kCompute, integer::add, alu(1)},
      {"add", "cc b32|u32|s32", "=0 =cc 0 0", kCompute, integer::add_carry, alu(1)},
      {"add", "cc b64|u64|s64", "=0 =cc 0 0", kCompute, integer::add_carry, alu(2)},
      {"add", "NARROW", "=0 0 0", kCompute, integer::add, alu(1)},
      {"add", "INT64", "=0 0 0", kCompute, integer::add, alu(2), CostRule::address_sum},
      {"addc", "cc? b32|u32|s32", "=0 =cc 0 0 cc", kCompute, integer::add_carry, alu(1)},
      {"addc", "cc? b64|u64|s64", "=0 =cc 0 0 cc", kCompute, integer::add_carry, alu(2)},
      {"sub", "sat s32", "=0 0 0", kCompute, integer::sub, alu(1)},
      {"sub", "cc b32|u32|s32", "=0 =cc 0 0", kCompute, integer::sub_carry, alu(1)},
      {"sub", "cc b64|u64|s64", "=0 =cc 0 0", kCompute, integer::sub_carry, alu(2)},
      {"sub", "NARROW", "=0 0 0", kCompute, integer::sub, alu(1)},
      {"sub", "INT64", "=0 0 0", kCompute, integer::sub, alu(2), CostRule::address_sum},
      {"subc", "cc? b32|u32|s32", "=0 =cc 0 0 cc", kCompute, integer::sub_carry, alu(1)},
      {"subc", "cc? b64|u64|s64", "=0 =cc 0 0 cc", kCompute, integer::sub_carry, alu(2)},
      {"mul", "lo|hi NARROW", "=0 0 0", kCompute, integer::mul, imad(1)},
      {"mul", "lo INT64", "=0 0 0", kCompute, integer::mul, kWideProduct},
      {"mul", "hi INT64", "=0 0 0", kCompute, integer::mul, kWideHighProduct},
      {"mul", "wide NARROW", "=w 0 0", kCompute, integer::mul, imad(1)},
      {"mad", "hi sat s32", "=0 0 0 0", kCompute, integer::mad, imad(1)},
      {"mad", "lo|hi cc b32|u32|s32", "=0 =cc 0 0 0", kCompute, integer::mad_carry, imad(1)},
      {"mad", "lo|hi cc b64|u64|s64", "=0 =cc 0 0 0", kCompute, integer::mad_carry, kWideHighProduct},
      {"mad", "lo|hi NARROW", "=0 0 0 0", kCompute, integer::mad, imad(1)},
      {"mad", "lo INT64", "=0 0 0 0", kCompute, integer::mad, kWideProduct},
      {"mad", "hi INT64", "=0 0 0 0", kCompute, integer::mad, kWideHighProduct},
      {"mad", "wide NARROW", "=w 0 0 w", kCompute, integer::mad, imad(1)},
      {"madc", "lo|hi cc? b32|u32|s32", "=0 =cc 0 0 0 cc", kCompute, integer::mad_carry, imad(1)},
      {"madc", "lo|hi cc? b64|u64|s64", "=0 =cc 0 0 0 cc", kCompute, integer::mad_carry, kWideHighProduct},
      {"mul24", "lo|hi INT32", "=0 0 0", kCompute, integer::mul24, imad_and_alu(1, 2)},
      {"mad24", "hi sat s32", "=0 0 0 0", kCompute, integer::mad24, imad_and_alu(1, 2)},
      {"mad24", "lo|hi INT32", "=0 0 0 0", kCompute, integer::mad24, imad_and_alu(1, 2)},
      {"sad", "NARROW", "=0 0 0 0", kCompute, integer::sad, alu(1)},
      {"sad", "INT64", "=0 0 0 0", kCompute, integer::sad, alu(6)},
      {"div", "u16|u32", "=0 0 0", kCompute, integer::div, kDivision32u},
      {"div", "s16|s32", "=0 0 0", kCompute, integer::div, kDivision32s},
      {"div", "u64", "=0 0 0", kCompute, integer::div, alu(78)},
      {"div", "s64", "=0 0 0", kCompute, integer::div, alu(95)},
      {"rem", "u16|u32", "=0 0 0", kCompute, integer::rem, kRemainder32u},
      {"rem", "s16|s32", "=0 0 0", kCompute, integer::rem, kRemainder32s},
      {"rem", "u64", "=0 0 0", kCompute, integer::rem, alu(78)},
      {"rem", "s64", "=0 0 0", kCompute, integer::rem, alu(95)},
      {"abs", "s16|s32", "=0 0", kCompute, integer::abs, alu(1)},
      {"abs", "s64", "=0 0", kCompute, integer::abs, alu(3)},
      {"neg", "s16|s32", "=0 0", kCompute, integer::neg, kFree},
      {"neg", "s64", "=0 0", kCompute, integer::neg, alu(2)},
      {"min", "NARROW", "=0 0 0", kCompute, integer::min, alu(1)},
      {"min", "INT64", "=0 0 0", kCompute, integer::min, alu(4)},
      {"max", "NARROW", "=0 0 0", kCompute, integer::max, alu(1)},
      {"max", "INT64", "=0 0 0", kCompute, integer::max, alu(4)},
      {"dp4a", "INT32 INT32", "=b32 b32 b32 b32", kCompute, integer::dp4a, imad(1)},
      {"dp2a", "lo|hi INT32 INT32", "=b32 b32 b32 b32", kCompute, integer::dp2a, imad(1)},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
