#pragma once
// The instruction set: one row per group of forms of an instruction. The parser's checks, the executor, the timing and the test matrix come
// from these rows (CU-32, 33, 54).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/base/warp_instruction.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

/// `count` machine instructions of one unit.
struct Share {
  Unit unit = Unit::alu;
  std::uint16_t count = 0;
};

/// The machine instructions of a PTX instruction, in the order of issue. Without shares it has none, such as a move that the assembler
/// removes.
struct Cost {
  std::array<Share, 4> shares{};
  constexpr unsigned size() const {
    unsigned n = 0;
    while (n < shares.size() && shares[n].count != 0) ++n;
    return n;
  }
};

/// Other properties that determine the cost of an instruction.
enum class CostRule : std::uint8_t {
  fixed,
  bit_field,    // two instructions where position and length are literals
  address_sum,  // one instruction where the result feeds addresses only
  special       // one instruction where the source is a special register, else none
};

struct Instruction {
  std::string_view opcode;
  std::string_view words;  // the modifiers, a pattern of text/form.h
  /// The operands, destinations first, with blanks between them. `=` marks a destination, `?` one that may be absent. The letter or the
  /// word behind is its type: 0 or 1 a type of the form, w type 0 at twice its size, or the name of a type. `=pred|pred` and `=0|pred` may
  /// have a second part behind `|`. Others: `m` an address, `mbarrier` that of an mbarrier, `v` a vector as .v2 or .v4 say, `cc` the carry bit and `rank` the CTA's rank in its
  /// cluster (not written in the text), `imm` a literal, `*` whatever follows (read by the instruction itself).
  std::string_view operands;
  Action action = Action::compute;
  Compute (*compute)(const Form& form) = nullptr;
  Cost cost;
  CostRule cost_rule = CostRule::fixed;
  unsigned target = 0;  // the least that has it, as far as that is checked: 80 is sm_80
};

/// All rows; those of one opcode stand together, and the first that matches counts.
const std::vector<Instruction>& instruction_table();

/// The row that matches an instruction's modifiers, or nullptr; `form` is set where there is one.
const Instruction* find_instruction(std::string_view opcode, const std::vector<std::string_view>& modifiers, Form& form);

/// True where some row has the opcode.
bool is_opcode(std::string_view opcode);

/// The patterns of all rows of an opcode, for messages: "rn|rz? f32", ...
std::vector<std::string_view> patterns_of(std::string_view opcode);

}  // namespace wharf::ptx
