#pragma once
// The rows of the instruction table by family, and the names of costs that they share.

#include <vector>

#include "stimuli/ptx/table/instruction_table.h"

namespace wharf::ptx {

void add_integer_rows(std::vector<Instruction>& table);
void add_bit_rows(std::vector<Instruction>& table);
void add_float_rows(std::vector<Instruction>& table);
void add_half_rows(std::vector<Instruction>& table);
void add_conversion_rows(std::vector<Instruction>& table);
void add_memory_rows(std::vector<Instruction>& table);
void add_control_rows(std::vector<Instruction>& table);
void add_asynchronous_rows(std::vector<Instruction>& table);
void add_matrix_rows(std::vector<Instruction>& table);
void add_video_rows(std::vector<Instruction>& table);

constexpr Cost cost_of(Unit unit, std::uint16_t count) { return {{Share{unit, count}}}; }
constexpr Cost alu(std::uint16_t count) { return cost_of(Unit::alu, count); }
constexpr Cost imad(std::uint16_t count) { return cost_of(Unit::imad, count); }
constexpr Cost conversion(std::uint16_t count) { return cost_of(Unit::conversion, count); }
constexpr Cost imad_and_alu(std::uint16_t count, std::uint16_t others) { return {{Share{Unit::imad, count}, Share{Unit::alu, others}}}; }
constexpr Cost conversion_and_alu(std::uint16_t count, std::uint16_t others) {
  return {{Share{Unit::conversion, count}, Share{Unit::alu, others}}};
}
constexpr Cost fp32(std::uint16_t count) { return cost_of(Unit::fp32, count); }
constexpr Cost fp64(std::uint16_t count) { return cost_of(Unit::fp64, count); }
/// One instruction of the special-function unit, then `count` of another.
constexpr Cost sfu_and(Unit unit, std::uint16_t count) { return {{Share{Unit::sfu, 1}, Share{unit, count}}}; }
constexpr Cost sfu_and(Unit unit, std::uint16_t count, Unit other, std::uint16_t others) {
  return {{Share{Unit::sfu, 1}, Share{unit, count}, Share{other, others}}};
}
inline constexpr Cost kFree{};
inline constexpr auto kCompute = Action::compute;

}  // namespace wharf::ptx
