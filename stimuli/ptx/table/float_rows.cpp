// Rows of floating-point arithmetic. Costs: CU-54.
#include "stimuli/ptx/lanes/floats/floating.h"
#include "stimuli/ptx/lanes/floats/half.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

constexpr Cost kApproximate = sfu_and(Unit::fp32, 3), kExact32 = sfu_and(Unit::fp32, 12), kSfu = cost_of(Unit::sfu, 1);
constexpr Cost kScaledSfu = {{Share{Unit::fp32, 1}, Share{Unit::sfu, 1}}};  // takes turns instead of radians

}  // namespace

void add_float_rows(std::vector<Instruction>& table) {
  const std::vector<Instruction> rows = {
      {"add", "RND? ftz? sat? f32", "=0 0 0", kCompute, floating::add, fp32(1)},
      {"add", "RND? f64", "=0 0 0", kCompute, floating::add, fp64(1)},
      {"sub", "RND? ftz? sat? f32", "=0 0 0", kCompute, floating::sub, fp32(1)},
      {"sub", "RND? f64", "=0 0 0", kCompute, floating::sub, fp64(1)},
      {"mul", "RND? ftz? sat? f32", "=0 0 0", kCompute, floating::mul, fp32(1)},
      {"mul", "RND? f64", "=0 0 0", kCompute, floating::mul, fp64(1)},
      {"fma", "RND ftz? sat? f32", "=0 0 0 0", kCompute, floating::fma, fp32(1)},
      {"fma", "RND f64", "=0 0 0 0", kCompute, floating::fma, fp64(1)},
      {"mad", "RND? ftz? sat? f32", "=0 0 0 0", kCompute, floating::fma, fp32(1)},
      {"mad", "RND? f64", "=0 0 0 0", kCompute, floating::fma, fp64(1)},
      {"div", "approx ftz? f32", "=0 0 0", kCompute, floating::div, sfu_and(Unit::fp32, 4)},
      {"div", "full ftz? f32", "=0 0 0", kCompute, floating::div, sfu_and(Unit::fp32, 7)},
      {"div", "RND ftz? f32", "=0 0 0", kCompute, floating::div, kExact32},
      {"div", "RND f64", "=0 0 0", kCompute, floating::div, sfu_and(Unit::fp64, 12, Unit::alu, 9)},
      {"rcp", "approx ftz f32", "=0 0", kCompute, floating::rcp, kSfu},
      {"rcp", "approx f32", "=0 0", kCompute, floating::rcp, sfu_and(Unit::fp32, 6)},
      {"rcp", "RND ftz? f32", "=0 0", kCompute, floating::rcp, kExact32},
      {"rcp", "approx ftz f64", "=0 0", kCompute, floating::rcp, kSfu},
      {"rcp", "RND f64", "=0 0", kCompute, floating::rcp, sfu_and(Unit::fp64, 7, Unit::alu, 8)},
      {"sqrt", "approx ftz f32", "=0 0", kCompute, floating::sqrt, kSfu},
      {"sqrt", "approx f32", "=0 0", kCompute, floating::sqrt, kApproximate},
      {"sqrt", "RND ftz? f32", "=0 0", kCompute, floating::sqrt, kExact32},
      {"sqrt", "RND f64", "=0 0", kCompute, floating::sqrt, sfu_and(Unit::fp64, 8, Unit::alu, 12)},
      {"rsqrt", "approx ftz f32", "=0 0", kCompute, floating::rsqrt, kSfu},
      {"rsqrt", "approx f32", "=0 0", kCompute, floating::rsqrt, kApproximate},
      {"rsqrt", "approx ftz f64", "=0 0", kCompute, floating::rsqrt, kSfu},
      {"rsqrt", "approx f64", "=0 0", kCompute, floating::rsqrt, sfu_and(Unit::fp64, 8, Unit::alu, 8)},
      {"sin", "approx ftz? f32", "=0 0", kCompute, floating::sin, kScaledSfu},
      {"cos", "approx ftz? f32", "=0 0", kCompute, floating::cos, kScaledSfu},
      {"ex2", "approx ftz f32", "=0 0", kCompute, floating::ex2, kSfu},
      {"ex2", "approx f32", "=0 0", kCompute, floating::ex2, kApproximate},
      {"lg2", "approx ftz f32", "=0 0", kCompute, floating::lg2, kSfu},
      {"lg2", "approx f32", "=0 0", kCompute, floating::lg2, kApproximate},
      {"tanh", "approx f32", "=0 0", kCompute, floating::tanh, kSfu},
      {"min", "ftz? NaN? f32", "=0 0 0", kCompute, floating::min, fp32(1)},
      {"min", "f64", "=0 0 0", kCompute, floating::min, {{Share{Unit::fp64, 2}, Share{Unit::alu, 5}}}},
      {"max", "ftz? NaN? f32", "=0 0 0", kCompute, floating::max, fp32(1)},
      {"max", "f64", "=0 0 0", kCompute, floating::max, {{Share{Unit::fp64, 2}, Share{Unit::alu, 5}}}},
      {"abs", "ftz? f32", "=0 0", kCompute, floating::abs, kFree},
      {"abs", "f64", "=0 0", kCompute, floating::abs, kFree},
      {"neg", "ftz? f32", "=0 0", kCompute, floating::neg, kFree},
      {"neg", "f64", "=0 0", kCompute, floating::neg, kFree},
      {"copysign", "f32", "=0 0 0", kCompute, floating::copysign, alu(1)},
      {"copysign", "f64", "=0 0 0", kCompute, floating::copysign, alu(1)},
      {"testp", "finite|infinite|number|notanumber|normal|subnormal f32", "=pred 0", kCompute, floating::testp, alu(2)},
      {"testp", "finite|infinite|number|notanumber|normal|subnormal f64", "=pred 0", kCompute, floating::testp, alu(3)},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

void add_half_rows(std::vector<Instruction>& table) {
  const std::vector<Instruction> rows = {
      {"add", "rn? ftz? sat? f16|f16x2", "=0 0 0", kCompute, half::add, fp32(1)},
      {"sub", "rn? ftz? sat? f16|f16x2", "=0 0 0", kCompute, half::sub, fp32(1)},
      {"mul", "rn? ftz? sat? f16|f16x2", "=0 0 0", kCompute, half::mul, fp32(1)},
      {"fma", "rn ftz? sat? f16|f16x2", "=0 0 0 0", kCompute, half::fma, fp32(1)},
      {"neg", "ftz? f16|f16x2", "=0 0", kCompute, half::neg, alu(1)},
      {"abs", "ftz? f16|f16x2", "=0 0", kCompute, half::abs, alu(1)},
      {"min", "ftz? NaN? f16|f16x2", "=0 0 0", kCompute, half::min, fp32(1)},
      {"max", "ftz? NaN? f16|f16x2", "=0 0 0", kCompute, half::max, fp32(1)},
      {"ex2", "approx ftz? f16|f16x2", "=0 0", kCompute, half::ex2, kSfu},
      {"tanh", "approx f16|f16x2", "=0 0", kCompute, half::tanh, kSfu},
      {"add", "rn? bf16|bf16x2", "=0 0 0", kCompute, half::add, fp32(1)},
      {"sub", "rn? bf16|bf16x2", "=0 0 0", kCompute, half::sub, fp32(1)},
      {"mul", "rn? bf16|bf16x2", "=0 0 0", kCompute, half::mul, fp32(1)},
      {"fma", "rn bf16|bf16x2", "=0 0 0 0", kCompute, half::fma, fp32(1)},
      {"neg", "bf16|bf16x2", "=0 0", kCompute, half::neg, alu(1)},
      {"abs", "bf16|bf16x2", "=0 0", kCompute, half::abs, alu(1)},
      {"min", "NaN? bf16|bf16x2", "=0 0 0", kCompute, half::min, fp32(1)},
      {"max", "NaN? bf16|bf16x2", "=0 0 0", kCompute, half::max, fp32(1)},
      {"ex2", "approx ftz bf16|bf16x2", "=0 0", kCompute, half::ex2, kSfu},
      {"tanh", "approx bf16|bf16x2", "=0 0", kCompute, half::tanh, kSfu},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
