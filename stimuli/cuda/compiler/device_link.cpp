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

}  // namespace

std::string with_private_names(const std::string& ptx) {
  std::map<std::string_view, std::string_view> full_names;
  visit_words(ptx, [&](std::string_view word) {
    if (const std::size_t suffix = word.find("__static__"); suffix != std::string_view::npos) full_names[word.substr(0, suffix)] = word;
  });
  if (full_names.empty()) return ptx;
  std::string text;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    bool is_renamed = false;
    std::string fresh;
    visit_words(line, [&](std::string_view word) {
      const auto name = full_names.find(word);
      is_renamed = is_renamed || name != full_names.end();
      fresh += name == full_names.end() ? word : name->second;
    });
    const bool is_declaration = line.rfind(".extern", 0) == 0;
    text += (is_renamed && is_declaration ? "" : fresh) + '\n';  // an empty line: errors name lines of clang's PTX
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
