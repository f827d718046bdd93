#include "stimuli/ptx/program/definitions.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "stimuli/ptx/program/statement_lowering.h"

namespace wharf::ptx {
namespace {

bool is_in_memory(const Variable& variable) { return variable.space == StateSpace::global || variable.space == StateSpace::constant; }

/// The first operand that names `name`, or nullptr.
const OperandSyntax* find_use(const std::vector<OperandSyntax>& operands, std::string_view name) {
  for (const OperandSyntax& operand : operands) {
    if (operand.kind == OperandSyntax::Kind::symbol && operand.name == name) return &operand;
    if (const OperandSyntax* part = find_use(operand.parts, name); part != nullptr) return part;
  }
  return nullptr;
}

/// `m.ptx:7:6 in k`: the first use in the function, or "" where it has none.
std::string use_in(const Module& module, const Function& function, std::string_view name) {
  for (const Statement& statement : function.statements) {
    const OperandSyntax* use = find_use(statement.operands, name);
    if (use != nullptr)
      return fmt::format("{}:{}:{} in {}", module.source->file, use->place.line, use->place.column, quoted(function.name));
  }
  return {};
}

/// Declarations of functions and variables that another module must define.
std::set<std::string_view> declared_names(const Module& module) {
  std::set<std::string_view> names;
  for (const Function& function : module.functions)
    if (!function.is_defined && system_function(function.name) == SystemFunction::none) names.insert(function.name);
  for (const Variable& variable : module.variables)
    if (variable.linkage == Linkage::external && is_in_memory(variable)) names.insert(variable.name);
  for (const Function& function : module.functions)
    if (function.is_defined) names.erase(function.name);
  return names;
}

}  // namespace

Definitions::Definitions(const std::vector<Module>& modules) {
  for (const Module& module : modules) {
    for (const Function& function : module.functions)
      if (function.is_defined) add(module, "function", function);
    for (const Variable& variable : module.variables)
      if (variable.linkage != Linkage::external && is_in_memory(variable)) add(module, "variable", variable);
  }
  // In one module alone, the mistake is kept for the launch of a function that uses the name.
  if (modules.size() > 1) require_defined(modules);
}

template <class What>
void Definitions::add(const Module& module, const char* kind, const What& what) {
  if (!is_shared(what)) return;
  const Definition fresh{&what, &module, what.place, what.linkage == Linkage::weak};
  const auto [it, is_new] = definitions_.emplace(what.name, fresh);
  if (is_new || fresh.is_weak) return;
  const Definition& known = it->second;
  if (!known.is_weak)
    fail_at(*module.source, what.place,
            fmt::format("{} {} is defined twice, first at {}:{}:{}", kind, quoted(what.name), known.module->source->file, known.place.line,
                        known.place.column),
            "keep one definition, or make one .weak");
  it->second = fresh;
}

void Definitions::require_defined(const std::vector<Module>& modules) const {
  std::map<std::string_view, std::string> users;
  for (const Module& module : modules)
    for (const std::string_view name : declared_names(module)) {
      if (definitions_.count(name) != 0) continue;
      for (const Function& function : module.functions)
        if (const std::string use = use_in(module, function, name); !use.empty()) users[name] += (users[name].empty() ? "" : ", ") + use;
    }
  if (users.empty()) return;
  std::string text = fmt::format("the {} linked modules lack {} of the definitions that they use:", modules.size(), users.size());
  for (const auto& [name, places] : users) text += fmt::format("\n  {}: used at {}", quoted(name), places);
  throw InputError(text + "\nlink the file that defines each");
}

}  // namespace wharf::ptx
