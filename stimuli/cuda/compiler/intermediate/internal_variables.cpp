#include "stimuli/cuda/compiler/intermediate/internal_variables.h"

#include <fmt/core.h>

#include <sstream>
#include <string_view>
#include <vector>

namespace wharf::cuda {
namespace {

constexpr std::string_view kUsed = "@llvm.compiler.used = appending global [";

/// The type that `text` begins with, such as `[4 x i32]`, `%struct.s` or `i8 addrspace(1)*`.
std::string_view type_at(std::string_view text) {
  std::size_t end = 0;
  int depth = 0;
  bool is_quoted = false;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    is_quoted ^= c == '"';
    if (is_quoted) continue;
    depth += c == '[' || c == '{' || c == '<' || c == '(' ? 1 : c == ']' || c == '}' || c == '>' || c == ')' ? -1 : 0;
    const bool goes_on = text.substr(end, 11) == " addrspace(" || text.substr(end, 2) == " (";  // a pointer's, or a function's parameters
    if (c == ' ' && depth == 0 && !goes_on) break;
  }
  return text.substr(0, end);
}

/// An element of llvm.compiler.used for the variable that the line defines, such as `i8* addrspacecast (...)`, if it is of internal linkage; its
/// definition is marked. Empty otherwise. `is_opaque`: pointers are `ptr`, as from clang 15 on.
std::string keep(std::string& line, bool is_opaque) {
  if (line.empty() || line[0] != '@' || line.compare(0, 4, "@_ZZ") == 0) return {};
  for (const char space : {'1', '4'}) {
    const std::string linkage = fmt::format(" = internal addrspace({}) ", space), kind = "global ";
    const std::size_t at = line.find(linkage);
    if (at == std::string::npos || line.compare(at + linkage.size(), kind.size(), kind) != 0) continue;
    const std::string type(type_at(std::string_view(line).substr(at + linkage.size() + kind.size()))), name = line.substr(0, at);
    line.insert(at + linkage.size(), "externally_initialized ");
    if (is_opaque) return fmt::format("ptr addrspacecast (ptr addrspace({}) {} to ptr)", space, name);
    const std::string cast = fmt::format("bitcast ({} addrspace({})* {} to i8 addrspace({})*)", type, space, name, space);
    return fmt::format("i8* addrspacecast (i8 addrspace({})* {} to i8*)", space, cast);
  }
  return {};
}

/// Adds elements to the list of an existing llvm.compiler.used.
void extend(std::string& line, const std::vector<std::string>& elements) {
  const std::size_t count = kUsed.size(), end_of_count = line.find(' ', count), end = line.rfind(']');
  const std::size_t present = std::stoul(line.substr(count, end_of_count - count));
  std::string more;
  for (const std::string& element : elements) more += ", " + element;
  line.insert(end, more);
  line.replace(count, end_of_count - count, std::to_string(present + elements.size()));
}

}  // namespace

std::string with_host_access(const std::string& module) {
  std::vector<std::string> lines, kept;
  std::istringstream text(module);
  std::size_t used = std::string::npos;
  const bool is_opaque = module.find(" ptr ") != std::string::npos;
  for (std::string line; std::getline(text, line);) {
    if (std::string element = keep(line, is_opaque); !element.empty()) kept.push_back(std::move(element));
    if (line.rfind(kUsed, 0) == 0) used = lines.size();
    lines.push_back(std::move(line));
  }
  if (kept.empty()) return module;
  if (used == std::string::npos) {
    used = lines.size();
    lines.push_back(fmt::format("{}1 x {}] [{}], section \"llvm.metadata\"", kUsed, is_opaque ? "ptr" : "i8*", kept.back()));
    kept.pop_back();
  }
  if (!kept.empty()) extend(lines[used], kept);
  std::string out;
  out.reserve(module.size() + 256 * kept.size());
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

}  // namespace wharf::cuda
