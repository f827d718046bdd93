#include "stimuli/cuda/compiler/device_link.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace wharf::cuda {

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

/// Calls `visit` with each name or number of a text, and with the text between them.
template <class Visitor>
void visit_words(std::string_view text, Visitor visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && is_of_name(text[end]) == is_of_name(text[begin])) ++end;
    visit(text.substr(begin, end - begin));
    begin = end;
  }
}

/// True for the name of a static variable, or of what is in a namespace without a name. False for static members of classes, which all files
/// share.
bool is_private(std::string_view name) {
  if (name.substr(0, 2) != "_Z" || name.find("_GLOBAL__N_") != std::string_view::npos) return true;
  for (std::size_t at = name.find('L'); at != std::string_view::npos; at = name.find('L', at + 1))
    if (at + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0) return true;  // as in _ZL3own, _ZN5spaceL3ownE
  return false;
}

}  // namespace

std::string with_private_names(const std::string& ptx) {
  std::map<std::string_view, std::string_view> new_names;
  std::set<std::string_view> shared;
  visit_words(ptx, [&](std::string_view word) {
    const std::size_t suffix = word.find("__static__");
    if (suffix == std::string_view::npos) return;
    const std::string_view name = word.substr(0, suffix);
    if (is_private(name)) {
      new_names[name] = word;
    } else {
      new_names[word] = name;
      shared.insert(name);
    }
  });
  if (new_names.empty()) return ptx;
  std::string text;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    bool is_renamed = false, is_shared = false;
    std::string fresh;
    visit_words(line, [&](std::string_view word) {
      const auto name = new_names.find(word);
      const std::string_view now = name == new_names.end() ? word : name->second;
      is_renamed |= name != new_names.end();
      is_shared |= shared.count(now) != 0;
      fresh += now;
    });
    constexpr std::string_view kVisible = ".visible";
    if (is_shared && line.rfind(kVisible, 0) == 0) fresh.replace(0, kVisible.size(), ".weak");  // each file may define it
    const bool is_declaration = line.rfind(".extern", 0) == 0;
    text += ((is_renamed || is_shared) && is_declaration ? "" : fresh) + '\n';  // an empty line: errors name lines of clang's PTX
  }
  return text;
}

std::vector<std::string> unlinked_objects(const std::string& symbols) {
  static const std::string kFunction = "__cudaRegisterLinkedBinary_";
  std::vector<std::string> called;
  std::set<std::string> defined;
  std::istringstream lines(symbols);
  // "                 U name" or "0000000000000060 T name"
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.rfind(' ') + 1;
    if (begin < 2 || line.compare(begin, kFunction.size(), kFunction) != 0) continue;
    const std::string hash = line.substr(begin + kFunction.size());
    if (line[begin - 2] != 'U')
      defined.insert(hash);
    else if (std::find(called.begin(), called.end(), hash) == called.end())
      called.push_back(hash);
  }
  called.erase(std::remove_if(called.begin(), called.end(), [&](const std::string& hash) { return defined.count(hash) != 0; }),
               called.end());
  return called;
}

std::string group_stub(const std::vector<std::string>& hashes) {
  std::string declarations, list, functions;
  for (const std::string& hash : hashes) {
    declarations += fmt::format("extern const char __fatbinwrap_{}[];\n", hash);
    list += fmt::format("{}__fatbinwrap_{}", list.empty() ? "" : ", ", hash);
    functions += fmt::format(
        "void __cudaRegisterLinkedBinary_{}(void (*variables)(void **), void *wrapper, void *name, void (*unused)(void *)) {{\n"
        "  (void)wrapper, (void)name, (void)unused;\n  variables(group());\n}}\n",
        hash);
  }
  return fmt::format(
      "{}extern void **__cudaRegisterLinkedBinaries(const void *const *, unsigned);\nextern void __cudaUnregisterFatBinary(void **);\n"
      "extern int atexit(void (*)(void));\nstatic void **handle;\nstatic void end(void) {{ __cudaUnregisterFatBinary(handle); }}\n"
      "static void **group(void) {{\n  static const void *const wrappers[] = {{{}}};\n  if (!handle) {{\n"
      "    handle = __cudaRegisterLinkedBinaries(wrappers, {});\n    atexit(end);\n  }}\n  return handle;\n}}\n{}",
      declarations, list, hashes.size(), functions);
}

}  // namespace wharf::cuda
