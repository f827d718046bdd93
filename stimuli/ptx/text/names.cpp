// Resolves names of registers and variables.
#include "stimuli/ptx/text/names.h"

namespace wharf::ptx {

void Names::require_new(std::string_view name, Place place) const {
  if (open_.back().names.count(name) != 0 || in_range(open_.back(), name))
    reader_.fail(place, quoted(name) + " is declared twice", "use another name, or another block { }");
}

std::uint32_t Names::add_register(std::string_view name, Type type, Place place) {
  require_new(name, place);
  if (function_.registers.size() >= kMostRegisters) reader_.fail(place, "the function has too many registers", "use at most 1048576");
  const auto index = static_cast<std::uint32_t>(function_.registers.size());
  function_.registers.push_back({name, type});
  open_.back().names.emplace(name, Found{true, index});
  return index;
}

void Names::add_range(std::string_view name, std::uint32_t count, Type type, Place place) {
  if (function_.registers.size() + count > kMostRegisters)
    reader_.fail(place, "the function has too many registers", "use at most 1048576");
  for (const Range& range : open_.back().ranges)
    if (range.prefix == name) reader_.fail(place, quoted(name) + " is declared twice", "use another name, or another block { }");
  open_.back().ranges.push_back({name, static_cast<std::uint32_t>(function_.registers.size()), count});
  function_.registers.resize(function_.registers.size() + count, {name, type});
}

std::uint32_t Names::add_variable(Variable variable) {
  require_new(variable.name, variable.place);
  const auto index = static_cast<std::uint32_t>(function_.variables.size());
  open_.back().names.emplace(variable.name, Found{false, index});
  function_.variables.push_back(std::move(variable));
  return index;
}

void Names::add_label(std::string_view name, Place place) {
  const auto statement = static_cast<std::uint32_t>(function_.statements.size());
  if (!function_.labels.emplace(std::make_pair(block(), name), statement).second)
    reader_.fail(place, "label " + quoted(name) + " is declared twice", "use another name, or another block { }");
}

void Names::open(Place place, std::uint32_t most_nested) {
  if (open_.size() >= most_nested) reader_.fail(place, "blocks are nested too deeply", "use at most " + std::to_string(most_nested));
  Block block;
  block.number = static_cast<std::uint32_t>(function_.scopes.size());
  function_.scopes.push_back(open_.back().number);
  open_.push_back(std::move(block));
}

std::optional<Names::Found> Names::in_range(const Block& block, std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  constexpr std::size_t kMostDigits = 7;
  for (const Range& range : block.ranges) {
    const std::size_t prefix = range.prefix.size();
    if (prefix < digits || name.size() <= prefix || name.size() - prefix > kMostDigits || name.substr(0, prefix) != range.prefix) continue;
    const std::string_view number = name.substr(prefix);
    if (number.size() > 1 && number.front() == '0') continue;
    std::uint32_t value = 0;
    for (const char c : number) value = value * 10 + static_cast<std::uint32_t>(c - '0');
    if (value < range.count) return Found{true, range.first + value};
  }
  return std::nullopt;
}

std::optional<Names::Found> Names::find(std::string_view name) const {
  for (auto block = open_.rbegin(); block != open_.rend(); ++block) {
    if (const auto it = block->names.find(name); it != block->names.end()) return it->second;
    if (const auto found = in_range(*block, name)) return found;
  }
  return std::nullopt;
}

}  // namespace wharf::ptx
