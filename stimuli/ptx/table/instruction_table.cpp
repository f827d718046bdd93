// Looks up rows of the instruction table.
#include "stimuli/ptx/table/instruction_table.h"

#include <unordered_map>

#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

/// The rows of each opcode.
const std::unordered_map<std::string_view, std::vector<const Instruction*>>& index() {
  static const auto kIndex = [] {
    std::unordered_map<std::string_view, std::vector<const Instruction*>> rows;
    for (const Instruction& row : instruction_table()) rows[row.opcode].push_back(&row);
    return rows;
  }();
  return kIndex;
}

}  // namespace

const std::vector<Instruction>& instruction_table() {
  static const std::vector<Instruction> kTable = [] {
    std::vector<Instruction> table;
    add_integer_rows(table);
    add_bit_rows(table);
    add_float_rows(table);
    add_half_rows(table);
    add_conversion_rows(table);
    add_memory_rows(table);
    add_control_rows(table);
    add_asynchronous_rows(table);
    add_matrix_rows(table);
    add_video_rows(table);
    return table;
  }();
  return kTable;
}

const Instruction* find_instruction(std::string_view opcode, const std::vector<std::string_view>& modifiers, Form& form) {
  const auto rows = index().find(opcode);
  if (rows == index().end()) return nullptr;
  for (const Instruction* row : rows->second)
    if (match_form(opcode, row->words, modifiers, form)) return row;
  return nullptr;
}

bool is_opcode(std::string_view opcode) { return index().count(opcode) != 0; }

std::vector<std::string_view> patterns_of(std::string_view opcode) {
  std::vector<std::string_view> patterns;
  if (const auto rows = index().find(opcode); rows != index().end())
    for (const Instruction* row : rows->second) patterns.push_back(row->words);
  return patterns;
}

}  // namespace wharf::ptx
