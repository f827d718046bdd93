#include "stimuli/cuda/compiler/intermediate/managed_variables.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cuda {
namespace {

constexpr std::string_view kSection = R"(, section "wharf_managed")";

struct ManagedVariable {
  std::size_t line = 0;    // of its definition or declaration
  std::string type;        // such as "[16 x i32]"
  bool is_opaque = false;  // pointers are `ptr`, as from clang 15 on
  std::string pointer() const { return is_opaque ? "ptr" : type + "*"; }
};
using ManagedVariables = std::map<std::string, ManagedVariable, std::less<>>;  // by names such as "@x"

bool is_of_global_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-'; }

/// The name of a global value that begins at `at`, such as `@x` or `@"a name"`. Empty if none does.
std::string_view name_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '@') return {};
  std::size_t end = at + 1;
  if (end < text.size() && text[end] == '"') return text.substr(at, text.find('"', end + 1) + 1 - at);
  while (end < text.size() && is_of_global_name(text[end])) ++end;
  return text.substr(at, end - at);
}

/// The first use of a managed variable from `from` on.
struct Use {
  std::size_t at = std::string::npos;
  ManagedVariables::iterator variable;
};
Use find_use(std::string_view text, std::size_t from, ManagedVariables& variables) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '"') {  // text of inline assembly
      at = text.find('"', at + 1);
      if (at == std::string::npos) break;
      continue;
    }
    const std::string_view name = name_at(text, at);
    if (name.empty()) continue;
    if (const auto found = variables.find(name); found != variables.end()) return {at, found};
    at += name.size() - 1;
  }
  return {std::string::npos, variables.end()};
}

/// `first, second` cut at the comma outside all brackets.
std::array<std::string, 2> halves_of(const std::string& text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : c == ')' || c == ']' || c == '}' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0) return {text.substr(0, at), text.substr(at + 2)};
  }
  return {text, ""};
}

/// A constant expression that encloses a place in a line: `bitcast (...)`, `getelementptr inbounds (...)`.
struct Expression {
  std::size_t begin = std::string::npos, open = 0, close = 0;  // of its first letter and its parentheses
  bool has_typed_operands = false;  // whose second operand has a type in an expression, but not in an instruction
};

std::size_t matching_parenthesis(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at;
  }
  return text.size();
}

/// The bracket of any kind that is open at `at`, or npos.
std::size_t enclosing_bracket(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at-- > 0) {
    const char c = text[at];
    if (c == ')' || c == ']' || c == '}' || c == '>') ++depth;
    if ((c == '(' || c == '[' || c == '{' || c == '<') && depth-- == 0) return at;
  }
  return std::string::npos;
}

/// The constant expression whose parenthesis is `open`; its begin is npos where the parenthesis is that of a call.
Expression expression_at(std::string_view text, std::size_t open) {
  static const std::array<std::string_view, 11> kPlain = {"getelementptr", "bitcast", "addrspacecast", "ptrtoint", "inttoptr", "trunc",
                                                          "zext",          "sext",    "uitofp",        "sitofp",   "select"};
  static const std::array<std::string_view, 14> kTyped = {"icmp", "add",  "sub", "mul", "sdiv", "udiv", "srem",
                                                          "urem", "ashr", "and", "or",  "xor",  "shl",  "lshr"};
  Expression expression;
  std::size_t end = open;
  for (unsigned words = 0; words < 4 && end > 0 && text[end - 1] == ' '; ++words) {
    const std::size_t before = text.find_last_not_of("abcdefghijklmnopqrstuvwxyz", end - 2);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view word = text.substr(begin, end - 1 - begin);
    const auto is_one_of = [word](const auto& names) {
      for (const std::string_view name : names)
        if (name == word) return true;
      return false;
    };
    expression.has_typed_operands = is_one_of(kTyped);
    if (expression.has_typed_operands || is_one_of(kPlain)) {
      expression.begin = begin, expression.open = open, expression.close = matching_parenthesis(text, open);
      return expression;
    }
    end = begin;
  }
  return {};
}

/// Rewrites the instructions of one function.
class FunctionRewriter {
 public:
  FunctionRewriter(ManagedVariables& variables, const std::string& path) : variables_(variables), path_(path) {}

  std::string rewritten(std::string line) {
    for (Use use = find_use(line, 0, variables_); use.at != std::string::npos; use = find_use(line, 0, variables_)) {
      ManagedVariable& variable = use.variable->second;
      const std::string name = use.variable->first;
      variable.is_opaque = use.at >= 4 && line.compare(use.at - 4, 4, "ptr ") == 0;
      const std::string pointer = variable.pointer(), holder = variable.is_opaque ? "ptr" : pointer + "*";
      line.replace(use.at, name.size(), defined(fmt::format("load {}, {} {}", pointer, holder, name)));
      compute_enclosing(line, use.at, name);
    }
    return line;
  }
  /// What computes the values that the lines name. It belongs at the function's begin, so that it comes before every use.
  const std::string& first_instructions() const { return first_; }

 private:
  /// A constant expression cannot hold what is loaded: each one around `at` becomes an instruction.
  void compute_enclosing(std::string& line, std::size_t at, const std::string& name) {
    for (;;) {
      const std::size_t open = enclosing_bracket(line, at);
      if (open == std::string::npos) return;
      if (line[open] != '(') {
        if (line.find(" = phi ") != std::string::npos) return;
        throw InputError(
            fmt::format("{}: a constant holds the address of the __managed__ variable {}, which is known when the program "
                        "runs; assign it there",
                        path_, readable_name(name.substr(1))));
      }
      const Expression expression = expression_at(line, open);
      if (expression.begin == std::string::npos) return;
      std::string operands = rewritten(line.substr(open + 1, expression.close - open - 1));
      if (expression.has_typed_operands) operands = without_second_type(operands);
      const std::string operation = line.substr(expression.begin, open - expression.begin);
      line.replace(expression.begin, expression.close + 1 - expression.begin, defined(operation + operands));
      at = expression.begin;
    }
  }
  /// `i64 %a, i64 5` as `i64 %a, 5`. One of the operands is a name of ours, which shows where the type ends.
  static std::string without_second_type(const std::string& operands) {
    const auto [first, second] = halves_of(operands);
    const std::string& named = first.find(" %managed.") != std::string::npos ? first : second;
    const std::string type = named.substr(0, named.find(" %managed.") + 1);
    return first + ", " + second.substr(type.size());
  }
  /// The name of the value of an instruction. Equal ones are computed once.
  std::string defined(const std::string& instruction) {
    const auto [known, is_new] = values_.emplace(instruction, fmt::format("%managed.{}", values_.size()));
    if (is_new) first_ += fmt::format("  {} = {}\n", known->second, instruction);
    return known->second;
  }

  ManagedVariables& variables_;
  const std::string& path_;
  std::string first_;
  std::map<std::string, std::string> values_;
};

ManagedVariables managed_variables(const std::vector<std::string>& lines) {
  ManagedVariables variables;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::size_t section = line.find(kSection), kind = line.find(" global ");
    if (line.empty() || line[0] != '@' || section == std::string::npos || kind == std::string::npos) continue;
    std::string type = line.substr(kind + 8, section - kind - 8);
    if (const std::size_t value = type.rfind(" undef"); value != std::string::npos) type.resize(value);  // it is the device's to initialise
    variables[std::string(name_at(line, 0))] = {i, type, false};
  }
  return variables;
}

/// The definition or declaration of the pointer that takes the place of a variable.
std::string pointer_line(const std::string& line, const ManagedVariable& variable) {
  const std::size_t kind = line.find(" global ") + 8, section = line.find(kSection);
  const bool is_defined = line.compare(kind, section - kind, variable.type) != 0;
  std::string rest = line.substr(section + kSection.size());
  if (const std::size_t alignment = rest.find(", align "); alignment != std::string::npos)
    rest.erase(alignment, rest.find_first_not_of("0123456789", alignment + 8) - alignment);
  return line.substr(0, kind) + variable.pointer() + (is_defined ? " null" : "") + rest;
}

/// The call that registers a variable, if it is managed, as one that registers its pointer.
std::string registration_line(std::string line, ManagedVariables& variables) {
  const std::string plain = "@__cudaRegisterVar(", managed = "@__cudaRegisterManagedVar(";
  const Use use = find_use(line, 0, variables);
  if (use.at == std::string::npos) return line;
  const std::string& name = use.variable->first;
  ManagedVariable& variable = use.variable->second;
  variable.is_opaque = line.compare(use.at - 4, 4, "ptr ") == 0;
  if (!variable.is_opaque) {
    // The parameter is an i8*: a cast of the variable, the address of its first byte, or the variable itself if it is one.
    const std::size_t open = enclosing_bracket(line, use.at);
    const Expression cast = open == std::string::npos ? Expression() : expression_at(line, open);
    const bool is_cast = cast.begin != std::string::npos;
    const std::size_t begin = is_cast ? cast.begin : use.at, end = is_cast ? cast.close + 1 : use.at + name.size();
    line.replace(begin, end - begin, fmt::format("bitcast ({}* {} to i8*)", variable.pointer(), std::string(name)));
  }
  return line.replace(line.find(plain), plain.size(), managed);
}

/// Registers the module before objects of the source are constructed, which may use its variables.
void register_first(std::string& line) {
  const std::string any_order = "i32 65535", first = "i32 101";
  const std::size_t constructor = line.find("@__cuda_module_ctor");
  const std::size_t order = constructor == std::string::npos ? constructor : line.rfind(any_order, constructor);
  if (order != std::string::npos) line.replace(order, any_order.size(), first);
}

}  // namespace

std::string with_managed_pointers(const std::string& module, const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(module);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ManagedVariables variables = managed_variables(lines);
  if (variables.empty()) return module;

  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string& line = lines[i];
    if (line.rfind("@llvm.global_ctors", 0) == 0) register_first(line);
    // clang 14 declares it as HIP does.
    if (line.rfind("declare void @__cudaRegisterManagedVar(", 0) == 0) line.clear();
    if (line.rfind("declare void @__cudaRegisterVar(", 0) == 0)
      line += "\n" + line.substr(0, 13) + "@__cudaRegisterManagedVar" + line.substr(line.find('('));
    if (line.rfind("define ", 0) != 0) continue;
    FunctionRewriter function(variables, path);
    const std::size_t begin = lines[i + 1].empty() || lines[i + 1][0] == ' ' ? i : i + 1;  // behind a label
    for (++i; i < lines.size() && lines[i] != "}"; ++i)
      lines[i] =
          lines[i].find("@__cudaRegisterVar(") != std::string::npos ? registration_line(lines[i], variables) : function.rewritten(lines[i]);
    if (!function.first_instructions().empty()) lines[begin] += '\n' + function.first_instructions();
  }
  for (std::string& line : lines) {
    const std::string_view defined = name_at(line, 0);
    if (defined.empty() || variables.find(defined) != variables.end()) continue;
    if (const Use use = find_use(line, defined.size(), variables); use.at != std::string::npos)
      throw InputError(
          fmt::format("{}: the initial value of {} holds the address of the __managed__ variable {}, which is known when the "
                      "program runs; assign it there",
                      path, readable_name(std::string(defined.substr(1))), readable_name(use.variable->first.substr(1))));
  }
  for (const auto& [name, variable] : variables) lines[variable.line] = pointer_line(lines[variable.line], variable);
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

}  // namespace wharf::cuda
