#include "platforms/cli/instructions/instruction_help.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/ptx/table/instruction_table.h"
#include "stimuli/ptx/table/refused.h"
#include "stimuli/ptx/text/pattern_text.h"

namespace wharf::cli {
namespace {

using ptx::Action;

constexpr const char* kTiers = "tier 1 is executed; 2 is refused by name; 3 is refused because it drives hardware that is not modelled";

/// "1 sfu, 12 fp32": the machine instructions by unit.
std::string cost_of(const ptx::Instruction& row) {
  switch (row.action) {
    case Action::load:
      return "1 load; shared: 1 shared; const: 1 alu; param: none";
    case Action::store:
      return "1 store; shared: 1 shared; param: none";
    case Action::atomic:
      return "1 atomic; shared: 1 shared_atomic";
    case Action::texture:
      return "1 texture";
    case Action::ret:
      return "1 branch; of a kernel: 1 exit";
    default:
      break;
  }
  std::string text;
  for (const ptx::Share& share : row.cost.shares)
    if (share.count != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", share.count, kUnitNames[static_cast<std::size_t>(share.unit)]);
  if (text.empty()) text = "none";
  switch (row.cost_rule) {
    case ptx::CostRule::bit_field:
      return text + "; of a literal field: 2 alu";
    case ptx::CostRule::address_sum:
      return text + "; in an address: 1 alu";
    case ptx::CostRule::special:
      return text + "; of a special register: 1 alu";
    case ptx::CostRule::fixed:
      break;
  }
  return text;
}

using Words = std::vector<std::string_view>;

/// The parts of "st.async.weak" between the dots.
Words split_at_dots(std::string_view name) {
  Words words;
  for (std::size_t dot = 0; dot != std::string_view::npos; name.remove_prefix(dot == std::string_view::npos ? 0 : dot + 1)) {
    dot = name.find('.');
    words.push_back(name.substr(0, dot));
  }
  return words;
}

/// Throws InputError: no form of the opcode has these modifiers.
[[noreturn]] void refuse_modifiers(const std::string& opcode, const Words& modifiers) {
  std::vector<std::string> known;
  for (const std::string_view pattern : ptx::patterns_of(opcode))
    for (const std::string_view word : ptx::words_of(pattern))
      if (std::find(known.begin(), known.end(), word) == known.end()) known.emplace_back(word);
  for (const std::string_view word : modifiers) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    if (known.empty()) throw InputError(fmt::format("describe: {0} has no modifiers; write ptx:{0}", opcode));
    throw InputError(fmt::format("describe: no supported form of {} has the modifier {}; its modifiers are {}", opcode, quote(word),
                                 join(known, known.size())));
  }
  throw InputError(
      fmt::format("describe: no supported form of {0} has these modifiers together and in this order; `wharf describe ptx:{0}` "
                  "lists its forms",
                  opcode));
}

/// The forms that have the modifiers, perhaps with others between them.
Table forms_of(const std::string& opcode, const Words& modifiers) {
  Table table{opcode,
              "One word of each list separated by | follows the opcode after a dot; words with ? are optional. Machine "
              "instructions by unit, as an assembler usually generates them.",
              {"form", "operands", "machine instructions", "tier"},
              {},
              0};
  for (const ptx::Instruction& row : ptx::instruction_table()) {
    if (row.opcode != opcode || !ptx::allows_words(row.words, modifiers)) continue;
    const std::string words = ptx::expand_sets(row.words);
    table.rows.push_back(
        {opcode + (words.empty() ? "" : ' ' + words), row.operands == "*" ? "its own" : std::string(row.operands), cost_of(row), "1"});
  }
  if (table.rows.empty()) refuse_modifiers(opcode, modifiers);
  return table;
}

Table all_opcodes() {
  Table table{"Instructions of PTX",
              std::string(kTiers) + "; `wharf describe ptx:OPCODE` lists the forms of one",
              {"opcode", "forms", "machine instructions", "tier"},
              {},
              0};
  std::vector<std::string_view> opcodes;
  for (const ptx::Instruction& row : ptx::instruction_table())
    if (std::find(opcodes.begin(), opcodes.end(), row.opcode) == opcodes.end()) opcodes.push_back(row.opcode);
  std::sort(opcodes.begin(), opcodes.end());
  for (const std::string_view opcode : opcodes) {
    std::size_t forms = 0;
    std::vector<std::string> costs;
    for (const ptx::Instruction& row : ptx::instruction_table()) {
      if (row.opcode != opcode) continue;
      ++forms;
      if (std::find(costs.begin(), costs.end(), cost_of(row)) == costs.end()) costs.push_back(cost_of(row));
    }
    table.rows.push_back({std::string(opcode), std::to_string(forms),
                          costs.size() == 1 ? costs.front() : fmt::format("by form, {} ways", costs.size()), "1"});
  }
  std::vector<std::string_view> refused = ptx::refused_opcodes();
  std::sort(refused.begin(), refused.end());
  for (const std::string_view opcode : refused)
    if (!ptx::is_opcode(opcode)) table.rows.push_back({std::string(opcode), "-", "-", std::to_string(ptx::tier_of(opcode))});
  return table;
}

}  // namespace

std::vector<Table> instruction_tables(const std::string& name) {
  if (name.empty()) return {all_opcodes()};
  Words modifiers = split_at_dots(name);
  const std::string opcode(modifiers.front());
  modifiers.erase(modifiers.begin());
  const unsigned tier = ptx::tier_of(opcode);
  if (tier == 1) return {forms_of(opcode, modifiers)};
  if (tier != 0)
    return {{opcode, kTiers, {"form", "operands", "machine instructions", "tier"}, {{opcode, "-", "-", std::to_string(tier)}}, 0}};
  std::vector<std::string> known;
  for (const ptx::Instruction& row : ptx::instruction_table()) known.emplace_back(row.opcode);
  for (const std::string_view refused : ptx::refused_opcodes()) known.emplace_back(refused);
  const std::string near = did_you_mean(opcode, known);
  throw InputError(
      fmt::format("describe: PTX has no instruction {}{} `wharf describe ptx:` lists all", quote(opcode), near.empty() ? ";" : near));
}

}  // namespace wharf::cli
